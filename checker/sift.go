package checker

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// sift reports each finding once. What the base holds already is no fault of
// the change and becomes a note: for a finding in a file, anywhere in the touched skills'
// files; for one in a new fact, card or name, only in what the base's index
// holds. A value that stood in a comment and now stands in a sentence enters the index.
func (c *check) sift(ctx context.Context, inFiles, indexed []Finding) error {
	c.passed(slices.Concat(inFiles, indexed))
	inFiles, indexed = standing(inFiles), standing(indexed)
	if len(inFiles)+len(indexed) == 0 {
		return nil
	}
	raw, held, err := c.known(ctx)
	if err != nil {
		return err
	}
	var fresh, old []Finding
	sort := func(f Finding, isNew bool) {
		if isNew {
			fresh = append(fresh, f)
		} else {
			old = append(old, f)
		}
	}
	gained := c.gained()
	for _, f := range inFiles {
		// A value whose name stands in another fact is found in the file alone.
		sort(f, !raw[f.Fingerprint] || !held[f.Fingerprint] && gained.meets(f))
	}
	for _, f := range indexed {
		sort(f, !held[f.Fingerprint])
	}
	c.report.Secrets = append(c.report.Secrets, once(fresh)...)
	told := map[string]bool{}
	for _, f := range c.report.Secrets {
		told[f.File+f.Fingerprint] = true
		c.aside(f)
	}
	for _, f := range once(old) {
		if !told[f.File+f.Fingerprint] {
			c.note("%s:%d: %s", f.File, f.Line, inBase(f))
			c.aside(f)
		}
	}
	return nil
}

// known returns the fingerprints of what the touched skills hold at the base:
// of all their Markdown, and of what their cards and facts hold.
func (c *check) known(ctx context.Context) (raw, held map[string]bool, err error) {
	raw, held = map[string]bool{}, map[string]bool{}
	if c.base == nil {
		return raw, held, nil
	}
	if c.papers != nil {
		asked, err := c.papers.base.scan(ctx, c.gate)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range standing(asked) {
			raw[f.Fingerprint], held[f.Fingerprint] = true, true
		}
	}
	for _, t := range c.touched {
		if t.base == nil {
			continue
		}
		files, indexed, err := scanSkill(ctx, c.gate, c.base.Files, c.base.skills[t.path], *t.base)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range standing(indexed) { // what a rule allows in one file is new to any other
			raw[f.Fingerprint], held[f.Fingerprint] = true, true
		}
		lines := linesOf(t.base.Facts, t.base.Rest)
		for _, f := range standing(files) {
			raw[f.Fingerprint] = true
			held[f.Fingerprint] = held[f.Fingerprint] || lines.meets(f)
		}
	}
	return raw, held, nil
}

// A lineSet is lines by file, from first to last.
type lineSet map[string][][2]int

func linesOf(facts ...[]card.Fact) lineSet {
	out := lineSet{}
	for _, f := range slices.Concat(facts...) {
		for _, p := range f.Places() {
			out[p.File] = append(out[p.File], [2]int{p.First, p.Last})
		}
	}
	return out
}

// meets reports whether a finding stands on one of the lines.
func (s lineSet) meets(f Finding) bool {
	return slices.ContainsFunc(s[f.File], func(l [2]int) bool { return l[0] <= f.End && f.Line <= l[1] })
}

// gained are the lines of the facts that the change brings.
func (c *check) gained() lineSet {
	var facts []card.Fact
	for _, t := range c.touched {
		if t.head != nil {
			facts = append(facts, newFacts(t)...)
		}
	}
	return linesOf(facts)
}

// once sorts findings and keeps one of each value and place, the closest: a
// finding in a fact whose lines hold the same value in the raw file says nothing new.
func once(found []Finding) []Finding {
	byPlace := func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.End-b.End, strings.Compare(a.Rule, b.Rule), strings.Compare(a.Fingerprint, b.Fingerprint))
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Or((a.End-a.Line)-(b.End-b.Line), byPlace(a, b)) })
	kept := map[[2]string][]Finding{}
	var out []Finding
	for _, f := range found {
		key := [2]string{f.File, f.Fingerprint}
		if !slices.ContainsFunc(kept[key], func(o Finding) bool { return o.Line <= f.End && f.Line <= o.End }) {
			kept[key] = append(kept[key], f)
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, byPlace)
	return out
}

// leaks counts the secrets that block.
func (r Report) leaks() int {
	n := 0
	for _, f := range r.Secrets {
		if f.Leaks() && !f.Withheld() {
			n++
		}
	}
	return n
}
