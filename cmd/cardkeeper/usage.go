package main

import (
	"errors"
	"fmt"
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
// quote what was typed. A flag is named only if it is one of the command's.
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
	return fmt.Errorf("%w: unknown flag; there are: %s", errUsage, strings.Join(names, ", "))
}
