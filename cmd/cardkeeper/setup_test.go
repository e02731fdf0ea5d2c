package main

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
)

var (
	formTag  = regexp.MustCompile(`(?s)<form method="post" action="([^"]*)">(.*?)</form>`)
	inputTag = regexp.MustCompile(`<input [^>]*name="([a-z]+)"[^>]*?value="([^"]*)"`)
	pageLine = regexp.MustCompile(`http://127\.0\.0\.1:\d+/\?token=[A-Z0-9]+`)
)

// fetch is a page, opened (no fields) or sent a form.
func fetch(t *testing.T, address string, fields url.Values) string {
	t.Helper()
	resp, err := http.Get(address)
	if fields != nil {
		resp, err = http.PostForm(address, fields)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// press sends the one form of a page, as its button does.
func press(t *testing.T, at, page string) string {
	t.Helper()
	found := formTag.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no form on the page: %s", page)
	}
	fields := url.Values{}
	for _, m := range inputTag.FindAllStringSubmatch(found[2], -1) {
		fields.Set(m[1], html.UnescapeString(m[2]))
	}
	base, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	to, err := base.Parse(html.UnescapeString(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return fetch(t, to.String(), fields)
}

// wait returns once the text has come, or fails.
func (s *screen) wait(t *testing.T, ended <-chan int) string {
	t.Helper()
	select {
	case <-s.come:
	case code := <-ended:
		t.Fatalf("it ended with %d: %s", code, &s.text)
	case <-time.After(time.Minute):
		t.Fatal("it does not come that far")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func startHub(t *testing.T) *fakehub.Hub {
	t.Helper()
	hub, err := fakehub.New(fakehub.Options{Prefix: "/api/v3"})
	if err == nil {
		err = hub.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hub.Close() })
	return hub
}

// The three commands of an operator, one after the other: setup registers and
// writes, doctor finds what is missing and later nothing.
func TestSetupThenDoctor(t *testing.T) {
	t.Parallel()
	hub, file := startHub(t), filepath.Join(t.TempDir(), "cardkeeper.yml")
	log := &screen{want: "?token=", come: make(chan struct{})}
	var out bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(t.Context(), []string{"setup", "--settings", file, "--api-url", hub.URL(), "--org", "acme", "--name", "Acme cards", "--url", "https://cards.example.com", "--write"}, &out, log)
	}()
	at := pageLine.FindString(log.wait(t, ended))
	confirm := press(t, at, fetch(t, at, nil))
	if !strings.Contains(confirm, "/organizations/acme/settings/apps/new?state=") {
		t.Errorf("the second page: %s", confirm)
	}
	press(t, at, press(t, at, confirm))
	if code := <-ended; code != exitOK {
		t.Fatalf("exit code %d: %s", code, &log.text)
	}
	for _, want := range []string{"App 4711 is registered", file, "/apps/acme-cards/installations/new", "cardkeeper serve --settings", "cardkeeper doctor --settings"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q: %s", want, &out)
		}
	}
	if out.String()+log.text.String() == "" || strings.Contains(out.String()+log.text.String(), hub.Secret()) {
		t.Error("the secret is shown")
	}
	code, text, _ := doctor(t, file)
	for _, want := range []string{"MEND          installation: the App is installed nowhere\n              -> install it: ", "ok            key: private key 1 of 1 is accepted", "There is something to mend."} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	if code != exitFound {
		t.Errorf("exit code %d", code)
	}
	var again bytes.Buffer
	if code := run(t.Context(), []string{"setup", "--settings", file, "--api-url", hub.URL()}, io.Discard, &again); code != exitUsage || !strings.Contains(again.String(), "--overwrite") {
		t.Errorf("a second time: %d %s", code, &again)
	}
}

func doctor(t *testing.T, file string, more ...string) (code int, out, complaints string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), append([]string{"doctor", "--settings", file}, more...), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// healthy writes settings for an App that is installed on a repository and required there.
func healthy(t *testing.T, hub *fakehub.Hub, name string) string {
	t.Helper()
	file := settings(t, strings.Replace(goodSettings, "app_id: 7", "app_id: 4711", 1)+"api_url: "+hub.URL()+"\n")
	key, err := hub.PrivateKey()
	if err == nil {
		err = os.WriteFile(filepath.Join(filepath.Dir(file), "key.pem"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	repo, err := hub.AddRepo("ada", name, fakehub.RepoOptions{})
	if err == nil {
		_, err = repo.Commit("main", map[string]fakehub.File{".github/cardkeeper/config.yml": fakehub.Text("policy:\n  block: [stale]\n")}, "begin")
	}
	if err != nil {
		t.Fatal(err)
	}
	repo.RequireByProtection("cardkeeper", hub.AppID())
	hub.Lose()
	hub.SetTarget("http://127.0.0.1:1/webhook")
	return file
}

func TestDoctorsFormatsAndCodes(t *testing.T) {
	t.Parallel()
	hub := startHub(t)
	token := "gh" + "p_" + strings.Repeat("aB3dE6gH9", 4)
	file := healthy(t, hub, token) // a name that is a secret
	code, text, _ := doctor(t, file)
	if code != exitOK || !strings.Contains(text, "All is well.") || !strings.Contains(text, "by a branch protection") {
		t.Errorf("all is well: %d\n%s", code, text)
	}
	if strings.Contains(text, token) || strings.Contains(text, token[4:12]) {
		t.Errorf("a name was not scanned: %s", text)
	}
	code, text, _ = doctor(t, file, "--format", "json", "--max-repositories", "0")
	var report struct {
		Conclusion string
		LeftOut    int `json:"left_out"`
		Findings   []struct{ About, State, Text, Next string }
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil || code != exitOK || report.Conclusion != "ok" || report.LeftOut != 1 || len(report.Findings) < 6 {
		t.Errorf("%d, %v\n%s", code, err, text)
	}
	hub.Fail(fakehub.Fault{Path: "/app", Status: 503, Times: 9})
	if code, text, _ = doctor(t, file); code != exitFailed || !strings.Contains(text, "could not ask app: ") {
		t.Errorf("GitHub is away: %d\n%s", code, text)
	}
	for _, args := range [][]string{{"--format", "yaml"}, {"--max-repositories", "-1"}, {"extra"}, {"--settings", filepath.Join(t.TempDir(), "none.yml")}} {
		if code, _, complaints := doctor(t, file, args...); code != exitUsage || complaints == "" {
			t.Errorf("%v: %d %s", args, code, complaints)
		}
	}
	if code, _, complaints := doctor(t, settings(t, strings.Replace(goodSettings, "key.pem", "nokey.pem", 1))); code != exitUsage || !strings.Contains(complaints, "no RSA key") {
		t.Errorf("a key that is none: %d %s", code, complaints)
	}
}

// Without settings serve is the registration page, and afterwards the App, in one process.
func TestServeRegistersAndGoesOn(t *testing.T) {
	hub := startHub(t)
	t.Chdir(t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	log := &screen{want: "?token=", come: make(chan struct{})}
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--api-url", hub.URL(), "--url", "https://cards.example.com", "--listen", "127.0.0.1:0"}, io.Discard, log)
	}()
	at := pageLine.FindString(log.wait(t, ended))
	if got := fetch(t, strings.Split(at, "?")[0]+"readyz", nil); !strings.Contains(got, "not registered yet") {
		t.Errorf("ready before it is: %s", got)
	}
	log.mu.Lock()
	log.want, log.come = `"msg":"serving"`, make(chan struct{})
	log.mu.Unlock()
	press(t, at, press(t, at, press(t, at, fetch(t, at, nil))))
	log.wait(t, ended)
	if got := fetch(t, "http://"+log.address(t)+"/readyz", nil); got != "ready\n" {
		t.Errorf("after it was registered: %s", got)
	}
	stop()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

func TestSetupRefusesWhatItCannotUse(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"address of this machine": {"--listen", "0.0.0.0:0"}, "--listen must be": {"--listen", "here"}, "https://": {"--api-url", "http://github.example"},
		"make it first": {"--settings", filepath.Join(t.TempDir(), "none", "x.yml")}, "unknown": {"extra"},
	} {
		var complaints bytes.Buffer
		args = append([]string{"setup", "--settings", filepath.Join(t.TempDir(), "x.yml")}, args...)
		if code := run(t.Context(), args, io.Discard, &complaints); code != exitUsage || !strings.Contains(complaints.String(), want) {
			t.Errorf("%v: %d %s", args[3:], code, &complaints)
		}
	}
}

// Ctrl-C ends it like every other command: no verdict, and a line that says what is there now.
func TestSetupThatIsStoppedSaysThatNothingWasStored(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	log := &screen{want: "?token=", come: make(chan struct{})}
	ended := make(chan int, 1)
	var out bytes.Buffer
	go func() { ended <- run(ctx, []string{"setup", "--settings", filepath.Join(folder, "x.yml")}, &out, log) }()
	said := log.wait(t, ended)
	stop()
	if code := <-ended; code != exitFailed || out.Len() > 0 {
		t.Errorf("exit code %d, output %q", code, &out)
	}
	last := strings.TrimPrefix(log.text.String(), said)
	if strings.Count(last, "\n") != 1 || !strings.Contains(last, "nothing was stored") || strings.Contains(last, "context") {
		t.Errorf("it said %q", last)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 0 {
		t.Errorf("there are %d files, %v", len(files), err)
	}
}

// A settings file that was named must be there: no page offers to register another App in its place.
func TestServeWantsTheSettingsThatItWasTold(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "none.yml")
	var complaints bytes.Buffer
	code := run(t.Context(), []string{"serve", "--settings", file, "--url", "https://cards.example.com", "--listen", "127.0.0.1:0"}, io.Discard, &complaints)
	if code != exitUsage || !strings.Contains(complaints.String(), file) || strings.Contains(complaints.String(), "token") {
		t.Errorf("%d %s", code, &complaints)
	}
}
