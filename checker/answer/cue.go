package answer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A need is what a question demands of the fact that answers it.
type need string

// The needs, as cues.txt names them.
const (
	needNumber need = "number"
	needFlag   need = "flag"
	needCode   need = "code"
	needHex    need = "hex"
)

// needs returns the needs that the question's words show, each once, in the
// order of the table.
func (l *lexicon) needs(words []word) []need {
	var out []need
	for _, c := range l.cues {
		if !slices.Contains(out, c.need) && holdsPhrase(words, c.phrase) {
			out = append(out, c.need)
		}
	}
	return out
}

// holdsPhrase reports whether the words of phrase stand in words, next to each other.
func holdsPhrase(words []word, phrase []string) bool {
	for i := range len(words) - len(phrase) + 1 {
		same := func(w word, p string) bool { return w.surface == p }
		if slices.EqualFunc(words[i:i+len(phrase)], phrase, same) {
			return true
		}
	}
	return false
}

// meets reports whether the fact holds what the question needs.
func (l *lexicon) meets(e card.Entry, n need) bool {
	switch n {
	case needNumber:
		return l.holdsNumber(e.Text)
	case needFlag:
		return e.Kind == card.Flag || holdsFlag(e.Text)
	case needCode:
		return holdsCode(e)
	case needHex:
		return strings.Contains(e.Text, "#") || strings.Contains(e.Text, "0x")
	}
	return true
}

// holdsNumber reports whether text holds a digit or a number in words.
func (l *lexicon) holdsNumber(text string) bool {
	if strings.ContainsFunc(text, unicode.IsNumber) {
		return true
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if l.numbers[w] {
			return true
		}
	}
	return false
}

// holdsFlag reports whether a word of text, quotes and brackets aside, starts
// with a hyphen and a letter.
func holdsFlag(text string) bool {
	for w := range strings.FieldsSeq(text) {
		w = strings.TrimLeft(w, "`\"'([{|*")
		if name := strings.TrimLeft(w, "-"); name != w && name != "" && unicode.IsLetter(firstRune(name)) {
			return true
		}
	}
	return false
}

// holdsCode reports whether the fact is code or quotes some.
func holdsCode(e card.Entry) bool {
	switch e.Kind {
	case card.Command, card.Code, card.Subcommand, card.Example:
		return true
	}
	return strings.Contains(e.Text, "`")
}
