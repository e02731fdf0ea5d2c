package answer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A said is a fact as it is held against what a question demands.
type said struct {
	e      card.Entry
	words  []word
	own    map[string]bool // the terms of its text
	near   map[string]bool // and of the heading and the sentence right above it
	around string          // the words of those
}

// say reads a fact once more, as words.
func (r *reading) say(id int) *said {
	if r.said == nil {
		r.said = map[int]*said{}
	}
	if s := r.said[id]; s != nil {
		return s
	}
	if r.words.lex == nil {
		r.words = reader{lex: r.x.lex, stems: stemmer{}}
	}
	s := &said{e: r.x.texts.fact(id).Entry()}
	s.words = r.words.words(s.e.Text)
	s.own = r.words.termsOf(s.words)
	s.around = strings.Join(narrow(s.e), "\n")
	s.near = r.words.termsOf(append(slices.Clone(s.words), r.words.words(s.around)...))
	r.said[id] = s
	return s
}

// narrow returns what surrounds an entry closely: its nearest heading and all that stands
// below that.
func narrow(e card.Entry) (out []string) {
	for i := len(e.Context) - 1; i >= 0; i-- {
		out = append(out, e.Context[i].Text)
		if r := e.Context[i].Role; r == card.Heading {
			break
		}
	}
	return out
}

// holdsAny reports whether the words hold one of the phrases next to each other.
func (s *said) holdsAny(phrases [][]string) bool {
	return slices.ContainsFunc(phrases, func(p []string) bool { return holdsPhrase(s.words, p) })
}

// pieces of a text for units: runs of letters, runs of digits, and each other mark.
func unitWords(text string) map[string]bool {
	out, kind, from := map[string]bool{}, 0, 0
	text = strings.ToLower(text)
	for i, c := range text {
		k := 3
		switch {
		case unicode.IsLetter(c) || c == '°':
			k = 1
		case unicode.IsNumber(c):
			k = 2
		}
		if k != kind || k == 3 {
			out[text[from:i]] = true
			kind, from = k, i
		}
	}
	out[text[from:]] = true
	return out
}
