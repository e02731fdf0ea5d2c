package card

import (
	"strings"
	"unicode"
)

// Anchor returns the fragment under which GitHub shows a heading, from its
// Markdown text. Where a heading stands twice GitHub adds -1, -2 ...; that
// suffix is left out, since it would tie the card to the document's order, and
// the link leads to the first of them.
func Anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(plainInline(heading)) {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// plainInline drops the targets of links; other marks fall to Anchor's filter.
func plainInline(s string) string {
	for {
		open := strings.Index(s, "](")
		if open < 0 {
			return s
		}
		end := strings.IndexByte(s[open:], ')')
		if end < 0 {
			return s
		}
		s = s[:open] + s[open+end+1:]
	}
}

// escapeArrow keeps the separator of group titles out of the texts between, in a way
// that can be undone: a literal "›" becomes its entity, and an entity already
// there gets one more "amp;".
func escapeArrow(s string) string {
	s = mapEntity(s, func(amps string) string { return "&amp;" + amps })
	return strings.ReplaceAll(s, "›", "&rsaquo;")
}

func unescapeArrow(s string) string {
	return mapEntity(s, func(amps string) string {
		if amps == "" {
			return ""
		}
		return "&" + strings.TrimPrefix(amps, "amp;")
	})
}

// mapEntity rewrites each "&", any number of "amp;", "rsaquo;" in s: change
// gets the run of "amp;" and returns what stands before "rsaquo;", with its
// "&"; an empty answer makes the whole the character itself.
func mapEntity(s string, change func(amps string) string) string {
	var b strings.Builder
	for {
		at := strings.Index(s, "rsaquo;")
		if at < 0 {
			b.WriteString(s)
			return b.String()
		}
		head, tail := s[:at], s[at+len("rsaquo;"):]
		start := len(head)
		for strings.HasSuffix(head[:start], "amp;") {
			start -= len("amp;")
		}
		if !strings.HasSuffix(head[:start], "&") {
			b.WriteString(head + "rsaquo;")
			s = tail
			continue
		}
		b.WriteString(head[:start-1])
		if before := change(head[start:]); before == "" {
			b.WriteString("›")
		} else {
			b.WriteString(before + "rsaquo;")
		}
		s = tail
	}
}
