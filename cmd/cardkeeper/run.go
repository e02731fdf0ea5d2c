package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/app"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/spf13/cobra"
)

// The exit codes, the same for every command.
const (
	exitOK     = 0 // done, and nothing to complain of
	exitFound  = 1 // the check failed, a secret was found, the question was refused
	exitUsage  = 2 // wrong arguments or configuration
	exitFailed = 3 // could not do it: no verdict
)

// A result is an outcome that is not an error of the program: it sets the exit
// code and says no more than the command already did.
type result int

func (r result) Error() string { return fmt.Sprintf("exit code %d", int(r)) }

// errUsage marks what the person at the keyboard can mend.
var errUsage = errors.New("usage")

// run executes one command line and returns its exit code. A command's result goes to
// stdout alone; progress and complaints go to stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return runOn(ctx, os.Stdin, args, stdout, stderr)
}

// runOn is run with another standard input.
func runOn(ctx context.Context, stdin io.Reader, args []string, stdout, stderr io.Writer) int {
	root := rootCommand()
	root.SetIn(stdin)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	v := &voice{}
	err := root.ExecuteContext(context.WithValue(ctx, voiceKey{}, v))
	code := exitCode(err)
	var r result
	if err != nil && !errors.As(err, &r) {
		v.complain(ctx, err, stderr)
	}
	return code
}

// complain prints an error. Its text may name files, so it is scanned like
// everything that goes out (law 8).
func (v *voice) complain(ctx context.Context, err error, stderr io.Writer) {
	s := v.scanner
	if s == nil {
		var failed error
		if s, failed = secret.New(secret.Options{}); failed != nil {
			fmt.Fprintf(stderr, "cardkeeper: %v\n", failed)
			return
		}
	}
	tell(context.WithoutCancel(ctx), s, stderr, "cardkeeper: "+calls.ReplaceAllString(err.Error(), ""))
}

// calls are the names of functions that errors carry for developers.
var calls = regexp.MustCompile(`\b(?:[a-z]+\.[A-Z][A-Za-z]*: )+`)

// version is the build's and the cards'.
func version() string { return fmt.Sprintf("%s, card edition %d", app.Version(), card.Edition) }

// tell prints a message on lines of its own, found secrets taken out.
func tell(ctx context.Context, s *secret.Scanner, stderr io.Writer, message string) {
	clean, err := checker.WithholdPaths(ctx, s, message)
	if err != nil {
		clean = "a message that could not be scanned for secrets was left out"
	}
	fmt.Fprintln(stderr, printable(clean))
}

// printable takes out what would move a terminal's cursor or turn its text
// around. Lines stay.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// exitCode maps errors to exit codes: the one table of it.
func exitCode(err error) int {
	var r result
	var faults config.Faults
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &r):
		return int(r)
	case errors.Is(err, errUsage), errors.As(err, &faults), errors.Is(err, extractor.ErrCollision),
		errors.Is(err, tree.ErrNotGit), errors.Is(err, tree.ErrNoRevision):
		return exitUsage
	}
	return exitFailed
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "cardkeeper",
		Short: "Keeps a repository's index of skills true",
		Long: "Cardkeeper extracts one card per skill from the skill's own files, checks that the committed\n" +
			"cards say what the files say, and answers questions with the lines that answer them.",
		Version:       version(),
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%w: no such command; the commands are: %s", errUsage, commandNames(c))
			}
			return c.Help()
		},
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetFlagErrorFunc(flagFault)
	root.AddCommand(buildCommand(), checkCommand(), showCommand(), askCommand(), evalCommand(), scanCommand(), initCommand(),
		allowCommand(), withholdCommand(), serveCommand(), setupCommand(), doctorCommand(), gapsCommand(), replayCommand(), demoCommand())
	for _, c := range root.Commands() {
		c.Args = usageArgs(c.Args)
	}
	return root
}

func commandNames(root *cobra.Command) string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return strings.Join(names, ", ")
}
