package extractor

import (
	"strings"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A context is printed with every group that it surrounds, so its size counts
// as often as there are groups: a heading as long as a file would make a card of gigabytes.
// The longest context that people wrote, in the measured collections, keeps well below both bounds.
const (
	maxElement = 300 // bytes of one element
	maxContext = 7   // elements that are kept where the whole is longer than maxElement times this
)

// clip cuts the text of a context element. What is cut off is held by its
// digest, without a step's number, so that any change of it still changes the card.
func clip(text string) string {
	if len(text) <= maxElement {
		return text
	}
	n := maxElement - 40 // room for the digest
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.TrimSpace(text[:n]) + " … sha256 " + digest(card.Unnumbered(text))
}

// fold takes the middle out of a context that is too long as a whole.
func fold(c card.Context) card.Context {
	size := 0
	for _, e := range c {
		size += len(e.Text)
	}
	if size <= maxElement*maxContext || len(c) <= maxContext {
		return c
	}
	const head = 3
	tail := len(c) - (maxContext - head)
	middle := ""
	for _, e := range c[head:tail] {
		middle += string(e.Role) + "\x00" + card.Unnumbered(e.Text) + "\x00"
	}
	out := append(card.Context{}, c[:head]...)
	out = append(out, card.Element{Role: card.Item, Text: "… sha256 " + digest(middle)})
	return append(out, c[tail:]...)
}
