package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// library opens the folder's skills, taught by the folder's own questions. Lines that
// cannot be read, or teach nothing, are told on stderr.
func (ws *workspace) library(stderr io.Writer) (*ask.Library, []int, error) {
	library, err := ask.Open(ws.files, ws.config.Shape, ws.gate())
	if err != nil {
		return nil, nil, err
	}
	library.Under(ws.config.Answers.Rules)
	questions, faults, err := checker.ReadQuestions(ws.files)
	if err != nil {
		return nil, nil, err
	}
	if len(faults) > 0 {
		fmt.Fprintf(stderr, "%s in %s; these lines are passed over. They are told by: cardkeeper eval\n", count(len(faults), "fault"), suite.File)
	}
	return library, library.Teach(questions), nil
}

// asked are the faults of a file of questions, as those of a configuration are told.
func asked(file string, faults []suite.Fault) error {
	var out config.Faults
	for _, f := range faults {
		out = append(out, config.Fault{File: file, Line: f.Line, Text: f.Text})
	}
	return out
}

// save adds a question with its answer to the folder's file. A question that is there
// is told and no error.
func (ws *workspace) save(ctx context.Context, library *ask.Library, question string, also []string, got answer.Answer, out io.Writer) error {
	root, err := ws.root()
	if err != nil {
		return err
	}
	defer root.Close()
	if info, err := root.Lstat(suite.File); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is a link or no file; put a plain file there", errUsage, suite.File)
	}
	old, err := root.ReadFile(suite.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, line, err := library.Add(old, question, got, also...)
	switch {
	case errors.Is(err, suite.ErrKnown):
		fmt.Fprintln(out, "not added:", err)
		return nil
	case errors.Is(err, suite.ErrFaulty), errors.Is(err, suite.ErrFull), errors.Is(err, suite.ErrUnfit):
		return fmt.Errorf("%w: %w", errUsage, err)
	case errors.Is(err, ask.ErrBeside):
		return beside(out)
	case err != nil:
		return err
	}
	found, err := checker.ScanQuestions(ctx, ws.scanner, line)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return beside(out)
	}
	if err := tree.WriteFile(root, suite.File, text); err != nil {
		return err
	}
	fmt.Fprintf(out, "added to %s: %s\n", suite.File, line)
	if !got.Answered {
		fmt.Fprintln(out, `It must be refused from now on. To have it answered, write "expect":["words of the fact"] in the place of "refuse":true.`)
	}
	return nil
}

// beside says why nothing was saved.
func beside(out io.Writer) error {
	fmt.Fprintln(out, ask.ErrBeside)
	return result(exitFound)
}
