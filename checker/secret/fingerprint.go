package secret

import (
	"encoding/binary"
	"encoding/hex"

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

// A printer makes the fingerprints of one scan. A value that occurs often costs
// once.
type printer struct {
	salt []byte
	seen map[[2]string]string
}

func newPrinter(salt []byte) *printer {
	return &printer{salt: salt, seen: map[[2]string]string{}}
}

func (p *printer) of(rule, value string) string {
	key := [2]string{rule, value}
	if print, ok := p.seen[key]; ok {
		return print
	}
	sum := argon2.IDKey(parts(rule, value), p.salt, argonPasses, argonKiB, argonLanes, printBytes)
	print := hex.EncodeToString(sum)
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
