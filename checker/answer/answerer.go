package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// againstAnswerer looks for a person where the question asks who, a place where it asks
// where, and a time or a condition where it asks when. It looks only for the sort.
func (s *said) againstAnswerer(d *demand, l *lexicon, add reason) {
	switch {
	case d.who && !s.personal(l) && !s.does(d.act):
		add("it names nobody", answererLeft)
	case d.where && !s.placed(l):
		add("it names no place", answererLeft)
	case d.when && !s.timed(l):
		add("it names no time and no condition", answererLeft)
	}
}

// personal reports whether a fact holds a person, a role or a name.
func (s *said) personal(l *lexicon) bool {
	for i, w := range s.words {
		if l.answerers["who"][w.surface] || i > 0 && w.name && !w.stop && isGiven(s.e.Text, w.surface) {
			return true
		}
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s.around), func(c rune) bool { return !inName(c) }) {
		if l.answerers["who"][w] {
			return true
		}
	}
	return strings.Contains(s.e.Text, "@")
}

// does reports whether a fact says of something that it does what the question asks for: its
// verb stands behind another word, and is no order and no aim ("write it", "to write it").
func (s *said) does(act string) bool {
	for i, w := range s.words[min(1, len(s.words)):] {
		noun := i+2 < len(s.words) && isAuxiliary(s.words[i+2].surface) // "writes are cached"
		if w.norm == act && !noun && !slices.Contains([]string{"to", "and", "then", "or", "please", "not", "never", "always", "before", "after"}, s.words[i].surface) {
			return true
		}
	}
	return false
}

// placed reports whether a fact holds a place: a path, an address, code, or a word of place.
func (s *said) placed(l *lexicon) bool {
	return strings.ContainsAny(s.e.Text, "/`") || slices.ContainsFunc(s.words, func(w word) bool { return l.answerers["where"][w.surface] })
}

// timed reports whether a fact holds a time or a condition, or is a step of several.
func (s *said) timed(l *lexicon) bool {
	holds := func(w word) bool { return l.answerers["when"][w.surface] }
	return s.e.Kind == card.Step || strings.ContainsAny(s.e.Text, "0123456789") || slices.ContainsFunc(s.words, holds) || l.denies(s.words) ||
		slices.ContainsFunc(strings.Fields(strings.ToLower(s.around)), func(w string) bool { return l.answerers["when"][w] })
}

// isGiven reports whether a word in small letters is written in the text as a given name
// is: a capital, then small letters.
func isGiven(text, w string) bool {
	first := firstRune(w)
	return strings.Contains(text, " "+string(unicode.ToUpper(first))+w[utf8.RuneLen(first):])
}
