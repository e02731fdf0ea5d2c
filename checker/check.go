package checker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A check is one run of [Check].
type check struct {
	in         Input
	gate       *Gate // the scanner under the policy; what is scanned goes through it
	base, head *view
	asBase     map[string]extractor.SkillFiles // the head's skills, as the base's shape has them
	report     Report
	touched    []touched              // the skills that the change answers for
	brought    bool                   // it changes Markdown that is scanned, such as a stray card
	scanned    map[string]bool        // contents that were scanned whole, by id
	papers     *papers                // the files of questions; nil where none is asked
	facts      map[string][]card.Fact // of skills that were read for questions, by content
	turned     int                    // answers that are lost once the change's rules count
	marked     int                    // marks for other scanners that the change adds
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
	ctx = secret.Remember(ctx) // what is found anywhere is withheld everywhere
	c := &check{in: in, report: newReport(), facts: map[string][]card.Fact{}}
	if on, err := c.look(); err != nil {
		return Report{}, err
	} else if !on {
		c.report.Title = "Not switched on here"
		c.report.Notes = append(c.report.Notes, "Neither side has a card or "+ConfigFile+". Run: cardkeeper init")
		return c.report, nil
	}
	c.report.policy, c.report.folder = in.Policy, in.Head.Shape.Cards
	c.report.today, c.report.unsalted = in.Today, in.Unsalted
	c.gate = c.newGate()
	c.report.Scanned.Skills = len(c.head.skills)
	c.layoutNotes()
	for _, step := range []func() error{
		c.touch, c.orphans, c.renames,
		func() error { c.references(); return nil },
		func() error { return c.readPapers(ctx) },
		func() error { return c.secrets(ctx) },
		c.marks,
		func() error { return c.questions(ctx) },
		func() error { c.coming(); return nil },
		func() error { return c.quoted(ctx) },
		func() error { return c.mend(ctx) },
		func() error { return c.gate.withhold(ctx, c.report.slots()) },
	} {
		if err := step(); err != nil {
			return Report{}, err
		}
	}
	c.conclude()
	return c.report, nil
}

// look lists both sides and reports whether the check is switched on. The change
// that switches it on answers for everything, as if there were no base.
func (c *check) look() (on bool, err error) {
	if c.head, err = look(c.in.Head); err != nil {
		return false, fmt.Errorf("the head: %w", err)
	}
	if c.in.Base == nil {
		return true, nil
	}
	if c.base, err = look(*c.in.Base); err != nil {
		return false, fmt.Errorf("the base: %w", err)
	}
	if !c.head.enabled() && !c.base.enabled() {
		return false, nil
	}
	other, err := extractor.Discover(c.in.Head.Files, c.in.Base.Shape)
	if err != nil && !errors.Is(err, extractor.ErrCollision) {
		return false, fmt.Errorf("the head, as the base's configuration sees it: %w", err)
	}
	c.asBase = byPath(other)
	if !c.base.enabled() {
		c.base = nil
	}
	return true, nil
}

// layoutNotes names what stands in skills and is not followed, such as
// symbolic links, unless the base has it too.
func (c *check) layoutNotes() {
	known := map[extractor.Note]bool{}
	if c.base != nil {
		for _, n := range c.base.layout.Notes {
			known[n] = true
		}
	}
	for _, n := range c.head.layout.Notes {
		if !known[n] {
			c.note("%s", n)
		}
	}
	if c.head.clash != nil {
		c.note("%s", c.head.clash)
	}
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
			if !c.head.isCard[card.File(c.head.Shape.Cards, path)] {
				c.note("%s had no card before this change either", path)
			}
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
		cardID, err := side.v.cardID(path)
		if err != nil {
			return false, err
		}
		*side.sig = files + "card " + cardID
	}
	return a != b, nil
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
		t.wanted = c.render(t.head.Card)
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
		t.baseWritten = c.render(t.base.Card)
	}
	t.baseCard, err = c.base.committed(path)
	return t, err
}

// render writes a card in the edition of the build.
func (c *check) render(of card.Card) []byte {
	b := card.Render(of)
	if c.in.edition == 0 {
		return b
	}
	_, rest, _ := bytes.Cut(b, []byte("\n"))
	return append([]byte(fmt.Sprintf("<!-- cardkeeper edition %d -->\n", c.in.edition)), rest...)
}

func (c *check) extract(v *view, files extractor.SkillFiles) (*extractor.Skill, error) {
	read := c.in.Read
	if read == nil {
		read = extractor.SkillFiles.Read
	}
	s, err := read(files, v.Files, v.Shape)
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
	if c.head.clash != nil {
		r.Conclusion = Failure
	}
	for _, cr := range r.Cards {
		if cr.blocks(c.in.Policy) {
			r.Conclusion = Failure
		}
	}
	if c.in.Policy.BlockReferences && len(r.References) > 0 {
		r.Conclusion = Failure
	}
	if !c.in.Policy.AllowSecrets && r.leaks()+r.withheldValues() > 0 {
		r.Conclusion = Failure
	}
	if c.in.Policy.BlockQuestions && (r.lost() > 0 || r.unasked() != "") {
		r.Conclusion = Failure
	}
	if r.Unlooked, r.configured = c.blind(), c.head.config; r.Unlooked != "" {
		r.Conclusion = Failure
	}
	r.Title = c.title()
}

// older reports whether a card of an older edition is a note only: nothing that
// the change does needs it rebuilt.
func older(v drift.Verdict, t touched) bool {
	return v.State == drift.Older && string(t.wanted) == string(t.baseWritten) && string(t.committed) == string(t.baseCard)
}
