package suite

import (
	"context"
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
	Gone     Why = "gone"     // no fact is as expected
	Withheld Why = "withheld" // the expected fact is there and may not be shown, or keeps its value back
	Unasked  Why = "unasked"  // the question itself may not be shown; see Silent
)

// An Outcome is what came of one question.
type Outcome struct {
	Question
	Right   bool
	Why     Why           // "" where right
	Wording int           // which one it is about: 0 is the question, n the n-th of also
	Answer  answer.Answer // to that wording
	Rank    int           // of the best expected fact; see [answer.Index.Rank]; 0 for none, or where right
	Best    float64       // how far that fact came
	Missing []int         // which references name nothing, from 1
	Absent  []int         // where all are expected, which references no hit is of, from 1
	Near    []Near        // what they may have meant, for the first of them
	Cause   string        // of what went wrong, where the one who asks knows a better one; quotes nothing
	Silent  error         // why the question must be neither shown nor kept, as [answer.Silent] knows; nil where it may

	once bool // what is missing stood at the base
}

// An Ask answers a question.
type Ask func(ctx context.Context, question string) (answer.Answer, error)

// Run asks every question in turn, and each wording of it by itself, and tells each what
// came of it. The index is the one that was resolved, or what Teach made of it; ask is its
// Ask or stands before it. A question that ask is [answer.Silent] about is an outcome; at any
// other error, ctx's among them, Run ends.
func (e Expected) Run(ctx context.Context, x *answer.Index, ask Ask, each func(Outcome)) error {
	for i := range e.questions {
		o, err := e.one(ctx, x, i, ask)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", File, e.questions[i].Line, err)
		}
		each(o)
	}
	return nil
}

// one asks one question. The first wording that goes wrong is told.
func (e Expected) one(ctx context.Context, x *answer.Index, i int, ask Ask) (Outcome, error) {
	q := e.questions[i]
	o := Outcome{Question: q, Missing: e.missing(i)}
	for n, wording := range q.Wordings() {
		if err := ctx.Err(); err != nil {
			return o, err
		}
		got, err := ask(ctx, wording)
		if answer.Silent(err) {
			return e.silent(o, err), nil
		}
		if err != nil {
			return o, err
		}
		why := e.judge(i, got)
		if n == 0 || why != "" {
			o.Wording, o.Answer, o.Why = n, got, why
		}
		if why != "" {
			break
		}
	}
	o.Right = o.Why == ""
	if q.All && !o.Right {
		o.Absent = e.absent(i, numbers(o.Answer.Hits))
	}
	if o.Why == Refused || o.Why == Missed {
		o.Rank, o.Best = x.Rank(o.Answer, q.Wordings()[o.Wording], e.all(i))
	}
	if len(o.Missing) > 0 {
		o.Near = e.near(q.Expect[o.Missing[0]-1])
	}
	return o, nil
}

// silent is the outcome of a question that may not be shown. One that must be refused is: it
// is answered by nobody.
func (e Expected) silent(o Outcome, err error) Outcome {
	o.Silent, o.Answer, o.Wording = err, answer.Answer{}, 0
	if o.Right = o.Refuse; !o.Right {
		o.Why = Unasked
	}
	return o
}

// all are the facts that a question expects, in ascending order.
func (e Expected) all(i int) []int {
	if len(e.facts[i]) == 1 {
		return e.facts[i][0]
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.facts[i]...))))
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

// judge says what is wrong with an answer, if anything. Where a value is kept back nothing
// was answered: a question that must be refused is right by that, and no other is.
func (e Expected) judge(i int, got answer.Answer) Why {
	q, missing := e.questions[i], len(e.missing(i))
	switch {
	case q.Refuse && got.Answered && !got.Withheld:
		return Answered
	case q.Refuse:
		return ""
	case missing == len(q.Expect) || q.All && missing > 0:
		return Gone
	case got.Withheld:
		return Withheld
	case got.Answered && e.holds(i, numbers(got.Hits)):
		return ""
	case len(got.LeftOut) > 0 && e.holds(i, append(numbers(got.Hits), got.LeftOut...)):
		return Withheld
	case !got.Answered:
		return Refused
	}
	return Missed
}

func numbers(hits []answer.Hit) (out []int) {
	for _, h := range hits {
		out = append(out, h.Number)
	}
	return out
}

// holds reports whether facts that an answer cites are those that are expected: one of them,
// or each.
func (e Expected) holds(i int, cited []int) bool {
	has := func(facts []int) bool {
		return slices.ContainsFunc(cited, func(n int) bool { return e.among(facts, n) })
	}
	if e.questions[i].All {
		return !slices.ContainsFunc(e.facts[i], func(facts []int) bool { return !has(facts) })
	}
	return slices.ContainsFunc(e.facts[i], has)
}

// absent are the references of a question that no cited fact is of.
func (e Expected) absent(i int, cited []int) (out []int) {
	for j, facts := range e.facts[i] {
		if !slices.ContainsFunc(cited, func(n int) bool { return e.among(facts, n) }) {
			out = append(out, j+1)
		}
	}
	return out
}

// among reports whether a fact, or one that is cited as one with it, is among others.
func (e Expected) among(facts []int, n int) bool {
	if _, found := slices.BinarySearch(facts, n); found {
		return true
	}
	alike, known := e.alike[n]
	if !known {
		alike = e.index.Alike(n)
		e.alike[n] = alike
	}
	return slices.ContainsFunc(alike, func(other int) bool {
		_, found := slices.BinarySearch(facts, other)
		return found
	})
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

// Since is the outcome of a head beside that of its base: what is missing and was there then
// is not there any more.
func (o Outcome) Since(base Outcome) Outcome {
	o.once = len(o.Missing) > 0 && !slices.ContainsFunc(o.Missing, func(n int) bool { return slices.Contains(base.Missing, n) })
	return o
}
