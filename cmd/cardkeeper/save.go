package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// library answers from the folder's skills, taught by the folder's own questions. Lines that
// cannot be read, or teach nothing, are told on stderr.
func (ws *workspace) library(ctx context.Context, of *shelved, stderr io.Writer) (*ask.Library, []suite.Idle, error) {
	library := of.whole.Library(ws.files, ws.gate(), nil).Under(ws.config.Answers.Rules)
	questions, faults, err := checker.ReadQuestions(ws.files)
	if err != nil {
		return nil, nil, err
	}
	if len(faults) > 0 {
		fmt.Fprintf(stderr, "%s in %s; these lines are passed over. They are told by: cardkeeper eval\n", count(len(faults), "fault"), suite.File)
	}
	idle, err := library.Teach(ctx, questions)
	if n := len(slices.DeleteFunc(slices.Clone(idle), func(one suite.Idle) bool { return one.By > 0 })); n > 0 {
		fmt.Fprintf(stderr, "%s of %s teach nothing, since the file teaches too much; which, tells: cardkeeper eval\n", count(n, "line"), suite.File)
	}
	return library, idle, err
}

// noSuite is said where the file of questions is a folder without files, a pipe or the like: git
// knows nothing of it, and neither does the tree that is read.
const noSuite = suite.File + " is no plain file, so no question of it is read; put a plain file there"

// oddSuite reports whether something else stands in the place of the file of questions.
func (ws *workspace) oddSuite() bool {
	if _, err := fs.Stat(ws.files, suite.File); err == nil {
		return false // it is told as a fault of the file
	}
	info, err := os.Lstat(filepath.Join(ws.local.Root(), filepath.FromSlash(suite.File)))
	return err == nil && !info.Mode().IsRegular()
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
// is told and no error. What another command adds meanwhile stays.
func (ws *workspace) save(ctx context.Context, library *ask.Library, a suite.Addition, out io.Writer) error {
	root, err := ws.root()
	if err != nil {
		return err
	}
	defer root.Close()
	var line []byte
	err = tree.Append(ctx, root, suite.File, func(old []byte) ([]byte, error) {
		var text []byte
		if text, line, err = library.Add(ctx, old, a); err != nil {
			return nil, err
		}
		found, err := checker.ScanQuestions(ctx, ws.scanner, line)
		if err == nil && (len(found) > 0 || library.Names(string(line))) {
			err = ask.ErrBeside
		}
		if err != nil {
			return nil, err
		}
		return text[len(old):], nil
	})
	switch {
	case errors.Is(err, tree.ErrSymlink):
		return fmt.Errorf("%w: %s is a link or no file; put a plain file there", errUsage, suite.File)
	case errors.Is(err, suite.ErrKnown):
		fmt.Fprintln(out, "not added:", err)
		if a.All {
			fmt.Fprintln(out, "To have all of the list expected, delete that line first.")
		}
		return nil
	case errors.Is(err, suite.ErrFaulty), errors.Is(err, suite.ErrFull), errors.Is(err, suite.ErrUnfit), errors.Is(err, suite.ErrNoList):
		return fmt.Errorf("%w: %w", errUsage, err)
	case errors.Is(err, ask.ErrBeside), errors.Is(err, suite.ErrBack), errors.Is(err, ask.ErrAmiss):
		fmt.Fprintln(out, err)
		return result(exitFound)
	case err != nil:
		return err
	}
	fmt.Fprintf(out, "added to %s: %s\n", suite.File, line)
	fmt.Fprint(out, added(a))
	return nil
}

// added says what a person may want to know of what was added.
func added(a suite.Addition) string {
	switch n := len(a.Answer.Hits); {
	case !a.Answer.Answered:
		return `It must be refused from now on. To have it answered, write "expect":["words of the fact"] in the place of "refuse":true.` + "\n"
	case a.Answer.List && !a.All && n > 1:
		return "The first of the list is expected from now on. To expect all of it, delete this line of the file and save with --all.\n"
	case a.All && n > suite.MaxReferences:
		return fmt.Sprintf("The first %d of %d are expected from now on, which is the most that a question takes.\n", suite.MaxReferences, n)
	case n > 1 && !a.All:
		return "The first hit is expected from now on, and none of the others.\n"
	}
	return ""
}
