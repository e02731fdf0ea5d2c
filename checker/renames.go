package checker

import (
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/extractor"
)

const movedReason = "skill moved"

// renames tells a skill that went from one folder to another, with all it says,
// as one moved card rather than as one removed and one new.
func (c *check) renames() error {
	gone := map[string]string{} // what a skill says, to its folder
	for _, t := range c.touched {
		if t.head == nil && len(t.base.Facts) > 0 {
			gone[saying(t.base)] = t.path
		}
	}
	updated := &c.report.Updated
	for _, t := range c.touched {
		if t.base != nil || t.head == nil {
			continue
		}
		from, was := gone[saying(t.head)]
		old, now := indexOf(*updated, from, removedReason), indexOf(*updated, t.path, newReason)
		if !was || old < 0 || now < 0 {
			continue
		}
		cr := &(*updated)[now]
		cr.Reason, cr.from = movedReason, (*updated)[old].Card
		cr.fill(drift.Diff{})
		*updated = slices.Delete(*updated, old, old+1)
		delete(gone, saying(t.head))
	}
	return nil
}

func indexOf(cards []CardReport, skill, reason string) int {
	return slices.IndexFunc(cards, func(c CardReport) bool { return c.Skill == skill && c.Reason == reason })
}

// saying is the same for two skills with equal statements.
func saying(s *extractor.Skill) string {
	var b strings.Builder
	for _, f := range s.Facts {
		b.WriteString(f.Entry().Identity())
	}
	return b.String()
}
