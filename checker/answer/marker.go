package answer

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// Keeping is the index with markers that stand where documents keep a value back: a
// fact with one may hold the figure that is asked for. It shares the rest.
func (x *Index) Keeping(markers []string) *Index {
	y := *x
	y.markers = markers
	return &y
}

// KeepsBack reports whether a fact holds one of the index's markers where the value would
// stand that the question asks for: the question asks for a value, and the
// sentence with the marker holds one of its informative words. The table kept.txt
// says what asks for a value.
func (x *Index) KeepsBack(question string, f card.Fact) bool {
	text := escape.ReplaceAllString(html.UnescapeString(f.Entry().Text), "$1") // "\[REDACTED]" is no link
	if !holdsMarker(text, x.markers) {
		return false
	}
	read := reader{lex: x.lex, stems: stemmer{}}
	q := x.query(question)
	if !asksValue(read.words(clean(question))) {
		return false
	}
	for _, s := range sentences(text) {
		if !holdsMarker(s, x.markers) {
			continue
		}
		held := map[string]bool{}
		read.each(read.words(s), func(term string) { held[term] = true })
		for _, t := range q.terms {
			if !t.minor && slices.ContainsFunc(x.terms(t), func(term string) bool { return held[term] }) {
				return true
			}
		}
	}
	return false
}

// asksValue reads the question's form off its first telling phrase.
func asksValue(words []word) bool {
	asks, at, length := true, len(words), 0
	for _, line := range lines("kept.txt") {
		answer, text, _ := strings.Cut(line, ":")
		phrase := strings.Fields(text)
		for i := range words {
			if holdsPhrase(words[i:min(len(words), i+len(phrase))], phrase) {
				if i < at || i == at && len(phrase) > length {
					asks, at, length = answer == "yes", i, len(phrase)
				}
				break
			}
		}
	}
	return asks
}

// sentences cuts a text at its lines and at the ends of its sentences.
func sentences(text string) []string {
	for _, end := range []string{". ", "! ", "? ", "; "} {
		text = strings.ReplaceAll(text, end, end+"\n")
	}
	return strings.Split(text, "\n")
}

// holdsMarker reports whether a text holds a marker, in any case, with no letter
// and no digit right beside it. A marker of one character over and over is also
// found where there are more of them.
func holdsMarker(text string, markers []string) bool {
	text = strings.ToLower(text)
	for _, m := range markers {
		m = strings.ToLower(m)
		for at := 0; m != ""; {
			i := strings.Index(text[at:], m)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(m)
			if first := firstRune(m); strings.Trim(m, string(first)) == "" {
				to = len(text) - len(strings.TrimLeft(text[to:], string(first)))
			}
			before, _ := utf8.DecodeLastRuneInString(text[:from])
			if !inName(before) && !inName(firstRune(text[to:])) {
				return true
			}
			at = to
		}
	}
	return false
}

// inName reports whether c can be a part of a name.
func inName(c rune) bool {
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c))
}
