package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/spf13/cobra"
)

// asking are the flags of ask.
type asking struct {
	where
	nearness
	caching
	format, batch, base string
	also                []string
	explain, save, all  bool
}

func askCommand() *cobra.Command {
	var a asking
	c := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question with cited lines, or say that it is not documented",
		Long: "Prints cited lines, best first, or what was looked through. Nothing of a question is kept\n" +
			"without --save: gaps are kept of what people ask the App. The index of the folder is kept in the\n" +
			"user's cache folder, without the skills in which a scan found something.",
		Args: func(c *cobra.Command, args []string) error {
			if a.batch != "" {
				return cobra.NoArgs(c, args)
			}
			if err := cobra.ExactArgs(1)(c, args); err != nil {
				return err
			}
			return a.asks(args[0])
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.fit(c.Flags().Changed("format")); err != nil {
				return err
			}
			ws, err := a.where.open(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer ws.close()
			if ws.blind != nil { // an answer that may hold one is none
				return unlooked(ws.blind)
			}
			kept, err := ws.shelved(a.caching)
			if err != nil {
				return err
			}
			library, _, err := ws.library(c.Context(), kept, c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer kept.keep(c.Context())
			if err := a.since(c, ws, library); err != nil {
				return err
			}
			if err := a.nearness.open(ws.local.Root(), library, a.caching); err != nil {
				return err
			}
			defer a.nearness.close(c.ErrOrStderr())
			tell := func(got answer.Answer) { a.tell(got, c.ErrOrStderr()) }
			if a.batch != "" {
				b := batch{Library: library, scanner: ws.scanner, file: a.batch, in: c.InOrStdin(), out: c.OutOrStdout(), stderr: c.ErrOrStderr(), tell: tell}
				return b.run(c.Context())
			}
			got, err := a.one(c.Context(), library, args[0], c.OutOrStdout(), tell)
			if a.explain && got.Terms != nil {
				fmt.Fprint(a.aside(c), answer.Explain(got))
			}
			if a.save && got.Terms != nil && (err == nil || errors.Is(err, result(exitFound))) {
				kept := suite.Addition{Question: args[0], Also: a.also, Answer: got, All: a.all}
				if failed := ws.save(c.Context(), library, kept, a.aside(c)); failed != nil {
					return failed
				}
			}
			return err
		},
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w. A question that begins with a hyphen stands behind two: cardkeeper ask -- \"--flag\"", flagFault(c, err))
	})
	a.where.flags(c, true)
	a.nearness.flags(c)
	a.caching.flags(c)
	c.Flags().StringVar(&a.format, "format", "text", "text or json")
	c.Flags().StringVar(&a.batch, "batch", "", "answer a file of JSON lines {\"id\",\"question\"} instead, each with \"also\" where it likes; - is standard input")
	c.Flags().StringVar(&a.base, "base", "", "mark what this revision does not say")
	c.Flags().StringArrayVar(&a.also, "also", nil, "the question in other words; may be given several times")
	c.Flags().BoolVar(&a.save, "save", false, "add the question, with what answered it first, to "+suite.File)
	c.Flags().BoolVar(&a.all, "all", false, "with --save: of an answer that is a list, expect each member")
	c.Flags().BoolVar(&a.explain, "explain", false, "show term by term how the question was read and each hit was scored, or what came closest")
	return c
}

// since has the answers mark what the revision of --base does not say. The shape is
// that of today: a change of it brings no statement.
func (a asking) since(c *cobra.Command, ws *workspace, library *ask.Library) error {
	if !c.Flags().Changed("base") {
		return nil
	}
	if a.base == "" {
		return fmt.Errorf("%w: --base is empty; name the revision to compare with, or leave the flag out", errUsage)
	}
	files, err := ws.local.Revision(c.Context(), a.base)
	if err != nil {
		return ofRevision(a.base, err)
	}
	return library.Since(files, ws.config.Shape)
}

// asks refuses wordings that ask nothing or too much.
func (a asking) asks(question string) error {
	for i, text := range append([]string{question}, a.also...) {
		name := "the question"
		if i > 0 {
			name = "--also"
		}
		switch {
		case strings.TrimSpace(text) == "":
			return fmt.Errorf("%w: %s is empty; ask something", errUsage, name)
		case utf8.RuneCountInString(text) > answer.MaxQuestion:
			return fmt.Errorf("%w: %s is longer than %d characters; ask something shorter", errUsage, name, answer.MaxQuestion)
		}
	}
	return nil
}

// fit refuses flags that do not go together; formatted says that --format was given.
func (a asking) fit(formatted bool) error {
	switch {
	case a.format != "text" && a.format != "json":
		return fmt.Errorf("%w: --format knows text and json", errUsage)
	case a.batch != "" && formatted && a.format == "text":
		return fmt.Errorf("%w: --batch answers in JSON lines; leave out --format text", errUsage)
	case a.batch != "" && (a.explain || len(a.also) > 0):
		return fmt.Errorf("%w: --batch goes without --explain and --also; a line may hold \"also\"", errUsage)
	case a.save && (a.batch != "" || a.staged):
		return fmt.Errorf("%w: --save keeps one question with what the folder answers; leave out --batch and --staged", errUsage)
	case a.all && !a.save:
		return fmt.Errorf("%w: --all goes with --save", errUsage)
	case a.save && len(a.also) > suite.MaxAlso:
		return fmt.Errorf("%w: a question is saved with at most %d further wordings", errUsage, suite.MaxAlso)
	case len(a.also) > answer.MaxAlso:
		return tooMany()
	}
	return nil
}

// aside is where it is told how an answer came about and what was saved: not into its JSON.
func (a asking) aside(c *cobra.Command) io.Writer {
	if a.format == "json" {
		return c.ErrOrStderr()
	}
	return c.OutOrStdout()
}

// one answers a question and prints it. Of a question that holds a secret the answer
// is empty.
func (a asking) one(ctx context.Context, library *ask.Library, question string, out io.Writer, tell func(answer.Answer)) (answer.Answer, error) {
	asked := library.Ask
	if a.explain {
		asked = library.Explain
	}
	got, err := asked(ctx, question, a.also...)
	tell(got)
	if ask.Silent(err) && a.format != "json" {
		fmt.Fprintln(out, err)
		return answer.Answer{}, result(exitFound)
	}
	if got, err = orRefusal(got, err); err != nil {
		return got, err
	}
	if a.format == "json" {
		if err := encode(out, got); err != nil {
			return got, err
		}
	} else {
		fmt.Fprint(out, answer.Text(got, nil))
	}
	if !got.Answered {
		return got, result(exitFound)
	}
	return got, nil
}

func tooMany() error {
	return fmt.Errorf("%w: at most %d further wordings are read", errUsage, answer.MaxAlso)
}

// orRefusal turns a question that must not be shown into a refusal without any of
// its words.
func orRefusal(got answer.Answer, err error) (answer.Answer, error) {
	if ask.Silent(err) {
		return answer.Answer{Refusal: &answer.Refusal{Why: err.Error()}}, nil
	}
	return got, err
}

func encode(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
