package checker

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

// secrets scans what the change brings into the index: each changed Markdown
// file of the head, whole and raw; every new fact; cards edited by hand. A
// value that the base holds already is a note.
func (c *check) secrets(ctx context.Context) error {
	files, err := c.changedMarkdown()
	if err != nil {
		return err
	}
	var found []Finding
	for _, file := range files {
		more, err := ScanFile(ctx, c.in.Scanner, c.head.Files, file)
		if err != nil {
			return err
		}
		found = append(found, more...)
	}
	for _, t := range c.touched {
		more, err := c.newText(ctx, t)
		if err != nil {
			return err
		}
		found = append(found, more...)
	}
	return c.sift(ctx, found)
}

// changedMarkdown lists the Markdown files that the head adds or changes in
// anything that either side's shape counts as a skill.
func (c *check) changedMarkdown() ([]string, error) {
	layouts := []extractor.Layout{c.head.layout}
	if c.in.Base != nil {
		other, err := extractor.Discover(c.head.Files, c.in.Base.Shape)
		if err != nil {
			return nil, fmt.Errorf("the head, as the base's configuration sees it: %w", err)
		}
		layouts = append(layouts, other)
	}
	var out []string
	for _, l := range layouts {
		for _, s := range l.Skills {
			for _, file := range s.Files {
				changed, err := c.changed(file)
				if err != nil {
					return nil, err
				}
				if changed && extractor.IsMarkdown(file) {
					out = append(out, file)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func (c *check) changed(file string) (bool, error) {
	if c.base == nil {
		return true, nil
	}
	before, err := c.base.id(file)
	if err != nil {
		return false, err
	}
	after, err := c.head.id(file)
	return before != after, err
}

// ScanFile scans one Markdown file, whole and raw. A file that is never
// indexed, because it is too large or no text, is not scanned.
func ScanFile(ctx context.Context, s Scanner, files fs.FS, name string) ([]Finding, error) {
	b, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(b) > markdown.MaxBytes || slices.Contains(b, 0) {
		return nil, nil
	}
	found, err := s.Scan(ctx, string(b))
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", name, err)
	}
	out := make([]Finding, 0, len(found))
	for _, f := range found {
		out = append(out, finding(f, name, f.First, f.Last))
	}
	return out, nil
}

// SkillLeaks scans all that a skill brings into the index and returns what blocks.
func SkillLeaks(ctx context.Context, s Scanner, files fs.FS, of extractor.SkillFiles, skill extractor.Skill) ([]Finding, error) {
	var found []Finding
	for _, file := range of.Files {
		if extractor.IsMarkdown(file) {
			more, err := ScanFile(ctx, s, files, file)
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
	}
	more, err := ScanFacts(ctx, s, slices.Concat(skill.Facts, skill.Rest))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(once(append(found, more...)), func(f Finding) bool { return f.Tier != secret.Block }), nil
}

func finding(f secret.Finding, file string, first, last int) Finding {
	return Finding{Rule: f.Rule, Tier: f.Tier, File: file, Line: first, End: last, Fingerprint: f.Fingerprint}
}

// newText scans the facts that a skill gains, which join wrapped lines, and a
// card that is neither what the sources give nor what the base holds.
func (c *check) newText(ctx context.Context, t touched) ([]Finding, error) {
	var out []Finding
	if t.head != nil {
		found, err := ScanFacts(ctx, c.in.Scanner, newFacts(t))
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	if t.committed != nil && string(t.committed) != string(t.wanted) && string(t.committed) != string(t.baseCard) {
		return scanInto(ctx, c, t, out)
	}
	return out, nil
}

func scanInto(ctx context.Context, c *check, t touched, out []Finding) ([]Finding, error) {
	found, err := ScanFile(ctx, c.in.Scanner, c.head.Files, card.File(c.head.Shape.Cards, t.path))
	return append(out, found...), err
}

func newFacts(t touched) []card.Fact {
	old := map[string]bool{}
	if t.base != nil {
		for _, f := range slices.Concat(t.base.Facts, t.base.Rest) {
			old[f.Entry().Identity()] = true
		}
	}
	return slices.DeleteFunc(slices.Concat(t.head.Facts, t.head.Rest), func(f card.Fact) bool { return old[f.Entry().Identity()] })
}

// scanChunk is how much text is scanned at once, in bytes: a quarter of what
// the scanner takes, since its time grows faster than the text.
const scanChunk = 1 << 20

// ScanFacts scans facts as they stand in the index, one a line. A finding is at the fact's first place.
func ScanFacts(ctx context.Context, s Scanner, facts []card.Fact) ([]Finding, error) {
	var out []Finding
	for len(facts) > 0 {
		var text strings.Builder
		var at []card.Place
		n := 0
		for ; n < len(facts) && text.Len() < scanChunk; n++ {
			line := facts[n].Entry().Text
			text.WriteString(line + "\n")
			for range strings.Count(line, "\n") + 1 {
				at = append(at, facts[n].Places()[0])
			}
		}
		found, err := s.Scan(ctx, text.String())
		if err != nil {
			return nil, fmt.Errorf("scan the facts of %s: %w", facts[0].Places()[0].File, err)
		}
		for _, f := range found {
			p := at[min(f.First, len(at))-1]
			out = append(out, finding(f, p.File, p.First, p.Last))
		}
		facts = facts[n:]
	}
	return out, nil
}
