package answer

import (
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// inert returns text as inline Markdown in which nothing is alive. Entities and
// backslashes do not do: GitHub looks for mentions, references and addresses in
// the finished text. So plain words stay plain, code spans stay code spans, and
// every other word (an address, a mention, a path, a tag, a hash) becomes one.
func inert(text string) string {
	var b strings.Builder
	held := "" // code that waits for its neighbour: two spans may not touch
	flush := func() {
		b.WriteString(code(held))
		held = ""
	}
	for _, p := range addressed(pieces(visible(text))) {
		if p.code {
			held += p.text
			continue
		}
		flush()
		b.WriteString(escaped(p.text, b.Len() == 0))
	}
	flush()
	return b.String()
}

// addressed makes pieces that touch all code where one holds an "@": some
// readers see an address begin in the plain word before a code span.
func addressed(all []piece) []piece {
	for start := 0; start < len(all); {
		end, at := start, false
		for end < len(all) && (all[end].code || all[end].text != " ") {
			at = at || strings.Contains(all[end].text, "@")
			end++
		}
		for i := start; at && i < end; i++ {
			all[i].code = true
		}
		start = end + 1
	}
	return all
}

// A piece is a run of text that is shown as code, or plain.
type piece struct {
	text string
	code bool
}

// pieces cuts text at its code spans, and what is between into words.
func pieces(text string) []piece {
	var out []piece
	for text != "" {
		open := strings.IndexByte(text, '`')
		if open < 0 {
			return appendWords(out, text)
		}
		out = appendWords(out, text[:open])
		ticks := leading(text[open:], '`')
		rest := text[open+ticks:]
		end := closing(rest, ticks)
		if end < 0 { // backticks that open nothing are text
			out = append(out, piece{text[open : open+ticks], true})
			text = rest
			continue
		}
		out = append(out, piece{rest[:end], true})
		text = rest[end+ticks:]
	}
	return out
}

// closing returns where a run of exactly n backticks starts in s, or -1.
func closing(s string, n int) int {
	for at := 0; at < len(s); {
		next := strings.IndexByte(s[at:], '`')
		if next < 0 {
			return -1
		}
		run := leading(s[at+next:], '`')
		if run == n {
			return at + next
		}
		at += next + run
	}
	return -1
}

// leading is how many times c stands at the start of s.
func leading(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// appendWords cuts plain text at its blanks; each blank is a piece of its own.
func appendWords(out []piece, text string) []piece {
	for text != "" {
		n := strings.IndexByte(text, ' ')
		switch {
		case n == 0:
			out, text = append(out, piece{" ", false}), text[1:]
			continue
		case n < 0:
			n = len(text)
		}
		out, text = append(out, piece{text[:n], !harmless(text[:n])}), text[n:]
	}
	return out
}

// escaped returns a plain word for a place in the line; the first must not read
// as a list item or a rule.
func escaped(w string, first bool) string {
	w = strings.ReplaceAll(w, "*", `\*`)
	if !first || w == "" {
		return w
	}
	if w[0] == '-' {
		return `\` + w
	}
	n := 0
	for n < len(w) && isDigit(w[n]) {
		n++
	}
	if n > 0 && n < len(w) && (w[n] == '.' || w[n] == ')') {
		return w[:n] + `\` + w[n:]
	}
	return w
}

// code returns text as a code span that its own backticks cannot end.
func code(text string) string {
	text = visible(text)
	if text == "" {
		return ""
	}
	return card.CodeSpan(text)
}
