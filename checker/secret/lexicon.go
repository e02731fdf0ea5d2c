package secret

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

// labelNames has what secrets are called, by what kind of value follows, and
// the words around such a name that make another thing of it.
//
//go:embed labels.tsv
var labelNames string

// A labelKind says what may follow a name for it to be a secret.
type labelKind string

const (
	kindPassword labelKind = "password" // may be short, or thought up
	kindPass     labelKind = "pass"     // the same where a sign follows; else a verb
	kindToken    labelKind = "token"    // made by a machine
	kindOTP      labelKind = "otp"      // a seed of one-time passwords: base 32
	kindKey      labelKind = "key"      // as often an index or a hash: long and random
	kindSalt     labelKind = "salt"     // the same, but often public where it is hexadecimal
	kindLogin    labelKind = "login"    // a user, a sign, then a password
	kindWords    labelKind = "words"    // a phrase of twelve words and more
	kindCodes    labelKind = "codes"    // a list of short codes
	kindDigits   labelKind = "digits"   // four to twelve digits
)

// A name is one entry of the table.
type name struct {
	kind  labelKind
	text  string // in small letters; '_' is at most one space or sign
	whole bool   // only at the start of a word
}

// A lexicon finds names in a text. Nearly all places of a text are told from a
// name by two bytes.
type lexicon struct {
	heads                [1 << 16]uint8 // by the first two bytes, in small letters: a list, or 0
	lists                [][]name
	after, before, plain map[string]bool
}

func newLexicon() *lexicon {
	l := &lexicon{lists: make([][]name, 1), after: map[string]bool{}, before: map[string]bool{}, plain: map[string]bool{}}
	words := map[string]map[string]bool{"after": l.after, "before": l.before, "plain": l.plain}
	for _, line := range strings.Split(labelNames, "\n") {
		kind, entries, ok := strings.Cut(line, "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for _, text := range strings.Fields(entries) {
			if set := words[kind]; set != nil {
				set[text] = true
				continue
			}
			text, whole := strings.CutPrefix(text, "^")
			l.add(name{labelKind(kind), text, whole})
		}
	}
	return l
}

func (l *lexicon) add(n name) {
	r, size := utf8.DecodeRuneInString(n.text)
	l.list(n, n.text)
	if upper := string(unicode.ToUpper(r)) + n.text[size:]; head(upper, 0) != head(n.text, 0) {
		l.list(n, upper)
	}
}

func (l *lexicon) list(n name, text string) {
	at := &l.heads[head(text, 0)]
	if *at == 0 {
		l.lists = append(l.lists, nil)
		*at = uint8(len(l.lists) - 1)
	}
	l.lists[*at] = append(l.lists[*at], n)
}

// head is the two bytes at a place, in small letters.
func head(text string, at int) uint16 {
	return uint16(small(text[at]))<<8 | uint16(small(text[at+1]))
}

func small(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// match returns where a name ends that stands at a byte, or 0.
func (n name) match(line string, i int) int {
	for text := n.text; text != ""; {
		if text[0] == '_' {
			if i < len(line) && joint(line[i]) {
				i++
			}
			text = text[1:]
			continue
		}
		if i >= len(line) {
			return 0
		}
		if text[0] < utf8.RuneSelf {
			if small(line[i]) != text[0] {
				return 0
			}
			text, i = text[1:], i+1
			continue
		}
		want, size := utf8.DecodeRuneInString(text)
		got, length := utf8.DecodeRuneInString(line[i:])
		if want != got && want != unicode.ToLower(got) {
			return 0
		}
		text, i = text[size:], i+length
	}
	return i
}

// joint reports what stands between the words of a name.
func joint(c byte) bool { return c == ' ' || c == '_' || c == '-' || c == '.' }

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
