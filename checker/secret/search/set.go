package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

var (
	// ErrExpression means that an expression could not be read. The error does not
	// quote it.
	ErrExpression = errors.New("an expression is not readable")
	// ErrTooMany means that the words of all patterns together are longer than 64 KB.
	ErrTooMany = errors.New("too many patterns for one set")
)

// An Expression is a compiled regular expression, of package regexp or of another
// with the same language and the same choice among matches.
type Expression interface {
	String() string
	FindAllStringIndex(s string, n int) [][]int
}

// A Pattern is an expression and the texts that it is looked for in.
type Pattern struct {
	Expression Expression
	// Keywords are in lower case. The expression is looked for in texts alone
	// that hold one of them, in any case and anywhere; without any, in all.
	Keywords []string
}

// A Span is a run of bytes of a text, end not included.
type Span struct{ Start, End int }

// touches reports spans that share a byte, or meet.
func (s Span) touches(o Span) bool { return o.Start <= s.End && o.End >= s.Start }

// A Match is one match of a pattern, which is named by its place in the list.
type Match struct {
	Pattern int
	Span
}

// A Set is a list of patterns, ready to be looked for. It is safe for use by
// several goroutines at once.
type Set struct {
	patterns []Pattern
	whole    []bool    // by pattern: no word stands in all of its matches
	gates    [][]int   // by pattern: its keywords
	keywords []string  // by gate
	words    []word    // by number in the automaton
	anchors  int       // how many there are
	tails    int       // how many different ones there are
	find     automaton // of words and keywords
}

// A word is a text in folded form that the automaton looks for.
type word struct {
	gates  []int
	probes []probe
}

// A probe is what a word means to one pattern.
type probe struct {
	pattern int
	exact   string // the word as it must stand; empty: in any case
	anchor  *anchor
}

// New reads the patterns. It takes some 15 ms for three hundred of them, which is
// why a set is made once. Its errors are
// [ErrExpression] and [ErrTooMany].
func New(patterns []Pattern) (*Set, error) {
	s := &Set{patterns: patterns, whole: make([]bool, len(patterns)), gates: make([][]int, len(patterns))}
	ids, tails := map[string]int{}, map[string]*tail{}
	for i, p := range patterns {
		for _, k := range p.Keywords {
			id := s.word(ids, fold(k))
			gate := slices.Index(s.keywords, k)
			if gate < 0 {
				gate = len(s.keywords)
				s.keywords = append(s.keywords, k)
				s.words[id].gates = append(s.words[id].gates, gate)
			}
			s.gates[i] = append(s.gates[i], gate)
		}
		anchors, err := anchorsOf(p.Expression.String(), tails)
		if err != nil {
			return nil, fmt.Errorf("search.New: %w", err)
		}
		s.whole[i] = len(anchors) == 0
		for _, a := range anchors {
			a.id = s.anchors
			s.anchors++
			for _, l := range a.literals {
				id := s.word(ids, fold(l.text))
				pr := probe{pattern: i, anchor: a}
				if !l.folded {
					pr.exact = l.text
				}
				s.words[id].probes = append(s.words[id].probes, pr)
			}
		}
	}
	s.tails = len(tails)
	folded := make([]string, len(s.words))
	for text, id := range ids {
		folded[id] = text
	}
	var ok bool
	if s.find, ok = newAutomaton(folded); !ok {
		return nil, fmt.Errorf("search.New: %w", ErrTooMany)
	}
	return s, nil
}

// word is the number of a folded text.
func (s *Set) word(ids map[string]int, folded string) int {
	id, ok := ids[folded]
	if !ok {
		id = len(s.words)
		ids[folded] = id
		s.words = append(s.words, word{})
	}
	return id
}

// A Query says what to look for.
type Query struct {
	Text string
	// Touching, if it is not nil, are spans of the text in order. Matches that
	// touch none of them are left out.
	Touching []Span
	// Skip, if it is not nil, names patterns that are not looked for.
	Skip func(pattern int) bool
}

// Find returns the matches, by pattern and then by place. It looks at ctx now
// and then, and returns its error when it has ended.
func (s *Set) Find(ctx context.Context, q Query) ([]Match, error) {
	if q.Text == "" {
		return nil, ctx.Err()
	}
	h := newHunt(ctx, s, q)
	if err := h.look(); err != nil {
		return nil, err
	}
	var out []Match
	for p := range s.patterns {
		if !h.open(p) || q.Skip != nil && q.Skip(p) {
			continue
		}
		found, err := h.matches(p)
		if err != nil {
			return nil, err
		}
		for _, at := range found {
			out = append(out, Match{p, at})
		}
	}
	return out, nil
}
