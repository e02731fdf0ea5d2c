package planted

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
)

// The alphabets of random parts.
const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	hexes  = digits + "abcdef"
	alnum  = lower + upper + digits
	base   = alnum + "+/"
)

// A mint draws random values; equal seeds give equal ones.
type mint struct{ *rand.Rand }

func newMint(seed uint64) mint { return mint{rand.New(rand.NewPCG(seed, 60))} }

func (m mint) pick(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

// any draws letters and digits, some of each, so that no chance makes a value that
// is no value to the scanner.
func (m mint) any(n int) string {
	return m.pick(lower, 2) + m.pick(digits, 1) + m.pick(upper, 2) + m.pick(alnum, n-7) + m.pick(digits, 1) + m.pick(lower, 1)
}

// password draws one as managers make them.
func (m mint) password(n int) string {
	return m.pick(upper, 1) + m.pick(lower, 2) + m.pick(digits, 1) + "!" + m.pick(alnum+"_%-", n-6) + m.pick(digits, 1)
}

// pem draws a private key's block.
func (m mint) pem(name string, lines int) (block string, body []string) {
	for range lines {
		body = append(body, m.pick(base, 64))
	}
	return "-----BEGIN " + name + "-----\n" + strings.Join(body, "\n") + "\n-----END " + name + "-----", body
}

// jwt draws a signed token with a role.
func (m mint) jwt(role string) string {
	part := func(json string) string { return base64.RawURLEncoding.EncodeToString([]byte(json)) }
	return part(`{"alg":"HS256","typ":"JWT"}`) + "." + part(`{"sub":"`+m.any(14)+`","role":"`+role+`"}`) + "." + m.any(43)
}
