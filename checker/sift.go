package checker

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
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

// known returns the fingerprints in the base's version of the touched skills.
func (c *check) known(ctx context.Context) (map[string]bool, error) {
	out := map[string]bool{}
	if c.base == nil {
		return out, nil
	}
	for _, t := range c.touched {
		for _, file := range c.base.skills[t.path].Files {
			if !extractor.IsMarkdown(file) {
				continue
			}
			found, err := ScanFile(ctx, c.in.Scanner, c.base.Files, file)
			if err != nil {
				return nil, err
			}
			for _, f := range found {
				out[f.Fingerprint] = true
			}
		}
	}
	return out, nil
}

// once sorts findings and keeps one of each value and place. A finding in a fact
// whose lines hold the same value in the raw file says nothing new.
func once(found []Finding) []Finding {
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.End-b.End, strings.Compare(a.Rule, b.Rule), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
	var out []Finding
	for _, f := range found {
		if !slices.ContainsFunc(out, func(o Finding) bool {
			return o.File == f.File && o.Fingerprint == f.Fingerprint && o.Line <= f.End && f.Line <= o.End
		}) {
			out = append(out, f)
		}
	}
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
