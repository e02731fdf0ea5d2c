package secret

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// memoryKey marks a context with its memory.
type memoryKey struct{}

// A Memory holds what was found in several texts, and the fingerprints that were
// made of it. It never gives them out. It is safe for concurrent use.
type Memory struct {
	mu     sync.Mutex
	found  []*recollection
	known  map[*recollection]bool
	prints map[[3]string]string // see printer
	outer  *Memory              // that remembers all that this one does; nil for none
}

// A recollection is a text with what was found in it.
type recollection struct {
	text string
	hits []hit
}

// Remember returns a context under which the scanner remembers what it finds:
// [Scanner.Withhold] then also takes out the values that any scan under this
// context found in another text. A value is often told only by what stands around
// it, such as a key that follows its id; a report that quotes one line of the file
// would show it. Scan the files first, and withhold what quotes them afterwards.
//
// A scanner that lets known values pass ([Scanner.Except]) leaves those that were
// remembered too. The values live as long as the context: use one for a report or
// an answer. A context that remembers already is returned as it is.
func Remember(ctx context.Context) context.Context {
	if _, ok := ctx.Value(memoryKey{}).(*Memory); ok {
		return ctx
	}
	return NewMemory().Under(ctx)
}

// Apart returns a context with an empty memory of its own, and that memory: what was found
// before under ctx plays no part under it, so that what is withheld does not hang on who asked
// before. What is found under it is remembered by ctx as well.
func Apart(ctx context.Context) (context.Context, *Memory) {
	m := NewMemory()
	if outer, ok := ctx.Value(memoryKey{}).(*Memory); ok {
		m.outer, m.prints = outer, nil
	}
	return m.Under(ctx), m
}

// Tell has the memory of a context remember what m does, for who keeps what a scan found in
// the place of scanning again. Without a memory nothing is remembered.
func (m *Memory) Tell(ctx context.Context) {
	other, ok := ctx.Value(memoryKey{}).(*Memory)
	if !ok || other == m {
		return
	}
	m.mu.Lock()
	found := slices.Clone(m.found)
	m.mu.Unlock()
	for _, f := range found {
		other.take(f)
	}
}

// take remembers a recollection once, here and further out.
func (m *Memory) take(f *recollection) {
	for ; m != nil; m = m.outer {
		m.mu.Lock()
		if !m.known[f] {
			m.known[f] = true
			m.found = append(m.found, f)
		}
		m.mu.Unlock()
	}
}

// outermost is the memory that keeps the fingerprints.
func (m *Memory) outermost() *Memory {
	for m.outer != nil {
		m = m.outer
	}
	return m
}

// NewMemory makes an empty memory, for who keeps what scans found for longer than
// one context: what is not scanned again is not remembered again.
func NewMemory() *Memory {
	return &Memory{known: map[*recollection]bool{}, prints: map[[3]string]string{}}
}

// Under returns a context of the memory; see [Remember]. It takes the place of
// another memory.
func (m *Memory) Under(ctx context.Context) context.Context {
	return context.WithValue(ctx, memoryKey{}, m)
}

// String keeps what is remembered from whatever prints a memory.
func (*Memory) String() string { return "secrets" }

// GoString does the same for %#v.
func (*Memory) GoString() string { return "secret.Memory" }

// remember keeps what was found in a text, if the context has a memory.
func remember(ctx context.Context, text string, hits []hit) {
	m, ok := ctx.Value(memoryKey{}).(*Memory)
	if !ok || len(hits) == 0 {
		return
	}
	m.take(&recollection{text, slices.Clone(hits)})
}

// recalled returns the pieces of what was remembered, but for what the scanner
// lets pass; nothing without a memory. A withheld value is left out: its words are
// told wherever they stand, and a piece of it is any word.
func (s *Scanner) recalled(ctx context.Context) (*pieces, error) {
	p := newPieces()
	m, ok := ctx.Value(memoryKey{}).(*Memory)
	if !ok {
		return p, nil
	}
	m.mu.Lock()
	found := slices.Clone(m.found)
	m.mu.Unlock()
	for _, f := range found {
		hits, err := s.except(ctx, slices.Clone(f.hits))
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			if !h.sealed() {
				p.take(f.text, h)
			}
		}
	}
	return p, nil
}

// take adds a hit's value, and the form in which it stands in the text where that
// is another one.
func (p *pieces) take(text string, h hit) {
	p.add(h.value)
	stands := text[h.start:h.end]
	if (h.decoded || h.veiled) && !strings.ContainsAny(stands, " \t\n%") {
		p.add(stands)
	}
}
