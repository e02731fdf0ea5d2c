package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/logs"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// A desk is the pages over a real store, with what the buttons asked for.
type desk struct {
	t     *testing.T
	pages *Pages
	store *store.Store
	token string
	now   time.Time
	log   bytes.Buffer
	asked []string
	fail  error
}

func (d *desk) RunAgain(_ context.Context, guid string) error {
	d.asked = append(d.asked, guid)
	return d.fail
}

func (d *desk) RunJobAgain(_ context.Context, id int64) error {
	d.asked = append(d.asked, fmt.Sprint(id))
	return d.fail
}

var testScanner = sync.OnceValue(func() *secret.Scanner {
	s, err := secret.New(secret.Options{})
	if err != nil {
		panic(err)
	}
	return s
})

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, token: rand.Text() + rand.Text(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	log := logs.New(&d.log, slog.LevelDebug, true)
	var err error
	if d.store, err = store.Open(t.Context(), storetest.SQLite(t), log); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.store.Close() })
	d.store.Now = func() time.Time { return d.now }
	d.pages, err = New(Config{Token: d.token, Build: "v1.2.3", Store: d.store, Work: d, Scan: testScanner(), Log: log, Now: func() time.Time { return d.now }})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// accept stores a delivery and ends it.
func (d *desk) accept(guid string, state store.State) {
	d.t.Helper()
	err := d.store.Tx(d.t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		if _, err := d.store.AcceptTx(ctx, tx, store.Delivery{GUID: guid, Event: "pull_request", Action: "opened", Installation: 9, Repository: 4, Pull: 7}); err != nil || state == store.Accepted {
			return err
		}
		return d.store.FinishTx(ctx, tx, guid, state == store.Done)
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// send sends a request, changed by mods, and gives the answer.
func (d *desk) send(method, path string, form url.Values, mods ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "https://cards.example.com"+path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, mod := range mods {
		mod(r)
	}
	w := httptest.NewRecorder()
	d.pages.ServeHTTP(w, r)
	return w
}

// bearer sends the token in the header.
func (d *desk) bearer(r *http.Request) { r.Header.Set("Authorization", "Bearer "+d.token) }

// signIn gives what sends the session's cookie.
func (d *desk) signIn() func(*http.Request) {
	d.t.Helper()
	w := d.send("POST", "/operator/sign-in", url.Values{"token": {d.token}})
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || len(cookies) != 1 {
		d.t.Fatalf("sign in: %d, %d cookies", w.Code, len(cookies))
	}
	return func(r *http.Request) { r.AddCookie(cookies[0]) }
}

// form is the token that a page's forms carry.
func form(page string) string {
	if m := regexp.MustCompile(`name="form" value="([0-9a-f]+)"`).FindStringSubmatch(page); m != nil {
		return m[1]
	}
	return ""
}

func TestOnlyTheOperatorSeesAnything(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.accept("guid-canary", store.Failed)
	session := d.signIn()
	forged := func(r *http.Request) {
		r.AddCookie(&http.Cookie{Name: cookieName, Value: newKeys("another token", d.pages.keys.now).issue()})
	}
	for _, path := range []string{"/operator/", "/operator/deliveries", "/operator/deliveries/guid-canary", "/operator/jobs", "/operator/installations", "/operator/gaps", "/operator/gaps/4"} {
		for name, tc := range map[string]struct {
			mod    func(*http.Request)
			status int
		}{
			"nobody":              {func(*http.Request) {}, 401},
			"a wrong token":       {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+d.token[1:]) }, 401},
			"an empty token":      {func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, 401},
			"the token elsewhere": {func(r *http.Request) { r.URL.RawQuery = "token=" + d.token }, 401},
			"a forged session":    {forged, 401},
			"no session at all":   {func(r *http.Request) { r.AddCookie(&http.Cookie{Name: cookieName, Value: "."}) }, 401},
			"the token":           {d.bearer, 200},
			"a session":           {session, 200},
		} {
			w := d.send("GET", path, nil, tc.mod)
			if w.Code != tc.status || tc.status != 200 && strings.Contains(w.Body.String(), "canary") {
				t.Errorf("%s for %s: %d, want %d", path, name, w.Code, tc.status)
			}
		}
	}
	d.now = d.now.Add(sessionTime)
	if w := d.send("GET", "/operator/", nil, session); w.Code != 401 {
		t.Errorf("after the session's end: %d", w.Code)
	}
	if _, err := New(Config{}); !errors.Is(err, ErrToken) {
		t.Errorf("pages without a token: %v", err)
	}
}

