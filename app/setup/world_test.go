package setup

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"html"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/fakehub/openapi"
)

// What is dear and never changes is made once.
var (
	testKey     = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })
	description = sync.OnceValues(openapi.Load)
)

// must gives a value, or fails the test: must(f())(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// newHub starts a GitHub whose API is held to GitHub's description.
func newHub(t *testing.T, o fakehub.Options) *fakehub.Hub {
	t.Helper()
	doc := must(description())(t)
	o.Key = must(testKey())(t)
	o.Wrap = func(next http.Handler) http.Handler {
		valid := doc.Validate(next, func(err error) { t.Error(err) })
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/settings/apps/new") { // a page, which the description does not hold
				next.ServeHTTP(w, r)
				return
			}
			valid.ServeHTTP(w, r)
		})
	}
	hub := must(fakehub.New(o))(t)
	t.Cleanup(func() { _ = hub.Close() })
	if err := hub.Start(); err != nil {
		t.Fatal(err)
	}
	return hub
}

// A desk is a wizard that runs and the browser of a person who uses it.
type desk struct {
	t      *testing.T
	hub    *fakehub.Hub
	cfg    Config
	wizard *Wizard
	at     string // the wizard's address
	log    *strings.Builder
	stop   context.CancelFunc
	ended  chan ending
}

type ending struct {
	done Registered
	err  error
}

func newDesk(t *testing.T, hub *fakehub.Hub, mods ...func(*Config)) *desk {
	t.Helper()
	d := &desk{t: t, hub: hub, log: &strings.Builder{}, ended: make(chan ending, 1)}
	d.cfg = Config{
		Settings: filepath.Join(t.TempDir(), "cardkeeper.yml"), API: hub.URL(), Log: slog.New(slog.NewTextHandler(d.log, nil)),
		Draft: Draft{URL: "https://cards.example.com"},
	}
	for _, m := range mods {
		m(&d.cfg)
	}
	d.wizard = must(New(d.cfg))(t)
	l := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	d.at = "http://" + l.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	d.stop = stop
	t.Cleanup(stop)
	go func() {
		done, err := d.wizard.Run(ctx, l)
		d.ended <- ending{done, err}
	}()
	return d
}

// A page is an answer as a browser has it.
type page struct {
	status int
	text   string
	header http.Header
}

// ask sends a request as a browser does and follows no redirect. pairs are
// headers; Host is one of them.
func (d *desk) ask(method, address string, form url.Values, pairs ...string) page {
	d.t.Helper()
	r := must(http.NewRequestWithContext(d.t.Context(), method, address, strings.NewReader(form.Encode())))(d.t)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(pairs); i += 2 {
		if r.Header.Set(pairs[i], pairs[i+1]); pairs[i] == "Host" {
			r.Host = pairs[i+1]
		}
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp := must(client.Do(r))(d.t)
	defer resp.Body.Close()
	return page{resp.StatusCode, string(must(io.ReadAll(resp.Body))(d.t)), resp.Header}
}

var (
	formTag  = regexp.MustCompile(`(?s)<form method="post" action="([^"]*)">(.*?)</form>`)
	inputTag = regexp.MustCompile(`<input ([^>]*)>`)
	attr     = regexp.MustCompile(`([a-z]+)(?:="([^"]*)")?`)
)

// form reads the page's one form: where it goes and what it holds.
func (d *desk) form(p page) (action string, fields url.Values) {
	d.t.Helper()
	found := formTag.FindAllStringSubmatch(p.text, -1)
	if len(found) != 1 {
		d.t.Fatalf("%d forms on the page: %d %s", len(found), p.status, p.text)
	}
	fields = url.Values{}
	for _, input := range inputTag.FindAllStringSubmatch(found[0][2], -1) {
		a := map[string]string{}
		for _, m := range attr.FindAllStringSubmatch(input[1], -1) {
			if _, twice := a[m[1]]; !twice {
				a[m[1]] = html.UnescapeString(m[2])
			}
		}
		if _, checked := a["checked"]; a["type"] != "checkbox" || checked {
			fields.Set(a["name"], a["value"])
		}
	}
	return html.UnescapeString(found[0][1]), fields
}

// submit sends the page's form, some fields filled in, where it says.
func (d *desk) submit(p page, fill ...string) page {
	d.t.Helper()
	action, fields := d.form(p)
	for i := 0; i+1 < len(fill); i += 2 {
		fields.Set(fill[i], fill[i+1])
	}
	if strings.HasPrefix(action, "/") {
		action = d.at + action
	}
	return d.ask(http.MethodPost, action, fields, "Origin", d.at, "Sec-Fetch-Site", "same-origin")
}

// toGitHub goes as far as GitHub's redirect and gives the way back.
func (d *desk) toGitHub(fill ...string) (back string) {
	d.t.Helper()
	confirm := d.submit(d.ask(http.MethodGet, d.at+"/?token="+d.wizard.Token(), nil), fill...)
	created := d.submit(confirm)
	if created.status != http.StatusFound {
		d.t.Fatalf("GitHub: %d %s", created.status, created.text)
	}
	return created.header.Get("Location")
}
