package setup

import (
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
)

// The whole way, on github.com and on an Enterprise Server: form, GitHub, back,
// files, the settings usable as they are.
func TestAnAppIsRegistered(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ sentence, prefix, organization, to string }{
		{"github.com, for oneself", "", "", "/settings/apps/new"},
		{"github.com, for an organisation", "", "acme", "/organizations/acme/settings/apps/new"},
		{"an Enterprise Server", "/api/v3", "acme", "/organizations/acme/settings/apps/new"},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, newHub(t, fakehub.Options{Prefix: tc.prefix}), func(c *Config) { c.Draft.Organization = tc.organization })
			web := strings.TrimSuffix(d.hub.URL(), tc.prefix)
			confirm := d.submit(d.ask("GET", d.at+"/?token="+d.wizard.Token(), nil), "name", "Our <Cards>")
			if action, _ := d.form(confirm); !strings.HasPrefix(action, web+tc.to+"?state=") {
				t.Errorf("the form goes to %s", action)
			}
			created := d.submit(confirm)
			back := created.header.Get("Location")
			if !strings.HasPrefix(back, d.at+"/callback?code=") {
				t.Fatalf("%d, back to %q: %s", created.status, back, created.text)
			}
			last := d.submit(d.ask("GET", back, nil, "Sec-Fetch-Site", "cross-site"))
			end := <-d.ended
			if end.err != nil || last.status != http.StatusOK || end.done.AppID != d.hub.AppID() {
				t.Fatalf("%v, %d %s", end.err, last.status, last.text)
			}
			if want := web + "/apps/our-cards/installations/new"; end.done.Install != want || !strings.Contains(last.text, want) {
				t.Errorf("install at %s, want %s", end.done.Install, want)
			}
			s, err := config.LoadSettings(d.cfg.Settings)
			if err != nil || s.AppID != d.hub.AppID() || s.API != d.hub.URL() || len(s.Secrets) != 1 || s.Secrets[0] != d.hub.Secret() {
				t.Errorf("the settings: %v, App %d, API %s", err, s.AppID, s.API)
			}
			app, err := github.New(github.Config{AppID: s.AppID, Key: s.Key, BaseURL: s.API})
			if err != nil {
				t.Fatal(err)
			}
			if self, err := app.Self(t.Context()); err != nil || self.Slug != "our-cards" {
				t.Errorf("%v, %s", err, self.Slug)
			}
			d.nothingLeaked(last)
			d.modes()
		})
	}
}

// nothingLeaked holds law 8: neither pages nor the log hold key, secret or code.
func (d *desk) nothingLeaked(last page) {
	d.t.Helper()
	key := must(os.ReadFile(strings.TrimSuffix(d.cfg.Settings, ".yml") + ".pem"))(d.t)
	for _, hidden := range []string{d.hub.Secret(), "PRIVATE KEY", string(key[40:80]), d.wizard.Token()} {
		if strings.Contains(last.text, hidden) || strings.Contains(d.log.String(), hidden) {
			d.t.Errorf("a secret is on the page or in the log")
		}
	}
}

