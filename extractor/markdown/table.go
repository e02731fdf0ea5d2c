package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A tableNode is a table as far as it is needed here: its lines. The parser's own table
// makes a node for each cell of each row, present or not, which takes
// gigabytes for a wide header over many short rows.
type tableNode struct {
	ast.BaseBlock
	header text.Segment
	rows   []text.Segment
}

var kindTable = ast.NewNodeKind("LineTable")

func (*tableNode) Kind() ast.NodeKind              { return kindTable }
func (n *tableNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// tables turns the end of a paragraph into a table: from the first line that
// delimits as many columns as the line before it has, to the paragraph's end.
type tables struct{}

// delimiter is the line between a table's header and its rows.
var delimiter = regexp.MustCompile(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

func (tables) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, src := p.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		at := lines.At(i)
		line := strings.TrimRight(string(at.Value(src)), "\n")
		if !strings.ContainsAny(line, "|:") || !delimiter.MatchString(line) {
			continue
		}
		if head := lines.At(i - 1); cells(string(head.Value(src))) == cells(line) {
			splitTable(p, i)
		}
		return // as GitHub: the first delimiter decides
	}
	if t, ok := p.PreviousSibling().(*tableNode); ok {
		t.extend(p, src)
	}
}

// rowLine is a line that can only be meant as a row.
var rowLine = regexp.MustCompile(`^[ \t]*\|.*\|[ \t]*\n?$`)

// extend takes rows that a blank line parted from their table.
func (n *tableNode) extend(p *ast.Paragraph, src []byte) {
	for i := range p.Lines().Len() {
		if at := p.Lines().At(i); !rowLine.Match(at.Value(src)) {
			return
		}
	}
	for i := range p.Lines().Len() {
		n.rows = append(n.rows, p.Lines().At(i))
	}
	p.Parent().RemoveChild(p.Parent(), p)
}

func splitTable(p *ast.Paragraph, delimiter int) {
	lines := p.Lines()
	t := &tableNode{header: lines.At(delimiter - 1)}
	for i := delimiter + 1; i < lines.Len(); i++ {
		t.rows = append(t.rows, lines.At(i))
	}
	lines.SetSliced(0, delimiter-1)
	p.Parent().InsertAfter(p.Parent(), p, t)
	if lines.Len() == 0 {
		p.Parent().RemoveChild(p.Parent(), p)
	}
}

// cells counts the cells of a row: what stands between pipes that are not escaped.
func cells(row string) int {
	row = strings.TrimSpace(row)
	n, pipe := 1, false
	for i := 0; i < len(row); i++ {
		if pipe = row[i] == '|'; pipe && i > 0 {
			n++
		}
		if row[i] == '\\' {
			i++
		}
	}
	if pipe && len(row) > 1 {
		n--
	}
	return n
}

// FoldRow is [Fold] for a table row, with one form for what a table leaves
// free: a pipe at both ends and a blank on both sides of each pipe. A pipe that is not
// escaped parts cells even inside a code span, as on the page.
func FoldRow(s string) string {
	s = strings.TrimSpace(s)
	var out []string
	start, inside := 0, false
	for i := 0; i <= len(s); i++ {
		switch {
		case i+1 < len(s) && s[i] == '\\':
			i++
		case i == len(s) || s[i] == '|':
			if cell := strings.TrimSpace(s[start:min(i, len(s))]); cell != "" || inside && i < len(s) {
				out = append(out, cell)
			}
			start, inside = i+1, true
		}
	}
	if len(out) == 0 {
		return Fold(s)
	}
	return Fold("| " + strings.Join(out, " | ") + " |")
}

// table reads the rows. The header row is their context.
func (w *walker) table(n *tableNode) {
	context := w.frame.context()
	if header := FoldRow(w.value(n.header)); header != "" && len(context) < maxDepth && !w.isBlob(header, w.line(n.header.Start)) {
		context = append(context, Element{Role: Columns, Text: header, Line: w.line(n.header.Start)})
	}
	for _, row := range n.rows {
		line := w.line(row.Start)
		w.noteComments(w.value(row), line)
		if text := FoldRow(w.value(row)); !w.isBlob(text, line) {
			w.emit(Block{Kind: Row, Text: text, Context: context, First: line, Last: line})
		}
	}
}

func (w *walker) value(s text.Segment) string { return string(s.Value(w.src)) }
