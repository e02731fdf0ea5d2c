package fakehub

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// A token is an installation access token: one hour, some permissions, all or
// some repositories.
type token struct {
	value        string
	installation *installation
	permissions  map[string]string
	repos        []int64 // nil means all
	expires      time.Time
}

// PrivateKey returns the App's key in PEM, which is made when first asked for.
func (h *Hub) PrivateKey() ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key, err := h.rsaKey()
	if err != nil {
		return nil, err
	}
	return pemBytes(key), nil
}

func pemBytes(key *rsa.PrivateKey) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
}

// rsaKey is the oldest key that is valid. It is made late, since most hubs are
// given one and the others would wait for it in vain.
func (h *Hub) rsaKey() (*rsa.PrivateKey, error) {
	if len(h.keys) == 0 {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			return nil, err
		}
		h.keys = append(h.keys, key)
	}
	return h.keys[0], nil
}

// AddKey makes another private key for the App, valid beside the others, as its
// settings page does.
func (h *Hub) AddKey() ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, err := h.rsaKey(); err != nil {
		return nil, err
	}
	h.keys = append(h.keys, key)
	return pemBytes(key), nil
}

// RevokeKey deletes a private key. What it has signed is refused from then on.
func (h *Hub) RevokeKey(pem []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keys = slices.DeleteFunc(h.keys, func(k *rsa.PrivateKey) bool { return bytes.Equal(pemBytes(k), pem) })
}

// credential is the part of the Authorization header after its scheme. GitHub
// takes "Bearer" for both kinds and "token" for tokens.
func credential(r *http.Request) string {
	scheme, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "token") {
		return strings.TrimSpace(value)
	}
	return ""
}

// admit identifies the caller, charges it, finds the repository and checks the
// permission, in the order in which GitHub refuses.
func (h *Hub) admit(c *call, header http.Header) error {
	switch c.route.auth {
	case byAnyone:
		return nil
	case byApp:
		if err := h.checkJWT(credential(c.r)); err != nil {
			return err
		}
		if err := h.charge(nil, "", header); err != nil {
			return err
		}
	case byInstallation:
		if err := h.admitToken(c, header); err != nil {
			return err
		}
	}
	if c.vars["owner"] == "" {
		return nil
	}
	return h.admitRepo(c, header)
}

// admitToken charges before it looks at suspension: refused requests count
// too.
func (h *Hub) admitToken(c *call, header http.Header) error {
	value := credential(c.r)
	if value == "" {
		return problem(http.StatusUnauthorized, "Requires authentication")
	}
	t := h.tokens[value]
	if t == nil || !h.now().Before(t.expires) || t.installation.gone {
		return problem(http.StatusUnauthorized, "Bad credentials")
	}
	c.token = t
	if c.route.path != "/rate_limit" {
		if err := h.charge(t, c.route.path, header); err != nil {
			return err
		}
	}
	if t.installation.suspended {
		return problem(http.StatusForbidden, "This installation has been suspended")
	}
	return nil
}

// admitRepo answers a moved repository with 301 and its place by id, and hides
// what the token does not cover.
func (h *Hub) admitRepo(c *call, header http.Header) error {
	full := c.path("owner") + "/" + c.path("repo")
	r, moved := h.find(full)
	if r == nil || (c.token != nil && !c.token.covers(r)) {
		return notFound()
	}
	c.repo = r
	if moved {
		_, rest, _ := strings.Cut(strings.TrimPrefix(c.r.URL.EscapedPath(), h.opts.Prefix+"/repos/"), "/")
		_, rest, deeper := strings.Cut(rest, "/")
		place := fmt.Sprintf("%s/repositories/%d", h.api(), r.id)
		if deeper {
			place += "/" + rest
		}
		if q := c.r.URL.RawQuery; q != "" {
			place += "?" + q
		}
		header.Set("Location", place)
		return problem(http.StatusMovedPermanently, "Moved Permanently")
	}
	if c.token != nil && !c.token.may(c.route.need) {
		return problem(http.StatusForbidden, "Resource not accessible by integration")
	}
	if c.route.method != http.MethodGet && r.archived {
		return problem(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	return nil
}

// covers reports whether a repository is inside the token's reach. What is
// outside is 404, as if it were not there.
func (t *token) covers(r *Repo) bool {
	return t.installation == r.install && (t.repos == nil || slices.Contains(t.repos, r.id))
}

// may reports whether one of the needed permissions is there.
func (t *token) may(need []string) bool {
	for _, n := range need {
		name, level, _ := strings.Cut(n, ":")
		if have := t.permissions[name]; have == "write" || (have != "" && have == level) {
			return true
		}
	}
	return len(need) == 0
}

// checkJWT holds the App's JWT to GitHub's rules: RS256, issued by this App, not
// in the future, and at most ten minutes from now. The words are GitHub's.
func (h *Hub) checkJWT(value string) error {
	refuse := func(words string) error { return problem(http.StatusUnauthorized, words) }
	if _, err := h.rsaKey(); err != nil {
		return err
	}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithoutClaimsValidation(), jwt.WithJSONNumber())
	var claims jwt.MapClaims
	for _, key := range h.keys {
		c := jwt.MapClaims{}
		if _, err := parser.ParseWithClaims(value, c, func(*jwt.Token) (any, error) { return &key.PublicKey, nil }); err == nil {
			claims = c
		}
	}
	if claims == nil {
		return refuse("A JSON web token could not be decoded")
	}
	iat, exp := seconds(claims["iat"]), seconds(claims["exp"])
	now := h.now().Unix()
	switch {
	case fmt.Sprint(claims["iss"]) != fmt.Sprint(h.opts.AppID) && claims["iss"] != clientID(h.opts.AppID):
		return refuse("'Issuer' claim ('iss') must be an Integer")
	case iat == 0 || iat > now+int64(h.opts.JWTLeeway/time.Second):
		return refuse("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	case exp > now+600:
		return refuse("'Expiration time' claim ('exp') is too far in the future")
	case exp <= now:
		return refuse("'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires")
	}
	return nil
}

// seconds reads a whole number; GitHub takes no fractions.
func seconds(claim any) int64 {
	n, _ := claim.(json.Number)
	i, err := n.Int64()
	if err != nil {
		return 0
	}
	return i
}

// newTokenValue is a token in the form that GitHub has been changing to since
// April 2026: ghs_, the App's id and a JWT, about 520 characters.
func newTokenValue(appID int64) string {
	random := make([]byte, 370)
	_, _ = rand.Read(random) // never fails
	text := base64.RawURLEncoding.EncodeToString(random)
	return fmt.Sprintf("ghs_%d_%s.%s.%s", appID, text[:36], text[36:400], text[400:])
}
