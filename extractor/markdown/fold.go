package markdown

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Fold puts the inline Markdown of one block on one line, as written but for
// what says nothing about its meaning:
//
//   - a soft or hard line break becomes one space, or nothing between two wide
//     characters (but not beside Hangul or an emoji, which are written with spaces);
//   - runs of white space outside code spans become one space;
//   - a link with a relative target becomes its text, an image goes;
//   - HTML comments and invisible characters go.
//
// Code spans, emphasis, escapes and absolute addresses stay. Fold(Fold(s)) is
// Fold(s): what a dropped target leaves behind is folded again, and a text
// whose links are nested too deeply for that keeps them all.
func Fold(s string) string {
	const deepest = 8 // people nest two: an image in a link
	s = collapse(joinLines(unhide(unixLines(s))))
	folded := s
	for range deepest {
		next := collapse(foldInline(folded))
		if next == folded {
			return folded
		}
		folded = next
	}
	return s
}

// unixLines makes every line end LF, also a lone CR, which ends a line in Markdown.
func unixLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// joinLines replaces line breaks. The blanks around a break belong to it, and
// so does a backslash that makes it a hard one.
func joinLines(s string) string {
	if !strings.Contains(s, "\n") {
		return s
	}
	lines := strings.Split(s, "\n")
	var b strings.Builder
	for i, line := range lines {
		line = strings.Trim(line, " \t")
		if i+1 < len(lines) && hardBreak(line) {
			line = strings.TrimRight(line[:len(line)-1], " \t")
		}
		if i > 0 && line != "" && b.Len() > 0 && !(endsWide(b.String()) && startsWide(line)) {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// hardBreak reports whether the line ends in a backslash that is not itself escaped.
func hardBreak(line string) bool {
	n := len(line) - len(strings.TrimRight(line, `\`))
	return n%2 == 1
}

func startsWide(s string) bool {
	for _, r := range s {
		return isWide(r)
	}
	return false
}

func endsWide(s string) bool {
	last := rune(0)
	for _, r := range s[max(0, len(s)-4):] {
		last = r
	}
	return isWide(last)
}

func isWide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return (k == width.EastAsianWide || k == width.EastAsianFullwidth) && !unicode.In(r, unicode.Hangul, unicode.So, unicode.Sk)
}

// collapse folds runs of white space outside code spans and trims both ends.
func collapse(s string) string {
	var b strings.Builder
	blank := false
	for len(s) > 0 {
		if s[0] == '`' {
			if blank && b.Len() > 0 {
				b.WriteByte(' ')
			}
			blank = false
			n := spanLen(s)
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		r, n := decode(s)
		if unicode.IsSpace(r) {
			blank = true
		} else {
			if blank && b.Len() > 0 {
				b.WriteByte(' ')
			}
			blank = false
			b.WriteString(s[:n])
			if r == '\\' && len(s) > 1 && (s[1] == '`' || s[1] == '\\') { // an escaped backtick opens nothing
				b.WriteByte(s[1])
				n++
			}
		}
		s = s[n:]
	}
	return b.String()
}

// maxTicks is the longest run of backticks that opens a code span. People use
// three at most; a bound keeps the search for the other end linear.
const maxTicks = 32

// spanLen returns the length of the code span that s starts with, or of the
// run of backticks where none of the same length closes it.
func spanLen(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	for i := n; i < len(s) && n <= maxTicks; {
		at := strings.IndexByte(s[i:], '`')
		if at < 0 {
			return n
		}
		i += at
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		i += run
		if run == n {
			return i
		}
	}
	return n
}

// FoldCode puts lines of shell on one line: breaks, the blanks around them and
// the backslash that continues a line become one space, so does a tab,
// invisible characters go, and nothing else changes.
func FoldCode(s string) string {
	lines := strings.Split(unhide(unixLines(s)), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if i+1 < len(lines) && hardBreak(line) {
			line = strings.TrimSpace(line[:len(line)-1])
		}
		lines[i] = line
	}
	return strings.TrimSpace(strings.ReplaceAll(strings.Join(lines, " "), "\t", " "))
}
