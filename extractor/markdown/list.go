package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// checkbox is the mark of a task, which stays part of its text: ticked or not
// is something that a reader sees.
var checkbox = regexp.MustCompile(`^\[[ xX]\][ \t\n]`)

// list reads the items of a list and of those that continue it. Steps count
// from the list's start number, so that writing 1. before every item changes nothing.
func (w *walker) list(n *ast.List) {
	*w.lists++
	id := *w.lists
	ordinal := 0
	if n.IsOrdered() {
		ordinal = n.Start
	}
	for {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			item := Block{Kind: Item, List: id, Ordinal: ordinal}
			if n.IsOrdered() {
				item.Kind = Step
				ordinal++
			}
			w.item(c, item)
		}
		next, ok := n.NextSibling().(*ast.List)
		if !ok || !continues(n, next) {
			return
		}
		n = next
	}
}

// continues reports whether a list goes on with the one right before it. A
// change of the marker alone starts a new list in Markdown, but not to a
// reader, and what introduced the first half introduces the second.
func continues(before ast.Node, n *ast.List) bool {
	previous, ok := before.(*ast.List)
	if !ok || previous.IsOrdered() != n.IsOrdered() {
		return false
	}
	return !n.IsOrdered() || n.Start == previous.Start+previous.ChildCount()
}

// item reads one item: its own text is its first paragraph, and all else in it
// stands under that text.
func (w *walker) item(n ast.Node, item Block) {
	f := &frame{outer: w.frame.context(), quote: w.frame.quote}
	first := n.FirstChild()
	own := func(raw string, from, to int, _ bool) {
		if item.Text != "" {
			w.emit(Block{Kind: w.prose(), Text: Fold(raw), First: from, Last: to})
			return
		}
		item.First, item.Last, item.Text = from, to, Fold(raw)
		if item.Kind == Item && checkbox.MatchString(raw+"\n") {
			item.Kind = Task
		}
		item.Context = f.outer
		w.emit(item)
		f.outer = under(f.outer, item)
	}
	w.inside(f, func() {
		switch node := first.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			w.pieces(node, own)
			first = first.NextSibling()
		case *ast.Blockquote:
			if raw, at, ok := w.comparison(node); ok {
				own(raw, at, at, true)
				first = first.NextSibling()
			}
		}
		for c := first; c != nil; c = c.NextSibling() {
			w.node(c)
		}
	})
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
	if item.Text == "" || len(context) >= maxDepth {
		return context
	}
	text := item.Text
	if item.Kind == Step {
		text = fmt.Sprintf("%d. %s", item.Ordinal, text)
	}
	return append(slices.Clone(context), Element{Role: Parent, Text: text, Line: item.First})
}
