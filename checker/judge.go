package checker

import (
	"cmp"
	"fmt"
	"io/fs"

	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// judge compares a touched skill's card and adds what is to say of it.
func (c *check) judge(t touched) {
	if t.head == nil {
		c.gone(t)
		return
	}
	v := drift.JudgeAs(cmp.Or(c.in.edition, card.Edition), t.wanted, t.committed)
	cr := newCardReport(card.File(c.head.Shape.Cards, t.path), t.path, v.State, v.Reason)
	switch {
	case v.State == drift.Fresh:
		if string(t.wanted) != string(t.baseWritten) || string(t.baseCard) != string(t.committed) {
			cr.fill(drift.Compare(statements(t.base), statements(t.head)))
			c.updated(cr, t)
		} else if c.base != nil {
			c.note("%s: its files changed and its card says the same; no answer changes", t.path)
		}
		return
	case c.in.Base == nil && v.State == drift.Older, older(v, t):
		c.note("%s is of an older edition; it is renewed with the next change of its skill, or by: cardkeeper build --all", cr.Card)
		return
	case v.State == drift.Missing:
		cr.fill(drift.Compare(nil, statements(t.head)))
	case v.Old != nil || v.Title != "":
		cr.fill(drift.Compare(placed(v.Old, t), statements(t.head)))
		cr.titles(v, t.head.Card)
		if c.base == nil {
			cr.unknown()
		}
	}
	c.report.Cards = append(c.report.Cards, cr)
}

// updated keeps a fresh card that the change brings along, unless nothing in
// it differs. Without a base there is no change to tell.
func (c *check) updated(cr CardReport, t touched) {
	if c.base == nil {
		return
	}
	if t.baseCard == nil {
		cr.Reason = newReason
	} else {
		cr.Reason = "card rebuilt"
	}
	c.report.Updated = append(c.report.Updated, cr)
}

// gone handles a skill that the head does not have any more, or hides.
func (c *check) gone(t touched) {
	cr := newCardReport(card.File(c.head.Shape.Cards, t.path), t.path, drift.Orphan, orphanReason)
	cr.fill(drift.Compare(statements(t.base), nil))
	hidden := c.asBase[t.path].Main != ""
	if hidden {
		cr.Reason = hiddenReason
	}
	if t.committed != nil {
		c.report.Cards = append(c.report.Cards, cr)
		return
	}
	cr.State = drift.Fresh
	if hidden {
		c.note("%s: %s", t.path, hiddenReason)
	} else {
		cr.Reason = removedReason
	}
	c.report.Updated = append(c.report.Updated, cr)
}

const (
	orphanReason  = "The card's skill is not there any more. Run: cardkeeper build"
	hiddenReason  = "The changed configuration hides this skill, whose SKILL.md is still there; its card goes"
	removedReason = "skill removed"
	newReason     = "new card"
)

// orphans reports cards without a skill that the change causes; others are notes.
func (c *check) orphans() error {
	seen := map[string]bool{}
	for _, cr := range c.report.Cards {
		seen[cr.Card] = true
	}
	for _, file := range c.head.strays() {
		if seen[file] {
			continue
		}
		b, err := fs.ReadFile(c.head.Files, file)
		if err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
		folder, _ := card.Folder(c.head.Shape.Cards, file)
		before, err := c.strayed(file, folder)
		if err != nil {
			return err
		}
		switch {
		case !Marked(b) && before:
		case !Marked(b):
			c.note("%s stands among the cards and is none; it was left alone", file)
		case before:
			c.note("%s had no skill before this change either; cardkeeper build removes it", file)
		default:
			c.report.Cards = append(c.report.Cards, newCardReport(file, folder, drift.Orphan, orphanReason))
		}
	}
	return c.leftBehind()
}

// strayed reports whether the base holds the same file, and for no skill
// either. The same name is not enough: Markdown that was left alone could be
// turned into a card of nothing.
func (c *check) strayed(file, folder string) (bool, error) {
	if c.base == nil || !c.base.isCard[file] || c.base.skills[folder].Main != "" {
		return false, nil
	}
	before, err := c.base.id(file)
	if err != nil {
		return false, err
	}
	after, err := c.head.id(file)
	return before == after, err
}

// leftBehind notes cards that stay in a folder that the head's configuration
// does not name any more. It goes by names: nothing there is read.
func (c *check) leftBehind() error {
	if c.base == nil || c.base.Shape.Cards == c.head.Shape.Cards {
		return nil
	}
	files, err := CardFiles(c.head.Files, c.base.Shape.Cards)
	if err != nil {
		return err
	}
	n := 0
	for _, file := range files {
		if c.base.isCard[file] && !c.head.isCard[file] {
			n++
		}
	}
	if n > 0 {
		c.note("%s stayed in the former cards folder %s; remove what the new folder replaces", count(n, "file"), c.base.Shape.Cards)
	}
	return nil
}

// statements returns a skill's facts with their places; nil for no skill.
func statements(s *extractor.Skill) []drift.Statement {
	if s == nil {
		return nil
	}
	out := make([]drift.Statement, 0, len(s.Facts))
	for _, f := range s.Facts {
		out = append(out, drift.Statement{Entry: f.Entry(), Places: f.Places()})
	}
	return out
}

// placed gives the entries of a committed card the places that they have at the
// base, or without a base none.
func placed(entries []card.Entry, t touched) []drift.Statement {
	at := map[string][]card.Place{}
	for _, s := range statements(t.base) {
		at[s.Entry.Identity()] = s.Places
	}
	out := make([]drift.Statement, 0, len(entries))
	for _, e := range entries {
		out = append(out, drift.Statement{Entry: e, Places: at[e.Identity()]})
	}
	return out
}

// newCardReport starts the report of a card, with empty lists rather than null in JSON.
func newCardReport(file, skill string, state drift.State, reason string) CardReport {
	cr := CardReport{Card: file, Skill: skill, State: state, Reason: reason}
	cr.fill(drift.Diff{})
	return cr
}

// fill writes a diff into the report of a card.
func (cr *CardReport) fill(d drift.Diff) {
	cr.Added = factsOf(d.Added, "")
	cr.Removed = factsOf(d.Removed, "base")
	cr.Changed = pairsOf(d.Changed, "base")
	cr.Moved = pairsOf(d.Moved, "base")
	cr.Renumbered = pairsOf(d.Renumbered, "base")
}

// titles adds a sentence where the card's head differs.
func (cr *CardReport) titles(v drift.Verdict, c card.Card) {
	if v.Title != c.Title {
		cr.Reason += ". Its title differs"
	}
	if v.About != c.Description {
		cr.Reason += ". Its description differs"
	}
}

// unknown says of statements without a place what can be said without a base.
func (cr *CardReport) unknown() {
	each := func(f *Fact) {
		if f.Note == neverHeld {
			f.Note = notHeld
		}
	}
	for i := range cr.Removed {
		each(&cr.Removed[i])
	}
	for _, pairs := range [][]Pair{cr.Changed, cr.Moved, cr.Renumbered} {
		for i := range pairs {
			each(&pairs[i].Old)
		}
	}
}
