package setup

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/sheets"
)

const (
	// life is how long GitHub honours a registration that was begun.
	life = time.Hour
	// maxBegun bounds the registrations that are begun at once. One person needs one.
	maxBegun = 16
	// stopTime is for the last page to reach the browser.
	stopTime = 5 * time.Second
)

// Config is what a Wizard needs. Only Settings and Log must be set. The API's
// address is not asked for on the page: whoever opens that must not choose where
// this machine sends requests.
type Config struct {
	Settings  string // the file to write; key and secret go beside it
	Overwrite bool   // replace files that are there
	API       string // "" is github.com
	Database  string // for the settings file; "" is a SQLite file beside it
	Listen    string // for the settings file; "" is 127.0.0.1:8080
	Draft     Draft  // what the form begins with
	Log       *slog.Logger
	Now       func() time.Time  // nil is time.Now
	Transport http.RoundTripper // to GitHub; nil is the usual one
}

// Registered is what came of a registration. It holds no secret: those are in the
// files alone.
type Registered struct {
	AppID   int64
	Slug    string
	Install string // the address at which the App is installed
	Files   Files
}

// Wizard registers one App. It is an [http.Handler], safe for concurrent use.
type Wizard struct {
	cfg   Config
	files Files
	web   *url.URL // where people register Apps
	token string
	life  time.Duration // of the page and of what is begun on it
	pages *sheets.Set
	serve http.Handler

	mu    sync.Mutex
	begun []begun
	busy  bool // an exchange is under way; a second one would write the same files
	over  bool // the App is registered: nothing more is begun
	done  chan Registered
}

// begun is a registration that a person was sent to GitHub with.
type begun struct {
	state string
	until time.Time
}

// New checks what can be checked before anybody is sent to GitHub: the address of
// its API, and that the files can be written. [ErrExists] means that some are
// there. An App that was registered in vain would have to be deleted by hand.
func New(cfg Config) (*Wizard, error) {
	files, err := FilesFor(cfg.Settings)
	if err == nil {
		err = github.CheckAPI(cfg.API)
	}
	if err != nil {
		return nil, err
	}
	place, err := files.reserve(cfg.Overwrite)
	if err != nil {
		return nil, err
	}
	place.release()
	web, err := url.Parse(github.Web(cfg.API))
	if err != nil {
		return nil, errors.New("setup: the API address is none") // unreachable: it was checked
	}
	cfg.fill(files)
	w := &Wizard{cfg: cfg, files: files, web: web, token: rand.Text(), life: life, done: make(chan Registered, 1)}
	if w.pages, err = sheets.Load(pageFiles, nil); err != nil {
		return nil, err
	}
	w.serve = w.routes()
	return w, nil
}

// fill sets what was left out.
func (c *Config) fill(files Files) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Database == "" {
		stem := strings.TrimSuffix(files.Settings, filepath.Ext(files.Settings))
		c.Database = "sqlite:" + stem + ".db"
	}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:8080"
	}
	if c.Draft.Name == "" {
		// Names are unique over all of GitHub, so the plain one is long taken.
		c.Draft.Name = "cardkeeper-" + strings.ToLower(rand.Text()[:6])
	}
}

// Token is what a person must know to begin. It is void once the App is registered.
func (w *Wizard) Token() string { return w.token }

