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

// needs is a set of needs: those of a question, or those that a fact meets.
type needs uint8

func allNeeds() [4]need { return [...]need{needNumber, needFlag, needCode, needHex} }

// held returns the needs that a fact meets.
func (l *lexicon) held(e card.Entry) (out needs) {
	for i, n := range allNeeds() {
		if l.meets(e, n) {
			out |= 1 << i
		}
	}
	return out
}

// wanted returns the needs of a list as a set.
func wanted(list []need) (out needs) {
	for i, n := range allNeeds() {
		if slices.Contains(list, n) {
			out |= 1 << i
		}
	}
	return out
}

// needs returns the needs that the question's words show, each once, in the
// order of the table.
func (l *lexicon) needs(words []word) []need {
	var out []need
	for _, c := range l.cues {
		if holdsPhrase(words, c.phrase) && !slices.Contains(out, c.need) {
			out = append(out, c.need)
		}
	}
	return out
}

// holdsPhrase reports whether the words of phrase stand in words, next to each other.
func holdsPhrase(words []word, phrase []string) bool {
	for i := range len(words) - len(phrase) + 1 {
		n := 0
		for n < len(phrase) && words[i+n].surface == phrase[n] {
			n++
		}
		if n == len(phrase) {
			return true
		}
	}
	return false
}

// counted returns the stem of what "how many" counts: the first plural within
// four words.
func (l *lexicon) counted(words []word) string {
	for i := range words {
		if !holdsPhrase(words[i:min(i+2, len(words))], []string{"how", "many"}) {
			continue
		}
		for _, w := range words[min(i+2, len(words)):min(i+6, len(words))] {
			if l.plural(w) {
				return w.norm
			}
		}
	}
	return ""
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
	if holdsFigure(text) {
		return true
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if l.numbers[w] {
			return true
		}
	}
	return false
}

// holdsFigure reports whether a digit stands in text that is not part of a name as
// in "v1", "utf8" or "gpt_4".
func holdsFigure(text string) bool {
	before := ' '
	for _, c := range text {
		if unicode.IsNumber(c) && !unicode.IsLetter(before) && before != '_' && before != '#' {
			return true
		}
		if !unicode.IsNumber(c) || !unicode.IsLetter(before) { // the digits of a name are the name's
			before = c
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
