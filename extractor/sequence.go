package extractor

import (
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A sequence is the steps of one list, or the command lines of one fence.
type sequence struct {
	facts []int // indices into the facts, in document order
	says  strings.Builder
	key   string // what says holds in the end
}

// number replaces the provisional list numbers of steps and commands, which
// follow the document, by canonical ones: within one context, different lists
// are numbered by what they say, and equal ones share a number. So moving one
// list past another changes nothing, and swapping two steps does.
func number(facts []card.Fact) []card.Fact {
	out := slices.Clone(facts)
	for _, lists := range sequences(facts) {
		keys := make([]string, len(lists))
		for i, l := range lists {
			l.key = l.says.String()
			keys[i] = l.key
		}
		slices.SortFunc(keys, card.Natural)
		keys = slices.Compact(keys)
		for _, l := range lists {
			n, _ := slices.BinarySearchFunc(keys, l.key, card.Natural)
			for _, i := range l.facts {
				e := facts[i].Entry()
				e.List = n
				if f, err := card.Ground(e, facts[i].Reason(), facts[i].Places()...); err == nil {
					out[i] = f
				}
			}
		}
	}
	return out
}

// sequences groups the sequential facts by what they share but for the list,
// then by list. The comments in a fence are part of what its command lines say
// and not of where they stand, or lines exchanged between two fences would keep their numbers.
func sequences(facts []card.Fact) map[string][]*sequence {
	out := map[string][]*sequence{}
	at := map[string]*sequence{}
	for i, f := range facts {
		e := f.Entry()
		if !e.Kind.Sequential() {
			continue
		}
		list := e.List
		step := card.Entry{Kind: e.Kind, Ordinal: e.Ordinal, Text: e.Text}
		if n := len(e.Context); n > 0 && e.Context[n-1].Role == card.Comment {
			step.Context, e.Context = e.Context[n-1:], e.Context[:n-1]
		}
		e.List, e.Ordinal, e.Text = 0, 0, ""
		group := e.Identity()
		id := group + "#" + card.Entry{List: list}.Identity()
		s := at[id]
		if s == nil {
			s = &sequence{}
			at[id] = s
			out[group] = append(out[group], s)
		}
		s.facts = append(s.facts, i)
		s.says.WriteString(strings.ReplaceAll(step.Identity(), "\x00", "") + "\x00")
	}
	return out
}
