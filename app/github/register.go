package github

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Registration is a new App as GitHub hands it out, once. Key and Secret are
// secrets: write them to files of mode 0600 and nowhere else.
type Registration struct {
	ID     int64  `json:"id"`
	Slug   string `json:"slug"`
	Page   string `json:"html_url"` // the App's page; /installations/new below it installs it
	Key    string `json:"pem"`      // the private key, PEM
	Secret string `json:"webhook_secret"`
}

// Register exchanges the code that GitHub's registration page hands back for the
// App's id, key and secret. The code is good for one exchange within an hour;
// [ErrNotFound] and [ErrInvalid] mean that it is used up or too old. Of cfg only the address,
// transport and clock count.
func Register(ctx context.Context, cfg Config, code string) (Registration, error) {
	g, err := newGate(cfg)
	if err != nil {
		return Registration{}, err
	}
	a := &App{base: g.base, now: g.now, gate: g}
	const route = "/app-manifests/{code}/conversions"
	var r Registration
	b := newBucket(0, g.now)
	if _, err := a.caller(nobody{g, b}, b).do(ctx, call{method: http.MethodPost, route: route, args: []any{code}, out: &r}); err != nil {
		return Registration{}, err
	}
	if r.ID <= 0 || r.Key == "" || r.Secret == "" || r.Slug == "" {
		return Registration{}, odd(http.MethodPost, route)
	}
	return r, nil
}

// nobody sends requests without any credential.
type nobody struct {
	gate   *gate
	bucket *bucket
}

// RoundTrip passes the request on as it is.
func (n nobody) RoundTrip(req *http.Request) (*http.Response, error) {
	return n.gate.send(req, n.bucket)
}

// Web is where people see what an API address serves: github.com for
// api.github.com and "", the server itself for an Enterprise Server. It has no
// slash at its end.
func Web(api string) string {
	u, err := url.Parse(api)
	if api == "" || err != nil || u.Host == "api.github.com" {
		return "https://github.com"
	}
	if sub, ok := strings.CutPrefix(u.Host, "api."); ok && strings.HasSuffix(sub, ".ghe.com") { // Enterprise Cloud with data residency
		u.Host = sub
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/api/v3")
	return strings.TrimSuffix(u.String(), "/")
}

// Hook is where GitHub sends the App's events.
type Hook struct {
	URL         string
	ContentType string // "json" or "form"
	Insecure    bool   // GitHub does not check the certificate
}

// Hook asks for the App's webhook.
func (a *App) Hook(ctx context.Context) (Hook, error) {
	var w struct {
		URL         string `json:"url"`
		ContentType string `json:"content_type"`
		Insecure    any    `json:"insecure_ssl"` // "0", "1", 0 or 1
	}
	_, err := a.own.do(ctx, call{route: "/app/hook/config", out: &w})
	return Hook{w.URL, w.ContentType, w.Insecure == "1" || w.Insecure == float64(1)}, err
}

// Attempt is one try of GitHub's to deliver an event.
type Attempt struct {
	ID           int64     `json:"id"`
	GUID         string    `json:"guid"` // the event's; a redelivery has the same
	At           time.Time `json:"delivered_at"`
	Event        string    `json:"event"`
	Status       string    `json:"status"`      // "OK", or GitHub's words for what went wrong
	Code         int       `json:"status_code"` // of the answer, 0 for none
	Installation int64     `json:"installation_id"`
}

// LastAttempts lists the newest deliveries, newest first, at most 100. GitHub
// keeps them for three days, an Enterprise Server for seven.
func (a *App) LastAttempts(ctx context.Context) ([]Attempt, error) {
	var list []Attempt
	_, err := a.own.do(ctx, call{route: "/app/hook/deliveries", query: url.Values{"per_page": {"100"}}, out: &list})
	return list, err
}
