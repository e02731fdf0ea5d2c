package setup

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/github"
)

// maxForm bounds a request's body: a form of a few short fields.
const maxForm = 64 << 10

// codes is what GitHub's code may look like before it is sent back there. Today's
// have 40 hex digits; nobody promises that.
var codes = regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`)

// ServeHTTP answers a request that came under a name of ours, from a page of ours.
func (w *Wizard) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	head := rw.Header()
	w.pages.Protect(head, w.web.Scheme+"://"+w.web.Host)
	// Of our address no more than the host leaves, since the rest holds the token.
	// Without any, browsers would call the origin of our own forms "null".
	head.Set("Referrer-Policy", "strict-origin")
	if !w.ours(r.Host) && !slices.Contains([]string{"/healthz", "/readyz", "/webhook"}, r.URL.Path) {
		// A stranger's name that was made to point here (DNS rebinding).
		http.Error(rw, "This page answers to 127.0.0.1, localhost and addresses of digits alone, and to the name given with --url.", http.StatusMisdirectedRequest)
		return
	}
	w.serve.ServeHTTP(rw, r)
}

// ours reports whether a Host header is a name under which the page may be
// opened. An address of digits cannot be made to point elsewhere.
func (w *Wizard) ours(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	public, err := url.Parse(w.cfg.Draft.URL)
	return strings.EqualFold(name, "localhost") || net.ParseIP(name) != nil ||
		err == nil && public.Hostname() != "" && strings.EqualFold(name, public.Hostname())
}

// routes are the pages. Forms are taken from our own pages alone, as browsers tell
// it. GETs change nothing: GitHub's redirect only shows the
// button that finishes. The service's own addresses answer meanwhile.
func (w *Wizard) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", w.first)
	mux.HandleFunc("POST /open", w.open)
	mux.HandleFunc("POST /begin", w.confirm)
	mux.HandleFunc("GET /callback", w.callback)
	mux.HandleFunc("POST /finish", w.last)
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, "alive\n") })
	mux.HandleFunc("GET /readyz", unready)
	mux.HandleFunc("/webhook", unready)
	return http.NewCrossOriginProtection().Handler(bounded(mux))
}

// unready answers a load balancer, and deliveries of an App whose registration is
// being finished: GitHub keeps those in its list of failed ones.
func unready(rw http.ResponseWriter, _ *http.Request) {
	rw.Header().Set("Retry-After", "60")
	http.Error(rw, "the App is not registered yet", http.StatusServiceUnavailable)
}

// bounded cuts a body that is no form of ours; its form then lacks the token.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(rw, r.Body, maxForm)
		next.ServeHTTP(rw, r)
	})
}

// first shows the form to who has the token, and asks others for it.
func (w *Wizard) first(rw http.ResponseWriter, r *http.Request) {
	w.form(rw, r.URL.Query().Get("token"))
}

// open takes the token from the form that asks for it.
func (w *Wizard) open(rw http.ResponseWriter, r *http.Request) { w.form(rw, r.PostFormValue("token")) }

// form shows what the token opens. A wrong token changes nothing: it is too long
// to be guessed, so tries need not be counted.
func (w *Wizard) form(rw http.ResponseWriter, token string) {
	switch {
	case w.knows(token):
		w.pages.Show(rw, http.StatusOK, "draft", w.draftPage(w.cfg.Draft, nil))
	case token == "":
		w.pages.Show(rw, http.StatusUnauthorized, "token", nil)
	default:
		w.pages.Show(rw, http.StatusForbidden, "token", "This token is not the one that was printed.")
	}
}

// draftPage is what the form shows.
func (w *Wizard) draftPage(d Draft, faults map[string]string) any {
	return map[string]any{"Token": w.token, "Draft": d, "Faults": faults, "Web": w.web.Host, "Files": w.files}
}

// confirm takes the form and shows what will be sent to GitHub, with the button
// that sends it.
func (w *Wizard) confirm(rw http.ResponseWriter, r *http.Request) {
	if !w.knows(r.PostFormValue("token")) {
		w.pages.Show(rw, http.StatusForbidden, "token", "This token is not the one that was printed.")
		return
	}
	field := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	d := Draft{Name: field("name"), Organization: field("organization"), URL: field("url"), Write: field("write") == "yes"}
	if faults := d.faults(local(w.web.Hostname())); len(faults) > 0 {
		w.pages.Show(rw, http.StatusUnprocessableEntity, "draft", w.draftPage(d, faults))
		return
	}
	to := w.web.JoinPath("settings", "apps", "new")
	if d.Organization != "" {
		to = w.web.JoinPath("organizations", d.Organization, "settings", "apps", "new")
	}
	to.RawQuery = url.Values{"state": {w.begin()}}.Encode()
	w.pages.Show(rw, http.StatusOK, "confirm", map[string]any{
		"To": to.String(), "Manifest": d.manifest(w.back(r)), "Draft": d, "Hook": d.hook(), "Web": w.web.Host,
		"Permissions": Permissions(d.Write), "Events": Events(),
	})
}

// back is where GitHub sends the person afterwards: the name under which the page
// was opened, which was checked. A proxy in front of it speaks TLS.
func (w *Wizard) back(r *http.Request) string {
	scheme, name := "http", r.Host
	if h, _, err := net.SplitHostPort(r.Host); err == nil {
		name = h
	}
	public, err := url.Parse(w.cfg.Draft.URL)
	if err == nil && strings.EqualFold(public.Hostname(), strings.Trim(name, "[]")) {
		scheme = public.Scheme
	}
	return scheme + "://" + r.Host + "/callback"
}

// callback is where GitHub sends the person. It shows the button that finishes;
// the code and the state, which are in its address, go into that form.
func (w *Wizard) callback(rw http.ResponseWriter, r *http.Request) {
	code, state := r.URL.Query().Get("code"), r.URL.Query().Get("state")
	if !w.known(state) || !codes.MatchString(code) {
		w.pages.Show(rw, http.StatusForbidden, "failed", "This way back from GitHub belongs to no registration that was begun here in the last hour. Begin again with the address that was printed.")
		return
	}
	w.pages.Show(rw, http.StatusOK, "callback", map[string]any{"Code": code, "State": state, "Files": w.files})
}

// last exchanges the code and tells what to do next.
func (w *Wizard) last(rw http.ResponseWriter, r *http.Request) {
	code, state := r.PostFormValue("code"), r.PostFormValue("state")
	if !w.known(state) || !codes.MatchString(code) {
		w.pages.Show(rw, http.StatusForbidden, "failed", "This registration was finished or is over an hour old. Begin again with the address that was printed.")
		return
	}
	// A browser that goes away in the middle must not lose the key.
	done, err := w.finish(context.WithoutCancel(r.Context()), state, code)
	if err != nil {
		w.cfg.Log.Error("setup: the registration could not be finished", "error", err)
		status, words := told(err)
		w.pages.Show(rw, status, "failed", words)
		return
	}
	w.pages.Show(rw, http.StatusOK, "done", done)
	w.done <- done // has room: one registration comes this far. Run lets this answer end
}

// told says what went wrong to the person at the page. None of these errors holds
// what GitHub answered.
func told(err error) (int, string) {
	switch {
	case errors.Is(err, errUnstored), errors.Is(err, ErrExists), errors.Is(err, errBusy):
		return http.StatusConflict, plain(err)
	case errors.Is(err, github.ErrUnavailable), errors.As(err, new(*github.Limited)):
		return http.StatusBadGateway, "GitHub did not answer. Go back and press the button again: " + plain(err)
	case errors.Is(err, github.ErrNotFound), errors.Is(err, github.ErrInvalid):
		return http.StatusBadGateway, "GitHub does not take the code: it was used before, or is over an hour old. If the App is on its settings page at GitHub, delete it there. Then begin again."
	}
	return http.StatusInternalServerError, plain(err)
}

// plain is an error's text as a sentence, without the name of the package.
func plain(err error) string {
	text := strings.ReplaceAll(err.Error(), "setup: ", "")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
