package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// A word is one word of a text, as written and as compared.
type word struct {
	surface string   // lower case, as written
	norm    string   // the stem; of an identifier, the stem of its parts run together
	parts   []string // stems of an identifier's parts; none of a plain word
	stop    bool
	name    bool // written like a name: a capital, a digit or an underscore
	pair    bool // two characters of a script without spaces
}

// A stemmer remembers the stems it has made, unless it is nil. One stemmer serves one index
// while it is built, or one question; it is not for concurrent use.
type stemmer map[string]string

// stem returns the English stem of a word in lower case, and any other word as it is.
func (s stemmer) stem(w string) string {
	if out, ok := s[w]; ok {
		return out
	}
	out := w
	if isLatin(w) {
		out = english.Stem(w, false)
	}
	if s != nil {
		s[w] = out
	}
	return out
}

func isLatin(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return w != ""
}

// A reader cuts texts into words.
type reader struct {
	lex   *lexicon
	stems stemmer
	known map[string]word // words as they were written, read before; nil for a single question
}

// words cuts text into words, stop words included and marked. Compatibility
// forms are folded first, so that full-width letters are letters.
func (r reader) words(text string) []word {
	var out []word
	text = norm.NFKC.String(strings.ReplaceAll(text, "’", "'"))
	for raw := range strings.FieldsFuncSeq(text, func(c rune) bool { return !inWord(c) }) {
		for raw != "" {
			n := runOf(raw)
			if wide(firstRune(raw)) {
				out = r.wideWords(out, raw[:n])
			} else {
				out = r.plainWord(out, raw[:n])
			}
			raw = raw[n:]
		}
	}
	return out
}

// inWord reports whether c can stand inside a word or an identifier.
func inWord(c rune) bool {
	if c < utf8.RuneSelf {
		return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || isJoiner(c) || c == '\''
	}
	return unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c) || isJoiner(c) || c == '\''
}

// isJoiner reports whether c ties the parts of an identifier, a path or an address.
func isJoiner(c rune) bool {
	switch c {
	case '_', '-', '.', '/', ':', '@':
		return true
	}
	return false
}

// runOf returns how many bytes of s, from its start, are all of a script
// without spaces or all of others.
func runOf(s string) int {
	first := wide(firstRune(s))
	for i, c := range s {
		if wide(c) != first {
			return i
		}
	}
	return len(s)
}

func firstRune(s string) rune {
	c, _ := utf8.DecodeRuneInString(s)
	return c
}

// wide reports whether c belongs to a script that is read in pairs.
func wide(c rune) bool {
	return c >= firstWide && (c == 'ー' || unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

// firstWide is the first character of any script that is read in pairs.
const firstWide = 'ᄀ'

// plainWord appends the word or identifier raw, if anything of it is left.
func (r reader) plainWord(out []word, raw string) []word {
	w, known := r.known[raw]
	if !known {
		w = r.word(raw)
		if r.known != nil {
			r.known[strings.Clone(raw)] = w
		}
	}
	if w.surface == "" {
		return out
	}
	return append(out, w)
}

// word reads one word or identifier; it has no surface where nothing is left.
func (r reader) word(raw string) word {
	if len(raw) > 1 && isLatin(raw) { // most words
		return word{surface: raw, norm: r.stems.stem(raw), stop: r.lex.stop[raw]}
	}
	raw = strings.Trim(raw, "_-./:@'")
	raw = strings.TrimSuffix(strings.TrimSuffix(raw, "'s"), "'S")
	raw = strings.ReplaceAll(raw, "'", "")
	parts := identifierParts(raw)
	whole := strings.Join(parts, "")
	if whole == "" || (utf8.RuneCountInString(whole) == 1 && !unicode.IsNumber(firstRune(whole))) {
		return word{}
	}
	w := word{surface: strings.ToLower(raw), norm: r.stems.stem(whole), name: nameLike(raw)}
	if len(parts) == 1 {
		w.stop = r.lex.stop[whole]
		return w
	}
	for _, p := range parts {
		if len(p) > 1 && !r.lex.stop[p] {
			w.parts = append(w.parts, r.stems.stem(p))
		}
	}
	return w
}

// identifierParts splits at joiners and where camel case turns, in lower case.
func identifierParts(raw string) []string {
	var out []string
	for piece := range strings.FieldsFuncSeq(raw, isJoiner) {
		start, prev := 0, rune(0)
		for i, c := range piece {
			if unicode.IsUpper(c) && unicode.IsLower(prev) {
				out = append(out, strings.ToLower(piece[start:i]))
				start = i
			}
			prev = c
		}
		out = append(out, strings.ToLower(piece[start:]))
	}
	return out
}

// nameLike reports whether a word is written as names are. Whether a capital
// means that, the question as a whole decides.
func nameLike(raw string) bool {
	return strings.ContainsFunc(raw, func(c rune) bool {
		return unicode.IsUpper(c) || unicode.IsNumber(c) || c == '_'
	})
}

// wideWords appends a run of a script without spaces as its pairs of
// characters, with the stop words cut out.
func (r reader) wideWords(out []word, run string) []word {
	for _, stop := range r.lex.wideStop {
		run = strings.ReplaceAll(run, stop, " ")
	}
	for piece := range strings.FieldsSeq(run) {
		chars := []rune(piece)
		if len(chars) == 1 {
			out = append(out, word{surface: piece, norm: piece, pair: true})
		}
		for i := range len(chars) - 1 {
			two := string(chars[i : i+2])
			out = append(out, word{surface: two, norm: two, pair: true})
		}
	}
	return out
}

// joined returns the one word that w and next are also written as, by the table
// of compounds: "set up" is "setup".
func (r reader) joined(w, next word) (string, bool) {
	if len(w.parts) > 0 || len(next.parts) > 0 || !r.lex.compounds[w.norm][next.surface] {
		return "", false
	}
	return r.stems.stem(w.norm + next.surface), true
}
