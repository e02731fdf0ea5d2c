package markdown

import (
	"fmt"
	"strings"
	"unicode"
)

// hiddenRunes are letters and symbols that show nothing, besides the Unicode
// categories Cf (format), Cc (control) and the tag characters.
const hiddenRunes = "\u115f\u1160\u3164\uffa0\u180b\u180c\u180d\u180f"

// unhide removes the characters that a reader does not see. Flag emoji keep
// their tag characters, and emoji joined to one picture keep the joiner.
func unhide(s string) string {
	if !hasHidden(s) {
		return s
	}
	var b strings.Builder
	scanHidden(s, func(text string, hidden bool) {
		if !hidden {
			b.WriteString(text)
		}
	})
	return b.String()
}

func hasHidden(s string) bool {
	for _, r := range s {
		if isHidden(r) {
			return true
		}
	}
	return false
}

func isHidden(r rune) bool {
	if r == '\t' || r == '\n' || r == '\r' {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Cc) || r >= 0xe0000 && r <= 0xe007f || strings.ContainsRune(hiddenRunes, r)
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
		joiner := r == '\u200d' && isPicture(previous) && isPicture(next)
		each(s[:n], isHidden(r) && !joiner)
		s, previous = s[n:], r
	}
}

const blackFlag = '\U0001f3f4'

// flagLen returns the length of a flag made of tag characters (a black flag,
// lower-case tag letters, the cancel tag), or 0.
func flagLen(s string) int {
	i := len(string(blackFlag))
	for count := 0; count <= 6; count++ { // the longest subdivision codes have five letters
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

func isPicture(r rune) bool { return r == '\ufe0f' || r >= 0x2190 && unicode.IsSymbol(r) }

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
