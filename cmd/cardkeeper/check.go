package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/spf13/cobra"
)

func checkCommand() *cobra.Command {
	var w where
	var o checking
	var format string
	c := &cobra.Command{
		Use:   "check",
		Short: "Say whether the committed cards are what the files say",
		Long: "Without --base every card is answered for. With it, what differs between that revision and\n" +
			"the folder; only the revision's own tree is needed. Where the history between is there, the\n" +
			"commits are looked at for secrets that the folder does not hold any more. These warn alone.",
		RunE: func(c *cobra.Command, _ []string) error {
			if _, ok := formats()[format]; !ok {
				return fmt.Errorf("%w: --format knows text, json, markdown, github and sarif", errUsage)
			}
			if c.Flags().Changed("base") && o.base == "" {
				return fmt.Errorf("%w: --base is empty; name the revision to compare with, or leave the flag out to answer for everything", errUsage)
			}
			r, err := check(c.Context(), w, o, c.ErrOrStderr())
			if err != nil {
				return err
			}
			if err := formats()[format](c.OutOrStdout(), r); err != nil {
				return err
			}
			if r.Failed() {
				return result(exitFound)
			}
			return nil
		},
	}
	w.flags(c, true)
	c.Flags().StringVar(&o.base, "base", "", "the revision to compare with")
	c.Flags().BoolVar(&o.noHistory, "no-history", false, "do not look at the commits between the base and HEAD")
	c.Flags().BoolVar(&o.noReferences, "no-references", false, "say nothing of dead references, such as where scripts are not checked out")
	c.Flags().StringVar(&format, "format", "text", "text, json, markdown, github or sarif")
	return c
}

// checking are the flags that say how a check is made.
type checking struct {
	base                    string
	noReferences, noHistory bool
}

func check(ctx context.Context, w where, o checking, stderr io.Writer) (checker.Report, error) {
	ws, err := w.open(ctx, stderr)
	if err != nil {
		return checker.Report{}, err
	}
	defer ws.close()
	if !w.staged && ws.oddSuite() {
		fmt.Fprintln(stderr, noSuite)
	}
	in := checker.Input{
		Head:   checker.Side{Files: ws.files, Shape: ws.config.Shape},
		Policy: ws.config.Policy, Scanner: ws.scanner, Blind: remedy(ws.blind), Today: today(), Unsalted: ws.config.Salt == nil, NoReferences: o.noReferences,
		Rules: ws.config.Answers.Rules,
	}
	if o.base != "" {
		files, err := ws.local.Revision(ctx, o.base)
		if err != nil {
			return checker.Report{}, ofRevision(o.base, err)
		}
		before, faulty, err := baseConfig(files)
		if err != nil {
			return checker.Report{}, err
		}
		if faulty {
			fmt.Fprintln(stderr, strictest)
		}
		// A change cannot weaken its own check, and a finding is called what the App calls it.
		in.Base = &checker.Side{Files: files, Shape: before.Shape}
		before = before.Salted(ws.config)
		s, blind, err := w.scanner(ws.scanner, before, ws.local.Root())
		if err != nil {
			return checker.Report{}, err
		}
		speak(ctx, s)
		in.Policy, in.Scanner, in.Blind = before.Policy, s, remedy(blind)
		in.Rules, in.RulesUnread = before.Answers.Rules, before.Answers.Unread
		if !faulty {
			in.RulesAfter, in.HeadPolicy = &ws.config.Answers.Rules, &ws.config.Policy
		}
		in.HeadAllow, in.Unsalted = ws.config.Policy.Allow, before.Salt == nil
	}
	r, err := checker.Check(ctx, in)
	if err != nil || in.Base == nil || o.noHistory || !r.Enabled() {
		return r, err
	}
	h, err := history(ctx, ws, o.base, in)
	return r.WithHistory(h), err
}

// strictest is said where the base's configuration has faults.
const strictest = "the configuration at the base has faults, so nothing of it counts: everything blocks that can; mend it there"

// baseConfig reads the base's configuration. One with faults counts as none: the
// default blocks everything, so that nothing gets easier, and the change that
// mends the file can pass.
func baseConfig(files fs.FS) (c config.Config, faulty bool, err error) {
	c, err = config.Load(files)
	var faults config.Faults
	if errors.As(err, &faults) {
		return config.Strictest(files), true, nil
	}
	if err != nil {
		return config.Config{}, false, fmt.Errorf("at the base: %w", err)
	}
	return c, false, nil
}

func formats() map[string]func(io.Writer, checker.Report) error {
	return map[string]func(io.Writer, checker.Report) error{
		"text":     writeText,
		"json":     writeJSON,
		"markdown": func(w io.Writer, r checker.Report) error { _, err := io.WriteString(w, r.Markdown()); return err },
		"github":   writeWorkflow,
		"sarif":    writeSARIF,
	}
}

func writeJSON(w io.Writer, r checker.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

func writeText(w io.Writer, r checker.Report) error {
	_, err := io.WriteString(w, r.Plain())
	return err
}
