package markdown

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

func decode(s string) (rune, int) { return utf8.DecodeRuneInString(s) }

// foldInline drops relative link targets, images and HTML comments.
func foldInline(s string) string {
	if !strings.ContainsAny(s, "[<") {
		return s
	}
	var b strings.Builder
	comments := strings.Count(s, "-->") // looked for no more once the last is passed
	for len(s) > 0 {
		n := 1
		switch s[0] {
		case '`':
			n = spanLen(s)
		case '\\':
			n = min(2, len(s))
		case '<':
			c := 0
			if comments > 0 && strings.HasPrefix(s, "<!--") {
				if c = commentLen(s); c == 0 {
					comments = 0
				}
			}
			if c > 0 {
				b.WriteByte(' ')
				s = s[c:]
				continue
			}
		case '!', '[':
			if text, length, ok := foldLink(s); ok {
				b.WriteString(text)
				s = s[length:]
				continue
			}
		}
		b.WriteString(s[:n])
		s = s[n:]
	}
	return b.String()
}

// commentLen returns the length of the HTML comment that s starts with, or 0
// where nothing closes it.
func commentLen(s string) int {
	end := strings.Index(s[len("<!--"):], "-->")
	if end < 0 {
		return 0
	}
	return len("<!--") + end + len("-->")
}

// noteComments reports the comments inside a text that say something.
func (w *walker) noteComments(s string, line int) {
	if !strings.Contains(s, "<!--") {
		return
	}
	for i := 0; i < len(s); {
		n := 1
		switch s[i] {
		case '\n':
			line++
		case '`':
			n = spanLen(s[i:])
			line += strings.Count(s[i:i+n], "\n")
		case '\\':
			if i+1 < len(s) && s[i+1] != '\n' {
				n = 2
			}
		case '<':
			if !strings.HasPrefix(s[i:], "<!--") {
				break
			}
			if n = commentLen(s[i:]); n == 0 {
				return // no comment ends after here
			}
			if strings.TrimSpace(s[i+len("<!--"):i+n-len("-->")]) != "" {
				w.doc.note(Hidden, line, "an HTML comment with text; it was not indexed")
			}
			line += strings.Count(s[i:i+n], "\n")
		}
		i += n
	}
}

// foldLink reads the inline link or image that s starts with. It returns what
// the fold leaves of it and its length; ok is false where s starts with neither.
func foldLink(s string) (text string, length int, ok bool) {
	open := 0
	if s[0] == '!' {
		open = 1
	}
	if len(s) <= open || s[open] != '[' {
		return "", 0, false
	}
	end := closing(s[open:], '[', ']')
	if end < 0 || open+end+1 >= len(s) || s[open+end+1] != '(' {
		return "", 0, false
	}
	start := open + end + 1
	stop := closing(s[start:], '(', ')')
	if stop < 0 {
		return "", 0, false
	}
	label, target := s[open+1:open+end], s[start+1:start+stop]
	length = start + stop + 1
	if open == 1 {
		return "", length, true
	}
	if folded := foldInline(label); folded != label {
		label = strings.TrimSpace(folded)
	}
	if absolute.MatchString(strings.TrimSpace(target)) && strings.TrimSpace(label) != "" {
		return "[" + label + "](" + target + ")", length, true
	}
	return label, length, true
}

// absolute matches a link target that means the same wherever it stands: a
// scheme of two or more letters, so that a drive letter is not one.
var absolute = regexp.MustCompile(`^<?[A-Za-z][A-Za-z0-9+.-]+:`)

// closing returns the index of the bracket that closes the one s starts with,
// passing over escapes and code spans, or -1. Links nested deeper than 8 are
// no links: it bounds the work on hostile input.
func closing(s string, open, shut byte) int {
	const deepest = 8
	depth := 0
	for i := 0; i < len(s); {
		switch s[i] {
		case '\\':
			i++
		case '`':
			i += spanLen(s[i:]) - 1
		case open:
			if depth++; depth > deepest {
				return -1
			}
		case shut:
			if depth--; depth == 0 {
				return i
			}
		}
		i++
	}
	return -1
}
