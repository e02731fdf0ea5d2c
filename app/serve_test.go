package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/planted"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/webhooks"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// send posts a body to the service as GitHub would, and returns status and answer.
func (s *stage) send(address, event string, body io.Reader, header map[string]string) (int, string) {
	s.t.Helper()
	r := must(http.NewRequestWithContext(s.t.Context(), http.MethodPost, address+"/webhook", body))(s.t)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958")
	r.Header.Set("X-GitHub-Event", event)
	for key, value := range header {
		r.Header.Set(key, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil { // the service hung up in the middle of too large a body
		return http.StatusRequestEntityTooLarge, ""
	}
	defer resp.Body.Close()
	return resp.StatusCode, string(must(io.ReadAll(resp.Body))(s.t))
}

// 2A-5, 2A-6: what is no delivery of ours is refused, says why, and leaves nothing.
func TestWhatIsNoDeliveryIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	service := must(New(t.Context(), s.settings, quiet(), Options{}))(t)
	address, stop := run(t, service)
	body := []byte(`{"action":"opened"}`)
	big := bytes.Repeat([]byte(" "), webhooks.MaxBody+1)
	for _, tc := range []struct {
		sentence, event, signature string
		body                       []byte
		status                     int
		text                       string
	}{
		{"no signature", "pull_request", "", body, 401, "missing"},
		{"a wrong signature", "pull_request", fakehub.Sign("another", body), body, 401, "not ours"},
		{"the signature of an empty secret", "pull_request", fakehub.Sign("", body), body, 401, "not ours"},
		{"a body over 25 MiB", "pull_request", fakehub.Sign(s.hub.Secret(), big), big, 413, ""},
		{"an unknown event", "sprinkled", fakehub.Sign(s.hub.Secret(), body), body, 204, ""},
		{"a payload without an installation", "pull_request", fakehub.Sign(s.hub.Secret(), body), body, 400, "installation.id"},
		{"no JSON", "pull_request", fakehub.Sign(s.hub.Secret(), []byte("{")), []byte("{"), 400, "malformed payload"},
	} {
		header := map[string]string{}
		if tc.signature != "" {
			header["X-Hub-Signature-256"] = tc.signature
		}
		status, text := s.send(address, tc.event, bytes.NewReader(tc.body), header)
		if status != tc.status || !strings.Contains(text, tc.text) {
			t.Errorf("%s: %d %q, want %d with %q", tc.sentence, status, text, tc.status, tc.text)
		}
	}
	if list := must(service.Store.RecentDeliveries(t.Context(), 10))(t); len(list) != 0 {
		t.Errorf("%d deliveries were stored", len(list))
	}
	check(t, stop())
}

// run runs a service on a free port; stop ends it and gives what it ended with.
func run(t *testing.T, service *Service) (address string, stop func() error) {
	t.Helper()
	l := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx, l) }()
	t.Cleanup(cancel)
	return "http://" + l.Addr().String(), func() error { cancel(); return <-ended }
}

func get(t *testing.T, address string) string {
	t.Helper()
	resp := must(http.Get(address))(t)
	defer resp.Body.Close()
	return fmt.Sprint(resp.StatusCode, " ", strings.TrimSpace(string(must(io.ReadAll(resp.Body))(t))))
}

