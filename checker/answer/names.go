package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	// MinName is the shortest name, in letters and digits, of which a character of
	// a script without spaces counts as two: what is shorter stands in every text.
	MinName = 3
	// MaxName is the longest name, in the same measure.
	MaxName = 100
)

// Names are words that no answer may hold. A name is its letters and digits, in
// Unicode's compatibility form and case folded, also with those that look like a Latin one read
// as that; how it is parted makes no difference. So "Project Falcon" is found in "project-falcon", "PROJECT_FALCON",
// "ProjectFalcon" and "projectfalcon", and "falcon" in "falconClient" and
// "FALCON2": names get about in identifiers as well as in sentences. It is not
// found within a word, as "falcon" in "falconry": a name of four letters would take
// half of the index away. The zero value holds none.
type Names struct {
	set     map[string]bool
	longest int // in bytes
}

// NewNames takes the names of a policy. One without a letter or digit is none.
func NewNames(list []string) Names {
	n := Names{set: map[string]bool{}}
	for _, name := range list {
		for _, form := range []string{name, latin(name)} {
			if key := strings.Join(nameParts(form), ""); key != "" {
				n.set[key] = true
				n.longest = max(n.longest, len(key))
			}
		}
	}
	return n
}

// NameLength measures a name, for [MinName] and [MaxName].
func NameLength(name string) (length int) {
	for _, c := range strings.Join(nameParts(name), "") {
		length++
		if wide(c) {
			length++
		}
	}
	return length
}

// In reports whether a text holds one of the names: as it is written, and as a page
// shows it.
func (n Names) In(text string) bool {
	if len(n.set) == 0 {
		return false
	}
	for _, view := range views(text) {
		if n.among(partsBy(turns, view)) || n.among(partsBy(tails, view)) {
			return true
		}
	}
	return false
}

// among looks at each run of parts that is no longer than the longest name.
func (n Names) among(parts []string) bool {
	for i := range parts {
		run := ""
		for _, p := range parts[i:] {
			if run += p; len(run) > n.longest {
				break
			}
			if n.set[run] {
				return true
			}
		}
	}
	return false
}

// nameParts cuts a text where a name can begin or end: at everything that is no
// letter and no digit, between the two, where camel case turns, and around each
// character of a script without spaces.
func nameParts(text string) []string { return partsBy(turns, text) }

// A turning reports whether another part begins at the i-th character of a piece.
type turning func(piece []rune, i int) bool

func partsBy(turn turning, text string) (parts []string) {
	text = norm.NFKC.String(strings.Map(func(c rune) rune {
		if unseen(c) || c == utf8.RuneError {
			return -1
		}
		return c
	}, text))
	fold := cases.Fold()
	for piece := range strings.FieldsFuncSeq(text, func(c rune) bool { return !inName(c) }) {
		runes, start := []rune(piece), 0
		for i := 1; i <= len(runes); i++ {
			if i == len(runes) || turn(runes, i) {
				parts = append(parts, fold.String(string(runes[start:i])))
				start = i
			}
		}
	}
	return parts
}

// tails is turns, but small letters behind several capitals are a part of their own, and
// not the rest of a word that the last capital begins: "FALCONv2" beside "HTTPClient".
func tails(piece []rune, i int) bool {
	a, b := piece[i-1], piece[i]
	switch {
	case i > 1 && unicode.IsUpper(piece[i-2]) && unicode.IsUpper(a) && unicode.IsLower(b):
		return true
	case unicode.IsUpper(a) && unicode.IsUpper(b):
		return false
	}
	return turns(piece, i)
}

// turns is where camel case and the like turn.
func turns(piece []rune, i int) bool {
	a, b := piece[i-1], piece[i]
	switch {
	case unicode.IsMark(b):
		return false
	case wide(a) || wide(b), unicode.IsNumber(a) != unicode.IsNumber(b), unicode.IsLower(a) && unicode.IsUpper(b):
		return true
	}
	return unicode.IsUpper(a) && unicode.IsUpper(b) && i+1 < len(piece) && unicode.IsLower(piece[i+1])
}
