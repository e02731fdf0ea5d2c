package app

import (
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/setup"
)

var (
	formTag  = regexp.MustCompile(`(?s)<form method="post" action="([^"]*)">(.*?)</form>`)
	inputTag = regexp.MustCompile(`<input [^>]*name="([a-z]+)"[^>]*?value="([^"]*)"`)
)

// submit sends the one form of a page, some fields filled in, and gives the page
// that comes of it, redirects followed.
func submit(t *testing.T, at, page string, fill url.Values) string {
	t.Helper()
	found := formTag.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no form on the page: %s", page)
	}
	fields := url.Values{}
	for _, m := range inputTag.FindAllStringSubmatch(found[2], -1) {
		fields.Set(m[1], html.UnescapeString(m[2]))
	}
	for key, v := range fill {
		fields[key] = v
	}
	to := must(must(url.Parse(at))(t).Parse(html.UnescapeString(found[1])))(t)
	resp := must(http.PostForm(to.String(), fields))(t)
	defer resp.Body.Close()
	return string(must(io.ReadAll(resp.Body))(t))
}

// page is the address that the log names.
func (s *stage) page() string {
	s.t.Helper()
	var line struct{ Page string }
	s.await("the page's address", func() bool {
		for text := range strings.Lines(s.log.String()) {
			if json.Unmarshal([]byte(text), &line) == nil && line.Page != "" {
				return true
			}
		}
		return false
	})
	return line.Page
}

// register goes the whole way of a person who opens the page, and gives the
// settings that it wrote.
func (s *stage) register(name string) config.Settings {
	s.t.Helper()
	cfg := setup.Config{
		Settings: filepath.Join(s.t.TempDir(), "cardkeeper.yml"), API: s.hub.URL(), Listen: "127.0.0.1:0",
		Log: slog.New(slog.NewJSONHandler(s.log, nil)),
	}
	ended := make(chan error, 1)
	go func() { ended <- Register(s.t.Context(), cfg) }()
	at := s.page()
	resp := must(http.Get(at))(s.t)
	first := string(must(io.ReadAll(resp.Body))(s.t))
	resp.Body.Close()
	confirm := submit(s.t, at, first, url.Values{"name": {name}, "url": {"https://cards.example.com"}})
	back := submit(s.t, at, confirm, nil) // to GitHub, and back by its redirect
	if last := submit(s.t, at, back, nil); !strings.Contains(last, "The App is registered") {
		s.t.Fatalf("the last page: %s", last)
	}
	check(s.t, <-ended)
	return must(config.LoadSettings(cfg.Settings))(s.t)
}

// An Enterprise Server's whole life: registered from nothing with the manifest
// that only reads, examined, and at work on a pull request. What it may do is what
// the manifest asks for and nothing else, and nothing is refused.
func TestFromNothingToACheckOnAnEnterpriseServer(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"/api/v3", ""} {
		s := newHubStage(t, fakehub.Options{Prefix: prefix, Slug: "another"})
		s.settings = s.register("Our cards")
		s.furnish()
		s.play()
		if got := s.hub.Hook(); got != "https://cards.example.com/webhook" {
			t.Errorf("the webhook is %s", got)
		}
		number, head := s.open("topic", "A longer wait", map[string]fakehub.File{mail: fakehub.Text(s.text(mail, "wait one minute", "wait ten minutes"))})
		if run := s.run(head); run.Conclusion != "failure" || !strings.Contains(run.Summary, "cardkeeper build") {
			t.Errorf("%s: %s", run.Conclusion, run.Summary)
		}
		must(s.repo.Comment(number, "mallory", "/ask What does mailrules apply refuse?"))(t)
		if got, web := s.reply(number, 1), strings.TrimSuffix(s.hub.URL(), prefix); !strings.Contains(got, "("+web+"/ada/skills/blob/"+head) {
			t.Errorf("the answer: %s", got)
		}
		s.repo.RequireByRule("cardkeeper", s.hub.AppID())
		report := must(setup.Examine(t.Context(), setup.Subject{Settings: s.settings, Check: "cardkeeper", MaxRepositories: 9}))(t)
		for _, f := range report.Findings {
			if f.State != setup.OK && f.About != setup.AboutWebhook { // its address is not that of this test
				t.Errorf("the examination: %+v", f)
			}
		}
		for _, r := range s.hub.Requests() {
			if r.Status == http.StatusForbidden || r.Status == http.StatusUnauthorized || r.Status == http.StatusNotImplemented {
				t.Errorf("%s %s: %d", r.Method, r.Path, r.Status)
			}
		}
		if strings.Contains(s.log.String(), s.settings.Secrets[0]) || strings.Contains(s.log.String(), "PRIVATE KEY") {
			t.Error("a secret is in the log")
		}
	}
}

func TestRegisterSaysWhatItCannotUse(t *testing.T) {
	t.Parallel()
	good := setup.Config{Settings: filepath.Join(t.TempDir(), "x.yml"), Listen: "127.0.0.1:0", Log: quiet()}
	bad := good
	bad.API = "http://github.example"
	if err := Register(t.Context(), bad); !errors.Is(err, ErrSettings) {
		t.Errorf("an API without TLS: %v", err)
	}
	taken := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	bad = good
	bad.Listen = taken.Addr().String()
	if err := Register(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("a taken address: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := Register(ctx, good); err != nil {
		t.Errorf("told to stop: %v", err)
	}
}

func TestTheAddressOfThePage(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"127.0.0.1:80": "http://127.0.0.1:80/?token=T", "[::]:8080": "http://127.0.0.1:8080/?token=T", "0.0.0.0:1": "http://127.0.0.1:1/?token=T", "[::1]:2": "http://[::1]:2/?token=T",
	} {
		if got := SetupPage(must(net.ResolveTCPAddr("tcp", at))(t), "T"); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}