func TestHealth(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	service := must(New(t.Context(), s.settings, quiet(), Options{}))(t)
	address, stop := run(t, service)
	for path, want := range map[string]string{"/healthz": "200 alive", "/readyz": "200 ready", "/": "404 404 page not found"} {
		if got := get(t, address+path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	check(t, stop())
	closed := httpGet(must(newDoors(s.settings, service, nil, http.NotFoundHandler()))(t).public, "/readyz")
	if closed.status != http.StatusServiceUnavailable || !strings.Contains(closed.body.String(), "database does not answer") {
		t.Errorf("with a closed database: %d %s", closed.status, closed.body.String())
	}
}

// recorded is an answer that was not sent.
type recorded struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorded) Header() http.Header         { return r.header }
func (r *recorded) WriteHeader(status int)      { r.status = status }
func (r *recorded) Write(p []byte) (int, error) { return r.body.Write(p) }

func httpGet(h http.Handler, path string) *recorded {
	r, _ := http.NewRequest(http.MethodGet, path, nil) // the path is a constant
	out := &recorded{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(out, r)
	return out
}

// A stop lets a running job end, and takes no new deliveries.
func TestAStopLetsARunningJobEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	service := must(New(t.Context(), s.settings, quiet(), Options{}))(t)
	address, stop := run(t, service)
	s.hub.SetTarget(address + "/webhook")
	_, head := s.open("topic", "", map[string]fakehub.File{"docs/x.md": fakehub.Text("x")})
	come, release := s.hold(http.MethodPost, "*/check-runs")
	s.deliver()
	<-come
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	s.await("the closed door", func() bool {
		resp, err := http.Get(address + "/healthz")
		if err == nil {
			resp.Body.Close()
		}
		return err != nil
	})
	release()
	check(t, <-ended)
	if runs := s.hub.CheckRuns(s.repo, head); len(runs) != 1 || runs[0].Conclusion != "success" {
		t.Errorf("runs: %+v", runs)
	}
}

func TestSettingsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	for name, tc := range map[string]struct {
		change func(*config.Settings)
		want   string
	}{
		"an empty secret":    {func(c *config.Settings) { c.Secrets = []string{" "} }, "secret"},
		"no secret":          {func(c *config.Settings) { c.Secrets = nil }, "secret"},
		"a key that is none": {func(c *config.Settings) { c.Key = []byte("no key") }, "private key"},
		"no App id":          {func(c *config.Settings) { c.AppID = 0 }, "App id"},
		"plain http":         {func(c *config.Settings) { c.API = "http://github.example.com/api/v3" }, "https"},
		"embeddings nowhere": {func(c *config.Settings) { c.Embeddings = embed.Config{URL: "ollama"} }, "url must be"},
		"another database":   {func(c *config.Settings) { c.Database = "mysql://x" }, "database URL"},
	} {
		settings := s.settings
		tc.change(&settings)
		_, err := New(t.Context(), settings, quiet(), Options{})
		if !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	missing := s.settings
	missing.Database = "sqlite:" + filepath.Join(t.TempDir(), "no", "folder", "x.db")
	if err := Serve(t.Context(), missing, quiet()); err == nil || errors.Is(err, ErrSettings) {
		t.Errorf("a folder that is missing: %v", err)
	}
}

func TestATakenAddressIsSaid(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	taken := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	s.settings.Listen = taken.Addr().String()
	if err := Serve(t.Context(), s.settings, quiet()); err == nil || !strings.Contains(err.Error(), "set listen to a free address") {
		t.Errorf("err %v", err)
	}
	s.settings.Listen = "127.0.0.1:0"
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Serve(ctx, s.settings, quiet()); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("told to stop before it began: %v", err)
	}
}

// A handler that panics answers 500 and the log does not quote what it panicked
// with; one that hangs up still hangs up.
func TestAPanickingHandlerQuotesNothing(t *testing.T) {
	t.Parallel()
	log := &journal{}
	value := planted.Kinds(91)[0]
	h := calm(slog.New(slog.NewJSONHandler(log, nil)), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			panic(http.ErrAbortHandler)
		}
		panic(value.Text)
	}))
	if got := httpGet(h, "/"); got.status != http.StatusInternalServerError || value.Shows(got.body.String()) {
		t.Errorf("%d %q", got.status, got.body.String())
	}
	if text := log.String(); value.Shows(text) || !strings.Contains(text, `"type":"string"`) || !strings.Contains(text, "TestAPanickingHandlerQuotesNothing") {
		t.Errorf("the log: %s", text)
	}
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("hanging up became %v", v)
		}
	}()
	httpGet(h, "/hang")
}