// modes: only the user may read the three files, and nothing else is left behind.
func (d *desk) modes() {
	d.t.Helper()
	list := must(os.ReadDir(filepath.Dir(d.cfg.Settings)))(d.t)
	if len(list) != 3 {
		d.t.Errorf("%d files, want 3: %v", len(list), list)
	}
	for _, e := range list {
		if info := must(e.Info())(d.t); info.Mode() != 0o600 {
			d.t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
	}
}

// A state is of one use, is compared whole, and ages.
func TestTheWayBackMustBelongToARegistration(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	d := newDesk(t, newHub(t, fakehub.Options{}), func(c *Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	})
	back := d.toGitHub()
	forged := back[:len(back)-1] + map[bool]string{true: "B", false: "A"}[strings.HasSuffix(back, "A")]
	for sentence, address := range map[string]string{
		"another state": forged, "no state": back[:strings.Index(back, "&state")], "nothing": d.at + "/callback", "no code": d.at + "/callback?" + back[strings.Index(back, "state="):],
		"a code that is none": d.at + "/callback?code=../../x&" + back[strings.Index(back, "state="):],
	} {
		if p := d.ask("GET", address, nil); p.status != http.StatusForbidden || strings.Contains(p.text, "<form") {
			t.Errorf("%s: %d", sentence, p.status)
		}
	}
	good := d.ask("GET", back, nil)
	if p := d.submit(good, "state", "x"); p.status != http.StatusForbidden {
		t.Errorf("a forged state at the end: %d", p.status)
	}
	passed.Store(int64(life + time.Second))
	if p := d.submit(good); p.status != http.StatusForbidden {
		t.Errorf("after an hour: %d", p.status)
	}
	if _, err := os.Stat(d.cfg.Settings); !errors.Is(err, fs.ErrNotExist) {
		t.Error("settings were written")
	}
}

// GitHub takes a code once; what it refuses ends the registration, and what it
// cannot answer does not.
func TestACodeThatIsRefusedEndsTheRegistration(t *testing.T) {
	t.Parallel()
	d := newDesk(t, newHub(t, fakehub.Options{}))
	back := d.ask("GET", d.toGitHub(), nil)
	d.hub.Fail(fakehub.Fault{Method: "POST", Path: "*/conversions", Status: 502, Times: 1})
	if p := d.submit(back); p.status != http.StatusBadGateway || !strings.Contains(p.text, "press the button again") {
		t.Errorf("GitHub is away: %d %s", p.status, p.text)
	}
	if p := d.submit(back, "code", "unknown"); p.status != http.StatusBadGateway || !strings.Contains(p.text, "does not take the code") {
		t.Errorf("an unknown code: %d %s", p.status, p.text)
	}
	if p := d.submit(back); p.status != http.StatusForbidden {
		t.Errorf("the state was used: %d", p.status)
	}
	if list := must(os.ReadDir(filepath.Dir(d.cfg.Settings)))(t); len(list) != 0 {
		t.Errorf("left behind: %v", list)
	}
	// Another one, begun anew, works after a failure of GitHub's.
	back = d.ask("GET", d.toGitHub(), nil)
	d.hub.Fail(fakehub.Fault{Method: "POST", Path: "*/conversions", Status: 502, Times: 1})
	d.submit(back)
	if p := d.submit(back); p.status != http.StatusOK {
		t.Errorf("tried again: %d %s", p.status, p.text)
	}
	if end := <-d.ended; end.err != nil {
		t.Error(end.err)
	}
}

// Files that are there stay, unless it was said.
func TestFilesThatAreThereAreNotReplaced(t *testing.T) {
	t.Parallel()
	hub := newHub(t, fakehub.Options{})
	for _, name := range []string{"cardkeeper.yml", "cardkeeper.pem", "cardkeeper.webhook-secret"} {
		dir := t.TempDir()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		cfg := Config{Settings: filepath.Join(dir, "cardkeeper.yml"), API: hub.URL()}
		if _, err := New(cfg); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s is there: %v", name, err)
		}
		d := newDesk(t, hub, func(c *Config) { c.Settings, c.Overwrite = cfg.Settings, true })
		if p := d.submit(d.ask("GET", d.toGitHub(), nil)); p.status != http.StatusOK {
			t.Errorf("told to overwrite %s: %d %s", name, p.status, p.text)
		}
		<-d.ended
		d.modes()
	}
	if _, err := New(Config{Settings: filepath.Join(t.TempDir(), "none", "x.yml")}); err == nil || !strings.Contains(err.Error(), "make it first") {
		t.Errorf("a folder that is missing: %v", err)
	}
	if _, err := New(Config{Settings: filepath.Join(t.TempDir(), "x.yml"), API: "http://github.example"}); err == nil || !strings.Contains(err.Error(), "https://") {
		t.Errorf("an API without TLS: %v", err)
	}
}

// A file that comes into being between the check and the end is not replaced, and
// nothing is asked of GitHub where nothing can be written.
func TestWhatHappensMeanwhile(t *testing.T) {
	t.Parallel()
	d := newDesk(t, newHub(t, fakehub.Options{}))
	back := d.ask("GET", d.toGitHub(), nil)
	if err := os.WriteFile(d.cfg.Settings, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.hub.ForgetRequests()
	if p := d.submit(back); p.status != http.StatusConflict || len(d.hub.Requests()) != 0 {
		t.Errorf("%d %s, %d requests", p.status, p.text, len(d.hub.Requests()))
	}
	if got := must(os.ReadFile(d.cfg.Settings))(t); string(got) != "mine" {
		t.Error("the file was replaced")
	}
	if err := os.Remove(d.cfg.Settings); err != nil {
		t.Fatal(err)
	}
	if p := d.submit(back); p.status != http.StatusOK {
		t.Errorf("after it was taken away: %d %s", p.status, p.text)
	}
	place := must(Files{d.cfg.Settings + "2", d.cfg.Settings + "3", d.cfg.Settings + "4"}.reserve(false))(t)
	defer place.release()
	if err := os.WriteFile(d.cfg.Settings+"3", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := place.fill("k", "s", config.SettingsFile{}); !errors.Is(err, ErrExists) {
		t.Errorf("a file that came last: %v", err)
	}
}

// A line holds each request back until it is let go.
type line struct{ come, free chan struct{} }

func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	l.come <- struct{}{}
	<-l.free
	return http.DefaultTransport.RoundTrip(r)
}

// One person presses the button twice: one exchange, and the other is told.
func TestOneExchangeAtATime(t *testing.T) {
	t.Parallel()
	slow := line{make(chan struct{}, 1), make(chan struct{})}
	d := newDesk(t, newHub(t, fakehub.Options{}), func(c *Config) { c.Transport = slow })
	back := d.ask("GET", d.toGitHub(), nil)
	first := make(chan page, 1)
	go func() { first <- d.submit(back) }()
	<-slow.come
	if p := d.submit(back); p.status != http.StatusConflict || !strings.Contains(p.text, "being finished already") {
		t.Errorf("the second was told: %d %s", p.status, p.text)
	}
	close(slow.free)
	if p := <-first; p.status != http.StatusOK {
		t.Errorf("the first: %d %s", p.status, p.text)
	}
	if end := <-d.ended; end.err != nil {
		t.Error(end.err)
	}
}

func TestThePageEndsByItself(t *testing.T) {
	t.Parallel()
	w := must(New(Config{Settings: filepath.Join(t.TempDir(), "x.yml"), Log: slog.New(slog.DiscardHandler)}))(t)
	w.life = time.Millisecond
	l := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	if _, err := w.Run(t.Context(), l); !errors.Is(err, ErrExpired) {
		t.Errorf("ended with %v", err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("it still listens: %v", err)
	}
}
