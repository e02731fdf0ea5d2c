package planted

import (
	"maps"
	"slices"
	"strings"
)

// A Watch looks for pieces of many values at once.
type Watch struct {
	pieces map[string]Kind
}

// NewWatch makes one for some kinds.
func NewWatch(kinds []Kind) *Watch {
	w := &Watch{map[string]Kind{}}
	for _, k := range kinds {
		for _, value := range k.values {
			for i := 0; i+pieceSize <= len(value); i++ {
				w.pieces[value[i:i+pieceSize]] = k
			}
		}
	}
	return w
}

// Seen returns the kinds of which any eight bytes in a row stand in a text, by name.
func (w *Watch) Seen(text string) []Kind {
	seen := map[string]Kind{}
	for i := 0; i+pieceSize <= len(text); i++ {
		if k, ok := w.pieces[text[i:i+pieceSize]]; ok {
			seen[k.Name] = k
		}
	}
	return slices.SortedFunc(maps.Values(seen), func(a, b Kind) int { return strings.Compare(a.Name, b.Name) })
}

// Shows reports whether any eight bytes in a row of the value stand in a text.
func (k Kind) Shows(text string) bool { return len(NewWatch([]Kind{k}).Seen(text)) > 0 }
