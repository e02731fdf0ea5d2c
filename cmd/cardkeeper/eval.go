package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/spf13/cobra"
)

func evalCommand() *cobra.Command {
	var w where
	var k caching
	var format string
	c := &cobra.Command{
		Use:   "eval [FILE]",
		Short: "Ask the questions of a suite, and say which answers are right",
		Long: "Asks every question of FILE (- is standard input), or of the folder's own suite, " + suite.File + ".\n" +
			"The folder's own suite teaches in any case; another file is only asked. A question that holds a\n" +
			"secret or a name that no answer may hold is told by its id alone and not asked.",
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
			ctx := secret.Remember(c.Context()) // what the file of questions gives away is shown nowhere
			x, err := ws.exam(ctx, args, c.InOrStdin())
			if err != nil {
				return err
			}
			e, err := ws.evaluate(ctx, k, x, c.ErrOrStderr())
			if err != nil {
				return err
			}
			return e.finish(c.OutOrStdout(), format)
		},
	}
	w.flags(c, false)
	k.flags(c)
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

// An exam is a file of questions that are to be asked.
type exam struct {
	file      string // as it is named to the person
	questions []suite.Question
	leaky     map[int]checker.Finding // by line, what was found in the texts of a question
}

// exam reads the questions. All faults are told at once. What looks like a secret is told
// with its question, and is a fault where the line holds none.
func (ws *workspace) exam(ctx context.Context, args []string, stdin io.Reader) (x exam, err error) {
	x = exam{file: suite.File, leaky: map[int]checker.Finding{}}
	var text []byte
	var faults []suite.Fault
	if len(args) > 0 {
		x.file = args[0]
		in := io.Reader(nil)
		if x.file == "-" {
			x.file, in = "standard input", stdin
		}
		if text, err = readBounded(in, x.file, suite.MaxBytes); err != nil {
			return x, err
		}
		x.questions, faults = suite.Parse(text)
	} else {
		if x.questions, faults, err = checker.ReadQuestions(ws.files); err != nil {
			return x, err
		}
		if text, err = fs.ReadFile(ws.files, x.file); err != nil && len(faults) == 0 {
			if ws.oddSuite() {
				return x, fmt.Errorf("%w: %s", errUsage, noSuite)
			}
			return x, fmt.Errorf("%w: there is no %s; write one, or begin with: cardkeeper ask --save QUESTION", errUsage, x.file)
		}
	}
	found, err := checker.ScanQuestions(ctx, ws.gate(), text)
	if err != nil {
		return x, err
	}
	for _, f := range found {
		if f.Allow == nil && !x.leaks(f) {
			faults = append(faults, suite.Fault{Line: f.Line, Text: mend(f)})
		}
	}
	if len(faults) > 0 {
		return x, asked(x.file, faults)
	}
	return x, nil
}

// leaks enters what was found on the line of a question.
func (x exam) leaks(f checker.Finding) bool {
	held := slices.ContainsFunc(x.questions, func(q suite.Question) bool { return f.Line <= q.Line && q.Line <= f.End })
	for line := f.Line; held && line <= f.End; line++ {
		x.leaky[line] = f
	}
	return held
}

// readBounded reads what is given, or without that a file of the person's own, with one byte more
// than may be at most.
func readBounded(in io.Reader, name string, most int64) ([]byte, error) {
	if in != nil {
		return io.ReadAll(io.LimitReader(in, most+1))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w: the file of questions cannot be opened: %w", errUsage, err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

// evaluate asks the questions, but for those that hold what was found.
func (ws *workspace) evaluate(ctx context.Context, c caching, x exam, stderr io.Writer) (*evaluation, error) {
	kept, err := ws.shelved(c)
	if err != nil {
		return nil, err
	}
	library, idle, err := ws.library(ctx, kept, stderr)
	if err != nil {
		return nil, err
	}
	defer kept.keep(ctx)
	for _, one := range idle {
		ws.tellIdle(ctx, library, one, stderr)
	}
	e := &evaluation{Questions: []evaluated{}, file: x.file}
	asked := slices.DeleteFunc(slices.Clone(x.questions), func(q suite.Question) bool { _, leaky := x.leaky[q.Line]; return leaky })
	outcomes, err := library.Try(ctx, asked)
	if err != nil {
		return nil, err
	}
	for _, q := range x.questions {
		if f, leaky := x.leaky[q.Line]; leaky {
			if err := e.unshown(ctx, ws, library, q, suite.Unasked, "not asked: "+mend(f)); err != nil {
				return nil, err
			}
			continue
		}
		o := outcomes[0]
		outcomes = outcomes[1:]
		if err := e.judge(ctx, ws, library, o); err != nil {
			return nil, err
		}
	}
	return e, e.hide(ctx, ws)
}

// tellIdle says of a line why it teaches nothing. The question that stands against it is named
// by its words where these may be shown.
func (ws *workspace) tellIdle(ctx context.Context, library *ask.Library, one suite.Idle, stderr io.Writer) {
	why := one.Why
	if q := one.Question; q != "" {
		if found, err := ws.gate().Scan(ctx, q); err == nil && len(found) == 0 && !library.Names(q) {
			why += ": " + oneLine(q)
		}
	}
	tell(ctx, ws.scanner, stderr, fmt.Sprintf("%s:%d teaches nothing: %s", suite.File, one.Line, why))
}

// oneLine is a text without its line ends.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
