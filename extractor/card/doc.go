// Package card is the vocabulary of the house: what an extracted statement is,
// and how a card of them is written and read back.
//
// An [Entry] is a statement as a card holds it. A [Fact] is an entry with the
// places it was read from; only [Ground] makes one, and never without a place.
// A [Card] is the set of entries of one skill. [Render] writes it as Markdown
// and [Parse] reads exactly what Render writes; Parse gives entries, never
// facts, so nothing can be cited that was not read from a source.
//
// A card is a function of its set of entries: its bytes hold no line numbers
// and no document order, so moving a paragraph inside its context or wrapping a
// line elsewhere changes no byte.
package card
