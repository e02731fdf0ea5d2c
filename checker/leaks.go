package checker

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

// secrets scans what the change brings into the index: each changed Markdown
// file of the head, whole and raw; every new fact and file name; cards edited by
// hand. A value that the base holds already is a note.
func (c *check) secrets(ctx context.Context) error {
	inFiles, indexed, err := c.scan(ctx)
	if err != nil {
		return err
	}
	return c.sift(ctx, inFiles, indexed)
}

// scan returns what the change holds: in its changed files as they are, and in
// what enters the index.
func (c *check) scan(ctx context.Context) (inFiles, indexed []Finding, err error) {
	files, err := c.changedMarkdown()
	if err != nil {
		return nil, nil, err
	}
	c.brought = len(files) > 0
	if inFiles, err = scanFiles(ctx, c.gate, c.head.Files, files); err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		if _, err := c.scannedBefore(c.head, file); err != nil {
			return nil, nil, err
		}
	}
	asked, err := c.newQuestions(ctx)
	if err != nil {
		return nil, nil, err
	}
	inFiles = append(inFiles, asked...)
	for _, t := range c.touched {
		more, err := c.newText(ctx, t)
		if err != nil {
			return nil, nil, err
		}
		indexed = append(indexed, more...)
	}
	return inFiles, indexed, nil
}

// changedMarkdown lists the Markdown files that the head adds, changes or newly
// indexes in anything that either side's shape counts as a skill, and those
// among the cards that are no skill's card.
func (c *check) changedMarkdown() ([]string, error) {
	var out []string
	add := func(path string, files []string) error {
		for _, file := range files {
			changed, err := c.changed(path, file)
			if err != nil {
				return err
			}
			if changed && extractor.IsMarkdown(file) {
				out = append(out, file)
			}
		}
		return nil
	}
	for _, skills := range []map[string]extractor.SkillFiles{c.head.skills, c.asBase} {
		for path, s := range skills {
			if err := add(path, s.Files); err != nil {
				return nil, err
			}
		}
	}
	if err := add("", c.head.strays()); err != nil {
		return nil, err
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// changed reports whether a file is new or other than at the base. A file that
// was there and in no skill, or in another one, is new to this one. No path
// stands for the cards folder.
func (c *check) changed(path, file string) (bool, error) {
	if c.base == nil {
		return true, nil
	}
	known := c.base.isCard[file]
	if path != "" {
		_, known = slices.BinarySearch(c.base.skills[path].Files, file)
	}
	if !known {
		return true, nil
	}
	before, err := c.base.id(file)
	if err != nil {
		return false, err
	}
	after, err := c.head.id(file)
	return before != after, err
}

func scanFiles(ctx context.Context, s Scanner, files fs.FS, names []string) ([]Finding, error) {
	var out []Finding
	for _, name := range names {
		found, err := ScanFile(ctx, s, files, name)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
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
	found, err := ScanText(ctx, s, name, string(b))
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", name, err)
	}
	return found, nil
}

// SkillFindings scans all that a skill brings into the index and returns what it
// finds, each once.
func SkillFindings(ctx context.Context, s Scanner, files fs.FS, of extractor.SkillFiles, skill extractor.Skill) ([]Finding, error) {
	inFiles, indexed, err := scanSkill(ctx, s, files, of, skill)
	return once(slices.Concat(inFiles, indexed)), err
}

// SkillLeaks are those findings of a skill that keep its card from being written.
func SkillLeaks(ctx context.Context, s Scanner, files fs.FS, of extractor.SkillFiles, skill extractor.Skill) ([]Finding, error) {
	found, err := SkillFindings(ctx, s, files, of, skill)
	return slices.DeleteFunc(found, func(f Finding) bool { return !f.Leaks() }), err
}

// scanSkill scans a skill's Markdown whole and raw, and apart from it what
// enters the index: its facts and its file names.
func scanSkill(ctx context.Context, s Scanner, files fs.FS, of extractor.SkillFiles, skill extractor.Skill) (inFiles, indexed []Finding, err error) {
	sources := of.Sources()
	markdown := slices.DeleteFunc(slices.Clone(sources), func(file string) bool { return !extractor.IsMarkdown(file) })
	if inFiles, err = scanFiles(ctx, s, files, markdown); err != nil {
		return nil, nil, err
	}
	facts, err := ScanFacts(ctx, s, slices.Concat(skill.Facts, skill.Rest))
	if err != nil {
		return nil, nil, err
	}
	names, err := scanNames(ctx, s, sources)
	return inFiles, slices.Concat(facts, names), err
}

func finding(f secret.Finding, file string, first, last int) Finding {
	return Finding{Rule: f.Rule, Tier: f.Tier, File: file, Line: first, End: last, Fingerprint: f.Fingerprint}
}

// newText scans the facts and file names that a skill gains (a fact joins lines
// that stand apart in the file) and a card that is neither what the sources give
// nor what the base holds.
func (c *check) newText(ctx context.Context, t touched) ([]Finding, error) {
	var out []Finding
	if t.head != nil {
		facts, err := ScanFacts(ctx, c.gate, newFacts(t))
		if err != nil {
			return nil, err
		}
		names, err := scanNames(ctx, c.gate, c.newNames(t.path))
		if err != nil {
			return nil, err
		}
		out = append(facts, names...)
	}
	if t.committed == nil || string(t.committed) == string(t.wanted) || string(t.committed) == string(t.baseCard) {
		return out, nil
	}
	found, err := ScanFile(ctx, c.gate, c.head.Files, card.File(c.head.Shape.Cards, t.path))
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

// newNames lists the sources of a skill whose names its card did not hold.
func (c *check) newNames(path string) []string {
	names := c.head.skills[path].Sources()
	if c.base == nil {
		return names
	}
	return slices.DeleteFunc(names, func(file string) bool {
		_, old := slices.BinarySearch(c.base.skills[path].Files, file)
		return old
	})
}