func TestSigningIn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	wrong := d.send("POST", "/operator/sign-in", url.Values{"token": {"canary" + d.token}})
	if wrong.Code != 403 || len(wrong.Result().Cookies()) > 0 || !strings.Contains(wrong.Body.String(), "not the operator") || strings.Contains(wrong.Body.String()+d.log.String(), "canary") {
		t.Errorf("a wrong token: %d %s", wrong.Code, wrong.Body)
	}
	w := d.send("POST", "/operator/sign-in", url.Values{"token": {d.token}})
	c := w.Result().Cookies()[0]
	if !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode || c.Path != "/operator" || strings.Contains(c.Value, d.token) {
		t.Errorf("the cookie: %+v", c)
	}
	here := d.send("POST", "/operator/sign-in", url.Values{"token": {d.token}}, func(r *http.Request) { r.Host = "127.0.0.1:8080" })
	if c := here.Result().Cookies()[0]; c.Secure {
		t.Error("a browser on this machine would drop the cookie: there is no TLS")
	}
	session := d.signIn()
	token := form(d.send("GET", "/operator/", nil, session).Body.String())
	out := d.send("POST", "/operator/sign-out", url.Values{"form": {token}}, session)
	if c := out.Result().Cookies(); out.Code != 303 || len(c) != 1 || c[0].MaxAge >= 0 || c[0].Value != "" {
		t.Errorf("signing out: %d %+v", out.Code, c)
	}
	for method, path := range map[string]string{"GET": "/operator/", "POST": "/operator/deliveries/x/again"} {
		if w := d.send(method, path, url.Values{"form": {token}}, session); w.Code != 401 {
			t.Errorf("%s with the cookie of a session that was ended: %d", method, w.Code)
		}
	}
	if w := d.send("GET", "/operator/", nil, d.signIn()); w.Code != 200 {
		t.Errorf("signed in again: %d", w.Code)
	}
	if strings.Contains(d.log.String(), d.token) {
		t.Error("the log holds the token")
	}
}

// What changes something is a POST with the token of its own session's forms.
func TestARunAgainNeedsItsOwnForm(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.accept("guid-1", store.Failed)
	session, other := d.signIn(), d.signIn()
	page := d.send("GET", "/operator/deliveries/guid-1", nil, session).Body.String()
	own, foreign := form(page), form(d.send("GET", "/operator/", nil, other).Body.String())
	if own == "" || own == foreign || !strings.Contains(page, `action="/operator/deliveries/guid-1/again"`) {
		t.Fatalf("the forms' tokens: %q and %q", own, foreign)
	}
	const path = "/operator/deliveries/guid-1/again"
	crossSite := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }
	for name, tc := range map[string]struct {
		method string
		form   url.Values
		mods   []func(*http.Request)
		status int
	}{
		"a GET":                       {"GET", nil, []func(*http.Request){session}, 404},
		"no session":                  {"POST", url.Values{"form": {own}}, nil, 401},
		"no form's token":             {"POST", url.Values{}, []func(*http.Request){session}, 403},
		"another session's form":      {"POST", url.Values{"form": {foreign}}, []func(*http.Request){session}, 403},
		"the token in the address":    {"POST", url.Values{}, []func(*http.Request){session, func(r *http.Request) { r.URL.RawQuery = "form=" + own }}, 403},
		"another site":                {"POST", url.Values{"form": {own}}, []func(*http.Request){session, crossSite}, 403},
		"another site with the token": {"POST", nil, []func(*http.Request){d.bearer, crossSite}, 403},
	} {
		if w := d.send(tc.method, path, tc.form, tc.mods...); w.Code != tc.status || len(d.asked) > 0 {
			t.Fatalf("%s: %d, want %d; asked for %v", name, w.Code, tc.status, d.asked)
		}
	}
	w := d.send("POST", path, url.Values{"form": {own}}, session)
	if w.Code != 303 || w.Header().Get("Location") != "/operator/deliveries/guid-1?said=again" {
		t.Errorf("the right form: %d to %s", w.Code, w.Header().Get("Location"))
	}
	if w := d.send("GET", "/operator/deliveries/guid-1?said=again", nil, session); !strings.Contains(w.Body.String(), "It runs again.") {
		t.Error("it is not said")
	}
	if w := d.send("POST", "/operator/jobs/7/again", nil, d.bearer); w.Code != 303 {
		t.Errorf("with the token: %d", w.Code)
	}
	for want, err := range map[string]error{"over": store.ErrNotFailed, "gone": store.ErrNotKept} {
		d.fail = fmt.Errorf("around: %w", err)
		if w := d.send("POST", "/operator/jobs/8/again", nil, d.bearer); w.Header().Get("Location") != "/operator/jobs?said="+want {
			t.Errorf("%v leads to %s", err, w.Header().Get("Location"))
		}
	}
	d.fail = errors.New("a canary")
	if w := d.send("POST", "/operator/jobs/8/again", nil, d.bearer); w.Code != 503 || strings.Contains(w.Body.String(), "canary") {
		t.Errorf("a broken database: %d %s", w.Code, w.Body)
	}
	if got := fmt.Sprint(d.asked); got != "[guid-1 7 8 8 8]" {
		t.Errorf("asked for %s", got)
	}
}

