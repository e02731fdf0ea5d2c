package checker

import (
	"fmt"

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
	v := drift.Judge(t.wanted, t.committed)
	cr := CardReport{Card: card.File(c.head.Shape.Cards, t.path), Skill: t.path, State: v.State, Reason: v.Reason}
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
		cr.Reason = "new card"
	} else {
		cr.Reason = "card rebuilt"
	}
	c.report.Updated = append(c.report.Updated, cr)
}

// gone handles a skill that the head does not have any more.
func (c *check) gone(t touched) {
	hidden := c.base.skills[t.path].Main
	still, err := exists(c.head.Files, hidden)
	cr := CardReport{Card: card.File(c.head.Shape.Cards, t.path), Skill: t.path, State: drift.Orphan, Reason: orphanReason}
	cr.fill(drift.Compare(statements(t.base), nil))
	if err == nil && still {
		cr.Reason = fmt.Sprintf("The changed excludes hide this skill: %s is still there and its card would go", hidden)
	}
	if t.committed == nil {
		if err == nil && still {
			c.note("%s: %s", t.path, cr.Reason)
		} else {
			cr.Reason = "skill removed"
		}
		cr.State = drift.Fresh
		c.report.Updated = append(c.report.Updated, cr)
		return
	}
	c.report.Cards = append(c.report.Cards, cr)
}

const orphanReason = "The card's skill is not there any more. Run: cardkeeper build"

// orphans reports cards without a skill that the change causes; others are notes.
func (c *check) orphans() error {
	seen := map[string]bool{}
	for _, cr := range c.report.Cards {
		seen[cr.Card] = true
	}
	for _, file := range c.head.cards {
		folder, _ := card.Folder(c.head.Shape.Cards, file)
		if _, ok := c.head.skills[folder]; ok || seen[file] {
			continue
		}
		b, err := readIf(c.head.Files, file)
		if err != nil {
			return err
		}
		switch {
		case !Marked(b):
			c.note("%s stands among the cards and is none; it was left alone", file)
		case c.wasOrphan(file, folder):
			c.note("%s had no skill before this change either; cardkeeper build removes it", file)
		default:
			cr := CardReport{Card: file, Skill: folder, State: drift.Orphan, Reason: orphanReason}
			cr.fill(drift.Diff{})
			c.report.Cards = append(c.report.Cards, cr)
		}
	}
	return nil
}

// wasOrphan reports whether the base holds the same orphan.
func (c *check) wasOrphan(file, folder string) bool {
	if c.base == nil {
		return false
	}
	_, skill := c.base.skills[folder]
	ok, err := exists(c.base.Files, file)
	return err == nil && ok && !skill
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
