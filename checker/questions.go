package checker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// What a change does to a question.
const (
	Lost    = "lost"    // right at the base, wrong at the head
	Gained  = "gained"  // wrong at the base, right at the head
	Changed = "changed" // right on both sides, by another statement
	Kept    = "kept"    // as before; told only where the change edits or drops the question
	New     = "new"     // the change asks it
	Wrong   = "wrong"   // there is no base to tell since when
	Faulty  = "faulty"  // its line cannot be read
)

// A Question is what a change does to one question of the suite.
type Question struct {
	ID       string `json:"id,omitempty"`
	Question string `json:"question,omitempty"`
	Change   string `json:"change"`
	Edit     string `json:"edit,omitempty"`     // "dropped" or "edited" where the change does that to the question itself
	Right    bool   `json:"right"`              // at the head
	Why      string `json:"why"`                // what is wrong at the head, in words
	Before   *Place `json:"before"`             // what answered first at the base; null for nothing
	After    *Place `json:"after"`              // the same at the head
	Expected string `json:"expected,omitempty"` // of one that is wrong, what should have come, in the words of the file
	Unshown  string `json:"unshown,omitempty"`  // why its words are not shown, and maybe its id neither

	line int  // in the file of the head, or where that does not ask it, of the judge
	gone bool // the head's file does not ask it
}

// Asked says what came of the suite as a whole.
type Asked struct {
	Questions int    `json:"questions"` // that were asked of the head
	Right     int    `json:"right"`
	Before    int    `json:"wrong_before"`      // those among the wrong ones that were wrong at the base too
	Unasked   string `json:"unasked,omitempty"` // why they could not be asked
}

// questions asks the suite on both sides and tells what the change gains, changes
// and loses. The judge's words alone teach, but for questions that the head brings:
// these are asked as they will be once the change is merged.
func (c *check) questions(ctx context.Context) error {
	if !c.asks() {
		return nil
	}
	if c.in.Outcomes == nil {
		c.in.Outcomes = map[string]suite.Outcome{}
	}
	p := c.papers
	c.report.Asked = &Asked{}
	c.faults()
	judged, brought, teachers := []suite.Question(nil), p.head.questions, p.head.questions
	if c.base != nil {
		judged = p.judge.questions
		brought, teachers = c.brings()
	}
	c.empty(p.head)
	before := &sitting{name: "base ", teachers: p.judge.questions, questions: judged, rules: c.in.Rules}
	after := &sitting{name: "head ", teachers: p.judge.questions, questions: judged, rules: c.in.Rules}
	fresh := &sitting{name: "new ", teachers: teachers, questions: brought, rules: c.in.Rules}
	merged, err := c.sitAll(ctx, judged, before, after, fresh)
	var unasked Unasked
	if errors.As(err, &unasked) {
		c.report.Asked = &Asked{Unasked: string(unasked)}
		return nil
	}
	if err != nil {
		return fmt.Errorf("ask the questions: %w", err)
	}
	for _, q := range judged {
		if now, asked := after.out[q.ID]; asked {
			c.compare(q, before.out[q.ID], now, merged[q.ID])
		}
	}
	for _, q := range brought {
		c.fresh(q, fresh.out[q.ID])
	}
	if n := c.report.Asked.Before; n > 0 {
		c.note("%s of the suite had another answer than expected before this change too; cardkeeper eval tells which", count(n, "question"))
	}
	return nil
}

// sitAll asks at the base and at the head, and at the head as it will be once the change is merged. Where no
// skill is touched no fact differs: of the base's questions only those are asked whose line or
// answer the rest of the change may turn.
func (c *check) sitAll(ctx context.Context, judged []suite.Question, before, after, fresh *sitting) (merged map[string]suite.Outcome, err error) {
	head, touched := &bench{c: c, v: c.head}, len(c.touched) > 0 && c.base != nil
	if touched {
		if err := (&bench{c: c, v: c.base}).sit(ctx, before); err != nil {
			return nil, err
		}
	} else if c.base != nil {
		after.questions = slices.DeleteFunc(slices.Clone(judged), func(q suite.Question) bool { return c.edit(q) == "" })
	}
	if err := head.sit(ctx, after); err != nil {
		return nil, err
	}
	if c.turns() {
		if merged, err = c.sitMerged(ctx, head, after, judged); err != nil {
			return nil, err
		}
	}
	if !touched {
		before.out = after.out
	}
	return merged, head.sit(ctx, fresh)
}

