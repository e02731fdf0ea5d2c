package markdown

import (
	"regexp"

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
