package answer

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// typoLength is the least length of a word that is corrected: one edit of a
// shorter word too often makes another word.
const typoLength = 5

// A spelling is a word of the facts as it is written and as it is compared.
type spelling struct{ surface, norm string }

// compare orders spellings by their bytes, in no locale.
func (s spelling) compare(t spelling) int {
	return cmp.Or(strings.Compare(s.surface, t.surface), strings.Compare(s.norm, t.norm))
}

// corrected returns the word of the facts that is one edit away from w: same
// first letter, its term held by most facts, first in the alphabet among those.
// It is empty where w is short or there is none.
func (x *Index) corrected(w string) spelling {
	n := utf8.RuneCountInString(w)
	if n < typoLength {
		return spelling{}
	}
	best, held := spelling{}, 0
	word := []rune(w)
	for _, s := range x.spelt[firstRune(w)] {
		if len(x.own[s.norm]) <= held || abs(utf8.RuneCountInString(s.surface)-n) > 1 {
			continue
		}
		if oneEdit(word, []rune(s.surface)) {
			best, held = s, len(x.own[s.norm])
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

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
	if w.pair || len(w.parts) > 0 || len(w.surface) < slipLength || len(x.own[w.norm]) > 0 || len(x.around[w.norm]) > 0 || related(w.surface) != nil {
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
