package drift

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A candidate is a pair of statements that may be one statement in other words.
type candidate struct {
	before, after int
	distance      float64 // share of the words of both that only one has
	step          int     // by how many numbers a step moved
}

// most is the largest distance at which two statements still count as one:
// above half of the words, "changed" says less than "removed" and "added".
const most = 0.5

// maxGroup bounds the pairs that are looked at in one context. A context in which
// more statements changed at once was rewritten, and is shown as such.
const maxGroup = 200

// pairSimilar pairs statements of one section, file, context and kind by the
// smallest difference in words.
func pairSimilar(before, after []Statement) (pairs []Pair, restBefore, restAfter []Statement) {
	groups := map[string][2][]int{}
	for i, s := range before {
		g := groups[place(s.Entry)]
		g[0] = append(g[0], i)
		groups[place(s.Entry)] = g
	}
	for i, s := range after {
		g := groups[place(s.Entry)]
		g[1] = append(g[1], i)
		groups[place(s.Entry)] = g
	}
	usedBefore, usedAfter := map[int]bool{}, map[int]bool{}
	for _, c := range rank(before, after, groups) {
		if !usedBefore[c.before] && !usedAfter[c.after] {
			usedBefore[c.before], usedAfter[c.after] = true, true
			pairs = append(pairs, Pair{before[c.before], after[c.after]})
		}
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return card.Compare(a.New.Entry, b.New.Entry) })
	return pairs, unused(before, usedBefore), unused(after, usedAfter)
}

func unused(all []Statement, used map[int]bool) []Statement {
	var out []Statement
	for i, s := range all {
		if !used[i] {
			out = append(out, s)
		}
	}
	return out
}

// place identifies where on the card a statement stands, without its words.
func place(e card.Entry) string {
	e.Text = ""
	return unnumbered(e)
}

// rank lists the pairs that are close enough, closest first; the order is total.
func rank(before, after []Statement, groups map[string][2][]int) []candidate {
	var out []candidate
	for _, g := range groups {
		if len(g[0]) > maxGroup || len(g[1]) > maxGroup {
			continue
		}
		for _, i := range g[0] {
			for _, j := range g[1] {
				step := before[i].Entry.Ordinal - after[j].Entry.Ordinal
				if d := distance(before[i].Entry.Text, after[j].Entry.Text); d <= most {
					out = append(out, candidate{i, j, d, max(step, -step)})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.step, b.step),
			cmp.Compare(a.before, b.before), cmp.Compare(a.after, b.after))
	})
	return out
}

// distance is the share of the words of both texts that only one of them has.
func distance(a, b string) float64 {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x)+len(y) == 0 {
		return 0
	}
	count := map[string]int{}
	for _, w := range x {
		count[w]++
	}
	common := 0
	for _, w := range y {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	return 1 - 2*float64(common)/float64(len(x)+len(y))
}
