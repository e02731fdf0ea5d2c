package drift

import (
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxMarked is the size, in bytes of both texts, above which changed words are
// not marked: without a time-out the comparison is quadratic at worst, and a
// reader finds nothing in marks over more than a screen of text.
const maxMarked = 8 << 10

// Marked writes two wordings of one statement as one line in which the words
// that went stand in [-...-] and those that came in {+...+}. It is the same on every run: the
// comparison has no time-out.
func Marked(before, after string) string {
	if len(before)+len(after) > maxMarked {
		return "[-" + before + "-] {+" + after + "+}"
	}
	words := map[string]rune{}
	var texts []string
	a, b := encode(before, words, &texts), encode(after, words, &texts)
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0
	var out []string
	for _, d := range differ.DiffMainRunes(a, b, false) {
		var run []string
		for _, r := range d.Text {
			run = append(run, texts[index(r)])
		}
		switch text := strings.Join(run, " "); d.Type {
		case diffmatchpatch.DiffDelete:
			out = append(out, "[-"+text+"-]")
		case diffmatchpatch.DiffInsert:
			out = append(out, "{+"+text+"+}")
		default:
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// firstRune is where words are mapped to: a private plane, so that no word's
// rune is a surrogate or one that the library treats in its own way.
const firstRune = 0xf0000

func index(r rune) int { return int(r - firstRune) }

// encode maps each word to a rune, the same for equal words.
func encode(s string, words map[string]rune, texts *[]string) []rune {
	var out []rune
	for _, w := range strings.Fields(s) {
		r, ok := words[w]
		if !ok {
			r = rune(firstRune + len(*texts))
			words[w] = r
			*texts = append(*texts, w)
		}
		out = append(out, r)
	}
	return out
}
