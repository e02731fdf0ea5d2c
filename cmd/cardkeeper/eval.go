package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/spf13/cobra"
)

func evalCommand() *cobra.Command {
	var w where
	var format string
	c := &cobra.Command{
		Use:   "eval [FILE]",
		Short: "Ask the questions of a suite, and say which answers are right",
		Long: "Asks every question of FILE, or of the folder's own suite, " + suite.File + ".\n" +
			"The folder's own suite teaches in any case; another file is only asked.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("%w: --format knows text and json", errUsage)
			}
			ws, err := w.open(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer ws.close()
			if ws.blind != nil { // an answer that may hold one is none
				return unlooked(ws.blind)
			}
			questions, err := ws.exam(c.Context(), args)
			if err != nil {
				return err
			}
			e, err := ws.evaluate(c.Context(), questions, c.ErrOrStderr())
			if err != nil {
				return err
			}
			return e.finish(c.OutOrStdout(), format)
		},
	}
	w.flags(c, false)
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

// exam reads the questions that are asked. All faults are told at once, and so is
// what looks like a secret: the questions are printed.
func (ws *workspace) exam(ctx context.Context, args []string) (questions []suite.Question, err error) {
	name := suite.File
	var text []byte
	var faults []suite.Fault
	if len(args) > 0 {
		name = args[0]
		if text, err = readBounded(name, suite.MaxBytes); err != nil {
			return nil, err
		}
		questions, faults = suite.Parse(text)
	} else {
		if questions, faults, err = checker.ReadQuestions(ws.files); err != nil {
			return nil, err
		}
		if text, err = fs.ReadFile(ws.files, name); err != nil && len(faults) == 0 {
			return nil, fmt.Errorf("%w: there is no %s; write one, or begin with: cardkeeper ask --save QUESTION", errUsage, name)
		}
	}
	found, err := checker.ScanQuestions(ctx, ws.gate(), text)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if f.Allow == nil {
			faults = append(faults, suite.Fault{Line: f.Line, Text: mend(f)})
		}
	}
	if len(faults) > 0 {
		return nil, asked(name, faults)
	}
	return questions, nil
}

// readBounded reads a file of the person's own, with one byte more than may be at most.
func readBounded(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w: the file of questions cannot be opened: %w", errUsage, err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

// evaluate asks the questions.
func (ws *workspace) evaluate(ctx context.Context, questions []suite.Question, stderr io.Writer) (*evaluation, error) {
	library, idle, err := ws.library(stderr)
	if err != nil {
		return nil, err
	}
	for _, line := range idle {
		fmt.Fprintf(stderr, "%s:%d teaches nothing: by its words a question would be answered that must be refused\n", suite.File, line)
	}
	outcomes, err := library.Try(ctx, questions)
	if ask.Silent(err) {
		err = fmt.Errorf("%w: %w", errUsage, err)
	}
	if err != nil {
		return nil, err
	}
	e := &evaluation{Questions: []evaluated{}}
	for _, o := range outcomes {
		e.add(o)
	}
	return e, nil
}

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
	} `json:"totals"`
}

// An evaluated question is one with what came of it.
type evaluated struct {
	ID       string           `json:"id"`
	Question string           `json:"question"`
	Right    bool             `json:"right"`
	Why      suite.Why        `json:"why"`     // "" where right
	Says     string           `json:"says"`    // the same in words
	Wording  int              `json:"wording"` // 0 for the question, n for the n-th of also
	Rank     int              `json:"rank"`    // of the best expected fact; 0 for none, or where right
	Best     float64          `json:"best"`    // how far that came
	Missing  []int            `json:"missing"` // items of expect that name nothing
	Answered bool             `json:"answered"`
	Hits     []answer.HitForm `json:"hits"`
}

func (e *evaluation) add(o suite.Outcome) {
	form := o.Answer.Form()
	e.Questions = append(e.Questions, evaluated{
		o.ID, o.Question.Question, o.Right, o.Why, o.Says(), o.Wording, o.Rank, o.Best, append([]int{}, o.Missing...), form.Answered, form.Hits,
	})
	t := &e.Totals
	t.Questions++
	if o.Right {
		t.Right++
		return
	}
	t.Wrong++
	kinds := map[suite.Why]*int{suite.Refused: &t.Refused, suite.Answered: &t.Answered, suite.Missed: &t.Missed, suite.Gone: &t.Gone}
	*kinds[o.Why]++
}

// finish prints, and fails where any answer is wrong.
func (e *evaluation) finish(out io.Writer, format string) error {
	if format == "json" {
		if err := encode(out, e); err != nil {
			return err
		}
	} else {
		e.text(out)
	}
	if e.Totals.Wrong > 0 {
		return result(exitFound)
	}
	return nil
}

func (e *evaluation) text(out io.Writer) {
	for _, q := range e.Questions {
		if q.Right {
			fmt.Fprintf(out, "right  %s: %s\n", q.ID, printable(oneLine(q.Question)))
			continue
		}
		fmt.Fprintf(out, "WRONG  %s: %s\n       %s\n", q.ID, printable(oneLine(q.Question)), q.Says)
		for _, h := range q.Hits {
			fmt.Fprintf(out, "       %s\n", printable(oneLine(fmt.Sprintf("%s:%d", h.File, h.Line))))
		}
	}
	t := e.Totals
	fmt.Fprintf(out, "%s: %d right, %d wrong", count(t.Questions, "question"), t.Right, t.Wrong)
	if t.Wrong > 0 {
		fmt.Fprintf(out, " (%d refused, %d answered, %d missed, %d gone)", t.Refused, t.Answered, t.Missed, t.Gone)
	}
	fmt.Fprintln(out)
}

// oneLine is a text without its line ends.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
