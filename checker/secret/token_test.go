package secret

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

const (
	alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	hexes = "0123456789abcdef"
)

// A mint makes token-shaped values at run time; none stands in the source. Tests that run
// side by side may share it.
type mint struct{ *rand.Rand }

func newMint(seed uint64) mint {
	return mint{rand.New(&guarded{source: rand.NewPCG(seed, 20)})}
}

// guarded is a source for several goroutines.
type guarded struct {
	mu     sync.Mutex
	source rand.Source
}

func (g *guarded) Uint64() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.source.Uint64()
}

func (m mint) pick(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

func (m mint) pat() string { return "ghp" + "_" + m.pick(alnum, 36) }

func (m mint) jwt() string {
	part := func(json string) string { return base64.RawURLEncoding.EncodeToString([]byte(json)) }
	return part(`{"alg":"HS256","typ":"JWT"}`) + "." + part(`{"sub":"`+m.pick(alnum, 20)+`"}`) + "." + m.pick(alnum, 43)
}

func (m mint) pem(lines int) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + "PRIVATE KEY-----\n")
	for range lines {
		b.WriteString(m.pick(alnum+"+/", 64) + "\n")
	}
	return b.String() + "-----END " + "PRIVATE KEY-----"
}

func newScanner(t testing.TB, opts Options) *Scanner {
	t.Helper()
	if opts.Salt == nil {
		opts.Salt = []byte("salt of the tests")
	}
	s, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustScan(t testing.TB, s *Scanner, text string) []Finding {
	t.Helper()
	found, err := s.Scan(t.Context(), text)
	if err != nil {
		t.Fatalf("Scan: %v", err)
	}
	return found
}

// rulesOf lists rule and tier of findings, for comparison.
func rulesOf(found []Finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, f.Rule+" "+string(f.Tier))
	}
	return out
}
