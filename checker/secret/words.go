package secret

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// A reading says how a text is taken apart into words. The zero one takes it as
// it is written, and everything that is no letter and no digit parts words.
type reading struct {
	join  bool // characters that nobody sees are left out; they part words otherwise
	shown bool // marks, tags, comments and targets of links are left out, as a page shows the text
}

// A word is a run of letters and digits.
type word struct {
	from, to   int  // in the words' text
	start, end int  // the bytes of the text that it was read from
	inside     bool // something was left out in it
	gap        bool // words were left out before it
	apart      bool // it makes no run with the word before it
}

// words are a text's words, folded, with one blank between two.
type words struct {
	text     []byte
	list     []word
	formless bool // the text holds characters that nobody sees
}

// A wordReader makes words of one text.
type wordReader struct {
	reading
	raw string
	out words

	open    bool // a word has begun
	foreign bool // and holds more than ASCII
	script  script
	hidden  bool // something was left out since its last letter
	gap     bool
	apart   bool
	fold    cases.Caser
}

// usualWord is how many bytes of Markdown give a word.
const usualWord = 6

func readWords(text string, how reading) words {
	r := &wordReader{reading: how, raw: text, fold: cases.Fold()}
	r.out = words{text: make([]byte, 0, len(text)), list: make([]word, 0, len(text)/usualWord)}
	for at := 0; at < len(text); {
		at += r.step(at)
	}
	r.part()
	return r.out
}

// step reads what stands at one place and returns its length.
func (r *wordReader) step(at int) int {
	switch c := r.raw[at]; {
	case alphanumeric(c):
		r.letter(rune(c), at, at+1)
	case c >= utf8.RuneSelf:
		_, n := utf8.DecodeRuneInString(r.raw[at:])
		r.put(r.raw[at:at+n], at, at+n)
		return n
	case c == '&' || c == '%':
		if text, n := escape(r.raw[at:]); n > 0 {
			r.put(text, at, at+n)
			return n
		}
		r.part()
	case c == '[' && plainMark.MatchString(r.raw[at:]):
		r.part()
		r.apart = true
		return len(plainMark.FindString(r.raw[at:]))
	case r.shown:
		return r.markup(at)
	default:
		r.part()
	}
	return 1
}

// plainMark is what this package itself puts in place of a value. Its words are
// nobody's, or a text with a withheld "line" in it could never be shown.
var plainMark = regexp.MustCompile(`^\[withheld: line [0-9]{1,10}\]`)

// escape reads an entity or a run of percent escapes.
func escape(text string) (string, int) {
	if text[0] == '&' {
		n := entity(text)
		return html.UnescapeString(text[:n]), n
	}
	var b []byte
	n := 0
	for n+2 < len(text) && text[n] == '%' && unhex(text[n+1]) >= 0 && unhex(text[n+2]) >= 0 {
		b = append(b, byte(unhex(text[n+1])<<4|unhex(text[n+2])))
		n += 3
	}
	if !utf8.Valid(b) {
		return "", 0
	}
	return string(b), n
}

// put adds a text that stands for the bytes from start to end.
func (r *wordReader) put(text string, start, end int) {
	for _, c := range norm.NFKC.String(text) {
		switch {
		case formless(c):
			r.out.formless = true
			if r.join {
				r.hide(false)
			} else {
				r.part()
			}
		case unicode.IsLetter(c), unicode.IsNumber(c), r.open && unicode.IsMark(c):
			r.letter(c, start, end)
		default:
			r.part()
		}
	}
}

