package checker

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// newGate puts the policy before the scanner. Either side may hold the skill
// whose card a file is.
func (c *check) newGate() *Gate {
	g := NewGate(c.in.Scanner, c.in.Policy.Allow, c.in.Today)
	g.Cards(func(file string) []string {
		var out []string
		for _, v := range []*view{c.head, c.base} {
			if v == nil || !v.isCard[file] {
				continue
			}
			if folder, ok := card.Folder(v.Shape.Cards, file); ok {
				out = append(out, v.skills[folder].Files...)
			}
		}
		return out
	})
	return g
}

// passed tells what the policy allows, one note for each value in a file, and,
// where everything was looked at, which rules need a person's eye.
func (c *check) passed(found []Finding) {
	found = once(found)
	seen := map[[2]string]int{}
	var first []Finding
	for _, f := range found {
		if key := [2]string{f.File, f.Fingerprint}; f.Allow != nil {
			if seen[key]++; seen[key] == 1 {
				first = append(first, f)
			}
		}
	}
	for _, f := range first {
		more := ""
		if n := seen[[2]string{f.File, f.Fingerprint}] - 1; n > 0 {
			more = fmt.Sprintf(" (and %s more)", count(n, "time"))
		}
		c.note("%s:%d%s: a secret (%s) that the policy allows until %s%s: %s", f.File, f.Line, more, f.Rule,
			f.Allow.Until, c.remaining(*f.Allow), f.Allow.Reason)
	}
	if c.in.Base == nil {
		c.reviewRules(found)
	}
}

// remaining says how long a rule holds where that is not long.
func (c *check) remaining(a Allow) string {
	switch left := int(a.Until - c.in.Today); {
	case left == 0:
		return ", which is today"
	case left <= endsSoon:
		return ", for " + count(left, "more day")
	}
	return ""
}

// elsewhere reports whether a pattern speaks of files of which the check looks at
// none, such as scripts: its rule is for scan.
func (c *check) elsewhere(pattern string) bool {
	matches := func(name string) bool { return extractor.IsMarkdown(name) && extractor.Matches(pattern, name) }
	if slices.ContainsFunc(c.head.cards, matches) {
		return false
	}
	for _, s := range c.head.skills {
		if slices.ContainsFunc(s.Files, matches) {
			return false
		}
	}
	there := false
	err := fs.WalkDir(c.head.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && extractor.Matches(pattern, name) {
			there = true
			return fs.SkipAll
		}
		return err
	})
	return err == nil && there
}

// reviewRules notes the rules that are over, cover nothing, end soon or hold too
// long. Of one that is over and covers something its finding tells.
func (c *check) reviewRules(found []Finding) {
	covers := func(a Allow) bool {
		return slices.ContainsFunc(found, func(f Finding) bool { return c.gate.Covers(a, f) })
	}
	for _, a := range c.gate.past {
		if !covers(a) {
			c.note("%s ended on %s. Remove it: cardkeeper allow --prune", a.at(), a.Until)
		}
	}
	for _, a := range c.gate.rules {
		switch {
		case !covers(a) && !c.elsewhere(a.Path):
			c.note("%s covers nothing that the check looks at; remove it", a.at())
		case a.Until-c.in.Today <= endsSoon:
			c.note("%s ends on %s%s", a.at(), a.Until, c.remaining(a))
		}
		if a.Until-c.in.Today > MaxAllowDays {
			c.note("%s ends in more than a year, on %s; give it a nearer day", a.at(), a.Until)
		}
	}
}

// at names a rule by its place.
func (a Allow) at() string {
	if a.Line == 0 {
		return fmt.Sprintf("The allow rule for %s in %s", a.Rule, a.Path)
	}
	return fmt.Sprintf("%s:%d: the allow rule for %s in %s", ConfigFile, a.Line, a.Rule, a.Path)
}

// aside says of a finding what it has to do with rules that do not count.
func (c *check) aside(f Finding) {
	if a := c.gate.Ended(f); a != nil {
		c.note("%s:%d: the rule that allowed this secret (%s) ended on %s", f.File, f.Line, f.Rule, a.Until)
	}
	own := NewGate(c.in.Scanner, c.in.HeadAllow, c.in.Today)
	own.sources = c.gate.sources
	if own.allows(f) != nil {
		c.note("%s:%d: this change brings an allow rule for this secret (%s); the rule counts once it stands on the base", f.File, f.Line, f.Rule)
	}
}

// Findings returns all that a check without a base finds, each once, those that
// the policy allows among them. Names of files in it may hold found values.
func Findings(ctx context.Context, in Input) ([]Finding, error) {
	in.Base = nil
	c := &check{in: in, report: newReport()}
	if _, err := c.look(); err != nil {
		return nil, err
	}
	c.gate = c.newGate()
	if err := c.touch(); err != nil {
		return nil, err
	}
	inFiles, indexed, err := c.scan(ctx)
	if err != nil {
		return nil, err
	}
	return once(slices.Concat(inFiles, indexed)), nil
}
