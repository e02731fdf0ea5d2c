package fakehub

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Options describe the hub and the one App that is registered there. The zero
// value is a github.com with an App called cardkeeper.
type Options struct {
	AppID  int64           // 0 means 4711
	Slug   string          // "" means "cardkeeper"
	Key    *rsa.PrivateKey // nil: made at the first use, which takes a while
	Secret string          // the webhook's; "" means a random one

	// Permissions that installations grant, and events the App is subscribed
	// to; nil means what Cardkeeper asks for.
	Permissions map[string]string
	Events      []string

	Prefix    string           // "/api/v3" serves as GitHub Enterprise Server does
	Target    string           // where deliveries go: a URL with a loopback address
	Now       func() time.Time // nil means time.Now
	JWTLeeway time.Duration    // how far ahead of the hub's clock iat may be

	// Wrap goes around the whole handler when the hub is started: a place for
	// a validator. Nil means nothing.
	Wrap func(http.Handler) http.Handler
}

// A Hub is a GitHub with one App. Its methods may be called from several
// goroutines.
type Hub struct {
	opts   Options
	dir    string // repositories, removed by Close
	shapes *shapes
	routes []route

	mu       sync.Mutex // guards all below, and the git stores
	base     string     // scheme, host and prefix
	now      func() time.Time
	keys     []*rsa.PrivateKey // valid ones, the oldest first
	hook     string            // the webhook's address as it was registered
	ids      map[string]int64
	users    map[string]*user
	repos    []*Repo
	installs []*installation
	tokens   map[string]*token
	codes    map[string]bool // manifest codes, not yet used

	faults     []*Fault
	requests   []Request
	limit      limits
	treeLimit  int
	graphLimit int

	pending    []*event
	deliveries []*Delivery
	stirred    chan struct{} // told of each pending event

	listener net.Listener
	server   *http.Server
}

// New returns a hub with no repository. The caller must Close it, which removes
// its folder. It fails where the git binary is missing.
func New(opts Options) (*Hub, error) {
	fillIn(&opts)
	shapes, err := parseShapes()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "fakehub-")
	if err != nil {
		return nil, fmt.Errorf("fakehub.New: %w", err)
	}
	h := &Hub{
		opts: opts, dir: dir, shapes: shapes, now: opts.Now,
		ids: map[string]int64{}, users: map[string]*user{}, tokens: map[string]*token{},
		codes: map[string]bool{}, limit: newLimits(), treeLimit: 100_000, // GitHub's limit of entries in a recursive listing
		graphLimit: graphUsual, stirred: make(chan struct{}, 1),
	}
	if opts.Key != nil {
		h.keys = append(h.keys, opts.Key)
	}
	h.routes = h.table()
	return h, nil
}

// fillIn sets what the options leave out. The permissions and events are those
// that the App's manifest asks for.
func fillIn(o *Options) {
	if o.AppID == 0 {
		o.AppID = 4711
	}
	if o.Slug == "" {
		o.Slug = "cardkeeper"
	}
	if o.Secret == "" {
		o.Secret = rand.Text()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Permissions == nil {
		o.Permissions = map[string]string{
			"metadata": "read", "contents": "write", "checks": "write",
			"pull_requests": "write", "issues": "read", "merge_queues": "read",
		}
	}
	if o.Events == nil {
		o.Events = []string{"pull_request", "issue_comment", "merge_group", "repository", "push"}
	}
}

// Start serves the hub on a free port of 127.0.0.1 until [Hub.Close].
func (h *Hub) Start() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("fakehub: listen on 127.0.0.1: %w", err)
	}
	var handler http.Handler = h
	if h.opts.Wrap != nil {
		handler = h.opts.Wrap(h)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listener, h.base = listener, "http://"+listener.Addr().String()+h.opts.Prefix
	h.server = &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	go func(s *http.Server) { _ = s.Serve(listener) }(h.server)
	return nil
}

// URL is the REST API's address without a slash at its end. Before Start it is
// an address that no one serves.
func (h *Hub) URL() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.api()
}

func (h *Hub) api() string {
	if h.base == "" {
		return "http://127.0.0.1:1" + h.opts.Prefix
	}
	return h.base
}

// html is the address of the pages that answers link to. No one serves them.
func (h *Hub) html() string { return strings.TrimSuffix(h.api(), h.opts.Prefix) }

// Close stops serving, breaks open connections and removes the repositories.
func (h *Hub) Close() error {
	h.mu.Lock()
	server := h.server
	h.mu.Unlock()
	var err error
	if server != nil {
		err = server.Close() // not under the lock: requests in flight want it
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.repos {
		r.git.close()
	}
	return errors.Join(err, os.RemoveAll(h.dir))
}

// SetClock replaces the hub's clock: dates in answers, the Date header, the
// life of tokens, the rules for JWTs and rate limits follow it.
func (h *Hub) SetClock(now func() time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = now
}

// SetTreeLimit sets how many entries a recursive tree listing may have before
// it is cut and says truncated.
func (h *Hub) SetTreeLimit(entries int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.treeLimit = entries
}

// Secret is the webhook's secret.
func (h *Hub) Secret() string { return h.opts.Secret }

// AppID is the registered App's number.
func (h *Hub) AppID() int64 { return h.opts.AppID }

// id counts one kind of thing up. Kinds start far apart, so that an id used as
// another kind's is found nowhere. Check runs start above 2^32 and deliveries
// above 2^53, as GitHub's may: an id kept in too small a number, or in a float,
// is then wrong.
func (h *Hub) id(kind string, first int64) int64 {
	if h.ids[kind] == 0 {
		h.ids[kind] = first
	}
	h.ids[kind]++
	return h.ids[kind]
}

// storeDir is the folder of a repository, by its id: names may change.
func (h *Hub) storeDir(id int64) string { return filepath.Join(h.dir, fmt.Sprint(id)+".git") }

// stamp is the hub's time as GitHub writes it.
func (h *Hub) stamp() string { return stamp(h.now()) }

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// wait returns when an event is pending or ctx ends.
func (h *Hub) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-h.stirred:
		return nil
	}
}
