package suite

import (
	"fmt"
	"slices"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// A Why says what is wrong with an answer.
type Why string

// What can be wrong.
const (
	Refused  Why = "refused"  // though an answer is expected
	Answered Why = "answered" // though it must be refused
	Missed   Why = "missed"   // the expected fact is not among the hits
	Gone     Why = "gone"     // the expected fact does not exist any more
)

// An Outcome is what came of one question.
type Outcome struct {
	Question
	Right   bool
	Why     Why           // "" where right
	Wording int           // which one it is about: 0 is the question, n the n-th of also
	Answer  answer.Answer // to that wording
	Rank    int           // of the best expected fact among all that were looked at; 0 for none, or where right
	Best    float64       // how far that fact came
	Missing []int         // which references name nothing, from 1
}

// An Ask answers a question.
type Ask func(question string) (answer.Answer, error)

// Run asks every question in turn, and each wording of it, and tells each what came
// of it. The index is the one that was resolved, or what Teach made of it; ask is its
// Ask or stands before it. It ends with ask's first error.
func (e Expected) Run(x *answer.Index, ask Ask, each func(Outcome)) error {
	for i := range e.questions {
		o, err := e.one(x, i, ask)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", File, e.questions[i].Line, err)
		}
		each(o)
	}
	return nil
}

// one asks one question. The first wording that goes wrong is told.
func (e Expected) one(x *answer.Index, i int, ask Ask) (Outcome, error) {
	q := e.questions[i]
	o := Outcome{Question: q, Missing: e.missing(i)}
	for n, wording := range q.Wordings() {
		got, err := ask(wording)
		if err != nil {
			return o, err
		}
		why := e.judge(x, i, got)
		if n == 0 || why != "" {
			o.Wording, o.Answer, o.Why = n, got, why
		}
		if why != "" {
			break
		}
	}
	o.Right = o.Why == ""
	if !o.Right && !q.Refuse {
		o.Rank, o.Best = x.Rank(q.Wordings()[o.Wording], func(n int) bool {
			return slices.ContainsFunc(e.facts[i], func(facts []int) bool { return slices.Contains(facts, n) })
		})
	}
	return o, nil
}

// missing are the references that name no fact.
func (e Expected) missing(i int) (out []int) {
	for j, facts := range e.facts[i] {
		if len(facts) == 0 {
			out = append(out, j+1)
		}
	}
	return out
}

// judge says what is wrong with an answer, if anything.
func (e Expected) judge(x *answer.Index, i int, got answer.Answer) Why {
	q, missing := e.questions[i], len(e.missing(i))
	switch {
	case q.Refuse && got.Answered:
		return Answered
	case q.Refuse:
		return ""
	case missing == len(q.Expect) || q.All && missing > 0:
		return Gone
	case !got.Answered:
		return Refused
	}
	cited := func(facts []int) bool {
		return slices.ContainsFunc(facts, func(n int) bool {
			return slices.ContainsFunc(got.Hits, func(h answer.Hit) bool { return h.Number == n || x.Same(h.Number, n) })
		})
	}
	missed := func(facts []int) bool { return !cited(facts) }
	if q.All && !slices.ContainsFunc(e.facts[i], missed) || !q.All && slices.ContainsFunc(e.facts[i], cited) {
		return ""
	}
	return Missed
}

// Says is what is wrong in a sentence, or what is right.
func (o Outcome) Says() string {
	text := "right"
	switch o.Why {
	case Refused:
		text = "refused, though an answer is expected" + o.stands()
	case Answered:
		text = "answered, though it must be refused"
	case Missed:
		text = "the expected fact is not among the hits" + o.stands()
		if o.All {
			text = "not every expected fact is among the hits" + o.stands()
		}
	case Gone:
		text = "no fact is as expected any more"
		if len(o.Expect) > 1 && o.All {
			text = "not all expected facts are there any more"
		}
	}
	if o.Wording > 0 {
		text = fmt.Sprintf("asked as in item %d of also: %s", o.Wording, text)
	}
	if o.Why != Gone && len(o.Missing) > 0 {
		text += fmt.Sprintf("; item %d of expect names nothing any more", o.Missing[0])
	}
	return text
}

// stands is where the expected fact came.
func (o Outcome) stands() string {
	if o.Rank == 0 {
		return "; its own text shares no word with the question"
	}
	return fmt.Sprintf("; it came %s of what was looked at, with %.2f, and an answer needs %.2f", ordinal(o.Rank), o.Best, answer.Floor/10_000.0)
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}

// SameAnswer reports whether two outcomes answer alike: both refuse, or cite the
// same statement first, or the same list, wherever it stands.
func (o Outcome) SameAnswer(other Outcome) bool {
	a, b := o.Answer, other.Answer
	if a.Answered != b.Answered || a.List != b.List {
		return false
	}
	if !a.List && a.Answered {
		a.Hits, b.Hits = a.Hits[:1], b.Hits[:1]
	}
	return slices.EqualFunc(a.Hits, b.Hits, func(h, g answer.Hit) bool {
		return h.Skill == g.Skill && h.Fact.Entry().Identity() == g.Fact.Entry().Identity()
	})
}
