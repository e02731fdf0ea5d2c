package checker

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// sift reports each finding once. What the base holds already is no fault of
// the change and becomes a note.
func (c *check) sift(ctx context.Context, found []Finding) error {
	if len(found) == 0 {
		return nil
	}
	known, err := c.known(ctx)
	if err != nil {
		return err
	}
	for _, f := range once(found) {
		if known[f.Fingerprint] {
			c.note("%s:%d: a secret (%s) that the base holds already; rotate it, then remove it", f.File, f.Line, f.Rule)
			continue
		}
		c.report.Secrets = append(c.report.Secrets, f)
	}
	return nil
}

// known returns the fingerprints of all that the touched skills hold at the base.
func (c *check) known(ctx context.Context) (map[string]bool, error) {
	out := map[string]bool{}
	if c.base == nil {
		return out, nil
	}
	for _, t := range c.touched {
		if t.base == nil {
			continue
		}
		found, err := scanSkill(ctx, c.in.Scanner, c.base.Files, c.base.skills[t.path], *t.base)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			out[f.Fingerprint] = true
		}
	}
	return out, nil
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

// leaks counts the findings that block.
func (r Report) leaks() int {
	n := 0
	for _, f := range r.Secrets {
		if f.Tier == secret.Block {
			n++
		}
	}
	return n
}
