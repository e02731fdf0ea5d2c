package github

import (
	"bytes"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/golang-jwt/jwt/v4"
)

const (
	// jwtBack and jwtAhead are the life of an App token around GitHub's clock:
	// GitHub refuses one issued in its future or ending over 10 minutes ahead, so
	// this bears a clock up to 60 s fast and 5 minutes slow without correction.
	jwtBack  = time.Minute
	jwtAhead = 5 * time.Minute
	// jitter is the clock difference that is not worth another attempt: a Date
	// header has whole seconds and a request takes some.
	jitter = 5 * time.Second
)

// signer signs App tokens by GitHub's clock as far as it is known, with the key
// that GitHub took last. It is shared by all installations: what one learns of
// clock and keys helps all.
type signer struct {
	keys   []*rsa.PrivateKey // one, or two while one is exchanged
	issuer string
	now    func() time.Time
	log    *slog.Logger
	skew   atomic.Int64 // GitHub's clock minus ours, a time.Duration
	use    atomic.Int32 // the place in keys of the one that signs
	seen   atomic.Pointer[clock]
}

var _ ghinstallation.Signer = (*signer)(nil)

// Sign ignores the times in the claims, which are by the local clock.
func (s *signer) Sign(jwt.Claims) (string, error) {
	return s.sign(int(s.use.Load()))
}

func (s *signer) sign(key int) (string, error) {
	now := s.now().Add(time.Duration(s.skew.Load())).Truncate(time.Second)
	return jwt.NewWithClaims(jwt.SigningMethodRS256, &jwt.RegisteredClaims{
		Issuer:    s.issuer,
		IssuedAt:  jwt.NewNumericDate(now.Add(-jwtBack)),
		ExpiresAt: jwt.NewNumericDate(now.Add(jwtAhead)),
	}).SignedString(s.keys[key])
}

// learn takes over GitHub's clock and reports whether a token of a refused
// request was signed by another one. The token itself is compared: of two
// requests refused at once, both have to be signed again, whoever learns first.
func (s *signer) learn(date time.Time, token string) bool {
	if date.IsZero() {
		return false
	}
	s.skew.Store(int64(date.Sub(s.now())))
	var c jwt.RegisteredClaims
	if _, _, err := jwt.NewParser().ParseUnverified(token, &c); err != nil || c.IssuedAt == nil {
		return false
	}
	return c.IssuedAt.Add(jwtBack).Sub(date).Abs() > jitter
}

// appGate stands under ghinstallation and looks at requests that carry an App
// token: it corrects the clock once after a 401, and knows what a failed or
// odd answer to a token request means.
type appGate struct {
	next   *gate
	signer *signer
	app    *bucket // of calls by the App itself
	inst   *bucket // of the installation, where App tokens only fetch other tokens; nil for none
}

// RoundTrip passes requests of an installation through untouched.
func (a *appGate) RoundTrip(req *http.Request) (*http.Response, error) {
	// ghinstallation sends its own requests and those of the installation
	// through here; the App's are told by their kind of credential.
	token, ours := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
	if !ours {
		return a.next.send(req, a.inst)
	}
	if a.inst != nil {
		req = forToken(req)
	}
	resp, err := a.next.send(req, a.app)
	if date, refused := refusal(err); refused {
		resp, err = a.again(req, token, date)
	}
	a.signer.note(resp, err)
	if a.inst == nil {
		return resp, err
	}
	if err != nil {
		return nil, tokenFailure(err)
	}
	return tokenAnswer(resp)
}

// replay copies a request that was sent, with its body from the start.
func replay(req *http.Request) (*http.Request, bool) {
	next := req.Clone(req.Context())
	if req.Body == nil || req.Body == http.NoBody {
		return next, true
	}
	if req.GetBody == nil {
		return nil, false
	}
	body, err := req.GetBody()
	next.Body = body
	return next, err == nil
}

const tokenRoute = "/app/installations/{installation_id}/access_tokens"

// tokenFailure marks a failure as one of the token request, where 404 means that
// the installation is gone; a repository that it does not cover is 422.
func tokenFailure(err error) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	own := *f
	own.method, own.route, own.token = http.MethodPost, tokenRoute, true
	if f.status == http.StatusNotFound || f.status == http.StatusGone {
		own.kinds = []error{ErrNoInstallation}
	}
	return &own
}

// tokenAnswer refuses an answer without a token: ghinstallation reads one of
// "null" into a nil pointer and then uses it. It compares the token's end with the
// local clock, so the end is told by that one: GitHub's own clock, in the same
// answer, says how long the token lives.
func tokenAnswer(resp *http.Response) (*http.Response, error) {
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	var t struct {
		Token     string    `json:"token"`
		ExpiresAt time.Time `json:"expires_at"`
	}
	if err != nil || json.Unmarshal(body, &t) != nil || t.Token == "" || t.ExpiresAt.IsZero() {
		return nil, &failure{method: http.MethodPost, route: tokenRoute, status: resp.StatusCode, token: true, kinds: []error{ErrUnavailable}}
	}
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		t.ExpiresAt = time.Now().Add(t.ExpiresAt.Sub(date)).UTC()
	}
	body, _ = json.Marshal(t) // a string and a time in this century always marshal
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// installed sends requests as an installation. ghinstallation keeps and renews
// the token, single-flight, by the local clock; a 401 means that GitHub thinks
// otherwise, and then a new token is made once per request.
type installed struct {
	renew func() *ghinstallation.Transport

	mu      sync.Mutex
	current *ghinstallation.Transport
}

// RoundTrip sends a request, and once more with a new token if the kept one is
// refused. A 401 is answered before anything is done, so a write may be repeated.
func (i *installed) RoundTrip(req *http.Request) (*http.Response, error) {
	t := i.after(nil)
	resp, err := t.RoundTrip(req)
	var f *failure
	if !errors.As(err, &f) || f.token || f.status != http.StatusUnauthorized {
		return resp, err
	}
	next, ok := replay(req)
	if !ok {
		return resp, err
	}
	return i.after(t).RoundTrip(next)
}

// after is the transport to use once that of refused turned out to be of no use;
// whoever comes second finds it already replaced.
func (i *installed) after(refused *ghinstallation.Transport) *ghinstallation.Transport {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.current == nil || i.current == refused {
		i.current = i.renew()
	}
	return i.current
}
