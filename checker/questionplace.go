package checker

import (
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// annotation stands where the statement that answered stands now, if the change only rewords or
// moves it; else at the question's line in the head's file, and of a question that the head does
// not ask any more, at the file's start. A question that the change drops is told in any case.
func (r Report) annotation(q Question) []Annotation {
	if q.Edit != "dropped" && (q.Right || !q.bad() && q.Change != New) {
		return nil
	}
	a := Annotation{suite.File, q.line, q.line, Error, "Question: " + q.Change, q.withNext(q.label() + " - " + q.says() + q.answers())}
	if q.gone || q.line == 0 {
		a.Line, a.End = 1, 1
	}
	if p, known := r.reworded(q); known {
		a.File, a.Line, a.End = p.File, p.Line, p.End
	}
	if !q.bad() {
		a.Level = Warning
	}
	if q.Change == Kept {
		a.Title = "Question: dropped"
	}
	return []Annotation{a}
}

// reworded is where the statement that answered a lost question stands at the head, in other
// words or at another place; known where the change has it as a pair.
func (r Report) reworded(q Question) (p Place, known bool) {
	if q.Change != Lost || q.Before == nil {
		return Place{}, false
	}
	for _, c := range slices.Concat(r.Cards, r.Updated) {
		for _, pair := range slices.Concat(c.Changed, c.Moved) {
			answered := func(p Place) bool { return p.File == q.Before.File && p.Line == q.Before.Line }
			if slices.ContainsFunc(pair.Old.Places, answered) && len(pair.New.Places) > 0 && !strings.Contains(pair.New.Places[0].File, withheldMark) {
				return pair.New.Places[0], true
			}
		}
	}
	return Place{}, false
}
