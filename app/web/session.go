package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	cookieName = "cardkeeper_operator"
	// sessionTime is a working day: whoever looks every day signs in every day.
	sessionTime = 8 * time.Hour
)

// keys knows the operator's token and what is derived from it.
type keys struct {
	token   [sha256.Size]byte // its digest, so that a comparison does not tell its length
	session []byte
	now     func() time.Time
}

func newKeys(token string, now func() time.Time) *keys {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("cardkeeper operator session"))
	return &keys{token: sha256.Sum256([]byte(token)), session: mac.Sum(nil), now: now}
}

// fits compares in constant time.
func (k *keys) fits(token string) bool {
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], k.token[:]) == 1
}

// bearer reports whether the request carries the token in its header, which no
// other site can make a browser do.
func (k *keys) bearer(r *http.Request) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && k.fits(token)
}

func (k *keys) seal(purpose, text string) string {
	mac := hmac.New(sha256.New, k.session)
	mac.Write([]byte(purpose + "\n" + text))
	return hex.EncodeToString(mac.Sum(nil))
}

// issue makes the value of a session's cookie: its end, chance, and a seal over both.
func (k *keys) issue() string {
	var b [24]byte
	binary.BigEndian.PutUint64(b[:8], uint64(k.now().Add(sessionTime).Unix()))
	_, _ = rand.Read(b[8:]) // never fails
	text := base64.RawURLEncoding.EncodeToString(b[:])
	return text + "." + k.seal("session", text)
}

// session is the value of a cookie that we made and that has not ended.
func (k *keys) sessionOf(r *http.Request) (value string, ok bool) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return "", false
	}
	text, seal, _ := strings.Cut(cookie.Value, ".")
	if !hmac.Equal([]byte(seal), []byte(k.seal("session", text))) {
		return "", false
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) != 24 {
		return "", false // unreachable: what we sealed has this form
	}
	end := time.Unix(int64(binary.BigEndian.Uint64(b[:8])), 0)
	return cookie.Value, k.now().Before(end)
}

// sessionName is what the store calls a session: nobody can make a cookie of it.
func sessionName(value string) string {
	sum := sha256.Sum256([]byte(value))
	return hex.EncodeToString(sum[:])
}

// formToken is what a form of this session must carry.
func (k *keys) formToken(session string) string { return k.seal("form", session) }

// cookie is the session's, or one that ends it. It travels over TLS alone, except to
// this machine, where there is none.
func cookie(r *http.Request, value string, life time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: cookieName, Value: value, Path: "/operator", MaxAge: int(life.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: !local(r.Host),
	}
}

func local(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
