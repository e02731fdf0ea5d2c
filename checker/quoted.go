package checker

import (
	"context"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// quoted scans what the report quotes from, each file whole: the statement alone
// does not always tell that it is a secret. Nothing is reported here; what is
// found is remembered, and withheld from every text of the report.
func (c *check) quoted(ctx context.Context) error {
	if err := c.quotedCards(ctx); err != nil {
		return err
	}
	for _, side := range []struct {
		v   *view
		rev string
	}{{c.head, ""}, {c.base, "base"}} {
		if side.v == nil {
			continue
		}
		if err := c.scanQuoted(ctx, side.v, unique(c.report.sources(side.rev))); err != nil {
			return err
		}
	}
	return nil
}

// scanQuoted scans the Markdown among the files that was not scanned yet.
func (c *check) scanQuoted(ctx context.Context, v *view, files []string) error {
	for _, file := range files {
		if !extractor.IsMarkdown(file) {
			continue
		}
		known, err := c.scannedBefore(v, file)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		if _, err := ScanFile(ctx, c.in.Scanner, v.Files, file); err != nil {
			return err
		}
	}
	return nil
}

// scannedBefore reports whether a file's content was scanned, and counts it as
// scanned from now on. It goes by content: what both sides hold is scanned once.
func (c *check) scannedBefore(v *view, file string) (bool, error) {
	id, err := v.id(file)
	if err != nil {
		return false, err
	}
	if c.scanned == nil {
		c.scanned = map[string]bool{}
	}
	known := c.scanned[id]
	c.scanned[id] = true
	return known, nil
}

// quotedCards scans the committed cards that differ from what their sources give:
// their statements stand in the report.
func (c *check) quotedCards(ctx context.Context) error {
	for _, t := range c.touched {
		if t.committed == nil || string(t.committed) == string(t.wanted) {
			continue
		}
		if _, err := ScanFile(ctx, c.in.Scanner, c.head.Files, card.File(c.head.Shape.Cards, t.path)); err != nil {
			return err
		}
	}
	return nil
}

// sources lists the files of a side that the report quotes: rev is "base", or ""
// for the head.
func (r *Report) sources(rev string) (files []string) {
	each := func(all ...Fact) {
		for _, f := range all {
			for _, p := range f.Places {
				if p.Rev == rev {
					files = append(files, p.File)
				}
			}
		}
	}
	for _, cards := range [][]CardReport{r.Cards, r.Updated} {
		for _, cr := range cards {
			each(cr.Added...)
			each(cr.Removed...)
			for _, pairs := range [][]Pair{cr.Changed, cr.Moved, cr.Renumbered} {
				for _, p := range pairs {
					each(p.Old, p.New)
				}
			}
		}
	}
	for _, ref := range r.References {
		if rev == "" {
			files = append(files, ref.File)
		}
	}
	return files
}