// formless reports characters without a look of their own.
func formless(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

func (r *wordReader) letter(c rune, start, end int) {
	if c >= utf8.RuneSelf || r.script != latin {
		s := scriptOf(c, r.script)
		if r.open && (s != r.script || s == ideographs) && !unicode.IsMark(c) {
			r.part()
		}
		r.script = s
	}
	if !r.open {
		if len(r.out.list) > 0 {
			r.out.text = append(r.out.text, ' ')
		}
		at := len(r.out.text)
		r.out.list = append(r.out.list, word{from: at, to: at, start: start, gap: r.gap, apart: r.apart})
		r.open, r.gap, r.apart = true, false, false
	}
	w := &r.out.list[len(r.out.list)-1]
	if r.hidden {
		w.inside, r.hidden = true, false
	}
	w.end = end
	if c < utf8.RuneSelf {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		r.out.text = append(r.out.text, byte(c))
		return
	}
	r.foreign = true
	r.out.text = utf8.AppendRune(r.out.text, c)
}

// part ends a word.
func (r *wordReader) part() {
	if r.open {
		w := &r.out.list[len(r.out.list)-1]
		if r.foreign {
			folded := r.fold.Bytes(norm.NFKC.Bytes(r.out.text[w.from:]))
			folded = norm.NFKC.Bytes(bytes.ToLower(folded)) // the folding swaps the cases of Cherokee
			r.out.text = append(r.out.text[:w.from], folded...)
		}
		w.to = len(r.out.text)
	}
	r.open, r.foreign, r.hidden, r.script = false, false, false, latin
}

// hide leaves something out, of which other readings may make words.
func (r *wordReader) hide(text bool) {
	r.hidden = r.open
	r.gap = r.gap || text
}

// A script tells where words end that no blank parts.
type script int

const (
	latin      script = iota // and all that part words by blanks
	ideographs               // a word each
	katakana
	hangul
	unparted // Thai and its neighbours
)

// scriptOf returns the script of a letter after one of another.
func scriptOf(c rune, before script) script {
	switch {
	case c < 0xE00:
		return latin
	case unicode.In(c, unicode.Han, unicode.Hiragana):
		return ideographs
	case unicode.Is(unicode.Katakana, c):
		return katakana
	case unicode.Is(unicode.Hangul, c):
		return hangul
	case unicode.In(c, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return unparted
	case c == 'ー' || unicode.IsMark(c):
		return before
	}
	return latin
}

// Bounds, in bytes, of what is looked for the end of: nothing that people write
// is longer, and hostile text must not make each look go over all of it.
const (
	maxComment = 4096
	maxTarget  = 2048
)

// inlineTags stand within words and sentences; any other tag begins a new line.
var (
	anyTag     = regexp.MustCompile(`^</?([A-Za-z][A-Za-z0-9-]{0,20})(?:\s[^<>]{0,900})?/?>`)
	inlineTags = strings.Fields("a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr")
)

// footnote is the mark of a note elsewhere.
var footnote = regexp.MustCompile(`^\[\^[^\]\s]{1,40}\]`)

// markup leaves out what stands at one place and is not shown, and returns its length.
func (r *wordReader) markup(at int) int {
	rest := r.raw[at:]
	switch rest[0] {
	case '[':
		if m := footnote.FindString(rest[:min(len(rest), maxTarget)]); m != "" {
			r.hide(true)
			return len(m)
		}
		r.hide(false)
	case '*', '~', '`':
		r.hide(false)
	case '\\':
		if len(rest) > 2 && strings.IndexByte("nrt", rest[1]) >= 0 {
			r.part()
			r.hidden = true // the letter, which stands for a blank
			return 2
		}
		r.hide(false)
	case ']':
		n := target(rest)
		r.hide(n > 1)
		return n
	case '<':
		return r.tag(rest)
	default:
		r.part()
	}
	return 1
}

// target is the length of a bracket with the target of a link after it.
func target(rest string) int {
	end := byte(')')
	if strings.HasPrefix(rest, "][") {
		end = ']'
	} else if !strings.HasPrefix(rest, "](") {
		return 1
	}
	if i := strings.IndexByte(rest[1:min(len(rest), maxTarget)], end); i > 0 {
		return i + 2
	}
	return 1
}

// tag leaves out a tag or a comment, and returns its length.
func (r *wordReader) tag(rest string) int {
	if strings.HasPrefix(rest, "<!--") {
		if i := strings.Index(rest[:min(len(rest), maxComment)], "-->"); i > 0 {
			r.hide(true)
			return i + len("-->")
		}
	}
	m := anyTag.FindStringSubmatch(rest)
	if m == nil {
		r.part()
		return 1
	}
	if !slices.Contains(inlineTags, strings.ToLower(m[1])) {
		r.part()
	}
	r.hide(true)
	return len(m[0])
}
