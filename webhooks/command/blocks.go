package command

import "strings"

// scanner walks the lines of a comment with as much of GitHub's Markdown as decides whether a line is text: open lists,
// the one open block whose content is not text, and the open paragraph. It is linear in the comment's size, since it runs
// while GitHub waits; a Markdown library is not, on hostile input.
type scanner struct {
	lists     []int // content columns of the open list items, outermost first
	bare      bool  // the line before was a list marker and nothing else; a blank line then ends the item
	block     block
	paragraph []string
	current   string // the line at hand
	at        int    // byte where it begins
	lastClose int    // byte where the last "-->" of the whole comment begins, or -1
	out       []string
}

// block is what hides lines until its end.
type block struct {
	fence  string // the opening run of a fence
	end    string // or what ends an HTML block, in lower case
	column int    // content column of the list item that it is in; a shallower line ends both, but for a comment
}

// visible returns the lines that may be commands and are shown as text, in order, without the HTML comments in them.
func visible(body string) []string {
	body = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body)
	s := scanner{lastClose: strings.LastIndex(body, "-->")}
	for line := range strings.Lines(body) {
		s.current = strings.TrimSuffix(line, "\n")
		s.line()
		s.at += len(line)
	}
	s.flush()
	return s.out
}

// line takes the line at hand: into the open block, or to where its content belongs.
func (s *scanner) line() {
	column, rest := indent(s.current, 0)
	switch {
	case rest != "" && column < s.block.column:
		s.block = block{} // the list item ended, and the block with it
	case s.block.fence != "":
		if column < s.block.column+4 && closes(rest, s.block.fence) {
			s.block = block{}
		}
		return
	case s.block.end != "":
		s.swallow()
		return
	}
	if rest == "" {
		s.flush()
		if s.bare {
			s.lists = s.lists[:len(s.lists)-1]
		}
		s.bare = false
		return
	}
	s.bare = false
	s.content(column, rest)
}

// swallow takes the line at hand into the open HTML block.
func (s *scanner) swallow() {
	if strings.Contains(strings.ToLower(s.current), s.block.end) {
		s.block = block{}
	}
}

// leave closes the list items that a line of this column no longer belongs to.
func (s *scanner) leave(column int) {
	for len(s.lists) > 0 && column < s.base() {
		s.lists = s.lists[:len(s.lists)-1]
	}
}

// base is the column from which the content of the innermost list item counts.
func (s *scanner) base() int {
	if len(s.lists) == 0 {
		return 0
	}
	return s.lists[len(s.lists)-1]
}

// content looks at a line that no open block has taken. Each list marker in front opens an item and is taken off.
func (s *scanner) content(column int, rest string) {
	open := s.lists
	s.leave(column)
	sibling, plain := len(s.lists) < len(open), true
	for rest != "" && column < s.base()+4 {
		width := marker(rest)
		if width == 0 || rule(rest) || (len(s.paragraph) > 0 && !sibling && !interrupts(rest, width)) {
			break
		}
		if s.interrupted() {
			return
		}
		begin := column + width
		column, rest = indent(rest[width:], begin)
		item := column
		if rest == "" || column > begin+4 {
			item = begin + 1 // an empty item, or one that begins with indented code
		}
		s.lists, s.bare = append(s.lists, item), rest == ""
		plain = false
	}
	switch {
	case rest == "", column >= s.base()+4 && len(s.paragraph) == 0: // an empty item, indented code
	case column < s.base()+4 && s.opens(rest):
	case !plain:
		s.paragraph = append(s.paragraph, "\t"+rest) // text, and never a command
	default:
		if len(s.paragraph) > 0 {
			s.lists = open // it continues the paragraph, whatever its column
		}
		s.paragraph = append(s.paragraph, s.current)
	}
}

// opens reports whether the line is or begins a block that is no paragraph. A quote's line is a block of its own here: each
// carries its mark, and what a quote holds, fences too, ends with it.
func (s *scanner) opens(rest string) bool {
	var b block
	switch {
	case rest[0] == '>', heading(rest):
	case fence(rest) != "":
		b = block{fence: fence(rest), column: s.base()}
	case rest[0] == '<':
		begin, end := element(rest)
		if end == "" {
			return false
		}
		if !strings.Contains(strings.ToLower(rest[begin:]), end) {
			b.end = end
		}
		if end != "-->" {
			b.column = s.base()
		}
	default:
		return false
	}
	if !s.interrupted() {
		s.block = b
	}
	return true
}

// interrupted ends the paragraph before the line at hand. It reports true where that left a comment open, which has then
// taken the line.
func (s *scanner) interrupted() bool {
	s.flush()
	if s.block.end == "" {
		return false
	}
	s.swallow()
	return true
}

// flush ends the paragraph and keeps its lines that may be commands.
func (s *scanner) flush() {
	if len(s.paragraph) == 0 {
		return
	}
	lines, unclosed := shown(s.paragraph, s.lastClose >= s.at)
	for _, line := range lines {
		if column, rest := indent(line, 0); column <= 3 && strings.HasPrefix(rest, name) {
			s.out = append(s.out, line)
		}
	}
	s.paragraph = nil
	if unclosed {
		s.block = block{end: "-->"}
	}
}
