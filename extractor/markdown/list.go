package markdown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// checkbox is the mark of a task, which stays part of its text: ticked or not
// is something that a reader sees.
var checkbox = regexp.MustCompile(`^\[[ xX]\][ \t\n]`)

// list reads the items of a list. Steps count from the list's start number, so
// that writing 1. before every item changes nothing.
func (w *walker) list(n *ast.List) {
	if w.lists == nil {
		w.lists = new(int)
	}
	*w.lists++
	id := *w.lists
	ordinal := 0
	if n.IsOrdered() {
		ordinal = n.Start
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		item := Block{Kind: Item, List: id, Ordinal: ordinal}
		if n.IsOrdered() {
			item.Kind = Step
			ordinal++
		}
		w.item(c, item)
	}
}

// item reads one item: its own text is its first paragraph, and all else in it
// stands under that text.
func (w *walker) item(n ast.Node, item Block) {
	f := &frame{outer: w.frame.context(), quote: w.frame.quote}
	first := n.FirstChild()
	switch first.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		raw := w.raw(first)
		item.First, item.Last = w.span(first)
		item.Text = Fold(raw)
		if item.Kind == Item && checkbox.MatchString(strings.TrimLeft(raw, " ")+"\n") {
			item.Kind = Task
		}
		w.emit(item)
		f.outer = under(f.outer, item)
		first = first.NextSibling()
	}
	w.inside(f, func() {
		for c := first; c != nil; c = c.NextSibling() {
			w.node(c)
		}
	})
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
	return append(context, Element{Role: Parent, Text: text, Line: item.First})
}
