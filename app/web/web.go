package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/sheets"
	"github.com/cardkeeper/cardkeeper/app/store"
)

const (
	// maxForm bounds a request's body: a form of two short fields.
	maxForm = 8 << 10
	// askLimit bounds what a page asks of the database.
	askLimit = 10 * time.Second
	// rows is how many a page lists; more is on the next one.
	rows = 50
)

// Work runs again what failed. *jobs.Runner does.
type Work interface {
	RunAgain(ctx context.Context, guid string) error
	RunJobAgain(ctx context.Context, id int64) error
}

// Config is what the pages need. All fields are required but Now.
type Config struct {
	Token string // of the operator
	Build string // what runs, for the foot of the first page
	Store *store.Store
	Work  Work
	Scan  ask.Withholder // of what people asked
	Log   *slog.Logger
	Now   func() time.Time // nil is time.Now
}

// Pages answers under /operator/ and guards what else the operator alone may see.
type Pages struct {
	cfg    Config
	keys   *keys
	sheets *sheets.Set
	serve  http.Handler
}

// ErrToken means that pages without a token were asked for. Anybody could read them.
var ErrToken = errors.New("the operator's token is missing")

// New makes the pages.
func New(cfg Config) (*Pages, error) {
	if cfg.Token == "" {
		return nil, ErrToken
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s, err := loadSheets()
	if err != nil {
		return nil, err // unreachable: see there
	}
	p := &Pages{cfg: cfg, keys: newKeys(cfg.Token, cfg.Now), sheets: s}
	p.serve = p.routes()
	return p, nil
}

// routes are the pages. What changes something is a POST from our own pages.
func (p *Pages) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /operator/{$}", p.inside(p.overview))
	mux.Handle("GET /operator/deliveries", p.inside(p.deliveries))
	mux.Handle("GET /operator/deliveries/{guid}", p.inside(p.delivery))
	mux.Handle("GET /operator/jobs", p.inside(p.jobs))
	mux.Handle("GET /operator/installations", p.inside(p.installations))
	mux.Handle("POST /operator/deliveries/{guid}/again", p.inside(p.deliveryAgain))
	mux.Handle("POST /operator/jobs/{id}/again", p.inside(p.jobAgain))
	mux.Handle("GET /operator/gaps", p.inside(p.gapRepositories))
	mux.Handle("GET /operator/gaps/{repository}", p.inside(p.gaps))
	mux.Handle("POST /operator/gaps/{repository}/{id}/delete", p.inside(p.dropGap))
	mux.Handle("POST /operator/gaps/{repository}/delete", p.inside(p.dropGaps))
	mux.Handle("POST /operator/sign-out", p.inside(p.signOut))
	mux.HandleFunc("POST /operator/sign-in", p.signIn)
	mux.HandleFunc("/operator/", func(rw http.ResponseWriter, _ *http.Request) {
		p.complain(rw, http.StatusNotFound, "", "There is no such page.")
	})
	return http.NewCrossOriginProtection().Handler(mux)
}

// ServeHTTP answers a request.
func (p *Pages) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	head := rw.Header()
	p.sheets.Protect(head)
	head.Set("Referrer-Policy", "same-origin")
	ctx, cancel := context.WithTimeout(r.Context(), askLimit)
	defer cancel()
	r.Body = http.MaxBytesReader(rw, r.Body, maxForm)
	p.serve.ServeHTTP(rw, r.WithContext(ctx))
}

// A visit is a request of who may see the pages. The form's token is "" where the
// request itself carries the operator's; so is the session.
type visit struct {
	*http.Request
	form    string
	session string // its cookie's value
}

// inside lets in who has a session or the token, and asks others for it. A form
// must carry the session's own token.
func (p *Pages) inside(next func(http.ResponseWriter, visit)) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if p.keys.bearer(r) {
			next(rw, visit{r, "", ""})
			return
		}
		session, ok := p.keys.sessionOf(r)
		if ok {
			ended, err := p.cfg.Store.SessionEnded(r.Context(), sessionName(session))
			if err != nil {
				p.broken(rw, visit{r, "", ""}, err)
				return
			}
			ok = !ended
		}
		if !ok {
			rw.Header().Set("WWW-Authenticate", `Bearer realm="cardkeeper"`)
			p.sheets.Show(rw, http.StatusUnauthorized, "sign-in", page{Title: "Sign in"})
			return
		}
		form := p.keys.formToken(session)
		if r.Method != http.MethodGet && r.Method != http.MethodHead && !equal(r.PostFormValue("form"), form) {
			p.complain(rw, http.StatusForbidden, form, "This form belongs to another session. Go back, load the page again and press the button once more.")
			return
		}
		next(rw, visit{r, form, session})
	})
}

// Guard lets a request through that carries the token in its header, without a page.
func (p *Pages) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !p.keys.bearer(r) {
			rw.Header().Set("WWW-Authenticate", `Bearer realm="cardkeeper"`)
			http.Error(rw, "the operator's token is missing or wrong", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(rw, r)
	})
}

// signIn exchanges the token for a session. A wrong one is too long to be guessed,
// so tries are written and not counted.
func (p *Pages) signIn(rw http.ResponseWriter, r *http.Request) {
	if !p.keys.fits(r.PostFormValue("token")) {
		p.cfg.Log.WarnContext(r.Context(), "operator: a wrong token")
		p.sheets.Show(rw, http.StatusForbidden, "sign-in", page{Title: "Sign in", Said: "This is not the operator's token."})
		return
	}
	p.cfg.Log.InfoContext(r.Context(), "operator: signed in")
	http.SetCookie(rw, cookie(r, p.keys.issue(), sessionTime))
	http.Redirect(rw, r, "/operator/", http.StatusSeeOther)
}

// signOut ends the session for every copy of its cookie, on all replicas, and takes the cookie away.
func (p *Pages) signOut(rw http.ResponseWriter, v visit) {
	if v.session != "" {
		if err := p.cfg.Store.EndSession(v.Context(), sessionName(v.session), p.cfg.Now().Add(sessionTime)); err != nil {
			p.broken(rw, v, err)
			return
		}
	}
	http.SetCookie(rw, cookie(v.Request, "", -time.Second))
	http.Redirect(rw, v.Request, "/operator/", http.StatusSeeOther)
}

// complain shows what went wrong, in a sentence of ours.
func (p *Pages) complain(rw http.ResponseWriter, status int, form, text string) {
	p.sheets.Show(rw, status, "message", page{Title: "That did not work", Form: form, Data: text})
}

// broken tells of a database that did not answer.
func (p *Pages) broken(rw http.ResponseWriter, v visit, err error) {
	p.cfg.Log.ErrorContext(v.Context(), "operator: a page could not be read", "error", err)
	p.complain(rw, http.StatusServiceUnavailable, v.form, "The database did not answer. Load the page again; the log says more.")
}
