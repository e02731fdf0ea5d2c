package suite

import (
	"context"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// An Idle line of a file teaches nothing.
type Idle struct {
	Line    int
	Refused Question // one that must be refused and would be answered by its words; the zero value where that is not known
}

// Teach makes the words of each question and of its wordings terms of the facts
// that it expects. A question that must be refused is not answered by that: lessons
// that would lift its answer are left out, and their lines are told as idle. It fails with
// ctx's error where that ends before.
func (e Expected) Teach(ctx context.Context) (taught *answer.Index, idle []Idle, err error) {
	out := map[int]bool{}
	for range teachRounds {
		if taught, err = e.index.Taught(ctx, e.lessons(out)); err != nil {
			return nil, nil, err
		}
		found, err := e.lifted(ctx, taught)
		if err != nil {
			return nil, nil, err
		}
		if len(found) == 0 {
			return taught, idle, nil
		}
		for _, one := range found {
			if !out[one.Line] {
				out[one.Line] = true
				idle = append(idle, one)
			}
		}
	}
	for _, l := range e.lessons(out) {
		if !out[l.Line] {
			out[l.Line] = true
			idle = append(idle, Idle{Line: l.Line})
		}
	}
	taught, err = e.index.Taught(ctx, nil)
	return taught, idle, err
}

// teachRounds is how often all questions that must be refused are asked. Leaving out what
// lifts one can bring up at most the next lesson behind it, which seldom happens twice.
const teachRounds = 4

// lessons are what the questions teach, but for those on some lines.
func (e Expected) lessons(without map[int]bool) (out []answer.Lesson) {
	for i, q := range e.questions {
		var facts []int
		for _, some := range e.facts[i] {
			facts = append(facts, some...)
		}
		if len(facts) == 0 || without[q.Line] {
			continue
		}
		for _, wording := range q.Wordings() {
			out = append(out, answer.Lesson{Text: wording, Line: q.Line, Facts: facts})
		}
	}
	return out
}

// lifted are the lines whose lessons brought an answer to a question that must be
// refused.
func (e Expected) lifted(ctx context.Context, x *answer.Index) (lines []Idle, err error) {
	for _, q := range e.questions {
		if !q.Refuse {
			continue
		}
		for _, wording := range q.Wordings() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if !x.Lifts(wording) {
				continue
			}
			for _, h := range x.Ask(wording).Hits {
				if h.Lesson > 0 {
					lines = append(lines, Idle{h.Lesson, q})
				}
			}
		}
	}
	return lines, nil
}
