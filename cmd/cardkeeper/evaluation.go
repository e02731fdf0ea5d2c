package main

import (
	"context"
	"fmt"
	"io"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// An evaluation is what eval prints. Its JSON form is stable.
type evaluation struct {
	Questions []evaluated `json:"questions"`
	Totals    struct {
		Questions int `json:"questions"`
		Right     int `json:"right"`
		Wrong     int `json:"wrong"`
		Refused   int `json:"refused"`
		Answered  int `json:"answered"`
		Missed    int `json:"missed"`
		Gone      int `json:"gone"`
		Withheld  int `json:"withheld"`
		Unasked   int `json:"unasked"`
	} `json:"totals"`

	file string
}

// An evaluated question is one with what came of it.
type evaluated struct {
	ID       string           `json:"id"`
	Line     int              `json:"line"`
	Question string           `json:"question"` // "" where it may not be shown
	Right    bool             `json:"right"`
	Why      suite.Why        `json:"why"`     // "" where right
	Says     string           `json:"says"`    // the same in words
	Wording  int              `json:"wording"` // 0 for the question, n for the n-th of also
	Rank     int              `json:"rank"`    // of the best expected fact among the 50 best; 51 for behind them, 0 for none, or where right
	Best     float64          `json:"best"`    // how far that came
	Missing  []int            `json:"missing"` // items of expect that name nothing
	Expected string           `json:"expected,omitempty"`
	Came     string           `json:"came,omitempty"` // instead; both only where wrong
	Hint     string           `json:"hint,omitempty"` // why the question suite does not help
	Answered bool             `json:"answered"`
	Withheld bool             `json:"withheld,omitempty"` // the answer keeps its value back
	Hits     []answer.HitForm `json:"hits"`
}

// mayNot stands for words of a question's line that may not be shown.
const mayNot = "something that the policy says no answer may name"

// judge adds what came of a question. What is expected stands in the words of the file and
// names skills and files, so that it is looked through like an answer.
func (e *evaluation) judge(ctx context.Context, ws *workspace, library *ask.Library, o suite.Outcome) error {
	if o.Silent != nil {
		says := o.Says()
		if o.Right {
			says = "refused, unread: " + o.Silent.Error()
		}
		return e.unshown(ctx, ws, library, o.Question, o.Why, says)
	}
	form := o.Answer.Form()
	one := evaluated{
		o.ID, o.Line, o.Question.Question, o.Right, o.Why, o.Says(), o.Wording, o.Rank, o.Best, append([]int{}, o.Missing...),
		"", "", "", form.Answered, form.Withheld, form.Hits,
	}
	if !o.Right {
		one.Expected, one.Came = o.Wants(), o.Came()
		if line := library.OtherKind(o.Wordings()[o.Wording]); line > 0 && (o.Why == suite.Refused || o.Why == suite.Missed) {
			one.Hint = fmt.Sprintf("line %d of %s has these words, but asks for another kind of thing, and teaches no other: add this one there too", line, suite.File)
		}
	}
	return e.count(ctx, ws, library, one)
}

// unshown adds a question whose words may not be shown.
func (e *evaluation) unshown(ctx context.Context, ws *workspace, library *ask.Library, q suite.Question, why suite.Why, says string) error {
	return e.count(ctx, ws, library, evaluated{ID: q.ID, Line: q.Line, Right: why == "", Why: why, Says: says, Missing: []int{}, Hits: []answer.HitForm{}})
}

// count adds a question, its id and what it expects without what may not be shown.
func (e *evaluation) count(ctx context.Context, ws *workspace, library *ask.Library, one evaluated) error {
	if library.Names(one.Expected) {
		one.Expected = mayNot
	}
	if library.Names(one.ID) {
		one.ID = ""
	}
	lines := []checker.Line{{Text: one.Expected}, {Text: one.ID, File: suite.File}} // what is expected may name any file
	if err := ws.gate().WithholdLines(ctx, lines); err != nil {
		return fmt.Errorf("scan what is expected: %w", err)
	}
	one.Expected, one.ID = lines[0].Text, lines[1].Text
	e.Questions = append(e.Questions, one)
	t := &e.Totals
	t.Questions++
	if one.Right {
		t.Right++
		return nil
	}
	t.Wrong++
	kinds := map[suite.Why]*int{
		suite.Refused: &t.Refused, suite.Answered: &t.Answered, suite.Missed: &t.Missed, suite.Gone: &t.Gone,
		suite.Withheld: &t.Withheld, suite.Unasked: &t.Unasked,
	}
	*kinds[one.Why]++
	return nil
}

// finish prints, and fails where any answer is wrong. No question is no right answer.
func (e *evaluation) finish(out io.Writer, format string) error {
	if format == "json" {
		if err := encode(out, e); err != nil {
			return err
		}
	} else {
		e.text(out)
	}
	switch {
	case e.Totals.Questions == 0:
		return fmt.Errorf("%w: %s holds no questions, so none was asked", errUsage, e.file)
	case e.Totals.Wrong > 0:
		return result(exitFound)
	}
	return nil
}

func (e *evaluation) text(out io.Writer) {
	for _, q := range e.Questions {
		e.line(out, q)
	}
	t := e.Totals
	if t.Questions == 0 {
		fmt.Fprintln(out, "no questions")
		return
	}
	fmt.Fprintf(out, "%s: %d right, %d wrong", count(t.Questions, "question"), t.Right, t.Wrong)
	if t.Wrong > 0 {
		fmt.Fprintf(out, " (%d refused, %d answered, %d missed, %d gone", t.Refused, t.Answered, t.Missed, t.Gone)
		if t.Withheld+t.Unasked > 0 {
			fmt.Fprintf(out, ", %d withheld, %d not asked", t.Withheld, t.Unasked)
		}
		fmt.Fprint(out, ")")
	}
	fmt.Fprintln(out)
}

// line tells one question, and of a wrong one what was expected and what came.
func (e *evaluation) line(out io.Writer, q evaluated) {
	name := printable(oneLine(q.ID + ": " + q.Question))
	switch {
	case q.ID == "" && q.Question == "":
		name = fmt.Sprintf("line %d: (not shown)", q.Line)
	case q.ID == "":
		name = fmt.Sprintf("line %d: %s", q.Line, printable(oneLine(q.Question)))
	case q.Question == "":
		name = q.ID + ": (not shown)"
	}
	if q.Right {
		fmt.Fprintf(out, "right  %s\n", name)
		return
	}
	fmt.Fprintf(out, "WRONG  %s\n       %s\n", name, q.Says)
	if q.Hint != "" {
		fmt.Fprintf(out, "       %s\n", q.Hint)
	}
	if q.Expected == "" {
		return
	}
	fmt.Fprintf(out, "       expected: %s\n       came: %s\n", printable(oneLine(q.Expected)), printable(oneLine(q.Came)))
	for _, h := range q.Hits {
		fmt.Fprintf(out, "       %s: %s\n", printable(oneLine(fmt.Sprintf("%s:%d", h.File, h.Line))), printable(shortened(oneLine(h.Text))))
	}
}

// mostShown is how much of a hit is shown beside a wrong answer, in characters: a line of a terminal.
const mostShown = 100

func shortened(text string) string {
	if r := []rune(text); len(r) > mostShown {
		return string(r[:mostShown]) + "…"
	}
	return text
}