// Run serves the pages until the App is registered, ctx ends or an hour has
// passed ([ErrExpired]). It closes l in any case.
func (w *Wizard) Run(ctx context.Context, l net.Listener) (r Registered, err error) {
	// An answer may wait for GitHub as long as a call of the client may take.
	server := &http.Server{
		Handler: w, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second, WriteTimeout: 3 * time.Minute,
		ErrorLog: slog.NewLogLogger(w.cfg.Log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	end := time.NewTimer(w.life)
	defer end.Stop()
	select {
	case err = <-served:
		return r, err // it cannot go on; Serve has closed l
	case <-ctx.Done():
		err = ctx.Err()
	case <-end.C:
		err = ErrExpired
	case r = <-w.done:
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := server.Shutdown(stop); err != nil {
		_ = server.Close() // a browser that keeps its connection open has all it gets
	}
	<-served // l is closed
	select {
	case r = <-w.done: // its files were being written as the time was up
		err = nil
	default:
	}
	return r, err
}

// knows reports whether a token is the wizard's, and of use still.
func (w *Wizard) knows(token string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return same(w.token, token) && !w.over
}

// begin remembers a registration and gives its state, which comes back from GitHub.
func (w *Wizard) begin() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	state := rand.Text()
	if len(w.begun) >= maxBegun {
		w.begun = w.begun[1:]
	}
	w.begun = append(w.begun, begun{state, w.cfg.Now().Add(w.life)})
	return state
}

// known reports whether a state is of a registration that is under way. All are
// compared, each in constant time.
func (w *Wizard) known(state string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := false
	for _, b := range w.begun {
		found = same(b.state, state) && w.cfg.Now().Before(b.until) || found
	}
	return found
}

// same compares in a time that tells nothing of the texts, which are of one length.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// errBusy: two exchanges at once.
var errBusy = errors.New("setup: this registration is being finished already")

// finish exchanges the code and writes the files. A state is good for one
// exchange; it stays valid only where GitHub could not be asked or the files
// could not be made, so that the same person may try again.
func (w *Wizard) finish(ctx context.Context, state, code string) (Registered, error) {
	if !w.take() {
		return Registered{}, errBusy
	}
	defer w.leave()
	if !w.known(state) { // it was, before the exchange that has just ended
		return Registered{}, errBusy
	}
	place, err := w.files.reserve(w.cfg.Overwrite)
	if err != nil {
		return Registered{}, err
	}
	defer place.release()
	r, err := github.Register(ctx, github.Config{BaseURL: w.cfg.API, Now: w.cfg.Now, Transport: w.cfg.Transport}, code)
	if errors.Is(err, github.ErrUnavailable) || errors.As(err, new(*github.Limited)) {
		return Registered{}, err
	}
	w.forget(state)
	if err != nil {
		return Registered{}, err
	}
	err = place.fill(r.Key, r.Secret, config.SettingsFile{
		AppID: r.ID, KeyFile: w.files.Key, SecretFile: w.files.Secret, Database: w.cfg.Database, Listen: w.cfg.Listen, API: w.cfg.API,
	})
	if err != nil {
		return Registered{}, fmt.Errorf("%w: %w", errUnstored, err)
	}
	w.end()
	w.cfg.Log.Info("setup: the App is registered", "app_id", r.ID, "settings", w.files.Settings)
	return Registered{AppID: r.ID, Slug: r.Slug, Install: w.install(r), Files: w.files}, nil
}

// install is where the App is installed. Its page stands elsewhere on an
// Enterprise Server, so GitHub's own word for it counts, on its own host.
func (w *Wizard) install(r github.Registration) string {
	page, err := url.Parse(r.Page)
	if err != nil || page.Host != w.web.Host || page.Scheme != w.web.Scheme {
		page = w.web.JoinPath("apps", r.Slug)
	}
	return page.JoinPath("installations", "new").String()
}

// errUnstored: the App exists and its key is lost.
var errUnstored = errors.New("setup: the App is registered, but its key could not be stored; delete the App on its settings page at GitHub and begin again")

// take reports whether an exchange may begin, and keeps others from it.
func (w *Wizard) take() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy || w.over {
		return false
	}
	w.busy = true
	return true
}

func (w *Wizard) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy = false
}

// end makes the token and all states void.
func (w *Wizard) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over, w.begun = true, nil
}

// forget makes a state void.
func (w *Wizard) forget(state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, b := range w.begun {
		if same(b.state, state) {
			w.begun = append(w.begun[:i:i], w.begun[i+1:]...)
			return
		}
	}
}
