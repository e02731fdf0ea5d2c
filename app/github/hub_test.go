package github

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

const appID = 77

// answer is one scripted answer; body is a string or a value for JSON.
type answer struct {
	status int
	header map[string]string
	body   any
}

// hub answers each route from its own ordered list. The last answer of a list
// serves all later calls; a route without a list fails the test.
type hub struct {
	t    *testing.T
	srv  *httptest.Server
	mu   sync.Mutex
	plan map[string][]answer
	// dynamic answers a route by its body, before the plan is asked.
	dynamic map[string]func(body string) answer
	calls   []string            // "METHOD /path?query", without token requests
	sent    map[string][]string // bodies by route
	auth    []string            // Authorization of those calls
	tags    []string            // If-None-Match of those calls
	mints   int
	// now is this GitHub's clock for App tokens.
	now func() time.Time
}

// testKey is one key for all tests, made at run time.
var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func newHub(t *testing.T) *hub {
	t.Helper()
	h := &hub{t: t, plan: map[string][]answer{}, dynamic: map[string]func(string) answer{}, sent: map[string][]string{}, now: time.Now}
	h.srv = httptest.NewServer(h)
	t.Cleanup(h.srv.Close)
	return h
}

func (h *hub) on(route string, answers ...answer) { h.plan[route] = append(h.plan[route], answers...) }

func ok(body any) answer { return answer{status: 200, body: body} }

func refuse(status int, message string) answer {
	return answer{status: status, body: map[string]string{"message": message}}
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	defer h.mu.Unlock()
	w.Header().Set("Date", h.now().UTC().Format(http.TimeFormat))
	route := r.Method + " " + r.URL.EscapedPath()
	if v := r.Header.Get("X-GitHub-Api-Version"); v != "2022-11-28" {
		h.t.Errorf("%s: API version %q", route, v)
	}
	if strings.HasSuffix(route, "/access_tokens") && h.plan[route] == nil {
		h.mint(w, r, string(body))
		return
	}
	h.calls = append(h.calls, r.Method+" "+r.URL.RequestURI())
	h.auth = append(h.auth, r.Header.Get("Authorization"))
	h.tags = append(h.tags, r.Header.Get("If-None-Match"))
	h.sent[route] = append(h.sent[route], string(body))
	if f := h.dynamic[route]; f != nil {
		h.write(w, f(string(body)))
		return
	}
	list := h.plan[route]
	if len(list) == 0 {
		h.t.Errorf("no answer for %s", route)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	if len(list) > 1 {
		h.plan[route] = list[1:]
	}
	h.write(w, list[0])
}

func (h *hub) write(w http.ResponseWriter, a answer) {
	for k, v := range a.header {
		w.Header().Set(k, strings.ReplaceAll(v, "HUB", h.srv.URL))
	}
	text, plain := a.body.(string)
	if !plain && a.body != nil {
		data, err := json.Marshal(a.body)
		if err != nil {
			h.t.Error(err)
		}
		text = string(data)
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, text)
}

// mint gives an installation token as GitHub does: the App token must not be
// issued in the future nor end over ten minutes ahead, by this hub's clock.
func (h *hub) mint(w http.ResponseWriter, r *http.Request, body string) {
	var c jwt.RegisteredClaims
	parser := jwt.NewParser(jwt.WithoutClaimsValidation(), jwt.WithValidMethods([]string{"RS256"}))
	_, err := parser.ParseWithClaims(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), &c,
		func(*jwt.Token) (any, error) { return &testKey().PublicKey, nil })
	now := h.now()
	if err != nil || c.IssuedAt.After(now) || c.ExpiresAt.After(now.Add(10*time.Minute)) || c.ExpiresAt.Before(now) {
		h.write(w, refuse(401, "'Expiration time' claim ('exp') is too far in the future"))
		return
	}
	if c.Issuer != fmt.Sprint(appID) || !strings.HasPrefix(body, "{") {
		h.t.Errorf("token request: issuer %q, body %q", c.Issuer, body)
	}
	h.mints++
	h.sent["mint"] = append(h.sent["mint"], strings.TrimSpace(body))
	h.write(w, answer{status: 201, body: map[string]any{
		"token": token(h.mints), "expires_at": now.Add(time.Hour).UTC().Format(time.RFC3339),
	}})
}

// token is token-shaped without standing in the source as one.
func token(n int) string { return "ghs" + "_" + fmt.Sprint(n) + strings.Repeat("x", 40) }

func (h *hub) app(mods ...func(*Config)) *App {
	h.t.Helper()
	cfg := Config{AppID: appID, Key: pemKey(), BaseURL: h.srv.URL}
	for _, m := range mods {
		m(&cfg)
	}
	a, err := New(cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

func pemKey() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA " + "PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(testKey())})
}

func (h *hub) client() *Client { return h.app().Installation(5) }

// count is how often a route was called.
func (h *hub) count(route string) int { return len(h.sent[route]) }

// sha is an object id made of one digit.
func sha(digit string) string { return strings.Repeat(digit, 40) }

var here = Repo{ID: 9, Owner: "o", Name: "r"}

// object is a JSON object.
type object map[string]any

func decode[T any](t *testing.T, s string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
