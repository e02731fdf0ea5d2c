package drift

import (
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Statement is an entry with the places it has in the sources that are
// compared; none where no source holds it.
type Statement struct {
	Entry  card.Entry
	Places []card.Place
}

// A Pair is one statement before and after.
type Pair struct{ Old, New Statement }

// A Diff is what turns one set of statements into another. Each list is in the
// canonical order of cards; every statement that is not in both sets is in exactly one list.
type Diff struct {
	Added, Removed []Statement
	Changed        []Pair // other words in one section, file and context
	Moved          []Pair // the same words elsewhere
	Renumbered     []Pair // the same step with another number
}

// Empty reports whether nothing differs.
func (d Diff) Empty() bool {
	return len(d.Added)+len(d.Removed)+len(d.Changed)+len(d.Moved)+len(d.Renumbered) == 0
}

// Compare finds what differs between two sets of statements.
func Compare(before, after []Statement) Diff {
	before, after = without(before, after), without(after, before)
	var d Diff
	d.Renumbered, before, after = pairEqual(before, after, unnumbered)
	d.Moved, before, after = pairEqual(before, after, wording)
	d.Changed, before, after = pairSimilar(before, after)
	d.Removed, d.Added = before, after
	return d
}

// without returns the statements of a that b lacks, in canonical order.
func without(a, b []Statement) []Statement {
	has := map[string]bool{}
	for _, s := range b {
		has[s.Entry.Identity()] = true
	}
	var out []Statement
	for _, s := range a {
		if !has[s.Entry.Identity()] {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(x, y Statement) int { return card.Compare(x.Entry, y.Entry) })
	return out
}

// unnumbered identifies a statement but for the numbers of steps.
func unnumbered(e card.Entry) string {
	e.List, e.Ordinal = 0, 0
	e.Context = slices.Clone(e.Context)
	for i, c := range e.Context {
		if c.Role == card.Item {
			e.Context[i].Text = card.Unnumbered(c.Text)
		}
	}
	return e.Identity()
}

// wording identifies a statement by its kind and words alone.
func wording(e card.Entry) string {
	return card.Entry{Kind: e.Kind, Text: e.Text}.Identity()
}

// pairEqual pairs statements with equal keys, in order, and returns what is left.
func pairEqual(before, after []Statement, key func(card.Entry) string) (pairs []Pair, restBefore, restAfter []Statement) {
	waiting := map[string][]int{}
	for i, s := range before {
		k := key(s.Entry)
		waiting[k] = append(waiting[k], i)
	}
	paired := map[int]bool{}
	for _, s := range after {
		k := key(s.Entry)
		if w := waiting[k]; len(w) > 0 {
			pairs = append(pairs, Pair{before[w[0]], s})
			paired[w[0]], waiting[k] = true, w[1:]
			continue
		}
		restAfter = append(restAfter, s)
	}
	for i, s := range before {
		if !paired[i] {
			restBefore = append(restBefore, s)
		}
	}
	return pairs, restBefore, restAfter
}
