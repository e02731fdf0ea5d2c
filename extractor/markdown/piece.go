package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A piece is a run of lines of one block's text.
type piece struct {
	lines []string
	at    []int // the file's line of each
	end   bool  // it reaches the end of the block's text
}

func (p piece) raw() string { return strings.Join(p.lines, "\n") }

func (p piece) block(kind Kind) Block {
	return Block{Kind: kind, Text: Fold(p.raw()), First: p.at[0], Last: p.at[len(p.at)-1]}
}

// cut parts a piece before each of the given lines, which are in order and not the first.
func (p piece) cut(before []int) []piece {
	var out []piece
	start := 0
	for _, i := range before {
		out = append(out, piece{lines: p.lines[start:i], at: p.at[start:i]})
		start = i
	}
	return append(out, piece{p.lines[start:], p.at[start:], p.end})
}

// statements parts a piece whose lines are statements of their own, as [ownLines] tells.
func (p piece) statements() []piece {
	start, ok := ownLines(p.lines)
	if !ok {
		return []piece{p}
	}
	var before []int
	for i := max(1, start); i < len(p.lines); i++ {
		before = append(before, i)
	}
	return p.cut(before)
}

// pieces calls each with the parts of a block's text that tags part.
func (w *walker) pieces(n ast.Node, each func(piece)) {
	lines, at := w.lines(n)
	start := 0
	flush := func(stop int, end bool) {
		if start < stop {
			p := piece{lines[start:stop], at[start:stop], end}
			w.noteComments(p.raw(), at[start])
			each(p)
		}
		start = stop
	}
	for i, line := range lines {
		if tags := w.tagLine(line); tags != nil {
			flush(i, false)
			w.tags(tags, at[i])
			start = i + 1
			continue
		}
		rest, closers := w.trimClosers(line)
		if len(closers) > 0 {
			lines[i] = rest
			flush(i+1, false)
			w.tags(closers, at[i])
		}
	}
	flush(len(lines), true)
}
