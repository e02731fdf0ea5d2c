package checker

import (
	"context"
	"fmt"
	"reflect"

	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A check is one run of [Check].
type check struct {
	in         Input
	base, head *view
	report     Report
	touched    []touched // the skills that the change answers for
}

// A touched skill is one that the change answers for, as each side has it.
type touched struct {
	path        string
	base, head  *extractor.Skill // nil where that side has no such skill
	wanted      []byte           // the card that the head's sources give
	committed   []byte           // the card that the head holds; nil for none
	baseCard    []byte           // the card that the base holds
	baseWritten []byte           // the card that the base's sources give
}

// Check compares the trees and returns the report, its texts free of secrets.
// It fails, rather than give a verdict, where anything cannot be listed, read
// or scanned to the end.
func Check(ctx context.Context, in Input) (Report, error) {
	c := &check{in: in, report: newReport()}
	if err := c.look(); err != nil {
		return Report{}, err
	}
	if in.Base != nil && !c.head.enabled() && !c.base.enabled() {
		c.report.Title = "Not switched on here"
		c.report.Notes = append(c.report.Notes, "Neither side has a card or "+ConfigFile+". Run: cardkeeper init")
		return c.report, nil
	}
	if c.base != nil && !c.base.enabled() {
		c.base = nil // the change that switches the check on answers for everything
	}
	c.report.Scanned.Skills = len(c.head.skills)
	for _, step := range []func() error{
		c.touch, c.orphans,
		func() error { return c.secrets(ctx) },
		func() error { return c.report.withhold(ctx, in.Scanner) },
	} {
		if err := step(); err != nil {
			return Report{}, err
		}
	}
	c.conclude()
	return c.report, nil
}

func (c *check) look() (err error) {
	if c.head, err = look(c.in.Head); err != nil {
		return fmt.Errorf("the head: %w", err)
	}
	if c.in.Base != nil {
		if c.base, err = look(*c.in.Base); err != nil {
			return fmt.Errorf("the base: %w", err)
		}
	}
	return nil
}

// touch reads the skills that the change answers for and judges their cards.
func (c *check) touch() error {
	reshaped := c.base != nil && !reflect.DeepEqual(c.base.Shape, c.head.Shape)
	for _, path := range paths(c.base, c.head) {
		differs, err := c.differs(path)
		if err != nil {
			return err
		}
		if !differs && !reshaped {
			c.untouched(path)
			continue
		}
		t, err := c.read(path)
		if err != nil {
			return err
		}
		if !differs && string(t.wanted) == string(t.baseWritten) {
			continue // the new shape leaves this card as it is
		}
		c.touched = append(c.touched, t)
		c.judge(t)
	}
	return nil
}

// differs reports whether a skill's files or card differ between the sides.
func (c *check) differs(path string) (bool, error) {
	if c.base == nil {
		return true, nil
	}
	a, b := "", ""
	for _, side := range []struct {
		v   *view
		sig *string
	}{{c.base, &a}, {c.head, &b}} {
		files, err := side.v.signature(side.v.skills[path])
		if err != nil {
			return false, err
		}
		cardID, err := side.v.id(card.File(side.v.Shape.Cards, path))
		if err != nil {
			return false, err
		}
		*side.sig = files + "card " + cardID
	}
	return a != b, nil
}

// untouched notes a card that was missing before and is no fault of the change.
func (c *check) untouched(path string) {
	if id, err := c.head.id(card.File(c.head.Shape.Cards, path)); err == nil && id == "" {
		c.note("%s had no card before this change either", path)
	}
}

func (c *check) note(format string, args ...any) {
	c.report.Notes = append(c.report.Notes, fmt.Sprintf(format, args...))
}

// read extracts a skill on the sides that have it.
func (c *check) read(path string) (touched, error) {
	t := touched{path: path}
	var err error
	if files, ok := c.head.skills[path]; ok {
		if t.head, err = c.extract(c.head, files); err != nil {
			return t, err
		}
		t.wanted = card.Render(t.head.Card)
		c.count(t.head)
	}
	if t.committed, err = c.head.committed(path); err != nil {
		return t, err
	}
	if c.base == nil {
		return t, nil
	}
	if files, ok := c.base.skills[path]; ok {
		if t.base, err = c.extract(c.base, files); err != nil {
			return t, err
		}
		t.baseWritten = card.Render(t.base.Card)
	}
	t.baseCard, err = c.base.committed(path)
	return t, err
}

func (c *check) extract(v *view, files extractor.SkillFiles) (*extractor.Skill, error) {
	s, err := files.Read(v.Files, v.Shape)
	if err != nil {
		return nil, err
	}
	return &s, nil
}

func (c *check) count(s *extractor.Skill) {
	c.report.Scanned.Files += s.Stats.Files
	c.report.Scanned.Bytes += s.Stats.Bytes
	c.report.Scanned.Facts += len(s.Facts) + len(s.Rest)
	for _, n := range s.Notes {
		c.note("%s", n)
	}
}

// conclude sums up.
func (c *check) conclude() {
	r := &c.report
	r.sort()
	if len(c.head.skills) == 0 {
		r.Conclusion = Failure
		c.note("No folder holds a SKILL.md that the configuration does not exclude")
	}
	for _, cr := range r.Cards {
		if cr.blocks(c.in.Policy) {
			r.Conclusion = Failure
		}
	}
	if !c.in.Policy.AllowSecrets && r.leaks() > 0 {
		r.Conclusion = Failure
	}
	r.Title = c.title()
}

// older reports whether a card of an older edition is a note only: nothing that
// the change does needs it rebuilt.
func older(v drift.Verdict, t touched) bool {
	return v.State == drift.Older && string(t.wanted) == string(t.baseWritten) && string(t.committed) == string(t.baseCard)
}
