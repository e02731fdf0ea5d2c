package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageArgs makes a wrong number of arguments a usage error. The library's own
// text quotes what was typed, with escapes that a scan does not see through.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if check == nil {
			check = cobra.NoArgs
		}
		err := check(c, args)
		if err == nil || errors.Is(err, errUsage) { // nil, or in words of ours
			return err
		}
		return fmt.Errorf("%w: %s: arguments unknown or missing, %s given (quote what holds blanks); see: %s --help",
			errUsage, c.Use, count(len(args), "argument"), c.CommandPath())
	}
}

// flagFault says what is wrong with the flags in words of ours: the library's
// quote what was typed. A flag that the command does not have is named where it is
// letters and hyphens alone, with the one that it is nearest to.
func flagFault(c *cobra.Command, err error) error {
	var names []string
	named, text := "", err.Error()
	c.Flags().VisitAll(func(f *pflag.Flag) {
		flag := "--" + f.Name
		names = append(names, flag)
		if strings.HasSuffix(text, ": "+flag) || strings.Contains(text, flag+"\" flag:") {
			named = flag
		}
	})
	if named != "" && !strings.HasPrefix(text, "unknown") {
		return fmt.Errorf("%w: %s needs a value, or another one; see: %s --help", errUsage, named, c.CommandPath())
	}
	typed := ""
	if m := unknownFlag.FindStringSubmatch(text); m != nil {
		typed = " " + m[1]
		if near := nearestFlag(m[1], names); near != "" {
			typed += ", did you mean " + near + "?"
		}
	}
	return fmt.Errorf("%w: unknown flag%s; there are: %s", errUsage, typed, strings.Join(names, ", "))
}

// unknownFlag is the library's complaint about a flag that is a plain word.
var unknownFlag = regexp.MustCompile(`^unknown flag: (--[a-z]+(?:-[a-z]+)*)$`)

// farFlag is how many letters a flag that was meant may differ in.
const farFlag = 2

// nearestFlag returns the flag that is nearest to what was typed, or "".
func nearestFlag(typed string, names []string) string {
	best, least := "", farFlag+1
	for _, n := range names {
		if d := edits(typed, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// edits is how many letters turn a into b: put in, left out, replaced or exchanged with the next.
func edits(a, b string) int {
	before, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// plainRevision is a revision that may be named in an error, which is scanned as all are.
var plainRevision = regexp.MustCompile(`^[A-Za-z0-9._/~^@{}-]{1,100}$`)

// ofRevision names the revision that an error is about.
func ofRevision(rev string, err error) error {
	if plainRevision.MatchString(rev) {
		return fmt.Errorf("--base %s: %w", rev, err)
	}
	return fmt.Errorf("--base: %w", err)
}