// compare tells what became of a question of the judge. Merged is what will become of it once
// the change is merged, where that was asked.
func (c *check) compare(q suite.Question, before, after, merged suite.Outcome) {
	if after.Right && merged.Why != "" {
		if after = merged; c.rulesTurn() && byRules(merged) {
			c.turned++
		}
	}
	after = after.Since(before)
	one := c.told(q, after)
	one.Edit, one.Before, one.Change = c.edit(q), first(before, "base"), Kept
	switch {
	case before.Right && !after.Right:
		one.Change = Lost
	case !before.Right && after.Right:
		one.Change = Gained
	case before.Right && !before.SameAnswer(after):
		one.Change = Changed
	}
	at := c.papers.head.find(q)
	if one.gone = at < 0; !one.gone {
		one.line = c.papers.head.questions[at].Line
	}
	c.tally(after.Right)
	if !before.Right && !after.Right {
		c.report.Asked.Before++
	}
	if one.Change != Kept || one.Edit != "" {
		c.report.Questions = append(c.report.Questions, one)
	}
}

// fresh tells what became of a question that the head brings, or, without a base,
// of one that is wrong.
func (c *check) fresh(q suite.Question, o suite.Outcome) {
	c.tally(o.Right)
	one := c.told(q, o)
	one.Change = New
	if c.base == nil {
		if one.Change = Wrong; o.Right {
			return
		}
	}
	c.report.Questions = append(c.report.Questions, one)
}

// told is a question with what came of it at the head. Of one that holds what must not be shown
// the words are left out, and the id where that holds it as well; the rest is taken out of the
// report with everything else.
func (c *check) told(q suite.Question, o suite.Outcome) Question {
	one := Question{ID: q.ID, Question: q.Question, Right: o.Right, After: first(o, ""), line: q.Line}
	if !o.Right {
		one.Why, one.Expected = cmp.Or(o.Cause, o.Says()), o.Wants()
	}
	names := answer.NewNames(slices.Concat(c.in.Rules.Never, c.rulesAfter().Never))
	holds := func(text string) bool { return c.in.RulesUnread || names.In(text) }
	switch {
	case o.Silent != nil:
		one.Unshown = holdsUnsaid
	case slices.ContainsFunc(q.Wordings(), holds):
		one.Unshown = holdsName
	}
	if one.Unshown != "" {
		one.Question, one.Expected = "", ""
	}
	if one.Expected != "" && holds(one.Expected) {
		one.Expected = "a fact that the policy says no answer may name"
	}
	if holds(one.ID) {
		one.ID = ""
	}
	return one
}

// Why the words of a question are not shown.
const (
	holdsName   = "it holds, or may hold, a name that no answer may contain"
	holdsUnsaid = "it holds a secret, or something that the policy withholds or says no answer may name"
)

// empty says of a file that it asks nothing: no question is no right answer.
func (c *check) empty(p paper) {
	if p.id != "" && len(p.questions)+len(p.faults) == 0 {
		c.note("%s holds no questions, so none was asked", suite.File)
	}
}

func (c *check) tally(right bool) {
	c.report.Asked.Questions++
	if right {
		c.report.Asked.Right++
	}
}

// first is the place of the statement that answers first, nil for a refusal.
func first(o suite.Outcome, rev string) *Place {
	if len(o.Answer.Hits) == 0 {
		return nil
	}
	p := o.Answer.Hits[0].Fact.Places()[0]
	return &Place{p.File, p.First, p.Last, rev}
}

// edit says what the head does to a question that the base asks: it goes by the
// merge base's file, since the base branch may have moved on.
func (c *check) edit(q suite.Question) string {
	form, head := q.Form(), &c.papers.head
	switch {
	case !c.papers.base.forms[form], head.forms[form]:
		return ""
	case head.find(q) < 0:
		return "dropped"
	}
	return "edited"
}

// mostBrought is how many questions of a change are asked, with their wordings: who
// may write to a head must not make the check work for an hour.
const mostBrought = 100

// brings are the questions that neither the base nor the judge asks like this, and those that
// teach them: of the head's all but such as are too many.
func (c *check) brings() (out, teachers []suite.Question) {
	wordings, left := 0, 0
	for _, q := range c.papers.head.questions {
		if form := q.Form(); c.papers.base.forms[form] || c.papers.judge.forms[form] {
			teachers = append(teachers, q)
			continue
		}
		if wordings += len(q.Wordings()); wordings > mostBrought {
			left++
			continue
		}
		out, teachers = append(out, q), append(teachers, q)
	}
	if left > 0 {
		c.note("%s that the change brings were not asked: of one change at most %d are; cardkeeper eval asks all", count(left, "question"), mostBrought)
	}
	return out, teachers
}

// faults tells lines that cannot be read: those that the change brings, and those
// of the base as a note, or the change that mends them could not pass.
func (c *check) faults() {
	p := c.papers
	if c.base != nil && p.head.id == p.base.id {
		if n := len(p.head.faults); n > 0 {
			c.note("%s in %s at the base too; cardkeeper eval tells which", count(n, "fault"), suite.File)
		}
		return
	}
	for _, f := range p.head.faults {
		c.report.Questions = append(c.report.Questions, Question{Change: Faulty, Why: f.Text, line: f.Line})
	}
}
