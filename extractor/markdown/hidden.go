package markdown

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible removes the characters that a reader does not see, and leaves all
// others, line breaks included. Flag emoji keep their tag characters, emoji
// joined to one picture their joiner, and a character the selector of its form.
func Visible(s string) string { return unhide(s) }

func unhide(s string) string {
	if !hasHidden(s) {
		return s
	}
	var b strings.Builder
	scanHidden(s, func(text string, hidden bool) {
		switch r, _ := decode(text); {
		case !hidden:
			b.WriteString(text)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		}
	})
	return b.String()
}

func hasHidden(s string) bool {
	for _, r := range s {
		if isHidden(r) || isSelector(r) {
			return true
		}
	}
	return false
}

// isHidden reports whether a character shows nothing wherever it stands.
func isHidden(r rune) bool {
	if r == '\t' || r == '\n' || r == '\r' || r < 0x7f && r >= ' ' {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}

// isSelector reports whether a character selects the form of the one before it.
// In a row, or after a letter that has one form, they carry hidden text.
func isSelector(r rune) bool {
	return unicode.Is(unicode.Variation_Selector, r)
}

func takesSelector(r rune) bool {
	if r < 0x80 {
		return strings.ContainsRune("0123456789#*", r)
	}
	return !unicode.IsSpace(r) && !isSelector(r)
}

// scanHidden calls each with every rune of s, or with a whole flag.
func scanHidden(s string, each func(text string, hidden bool)) {
	previous := rune(0)
	for len(s) > 0 {
		r, n := decode(s)
		if r == blackFlag {
			if flag := flagLen(s); flag > n {
				each(s[:flag], false)
				s, previous = s[flag:], r
				continue
			}
		}
		next, _ := decode(s[n:])
		hidden := isHidden(r)
		switch {
		case r == '\u200d':
			hidden = !isPicture(previous) && previous != '\ufe0f' || !isPicture(next)
		case isSelector(r):
			hidden = !takesSelector(previous)
		}
		each(s[:n], hidden)
		if s, previous = s[n:], r; hidden {
			previous = 0
		}
	}
}

const blackFlag = '\U0001f3f4'

// flagLen returns the length of a flag made of tag characters (a black flag,
// lower-case tag letters, the cancel tag), or 0.
func flagLen(s string) int {
	i := len(string(blackFlag))
	for count := 0; count <= 6; count++ { // the longest subdivision codes have six letters
		r, n := decode(s[i:])
		if r == 0xe007f && count > 0 {
			return i + n
		}
		if r < 0xe0030 || r > 0xe007a {
			return 0
		}
		i += n
	}
	return 0
}

func isPicture(r rune) bool { return r >= 0x2190 && unicode.IsSymbol(r) }

// noteHidden reports the hidden characters of a file, one note a line, by code point.
func noteHidden(lines []string) []Note {
	var out []Note
	for i, line := range lines {
		if !hasHidden(line) {
			continue
		}
		var points []string
		count := 0
		scanHidden(line, func(text string, hidden bool) {
			if !hidden {
				return
			}
			if r, _ := decode(text); count < 5 { // enough to know the kind by
				points = append(points, fmt.Sprintf("U+%04X", r))
			}
			count++
		})
		if count > 0 {
			out = append(out, Note{Hidden, i + 1, fmt.Sprintf("%d invisible or control characters: %s", count, ellipsis(points, count))})
		}
	}
	return out
}

func ellipsis(points []string, count int) string {
	s := strings.Join(points, " ")
	if count > len(points) {
		s += " ..."
	}
	return s
}
