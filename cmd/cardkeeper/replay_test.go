package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cardkeeper/cardkeeper/app"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/logs"
)

// payload is one of GitHub's examples.
func payload(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../testdata/webhooks/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// saved writes a file for replay.
func saved(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "delivery.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func replay(t *testing.T, args ...string) (code int, out, complaints string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), append([]string{"replay"}, args...), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

const savedGUID = "72d3162e-cc78-11e3-81ab-4c9367dc0958"

// A plan is told in ids alone; not a word of the payload is printed (law 8).
func TestReplayTellsThePlanAndSendsNothing(t *testing.T) {
	t.Parallel()
	file := settings(t, goodSettings) // nobody listens there
	for name, want := range map[string]string{
		"pull_request.opened":          "wants check, pull request ",
		"issue_comment.created":        "wants ",
		"merge_group.checks_requested": "wants check_commit, head ",
		"pull_request.labeled":         "wants nothing\n",
		"installation.created":         "wants account\n",
	} {
		event, _, _ := strings.Cut(name, ".")
		code, out, complaints := replay(t, "--settings", file, "--dry-run", "--event", event, saved(t, payload(t, name)))
		if code != exitOK || !strings.Contains(out, want) || !strings.Contains(out, ": "+name) && event != "push" || complaints != "" {
			t.Errorf("%s: exit code %d: %s%s", name, code, out, complaints)
		}
		for _, word := range []string{"Codertocat", "octocat", "Hello", "http", "main", "refs/"} {
			if strings.Contains(out, word) {
				t.Errorf("%s: %q of the payload is printed: %s", name, word, out)
			}
		}
	}
	whole := saved(t, `{"headers": {"X-GitHub-Event": "pull_request", "X-GitHub-Delivery": "`+savedGUID+`"}, "payload": `+payload(t, "pull_request.opened")+`}`)
	if _, out, _ := replay(t, "--settings", file, "--dry-run", whole); !strings.HasPrefix(out, "delivery "+savedGUID+": pull_request.opened, installation ") {
		t.Errorf("headers and payload: %s", out)
	}
	if _, out, _ := replay(t, "--settings", file, "--dry-run", "--new", whole); strings.Contains(out, savedGUID) {
		t.Errorf("--new keeps the id: %s", out)
	}
}

func TestReplayNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	file := settings(t, goodSettings)
	good := saved(t, payload(t, "ping"))
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"no file":             {[]string{"--settings", file, filepath.Join(t.TempDir(), "none")}, "cannot be opened"},
		"no JSON":             {[]string{"--settings", file, saved(t, "QQQ")}, "no JSON at byte 1"},
		"no event":            {[]string{"--settings", file, saved(t, `{"headers": {"A": "QQQ"}, "payload": {"QQQ": 1}}`)}, "X-GitHub-Event is missing"},
		"no payload":          {[]string{"--settings", file, saved(t, `{"headers": {"X-GitHub-Event": "push"}}`)}, "payload is missing"},
		"an empty payload":    {[]string{"--settings", file, "--event", "pull_request", saved(t, `{"action": "opened"}`)}, "installation.id: missing"},
		"no settings":         {[]string{"--settings", filepath.Join(t.TempDir(), "none.yml"), "--event", "ping", good}, "no settings file"},
		"no port":             {[]string{"--settings", file, "--event", "ping", good}, "--to"},
		"an address of words": {[]string{"--settings", file, "--event", "ping", "--to", "nowhere", good}, "--to must be an address"},
		"no argument":         {nil, "replay --help"},
	} {
		code, _, complaints := replay(t, tc.args...)
		if code != exitUsage || !strings.Contains(complaints, tc.want) || strings.Contains(complaints, "QQQ") {
			t.Errorf("%s: exit code %d: %s", name, code, complaints)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + taken.Addr().String() + "/webhook"
	if err := taken.Close(); err != nil {
		t.Fatal(err)
	}
	if code, _, complaints := replay(t, "--settings", file, "--event", "ping", "--to", address, good); code != exitFailed || !strings.Contains(complaints, "was not reached at "+address) {
		t.Errorf("nobody there: exit code %d: %s", code, complaints)
	}
}

// The running App takes a replayed delivery as if GitHub had sent it, and once.
func TestReplayHandsOver(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	file := settings(t, strings.Replace(goodSettings, "127.0.0.1:0", l.Addr().String(), 1))
	s, err := config.LoadSettings(file)
	if err != nil {
		t.Fatal(err)
	}
	service, err := app.New(t.Context(), s, logs.New(io.Discard, 0, true), app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Store.Close()
	server := &http.Server{Handler: service.Handler} // it takes deliveries and does not work
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	name := saved(t, `{"guid": "`+savedGUID+`", "event": "pull_request", "request": {"headers": {}, "payload": `+payload(t, "pull_request.opened")+`}}`)
	for _, want := range []string{"202: stored, with its work", "200: stored before"} {
		if code, out, complaints := replay(t, "--settings", file, name); code != exitOK || !strings.Contains(out, want) {
			t.Errorf("want %q: exit code %d: %s%s", want, code, out, complaints)
		}
	}
	if code, out, _ := replay(t, "--settings", file, "--new", name); code != exitOK || !strings.Contains(out, "202: stored") {
		t.Errorf("--new: exit code %d: %s", code, out)
	}
	if list, err := service.Store.RecentDeliveries(t.Context(), 10); err != nil || len(list) != 2 || list[1].GUID != savedGUID {
		t.Errorf("%d deliveries: %v", len(list), err)
	}
	other := settings(t, strings.Replace(goodSettings, "127.0.0.1:0", l.Addr().String(), 1)) // with a secret of its own
	if code, out, _ := replay(t, "--settings", other, name); code != exitFound || !strings.Contains(out, "401: refused: the App has another webhook secret") {
		t.Errorf("another secret: exit code %d: %s", code, out)
	}
}

// What another server answers is not repeated, and a redirect is not followed.
func TestReplayRepeatsNoWordOfAServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	canary := rand.Text()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Location", "/"+canary)
		w.WriteHeader(http.StatusTemporaryRedirect)
		_ = json.NewEncoder(w).Encode(canary)
	})}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	code, out, complaints := replay(t, "--settings", settings(t, goodSettings), "--event", "ping", "--to", fmt.Sprintf("http://%s/x", l.Addr()), saved(t, payload(t, "ping")))
	if code != exitFound || !strings.Contains(out, "307: no answer of the App's") || strings.Contains(out+complaints, canary) || asked.Load() != 1 {
		t.Errorf("exit code %d after %d requests: %s%s", code, asked.Load(), out, complaints)
	}
}
