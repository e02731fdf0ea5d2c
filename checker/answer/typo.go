package answer

import (
	"cmp"
	"slices"
	"strings"
)

// typoLength is the least length of a word that is corrected: one edit of a
// shorter word too often makes another word.
const typoLength = 5

// corrected returns the word of the facts that is one edit away from w: same
// first letter, its term held by most facts, first in the alphabet among those.
// It is empty where w is short or there is none.
func (x *Index) corrected(w string) spelling {
	word := []rune(w)
	half := len(word) / 2
	if len(word) < typoLength {
		return spelling{}
	}
	best, held := spelling{}, 0
	see := func(i int) {
		s := spelling{x.spelt.surface(i), x.spelt.terms[i]}
		n := len(x.holders.row(int(s.term)))
		if n < held || n == held && best.surface != "" && cmp.Or(strings.Compare(s.surface, best.surface), cmp.Compare(s.term, best.term)) >= 0 {
			return
		}
		if n > 0 && firstRune(s.surface) == word[0] && oneEdit(word, []rune(s.surface)) {
			best, held = s, n
		}
	}
	for n := len(word) - 1; n <= len(word)+1; n++ {
		x.spelt.near(n, string(word[:half]), string(word[half:]), see)
	}
	turned := slices.Clone(word) // the halves' own neighbours exchanged leave neither half
	turned[half-1], turned[half] = turned[half], turned[half-1]
	x.spelt.near(len(word), string(turned), string(turned), see)
	return best
}

// oneEdit reports whether a becomes b by one insertion, deletion, replacement
// or exchange of neighbours.
func oneEdit(a, b []rune) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	switch {
	case len(a) == 2 && len(b) == 2:
		return a[0] == b[1] && a[1] == b[0]
	default:
		return len(a)+len(b) > 0 && len(a) <= 1 && len(b) <= 1
	}
}

// slip reports whether w is a stop word with a slip of the keys: a word that stands
// nowhere, in no dictionary either, and one edit away from a stop word of its length or more.
func (x *Index) slip(w word) bool {
	if w.pair || len(w.parts) > 0 || len(w.surface) < slipLength || x.known(x.words.find(w.norm)) || len(related(w.surface)) > 0 {
		return false
	}
	for _, s := range x.lex.stops {
		if len(s) >= slipLength && s[0] == w.surface[0] && oneEdit([]rune(w.surface), []rune(s)) {
			return true
		}
	}
	return false
}

// slipLength is the least length of a mistyped stop word.
const slipLength = 4
