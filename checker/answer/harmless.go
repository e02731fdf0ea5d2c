package answer

import (
	"strings"
	"unicode"
)

// harmless reports whether a word means nothing to Markdown or GitHub once
// asterisks are escaped: letters, digits and the marks of a sentence, and none of
// an address ("www."), a ticket ("GH-12"), an emoji (":x:") or a commit's hash.
func harmless(w string) bool {
	for _, c := range w {
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.IsMark(c) && !strings.ContainsRune(".,;:!?'\"()%-–—’‘“”…*›→", c) &&
			(c < 128 || !unicode.IsPunct(c) && !unicode.IsSymbol(c)) {
			return false
		}
	}
	return !strings.Contains(strings.ToLower(w), "www.") && !ticket(w) && !hash(w) &&
		!strings.Contains(strings.TrimSuffix(w, ":"), ":")
}

// ticket reports whether w holds a hyphen between a word with a letter and a digit.
func ticket(w string) bool {
	before, after, found := strings.Cut(w, "-")
	for found {
		if after != "" && isDigit(after[0]) && strings.ContainsFunc(before, unicode.IsLetter) {
			return true
		}
		before, after, found = strings.Cut(after, "-")
	}
	return false
}

// hash reports whether w holds seven or more hexadecimal digits as a word.
func hash(w string) bool {
	for run := range strings.FieldsFuncSeq(w, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) }) {
		if len(run) >= 7 && strings.Trim(strings.ToLower(run), "0123456789abcdef") == "" {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
