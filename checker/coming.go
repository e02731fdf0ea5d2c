package checker

import (
	"fmt"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// coming says what of the change's own policy counts only once it stands on the base (law 7).
// No name and no marker is repeated.
func (c *check) coming() {
	if c.rulesTurn() {
		var parts []string
		for _, list := range []struct {
			key, noun string
			now, then []string
		}{
			{"ask.never", "name", c.in.Rules.Never, c.in.RulesAfter.Never},
			{"ask.markers", "marker", c.in.Rules.Markers, c.in.RulesAfter.Markers},
		} {
			if n := len(answer.Fewer(list.then, list.now)); n > 0 {
				parts = append(parts, list.key+" gains "+count(n, list.noun))
			}
			if n := len(answer.Fewer(list.now, list.then)); n > 0 {
				parts = append(parts, list.key+" loses "+count(n, list.noun))
			}
		}
		text := strings.Join(parts, ", ") + ": that counts once it stands on the base"
		if c.turned > 0 {
			text += fmt.Sprintf("; %s of the suite will have lost the right answer then", count(c.turned, "question"))
		}
		c.soon(text)
	}
	if p := c.in.HeadPolicy; p != nil && c.base != nil && p.questions() != c.in.Policy.questions() {
		c.soon(fmt.Sprintf("The change sets policy.questions to %s, which counts once it stands on the base; this check goes by the base, which says %s", p.questions(), c.in.Policy.questions()))
	}
}

// soon is a note on what counts later.
func (c *check) soon(text string) {
	c.report.Notes, c.report.coming = append(c.report.Notes, text), append(c.report.coming, text)
}

// questions is how the configuration writes what is done about questions.
func (p Policy) questions() string {
	switch {
	case p.NoQuestions:
		return "off"
	case p.BlockQuestions:
		return "block"
	}
	return "warn"
}

// Coming are those of the notes that say what counts once the change stands on the base.
func (r Report) Coming() []string { return r.coming }

// byRules reports whether an outcome is wrong by the rules for answers, where these turn.
func byRules(o suite.Outcome) bool {
	return o.Why == suite.Withheld || o.Why == suite.Unasked || o.Why == suite.Answered
}
