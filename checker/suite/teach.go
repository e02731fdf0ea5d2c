package suite

import (
	"context"
	"fmt"
	"slices"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// Bounds of what a file teaches. Work is counted and not timed, so that the same file teaches
// the same on every machine (law 11).
const (
	// mostTaught is how many facts all wordings together may teach: 500 wordings of forty. A
	// question that shares a word with all lessons looks at each of them, within a tenth of a second.
	mostTaught = 20_000
	// mostLooked is how many facts are looked at to ask what must be refused beside what is
	// taught, some seconds of work. Two hundred refused questions beside as many taught ones
	// take a fiftieth.
	mostLooked = 2_000_000
	// share is what part of the index counts as looked at where a question is asked in full.
	share = 32
)

// An Idle line is one whose words teach nothing.
type Idle struct {
	Line     int
	By       int    // the line of a question that must be refused and would be answered; 0 where that is not why
	Question string // the wording of it, a person's text
	Why      string // in words of ours that go on after "teaches nothing: "
}

// Why a line is idle, where no refused question is.
const (
	whyWide = "it names too many facts; name them by more words"
	whyLong = "to ask all questions that must be refused beside what the file teaches takes too long; take out wordings, or name fewer facts"
	whyDeep = "too many lines would answer questions that must be refused"
)

// Teach makes the words of each question and of its wordings terms of the facts
// that it expects. A question that must be refused is not answered by that: lessons
// that would lift its answer are left out, and their lines are told as idle. So are those that
// name too many facts, and all where asking the refused questions takes too much work. It fails with
// ctx's error where that ends before.
func (e Expected) Teach(ctx context.Context) (taught *answer.Index, idle []Idle, err error) {
	t := teaching{e: e, out: e.wide(), left: mostLooked}
	for line := range t.out {
		idle = append(idle, Idle{Line: line, Why: whyWide})
	}
	slices.SortFunc(idle, func(a, b Idle) int { return a.Line - b.Line })
	t.asks = e.refused()
	for range teachRounds {
		if taught, err = e.index.Taught(ctx, e.lessons(t.out)); err != nil {
			return nil, nil, err
		}
		found, err := t.lifted(ctx, taught)
		if err != nil {
			return nil, nil, err
		}
		if t.left < 0 {
			return t.nothing(ctx, idle, whyLong)
		}
		if len(found) == 0 {
			return taught, idle, nil
		}
		for _, one := range found {
			if !t.out[one.Line] {
				t.out[one.Line] = true
				idle = append(idle, one)
			}
		}
	}
	return t.nothing(ctx, idle, whyDeep)
}

// teachRounds is how often all questions that must be refused are asked. Leaving out what
// lifts one can bring up at most the next lesson behind it, which seldom happens twice.
const teachRounds = 4

// A teaching is how far Teach is.
type teaching struct {
	e    Expected
	out  map[int]bool // lines that teach nothing
	asks []refused    // that a lesson may still lift
	left int          // facts that may still be looked at
}

// A refused wording is one of a question that must be refused.
type refused struct {
	line int
	text string
}

func (e Expected) refused() (out []refused) {
	for _, q := range e.questions {
		if q.Refuse {
			for _, wording := range q.Wordings() {
				out = append(out, refused{q.Line, wording})
			}
		}
	}
	return out
}

// nothing is the index without lessons, and all lines that had one are idle.
func (t *teaching) nothing(ctx context.Context, idle []Idle, why string) (*answer.Index, []Idle, error) {
	for _, l := range t.e.lessons(t.out) {
		if !t.out[l.Line] {
			t.out[l.Line] = true
			idle = append(idle, Idle{Line: l.Line, Why: why})
		}
	}
	taught, err := t.e.index.Taught(ctx, nil)
	return taught, idle, err
}

// wide are the lines that name too many facts: where all together do, those that name most.
func (e Expected) wide() map[int]bool {
	type width struct{ line, facts int }
	var all []width
	for i, q := range e.questions {
		if n := len(e.all(i)) * len(q.Wordings()); n > 0 {
			all = append(all, width{q.Line, n})
		}
	}
	slices.SortStableFunc(all, func(a, b width) int { return a.facts - b.facts })
	out, sum := map[int]bool{}, 0
	for _, w := range all {
		if sum += w.facts; sum > mostTaught {
			out[w.line] = true
		}
	}
	return out
}

// lessons are what the questions teach, but for those on some lines.
func (e Expected) lessons(without map[int]bool) (out []answer.Lesson) {
	for i, q := range e.questions {
		facts := e.all(i)
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
// refused. A wording that no lesson lifts is not asked again: fewer lessons lift no more.
func (t *teaching) lifted(ctx context.Context, x *answer.Index) (lines []Idle, err error) {
	var again []refused
	for _, q := range t.asks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		lifts, looked := x.Lifts(q.text)
		if t.left -= looked; t.left < 0 {
			return nil, nil
		}
		if !lifts {
			continue
		}
		again = append(again, q)
		t.left -= looked + x.Facts()/share
		for _, h := range x.Ask(q.text).Hits {
			if h.Lesson > 0 {
				lines = append(lines, Idle{h.Lesson, q.line, q.text, fmt.Sprintf("by its words the question of line %d would be answered, which must be refused", q.line)})
			}
		}
	}
	t.asks = again
	return lines, nil
}
