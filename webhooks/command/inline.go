package command

import (
	"sort"
	"strings"
)

// shown returns the lines of a paragraph that begin outside code spans and HTML comments, without the comments' text. Where
// a comment does not close in the paragraph, it is one only if the rest of the text closes it: unclosed tells the caller.
func shown(paragraph []string, closesLater bool) (lines []string, unclosed bool) {
	text := strings.Join(paragraph, "\n")
	hidden, unclosed := spans(text, closesLater)
	from := 0
	for _, line := range paragraph {
		to := from + len(line)
		if visible, ok := cut(text, from, to, hidden); ok {
			lines = append(lines, visible)
		}
		from = to + 1
		for len(hidden) > 0 && hidden[0].to <= from {
			hidden = hidden[1:]
		}
	}
	return lines, unclosed
}

// span is a stretch of a paragraph that is not plain text, from its first byte to behind its last.
type span struct {
	from, to int
	comment  bool
}

// cut returns text[from:to] without the comments in it. It is not ok where the line begins inside a span.
func cut(text string, from, to int, hidden []span) (string, bool) {
	var b strings.Builder
	at := from
	for _, h := range hidden {
		if h.from >= to {
			break
		}
		if h.from < from && h.to > from {
			return "", false
		}
		if h.comment && h.from >= at {
			b.WriteString(text[at:h.from])
			at = min(h.to, to)
		}
	}
	b.WriteString(text[at:to])
	return b.String(), true
}

// spans finds the code spans and HTML comments of a paragraph from left to right: what begins first wins, as on GitHub.
func spans(text string, closesLater bool) (found []span, unclosed bool) {
	ticks := runs(text)
	lastClose := strings.LastIndex(text, "-->")
	for i := 0; i < len(text); {
		s := span{from: i, to: i + 1}
		switch {
		case text[i] == '\\':
			s.to = i + 2 // the next sign stands for itself
		case text[i] == '`':
			n := run(text[i:], '`')
			s.to = i + n
			if end := ticks.next(n, s.to); end >= 0 {
				s.to = end + n
				found = append(found, s)
			}
		case !strings.HasPrefix(text[i:], "<!--"):
		case lastClose >= i+2:
			s.to, s.comment = i+2+strings.Index(text[i+2:], "-->")+len("-->"), true
			found = append(found, s)
		case closesLater:
			s.to, s.comment = len(text)+1, true
			return append(found, s), true
		}
		i = s.to
	}
	return found, false
}

// backticks holds where the runs of each length begin, so that looking for a partner does not walk the text again.
type backticks map[int][]int

func runs(text string) backticks {
	b := make(backticks)
	for i := 0; i < len(text); i++ {
		if n := run(text[i:], '`'); n > 0 {
			b[n] = append(b[n], i)
			i += n
		}
	}
	return b
}

// next is the first run of n backticks that begins at from or later, or -1.
func (b backticks) next(n, from int) int {
	at := b[n]
	if i := sort.SearchInts(at, from); i < len(at) {
		return at[i]
	}
	return -1
}
