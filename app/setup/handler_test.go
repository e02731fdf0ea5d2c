package setup

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
)

func TestWhoHasNotTheTokenGetsNowhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t, newHub(t, fakehub.Options{}))
	for sentence, tc := range map[string]struct {
		path   string
		form   url.Values
		status int
	}{
		"no token":                 {"/", nil, 401},
		"another token":            {"/?token=" + strings.Repeat("A", len(d.wizard.Token())), nil, 403},
		"an empty one, given":      {"/open", url.Values{"token": {""}}, 401},
		"another one, given":       {"/open", url.Values{"token": {"x"}}, 403},
		"a form without it":        {"/begin", url.Values{"name": {"x"}, "url": {"https://x"}}, 403},
		"a form with another":      {"/begin", url.Values{"token": {"x"}, "name": {"x"}, "url": {"https://x"}}, 403},
		"an end without beginning": {"/finish", url.Values{"code": {"x"}, "state": {"x"}}, 403},
	} {
		method := map[bool]string{true: "GET", false: "POST"}[tc.form == nil]
		p := d.ask(method, d.at+tc.path, tc.form)
		if p.status != tc.status || strings.Contains(p.text, "manifest") || strings.Contains(p.text, d.wizard.Token()) {
			t.Errorf("%s: %d, want %d", sentence, p.status, tc.status)
		}
	}
	form := d.ask("GET", d.at+"/", nil)
	if p := d.submit(form, "token", d.wizard.Token()); p.status != 200 || !strings.Contains(p.text, "Public address") {
		t.Errorf("the token typed in: %d", p.status)
	}
}

// A page of somebody else's cannot use the wizard: not under its own name
// (rebinding), and not through the person's browser.
func TestStrangersPagesAreKeptOut(t *testing.T) {
	t.Parallel()
	d := newDesk(t, newHub(t, fakehub.Options{}))
	open := d.at + "/?token=" + d.wizard.Token()
	port := d.at[strings.LastIndex(d.at, ":"):]
	for host, status := range map[string]int{
		"evil.example" + port: 421, "127.0.0.1.evil.example": 421, "evil.example": 421, "localhost.evil.example": 421, "127.0.0.1@evil.example": 421,
		"localhost" + port: 200, "localhost:9999": 200, "[::1]:9999": 200, "192.0.2.7": 200, "cards.example.com": 200, "CARDS.example.com:443": 200,
	} {
		if p := d.ask("GET", open, nil, "Host", host); p.status != status {
			t.Errorf("Host %s: %d, want %d", host, p.status, status)
		}
	}
	fields := url.Values{"token": {d.wizard.Token()}, "name": {"x"}, "url": {"https://x.example"}}
	for _, tc := range []struct {
		sentence string
		header   []string
		status   int
	}{
		{"its own page", []string{"Origin", d.at, "Sec-Fetch-Site", "same-origin"}, 200},
		{"no browser", nil, 200},
		{"another site's page", []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403},
		{"another site's page in an old browser", []string{"Origin", "https://evil.example"}, 403},
		{"another port of this machine", []string{"Origin", "http://127.0.0.1:1", "Sec-Fetch-Site", "same-site"}, 403},
		{"a page without an origin", []string{"Origin", "null"}, 403},
	} {
		if p := d.ask("POST", d.at+"/begin", fields, tc.header...); p.status != tc.status {
			t.Errorf("%s: %d, want %d", tc.sentence, p.status, tc.status)
		}
	}
	if p := d.ask("GET", d.at+"/begin?"+fields.Encode(), nil); p.status != http.StatusMethodNotAllowed {
		t.Errorf("a GET that would begin: %d", p.status)
	}
	if p := d.ask("GET", d.at+"/finish?code=x&state=x", nil); p.status != http.StatusMethodNotAllowed {
		t.Errorf("a GET that would finish: %d", p.status)
	}
	if p := d.ask("POST", d.at+"/begin", url.Values{"token": {d.wizard.Token()}, "name": {strings.Repeat("x", maxForm)}}); p.status == 200 {
		t.Error("a body without bound was read")
	}
}

func TestEveryPageLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t, newHub(t, fakehub.Options{}))
	web := d.hub.URL()
	first := d.ask("GET", d.at+"/?token="+d.wizard.Token(), nil)
	confirm := d.submit(first)
	back := d.ask("GET", d.submit(confirm).header.Get("Location"), nil)
	pages := map[string]page{"token": d.ask("GET", d.at+"/", nil), "draft": first, "confirm": confirm, "callback": back, "failed": d.ask("GET", d.at+"/callback", nil)}
	pages["done"] = d.submit(back)
	for name, p := range pages {
		policy := p.header.Get("Content-Security-Policy")
		_, style, _ := strings.Cut(p.text, "<style>")
		style, _, _ = strings.Cut(style, "</style>")
		sum := sha256.Sum256([]byte(style))
		if want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action 'self' " + web + "; frame-ancestors 'none'; base-uri 'none'"; policy != want {
			t.Errorf("%s: policy %q", name, policy)
		}
		for key, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cache-Control": "no-store", "Referrer-Policy": "strict-origin",
			"Content-Type": "text/html; charset=utf-8", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := p.header.Get(key); got != want {
				t.Errorf("%s: %s is %q, want %q", name, key, got, want)
			}
		}
		for _, bad := range []string{"<script", " style=", " onclick", "src=", "<link", "url(", "@import", "ZgotmplZ"} {
			if strings.Contains(p.text, bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
		if !strings.HasSuffix(strings.TrimSpace(p.text), "</html>") || strings.Count(p.text, "<h1>") != 1 {
			t.Errorf("%s is not whole: %s", name, p.text)
		}
	}
}

// What a person types comes back as text, and what cannot be used is said beside
// its field.
func TestADraftThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, newHub(t, fakehub.Options{}))
	first := d.ask("GET", d.at+"/?token="+d.wizard.Token(), nil)
	p := d.submit(first, "name", `"><script>alert(1)</script>`+strings.Repeat("x", 20), "organization", "a/b", "url", "javascript:alert(1)")
	for _, want := range []string{"1 to 34 characters", "organisation&#39;s login", "Give an address", "&lt;script&gt;"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if p.status != http.StatusUnprocessableEntity || strings.Contains(p.text, "<script>") {
		t.Errorf("%d %s", p.status, p.text)
	}
	for address, ok := range map[string]bool{
		"https://cards.example.com": true, "https://cards.example.com:8443/path/": true,
		"http://cards.example.com": false, "https://localhost": false, "http://127.0.0.1:8080": false, "https://[::1]/": false, "cards.example.com": false,
		"https://u:p@cards.example.com": false, "https://x.example/?a=b": false, "ftp://x.example": false, "": false, "https://": false,
	} {
		if got := (Draft{Name: "x", URL: address}).faults(false)["url"] == ""; got != ok {
			t.Errorf("%q is taken: %v, want %v", address, got, ok)
		}
	}
	if bad := (Draft{Name: "x", URL: "http://127.0.0.1:8080"}).faults(true); len(bad) > 0 {
		t.Errorf("with a GitHub on this machine: %v", bad)
	}
}

// While nobody has registered the App, the service's own addresses say so.
func TestTheServicesAddressesMeanwhile(t *testing.T) {
	t.Parallel()
	d := newDesk(t, newHub(t, fakehub.Options{}))
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503, "/webhook": 503} {
		if p := d.ask("GET", d.at+path, nil, "Host", "balancer.example"); p.status != want {
			t.Errorf("%s: %d, want %d", path, p.status, want)
		}
	}
	if p := d.ask("POST", d.at+"/webhook", url.Values{}, "Host", "cards.example.com"); p.status != 503 || p.header.Get("Retry-After") == "" {
		t.Errorf("a delivery: %d", p.status)
	}
	d.stop()
	if end := <-d.ended; end.err == nil || end.done.AppID != 0 {
		t.Errorf("told to stop: %+v", end)
	}
}

// Behind a proxy the way back is the public name, under TLS.
func TestTheWayBackIsWhereThePageWasOpened(t *testing.T) {
	t.Parallel()
	d := newDesk(t, newHub(t, fakehub.Options{}))
	fields := url.Values{"token": {d.wizard.Token()}, "name": {"x"}, "url": {"https://cards.example.com"}}
	for host, want := range map[string]string{
		"cards.example.com": "https://cards.example.com/callback", "localhost:7000": "http://localhost:7000/callback", "[::1]:7000": "http://[::1]:7000/callback",
	} {
		_, form := d.form(d.ask("POST", d.at+"/begin", fields, "Host", host))
		if got := form.Get("manifest"); !strings.Contains(got, `"redirect_url":"`+want+`"`) {
			t.Errorf("opened at %s: %s", host, got)
		}
	}
}
