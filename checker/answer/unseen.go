package answer

import "strings"

// A cutter leaves out of a text what a page does not show, by the grammar of CommonMark: tags
// of HTML, whose attributes may hold a ">", and where links lead, which may hold a ")".
type cutter struct {
	text string
	left int // characters that may still be looked at from places where nothing ended
}

// A text of openings that never end would be read once for each: it is read so many times over
// at most, and then each opening shortReach far.
const (
	readings   = 64
	shortReach = 256
)

func newCutter(text string) *cutter { return &cutter{text, readings * (len(text) + shortReach)} }

// without is the text without what end finds at some places: the number of characters to
// leave out from there on; for none, 0 or how many were read as a negative number.
func (c *cutter) without(begins string, end func(rest string) int) string {
	var b strings.Builder
	at := 0
	for at < len(c.text) {
		next := strings.Index(c.text[at:], begins)
		if next < 0 {
			break
		}
		b.WriteString(c.text[at : at+next])
		at += next
		rest := c.text[at:]
		if c.left <= 0 {
			rest = rest[:min(len(rest), shortReach)]
		}
		n := end(rest)
		if n <= 0 {
			c.left += n
			b.WriteString(begins)
			n = len(begins)
		}
		at += n
	}
	b.WriteString(c.text[at:])
	return b.String()
}

// untagged is a text without tags, comments, instructions and declarations.
func untagged(text string) string { return newCutter(text).without("<", tagLength) }

// untargeted is a text without where links and images lead.
func untargeted(text string) string { return newCutter(text).without("](", targetLength) }

// tagLength is the length of what HTML writes at the start of a text; for nothing, see
// [cutter.without].
func tagLength(s string) int {
	for _, pair := range [][2]string{{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"}} {
		if strings.HasPrefix(s, pair[0]) {
			if end := strings.Index(s[len(pair[0]):], pair[1]); end >= 0 {
				return len(pair[0]) + end + len(pair[1])
			}
			return -len(s)
		}
	}
	at := 1
	if strings.HasPrefix(s, "</") {
		at++
	}
	if at >= len(s) || !isLetter(s[at]) {
		return 0
	}
	for at < len(s) {
		switch s[at] {
		case '>':
			return at + 1
		case '=':
			at = valueEnd(s, at+1)
		default:
			at++
		}
	}
	return -at
}

// valueEnd is where the value of an attribute ends that begins behind an equals sign.
func valueEnd(s string, at int) int {
	for at < len(s) && isBlank(s[at]) {
		at++
	}
	if at < len(s) && (s[at] == '"' || s[at] == '\'') {
		if end := strings.IndexByte(s[at+1:], s[at]); end >= 0 {
			return at + 1 + end + 1
		}
		return len(s)
	}
	return at
}

// targetLength is the length of "](", where a link leads, its title and ")", at the start of
// a text; for nothing, see [cutter.without]. The first "]" is left out with it: all brackets are.
func targetLength(s string) int {
	at := blanks(s, len("]("))
	if at < len(s) && s[at] == '<' {
		if at = ended(s, at+1, '>'); at < 0 {
			return at
		}
	} else {
		for depth := 0; at < len(s) && !isBlank(s[at]); at++ {
			switch s[at] {
			case '\\':
				at++
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth < 0 {
				return at + 1
			}
		}
	}
	at = blanks(s, at)
	if at < len(s) {
		if end := strings.IndexByte(`"'(`, s[at]); end >= 0 {
			if at = ended(s, at+1, `"')`[end]); at < 0 {
				return at
			}
			at = blanks(s, at)
		}
	}
	if at >= len(s) || s[at] != ')' {
		return -min(at, len(s))
	}
	return at + 1
}

// ended is the place behind the next unescaped mark; for none, how much was read as a negative
// number.
func ended(s string, at int, mark byte) int {
	for ; at < len(s); at++ {
		switch s[at] {
		case '\\':
			at++
		case mark:
			return at + 1
		}
	}
	return -len(s)
}

func blanks(s string, at int) int {
	for at < len(s) && isBlank(s[at]) {
		at++
	}
	return min(at, len(s))
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
