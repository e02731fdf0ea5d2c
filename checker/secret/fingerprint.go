package secret

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"sync"

	"golang.org/x/crypto/argon2"
)

// The cost of one guess at a value behind a published fingerprint: three passes
// over 8 MiB, about 15 ms of one core. More memory would make guessing dearer,
// but sixteen scans at once must fit a small server. Changing any of these, or
// the order of the parts, makes every committed allow rule void.
const (
	argonPasses = 3
	argonKiB    = 8 << 10
	argonLanes  = 1
	printBytes  = 16 // 128 bits: no two values meet by chance
)

// A printer makes fingerprints. A value that occurs often costs once: in one
// text, or under a context of [Remember] in all texts together.
type printer struct {
	salt []byte
	mu   *sync.Mutex
	seen map[[3]string]string // by salt, rule and value
}

func newPrinter(ctx context.Context, salt []byte) *printer {
	if m, ok := ctx.Value(memoryKey{}).(*Memory); ok {
		m = m.outermost()
		return &printer{salt, &m.mu, m.prints}
	}
	return &printer{salt, &sync.Mutex{}, map[[3]string]string{}}
}

func (p *printer) of(rule, value string) string {
	key := [3]string{string(p.salt), rule, value}
	p.mu.Lock()
	print, ok := p.seen[key]
	p.mu.Unlock()
	if ok {
		return print
	}
	sum := argon2.IDKey(parts(rule, value), p.salt, argonPasses, argonKiB, argonLanes, printBytes)
	print = hex.EncodeToString(sum)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[key] = print
	return print
}

// parts joins texts so that no two lists of texts give the same bytes: each is
// led by its length.
func parts(texts ...string) []byte {
	var b []byte
	for _, t := range texts {
		b = binary.BigEndian.AppendUint64(b, uint64(len(t)))
		b = append(b, t...)
	}
	return b
}