func TestListsAreInParts(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for n := range rows + 5 {
		d.now = d.now.Add(time.Second)
		d.accept(fmt.Sprint("guid-", n), []store.State{store.Done, store.Failed}[n%2])
	}
	page := d.send("GET", "/operator/deliveries", nil, d.bearer).Body.String()
	if n := strings.Count(page, `data-label="Event"`); n != rows || !strings.Contains(page, "2026-03-01 12:00:55") {
		t.Errorf("%d rows on the first part", n)
	}
	next := regexp.MustCompile(`href="(/operator/deliveries\?before=[^"]+)" rel="next"`).FindStringSubmatch(page)
	if next == nil {
		t.Fatal("no next part")
	}
	page = d.send("GET", next[1], nil, d.bearer).Body.String()
	if n := strings.Count(page, `data-label="Event"`); n != 5 || !strings.Contains(page, ">First part<") || strings.Contains(page, ">Next part<") {
		t.Errorf("%d rows on the last part", n)
	}
	failed := d.send("GET", "/operator/deliveries?show=failed", nil, d.bearer).Body.String()
	if n, buttons := strings.Count(failed, `data-label="Event"`), strings.Count(failed, ">Run again<"); n != (rows+5)/2 || buttons != n {
		t.Errorf("%d failed ones, %d buttons", n, buttons)
	}
	for _, path := range []string{"/operator/deliveries?before=x", "/operator/deliveries?show=canary", "/operator/jobs?show=canary", "/operator/jobs?before=-1", "/operator/installations?after=canary", "/operator/gaps?from=canary", "/operator/gaps/canary", "/operator/gaps/4?from=-1", "/operator/canary", "/operator/deliveries/canary"} {
		if w := d.send("GET", path, nil, d.bearer); w.Code != 400 && w.Code != 404 || strings.Contains(w.Body.String(), "canary") {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// Nothing comes from elsewhere, nothing runs, nothing is kept by a browser.
func TestHeadersOfAPage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.accept("guid-1", store.Failed)
	for _, path := range []string{"/operator/", "/operator/deliveries", "/operator/deliveries/guid-1", "/operator/jobs", "/operator/installations", "/operator/gaps", "/operator/gaps/4", "/operator/none"} {
		w := d.send("GET", path, nil, d.bearer)
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") ||
			w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, w.Header())
		}
		if page := w.Body.String(); regexp.MustCompile(`<script|\son\w+=|\sstyle=|<img|<link|src=|http`).MatchString(page) || strings.Count(page, "<h1>") != 1 {
			t.Errorf("%s holds what it must not: %s", path, page)
		}
	}
}

func TestGuardLetsTheOperatorThrough(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	guarded := d.pages.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "numbers") }))
	for want, mod := range map[int]func(*http.Request){200: d.bearer, 401: func(*http.Request) {}} {
		r := httptest.NewRequest("GET", "/metrics", nil)
		mod(r)
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, r)
		if w.Code != want || (w.Body.String() == "numbers") != (want == 200) {
			t.Errorf("%d %s, want %d", w.Code, w.Body, want)
		}
	}
	if err := d.store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/operator/", "/operator/deliveries", "/operator/deliveries/guid-1", "/operator/jobs", "/operator/installations", "/operator/gaps", "/operator/gaps/4"} {
		if w := d.send("GET", path, nil, d.bearer); w.Code != 503 || !strings.Contains(w.Body.String(), "database did not answer") {
			t.Errorf("%s over a closed database: %d", path, w.Code)
		}
	}
}
