package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// longestValue bounds what is read of a value, in bytes: eight long words.
const longestValue = 4096

// oneValue reads a value: from a terminal without showing it, else all of
// standard input, which must be one line.
func oneValue(c *cobra.Command) (string, error) {
	if f, ok := c.InOrStdin().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(c.ErrOrStderr(), "The value to withhold (it is not shown): ")
		b, err := unseen(c.Context(), int(f.Fd()))
		fmt.Fprintln(c.ErrOrStderr())
		return string(b), err
	}
	b, err := io.ReadAll(io.LimitReader(c.InOrStdin(), longestValue+1))
	if err != nil {
		return "", fmt.Errorf("the value could not be read from standard input: %w", err)
	}
	value := strings.TrimSpace(string(b))
	if len(b) > longestValue || strings.ContainsAny(value, "\r\n") {
		return "", fmt.Errorf("%w: one value at a time, on one line", errUsage)
	}
	return value, nil
}

// unseen reads a line from a terminal without showing it. An interrupt leaves the
// terminal as it was.
func unseen(ctx context.Context, terminal int) ([]byte, error) {
	before, err := term.GetState(terminal)
	if err != nil {
		return nil, fmt.Errorf("the terminal cannot be told not to show the value: %w", err)
	}
	type line struct {
		text []byte
		err  error
	}
	read := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(terminal)
		read <- line{text, err}
	}()
	select {
	case got := <-read:
		if got.err != nil {
			return nil, fmt.Errorf("the value could not be read from the terminal: %w", got.err)
		}
		return got.text, nil
	case <-ctx.Done():
		return nil, errors.Join(fmt.Errorf("no value was read: %w", ctx.Err()), term.Restore(terminal, before))
	}
}

func withholdListCommand() *cobra.Command {
	var w where
	c := &cobra.Command{
		Use: "list", Short: "List the withheld values: hash, day, reason", Args: noValue,
		RunE: w.listed(func(c *cobra.Command, p *policyFile, s *secret.Scanner, _ error) error {
			var lines strings.Builder
			for _, v := range p.config.Withheld.Values {
				added := "          "
				if !v.Added.IsZero() {
					added = v.Added.Format("2006-01-02")
				}
				fmt.Fprintf(&lines, "%s  %s  %s\n", v.Hash, added, shown(v.Reason))
			}
			text, err := s.Withhold(c.Context(), lines.String(), nil)
			if err != nil {
				return err
			}
			fmt.Fprint(c.OutOrStdout(), text)
			return nil
		}),
	}
	w.flags(c, false)
	return c
}

// listed runs a command over the list, unless it is empty, with the scanner under
// the policy and why that does not look for withheld values.
func (w *where) listed(run func(*cobra.Command, *policyFile, *secret.Scanner, error) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		p, err := w.policyFile()
		if err != nil {
			return err
		}
		defer p.close()
		if len(p.config.Withheld.Values) == 0 {
			fmt.Fprintln(c.ErrOrStderr(), "nothing is withheld here")
			return nil
		}
		s, blind, err := p.scanner(w)
		if err != nil {
			return err
		}
		return run(c, p, s, blind)
	}
}

// scanner is the scanner under the policy, and why it does not look for withheld values.
func (p *policyFile) scanner(w *where) (_ *secret.Scanner, blind, err error) {
	s, err := secret.New(secret.Options{})
	if err != nil {
		return nil, nil, err
	}
	return w.scanner(s, p.config, p.folder)
}

// leastPrefix is how many digits of a hash name it: no list is so long that two share as many.
const leastPrefix = 8

func withholdRemoveCommand() *cobra.Command {
	var w where
	c := &cobra.Command{
		Use: "remove HASH", Short: "Take a value off the list",
		Long: "HASH is as list prints it, or its first digits, at least 8.",
		Args: usageArgs(func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%w: give one hash", errUsage)
			}
			return nil
		}),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := w.policyFile()
			if err != nil {
				return err
			}
			defer p.close()
			hash, err := p.find(args[0])
			if err != nil {
				return err
			}
			text, err := config.RemoveWithheld(p.text, hash)
			if errors.Is(err, config.ErrEdit) {
				return fmt.Errorf("%w: %w", errUsage, err)
			}
			if err != nil {
				return err
			}
			if err := p.write(text); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "no longer withheld, once the base branch has it: %s\n", hash)
			return nil
		},
	}
	w.flags(c, false)
	return c
}

// find returns the one listed hash that begins as given.
func (p *policyFile) find(prefix string) (secret.Hash, error) {
	var found []secret.Hash
	for _, v := range p.config.Withheld.Values {
		if len(prefix) >= leastPrefix && strings.HasPrefix(v.Hash.String(), strings.ToLower(prefix)) {
			found = append(found, v.Hash)
		}
	}
	if len(found) != 1 {
		return secret.Hash{}, fmt.Errorf("%w: that is not the hash of one entry, nor its first %d digits or more; see: cardkeeper withhold list", errUsage, leastPrefix)
	}
	return found[0], nil
}

func withholdTestCommand() *cobra.Command {
	var w where
	c := &cobra.Command{
		Use: "test", Short: "Say which lines of the text on standard input hold a withheld value", Args: noValue,
		RunE: w.listed(func(c *cobra.Command, p *policyFile, s *secret.Scanner, blind error) error {
			if blind != nil {
				return unlooked(blind)
			}
			text, err := io.ReadAll(io.LimitReader(c.InOrStdin(), secret.DefaultMaxBytes+1))
			if err != nil {
				return fmt.Errorf("the text could not be read from standard input: %w", err)
			}
			found, err := s.WithheldOnly().Scan(c.Context(), string(text))
			if err != nil {
				return err
			}
			return sayLines(c.OutOrStdout(), found)
		}),
	}
	w.flags(c, false)
	return c
}

// sayLines prints the lines of findings, each once.
func sayLines(out io.Writer, found []secret.Finding) error {
	if len(found) == 0 {
		fmt.Fprintln(out, "no line holds a withheld value")
		return nil
	}
	last := ""
	to := bufio.NewWriter(out)
	for _, f := range found {
		line := fmt.Sprintf("line %d", f.First)
		if f.Last > f.First {
			line = fmt.Sprintf("lines %d-%d", f.First, f.Last)
		}
		if line != last {
			fmt.Fprintln(to, line)
		}
		last = line
	}
	if err := to.Flush(); err != nil {
		return err
	}
	return result(exitFound)
}
