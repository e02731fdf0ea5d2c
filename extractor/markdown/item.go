package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// item reads one item: its own text is its first paragraph, and all else in it
// stands under that text.
func (w *walker) item(n ast.Node, item Block) {
	f := &frame{outer: w.frame.context(), quote: w.frame.quote}
	w.inside(f, func() {
		t := &itemText{walker: w, item: item, around: f.outer}
		rest := t.read(n.FirstChild())
		for c := rest; c != nil; c = c.NextSibling() {
			w.node(c)
		}
	})
}

// itemText reads the own text of an item.
type itemText struct {
	*walker
	item   Block
	around []Element // the context of the item
	said   bool      // the own text was read
}

// read reads the own text from an item's first node and returns the first node that is not part of it.
func (t *itemText) read(first ast.Node) (rest ast.Node) {
	switch node := first.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		t.pieces(node, t.piece)
	case *ast.Heading: // what a scraper made of a page's outline
		lines, at := t.lines(node)
		if len(lines) == 0 {
			return first
		}
		t.say(piece{lines, at, true})
	case *ast.Blockquote:
		raw, at, ok := t.comparison(node)
		if !ok {
			return first
		}
		t.say(piece{[]string{raw}, []int{at}, true})
	case *ast.List:
		inner, p, ok := t.numbered(node)
		if !ok {
			return first
		}
		t.say(p)
		for c := inner; c != nil; c = c.NextSibling() {
			t.node(c)
		}
	default:
		return first
	}
	return first.NextSibling()
}

// piece takes the own text apart: afterthoughts of a step stand beside it, lines
// with marks of their own under it.
func (t *itemText) piece(p piece) {
	var later []int
	if t.item.Kind == Step {
		later = afterthoughts(p.lines, t.item.Ordinal)
	}
	for i, part := range p.cut(later) {
		if i > 0 {
			t.frame.outer = t.around
			b := part.block(t.prose())
			t.state(b)
			t.frame.outer = under(t.around, b)
			continue
		}
		if start, ok := ownLines(part.lines); ok && start == 0 && !t.said {
			t.say(part)
			continue
		}
		for _, statement := range part.statements() {
			t.say(statement)
		}
	}
}

// say emits the own text, and what follows it as prose under it.
func (t *itemText) say(p piece) {
	if t.said {
		t.state(p.block(t.prose()))
		return
	}
	t.said = true
	b := p.block(t.item.Kind)
	if b.Kind == Item && checkbox.MatchString(p.raw()+"\n") {
		b.Kind = Task
	}
	b.List, b.Ordinal = t.item.List, t.item.Ordinal
	if isDebris(b.Text) {
		return
	}
	t.state(b)
	t.frame.outer = under(t.around, b)
}

func (t *itemText) state(b Block) {
	if !t.isBlob(b.Text, b.First) {
		t.emit(b)
	}
}

// number is a list's mark and a number, as they stand before a text on one line.
var number = regexp.MustCompile(`[-*+][ \t]+(\d{1,9}[.)][ \t]+)$`)

// numbered returns the text of an item such as "- 1. text", in which Markdown
// sees a list in a list and a reader one statement, and what stands below it.
func (t *itemText) numbered(n *ast.List) (below ast.Node, p piece, ok bool) {
	if !n.IsOrdered() || n.ChildCount() != 1 {
		return nil, piece{}, false
	}
	first := n.FirstChild().FirstChild()
	if first == nil || first.Lines().Len() == 0 {
		return nil, piece{}, false
	}
	start := first.Lines().At(0).Start
	m := number.FindSubmatch(t.src[t.starts[lineAt(t.starts, start)-1]:start])
	switch first.(type) {
	case *ast.Paragraph, *ast.TextBlock:
	default:
		m = nil
	}
	if m == nil {
		return nil, piece{}, false
	}
	lines, at := t.lines(first)
	lines[0] = string(m[1]) + lines[0]
	return first.NextSibling(), piece{lines, at, true}, true
}

// comparison returns the text of an item such as "> 30 days: stop", which
// Markdown reads as a quote and a reader as a greater-than sign.
func (w *walker) comparison(q *ast.Blockquote) (raw string, line int, ok bool) {
	p, isText := q.FirstChild().(*ast.Paragraph)
	if !isText || p.NextSibling() != nil || p.Lines().Len() != 1 {
		return "", 0, false
	}
	s := p.Lines().At(0)
	text := string(s.Value(w.src))
	if text == "" || !strings.ContainsRune("0123456789=", rune(text[0])) {
		return "", 0, false
	}
	mark := bytes.LastIndexByte(w.src[:s.Start], '>')
	return string(w.src[mark:s.Start]) + strings.TrimRight(text, "\n"), w.line(s.Start), true
}

// under adds an item to the context of what it holds. A step is named with its
// number: two steps may share their words and not what stands under them.
func under(context []Element, item Block) []Element {
	if item.Text == "" || len(context) >= maxDepth || HasBlob(item.Text) {
		return context
	}
	text := item.Text
	if item.Kind == Step {
		text = fmt.Sprintf("%d. %s", item.Ordinal, text)
	}
	return append(slices.Clone(context), Element{Role: Parent, Text: text, Line: item.First})
}
