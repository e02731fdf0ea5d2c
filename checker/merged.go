package checker

import (
	"context"
	"fmt"
	"slices"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// What a change does to the suite and to the rules of answers counts from the base, and so
// once it is merged. Answers that are lost only then are lost by this change: no other one is
// asked about them.

// A future is how a suite teaches once the change is merged.
type future struct {
	teachers []suite.Question // numbered anew, since their lines come from two files
	lines    []int            // where they stand in the head, or where that does not hold them, at the judge
	forms    map[string]int   // their numbers, from 1
	idle     map[int]suite.Idle
}

// future is the judge's suite with what the head does to it: without what it drops or edits,
// with all that it brings.
func (c *check) future() *future {
	f := &future{forms: map[string]int{}}
	add := func(q suite.Question, line int) {
		q.Line = len(f.teachers) + 1
		f.teachers, f.lines = append(f.teachers, q), append(f.lines, line)
		f.forms[q.Form()] = q.Line
	}
	for _, q := range c.papers.judge.questions {
		if c.edit(q) != "" {
			continue
		}
		line := q.Line
		if at := c.papers.head.find(q); at >= 0 {
			line = c.papers.head.questions[at].Line
		}
		add(q, line)
	}
	for _, q := range c.papers.head.questions {
		if form := q.Form(); !c.papers.base.forms[form] && !c.papers.judge.forms[form] {
			add(q, q.Line)
		}
	}
	return f
}

// turns reports whether anything that answers is another once the change is merged: the suite,
// or the rules.
func (c *check) turns() bool {
	return c.base != nil && (c.papers.head.id != c.papers.base.id || c.rulesTurn())
}

func (c *check) rulesTurn() bool {
	return c.base != nil && c.in.RulesAfter != nil && !c.in.RulesUnread && !c.in.RulesAfter.Equal(c.in.Rules)
}

// rulesAfter are the rules once the change is merged.
func (c *check) rulesAfter() answer.Rules {
	if c.rulesTurn() {
		return *c.in.RulesAfter
	}
	return c.in.Rules
}

// stays reports whether a question of the judge is still asked once the change is merged, for
// the same facts and in the same words at least.
func (c *check) stays(q suite.Question) bool {
	if c.edit(q) == "" {
		return true
	}
	at := c.papers.head.find(q)
	if at < 0 {
		return false
	}
	now := c.papers.head.questions[at]
	if now.Refuse != q.Refuse || now.All != q.All || !slices.Equal(now.Expect, q.Expect) {
		return false
	}
	return !slices.ContainsFunc(q.Wordings(), func(w string) bool {
		return !slices.ContainsFunc(now.Wordings(), func(other string) bool { return suite.Same(w, other) })
	})
}

// concerns reports whether a question can have another answer once the change is merged:
// where no lesson counts for it, neither now nor then, the suite makes no difference.
func (c *check) concerns(q suite.Question, now, then *answer.Index) bool {
	return c.rulesTurn() || slices.ContainsFunc(q.Wordings(), func(w string) bool {
		if lifts, _ := now.Lifts(w); lifts {
			return true
		}
		lifts, _ := then.Lifts(w)
		return lifts
	})
}

// cause says why an answer is lost once the change is merged, and no earlier. Its words quote
// nothing.
func (c *check) cause(f *future, after, then suite.Outcome) string {
	const once = "right until this is merged, and lost then: "
	if c.rulesTurn() && byRules(then) {
		return once + "by what the change does to ask.never or ask.markers it is " + then.Says()
	}
	for _, h := range after.Answer.Hits {
		if h.Lesson == 0 {
			continue
		}
		n, stays := f.forms[c.judged(h.Lesson).Form()]
		idle, is := f.idle[n]
		switch {
		case !stays:
			return once + "the change drops or edits the line whose words answer it"
		case is && idle.By > 0:
			return once + fmt.Sprintf("%s must be refused and would be answered by the same words, so that these teach nothing any more", f.at(idle.By))
		case is:
			return once + "the line whose words answer it teaches nothing any more: " + idle.Why
		}
	}
	for _, h := range then.Answer.Hits {
		if h.Lesson > 0 {
			return once + f.at(h.Lesson) + " teaches another answer to it"
		}
	}
	return once + "by what the change does to the suite it is " + then.Says()
}

// at names a line of the file as the head has it.
func (f *future) at(number int) string {
	return fmt.Sprintf("line %d of %s", f.lines[number-1], suite.File)
}

// judged is the judge's question on a line.
func (c *check) judged(line int) suite.Question {
	for _, q := range c.papers.judge.questions {
		if q.Line == line {
			return q
		}
	}
	return suite.Question{}
}

// sitMerged asks what stays, at the head, as it will be once the change is merged: what is right
// now, and concerned.
func (c *check) sitMerged(ctx context.Context, b *bench, after *sitting, judged []suite.Question) (map[string]suite.Outcome, error) {
	f := c.future()
	now := &sitting{teachers: after.teachers}
	then := &sitting{name: "merged ", teachers: f.teachers, rules: c.rulesAfter(), alone: true, out: map[string]suite.Outcome{}}
	for _, q := range judged {
		if o, known := c.in.Outcomes[then.name+q.ID]; known {
			then.out[q.ID] = o
		} else if _, alike := c.in.Outcomes["alike "+q.ID]; !alike && c.stays(q) {
			then.questions = append(then.questions, q)
		}
	}
	if len(then.questions) == 0 {
		return then.out, nil
	}
	idle, err := b.teach(ctx, then)
	if err == nil {
		_, err = b.teach(ctx, now)
	}
	if err != nil {
		return nil, err
	}
	f.idle = map[int]suite.Idle{}
	for _, one := range idle {
		f.idle[one.Line] = one
	}
	then.questions = slices.DeleteFunc(then.questions, func(q suite.Question) bool {
		alike := !c.concerns(q, now.taught, then.taught)
		if alike {
			c.in.Outcomes["alike "+q.ID] = suite.Outcome{}
		}
		return alike
	})
	after.questions = append(after.questions, slices.DeleteFunc(slices.Clone(then.questions), func(q suite.Question) bool {
		return slices.ContainsFunc(after.questions, func(other suite.Question) bool { return other.ID == q.ID })
	})...)
	if err := b.sit(ctx, after); err != nil {
		return nil, err
	}
	then.questions = slices.DeleteFunc(then.questions, func(q suite.Question) bool { return !after.out[q.ID].Right })
	then.told = func(o suite.Outcome) suite.Outcome {
		if !o.Right {
			o.Cause = c.cause(f, after.out[o.ID], o)
		}
		return o
	}
	return then.out, b.sit(ctx, then)
}
