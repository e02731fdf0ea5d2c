package github

import (
	"crypto/rsa"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cardkeeper/cardkeeper/app/meter"
	"github.com/golang-jwt/jwt/v4"
)

const (
	publicAPI = "https://api.github.com"
	// maxClients bounds the clients, and with them the tokens, that are kept: the
	// three that a check and an answer need, of a thousand repositories.
	maxClients = 3000
	// maxKept bounds the answers that are kept for conditional requests, in items
	// such as one pull request of a list, some 300 bytes each.
	maxKept = 20_000
	// maxLevels bounds the tree listings that are kept, in entries of some 120
	// bytes: three heads of a repository of 50,000 skills, 60 MB.
	maxLevels = 500_000
	// maxCuts bounds the places that are known to be too large to be listed whole.
	maxCuts = 10_000
	// maxMerges bounds the comparisons of commits that are kept, of some 300 bytes each.
	maxMerges = 10_000
	// callTime bounds one request with its token and its whole answer.
	callTime = 2 * time.Minute
)

// Config is what an App needs.
type Config struct {
	AppID     int64             // from the App's settings page
	Key       []byte            // the App's private key, PEM
	Spare     []byte            // another one, tried where GitHub refuses Key; nil is none
	BaseURL   string            // REST address; "" is https://api.github.com, GHES is https://HOST/api/v3
	UserAgent string            // "" is "cardkeeper"
	Transport http.RoundTripper // nil is one with time-outs
	Now       func() time.Time  // nil is time.Now
	Log       *slog.Logger      // is told of each request, and which key is taken; nil is none
	Meter     *meter.Meter      // counts requests; nil is none
}

// App is a GitHub App. It is safe for concurrent use.
type App struct {
	id     int64
	base   *url.URL
	graph  string // path of the GraphQL interface
	now    func() time.Time
	gate   *gate
	signer *signer
	own    *caller // as the App itself, not as an installation

	clients *lru[clientKey, *Client]
	kept    *lru[keptKey, kept]
	levels  *lru[levelKey, level]
	cuts    *lru[levelKey, bool] // places where GitHub cut a list
	merges  *lru[mergeKey, Ahead]
	found   *lru[int64, *lookUp]
	grants  *lru[int64, *grant]

	mu      sync.Mutex
	buckets map[int64]*bucket
	slug    string // of this App, once it was needed
}

// New checks the configuration and makes the App; it sends nothing. The address
// must be https, except on a loopback host, since tokens travel on it.
func New(cfg Config) (*App, error) {
	if cfg.AppID <= 0 {
		return nil, errors.New("github.New: the App id is missing; copy it from the App's settings page")
	}
	keys, err := privateKeys(cfg.Key, cfg.Spare)
	if err != nil {
		return nil, fmt.Errorf("github.New: %w", err)
	}
	g, err := newGate(cfg)
	if err != nil {
		return nil, fmt.Errorf("github.New: %w", err)
	}
	a := &App{
		id: cfg.AppID, base: g.base, graph: strings.TrimSuffix(g.base.Path, "v3/") + "graphql", now: g.now, gate: g, buckets: map[int64]*bucket{},
		clients: newLRU[clientKey, *Client](maxClients, nil), kept: newLRU[keptKey](maxKept, kept.items),
		levels: newLRU[levelKey](maxLevels, level.weight), cuts: newLRU[levelKey, bool](maxCuts, nil),
		merges: newLRU[mergeKey, Ahead](maxMerges, nil), found: newLRU[int64, *lookUp](maxClients, nil),
		grants: newLRU[int64, *grant](maxClients, nil),
	}
	a.signer = &signer{keys: keys, issuer: strconv.FormatInt(cfg.AppID, 10), now: a.now, log: cfg.Log}
	a.own = a.caller(a.appTransport(nil), a.bucket(0))
	return a, nil
}

// newGate makes the transport under everything, with what cfg leaves out.
func newGate(cfg Config) (*gate, error) {
	base, err := baseURL(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	g := &gate{next: cfg.Transport, base: base, agent: cfg.UserAgent, now: cfg.Now, watch: scribe{cfg.Meter, cfg.Log}}
	if g.now == nil {
		g.now = time.Now
	}
	if g.next == nil {
		g.next = defaultTransport()
	}
	if g.agent == "" {
		g.agent = "cardkeeper"
	}
	return g, nil
}

// privateKeys reads the key and, where there is one, the spare.
func privateKeys(texts ...[]byte) (keys []*rsa.PrivateKey, err error) {
	for i, text := range texts {
		if i > 0 && len(text) == 0 {
			continue
		}
		key, err := jwt.ParseRSAPrivateKeyFromPEM(text)
		if err != nil {
			return nil, fmt.Errorf("private key %d is no RSA key in PEM form; download a new one from the App's settings page", i+1)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// baseURL reads the address of the API; the library wants it to end in a slash.
func baseURL(s string) (*url.URL, error) {
	if s == "" {
		s = publicAPI
	}
	u, err := url.Parse(strings.TrimRight(s, "/") + "/")
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, errors.New("the API address is not a plain URL; give https://HOST/api/v3 for GitHub Enterprise Server")
	}
	local := u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost" || u.Hostname() == "::1"
	if u.Scheme != "https" && (u.Scheme != "http" || !local) {
		return nil, errors.New("the API address must begin with https://")
	}
	return u, nil
}

// CheckAPI reports whether an address may be a [Config]'s BaseURL. It sends nothing.
func CheckAPI(address string) error {
	_, err := baseURL(address)
	return err
}

// ID is the App's id.
func (a *App) ID() int64 { return a.id }
