package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/spf13/cobra"
)

// allowing are the flags of allow.
type allowing struct {
	where
	reason, until, path string
	list, prune         bool
}

func allowCommand() *cobra.Command {
	var a allowing
	c := &cobra.Command{
		Use:   "allow FINGERPRINT --reason TEXT",
		Short: "Put a finding that is no secret into the policy's allow rules",
		Long: "The fingerprint is that of a finding of check. One rule is added for each file that holds the\n" +
			"value; it ends by itself. A pull request is judged by the rules of its base.",
		Args: func(c *cobra.Command, args []string) error {
			if a.list || a.prune {
				return cobra.NoArgs(c, args)
			}
			return cobra.ExactArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			ws, err := a.open(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer ws.close()
			switch {
			case a.list && a.prune:
				return fmt.Errorf("%w: --list or --prune, not both", errUsage)
			case a.list:
				return ws.listRules(c.Context(), c.OutOrStdout())
			case a.prune:
				return ws.pruneRules(c.Context(), c.OutOrStdout())
			}
			return ws.allow(c.Context(), strings.ToLower(args[0]), a, c.OutOrStdout())
		},
	}
	a.flags(c, false)
	c.Flags().StringVar(&a.reason, "reason", "", "why this is no secret, in one line")
	c.Flags().StringVar(&a.until, "until", "", fmt.Sprintf("the last day, YYYY-MM-DD; within a year (default: in %d days)", checker.AllowDays))
	c.Flags().StringVar(&a.path, "path", "", "a file, or a pattern like those of shape.exclude, for one rule with that path (default: each file that holds the value)")
	c.Flags().BoolVar(&a.list, "list", false, "list the rules, how long they hold, and whether anything needs them")
	c.Flags().BoolVar(&a.prune, "prune", false, "remove the rules that ended")
	return c
}

// allow adds rules for what has a fingerprint.
func (ws *workspace) allow(ctx context.Context, fingerprint string, a allowing, stdout io.Writer) error {
	until, err := a.day(today())
	if err != nil {
		return err
	}
	if err := ws.fit(ctx, fingerprint, a.reason); err != nil {
		return err
	}
	found, err := ws.findings(ctx)
	if err != nil {
		return err
	}
	other := func(f checker.Finding) bool { return f.Fingerprint != fingerprint }
	if found = slices.DeleteFunc(found, other); len(found) == 0 {
		if found, err = ws.elsewhere(ctx); err != nil {
			return err
		}
		found = slices.DeleteFunc(found, other)
	}
	if rules := renewed(found, a, until); len(rules) > 0 {
		return ws.addRules(ctx, rules, stdout)
	}
	if found, err = ws.pick(found, a.path); err != nil {
		return err
	}
	if found, err = nameless(ctx, ws.scanner, found); err != nil {
		return err
	}
	var rules []checker.Allow
	for _, f := range found {
		rule, ok := checker.Offer(f, today())
		if !ok {
			return fmt.Errorf("%w: no rule can allow a finding of the kind %s", errUsage, f.Rule)
		}
		if rule.Reason, rule.Until = a.reason, until; a.path != "" {
			rule.Path = a.path
		}
		if !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return ws.addRules(ctx, rules, stdout)
}

// renewed are the rules for findings that are allowed already, with a new end
// and reason; none where a finding has no rule yet, or no end was given.
func renewed(found []checker.Finding, a allowing, until checker.Date) (rules []checker.Allow) {
	for _, f := range found {
		if f.Allow == nil || a.until == "" || a.path != "" {
			return nil
		}
		rule := *f.Allow
		if rule.Reason, rule.Until, rule.Line = a.reason, until, 0; !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// day reads --until.
func (a allowing) day(today checker.Date) (checker.Date, error) {
	if a.until == "" {
		return today + checker.AllowDays, nil
	}
	until, err := checker.ParseDate(a.until)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: --until: %w", errUsage, err)
	case until < today:
		return 0, fmt.Errorf("%w: --until: this day is over; today is %s", errUsage, today)
	case until > today+checker.MaxAllowDays:
		return 0, fmt.Errorf("%w: --until: an exception is looked at once a year; the last day that may be given is %s", errUsage, today+checker.MaxAllowDays)
	}
	return until, nil
}

// fit refuses what cannot make a rule, before anything is looked for.
func (ws *workspace) fit(ctx context.Context, fingerprint, reason string) error {
	switch {
	case !checker.IsFingerprint(fingerprint):
		return fmt.Errorf("%w: FINGERPRINT has 32 hex digits; cardkeeper check prints it with each finding", errUsage)
	case !checker.IsReason(reason):
		return fmt.Errorf("%w: --reason must say in one line of at most %d characters why this is no secret", errUsage, checker.MaxReason)
	case ws.config.Salt == nil:
		salt, err := freshSalt()
		if err != nil {
			return err
		}
		return fmt.Errorf("%w: allow rules need a salt, which %s does not give. Put this line below policy, and check again for the new fingerprints:\n  salt: %s",
			errUsage, checker.ConfigFile, salt)
	}
	found, err := ws.scanner.Scan(ctx, reason)
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%w: --reason holds what looks like a secret itself", errUsage)
	}
	return err
}

// findings are what a check of the whole folder finds.
func (ws *workspace) findings(ctx context.Context) ([]checker.Finding, error) {
	return checker.Findings(ctx, checker.Input{
		Head: checker.Side{Files: ws.files, Shape: ws.config.Shape}, Policy: ws.config.Policy, Scanner: ws.scanner, Today: today(),
	})
}

// elsewhere are the findings in all files, as scan sees them: those of scripts and
// of what is no skill too.
func (ws *workspace) elsewhere(ctx context.Context) (out []checker.Finding, err error) {
	gate := ws.gate()
	err = fs.WalkDir(ws.files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		found, err := checker.ScanFile(ctx, gate, ws.files, name)
		out = append(out, found...)
		return err
	})
	return out, err
}

// pick keeps the findings that need a rule. A card needs none where a file of
// its skill gets one.
func (ws *workspace) pick(found []checker.Finding, path string) ([]checker.Finding, error) {
	if len(found) == 0 {
		return nil, fmt.Errorf("%w: no file has this fingerprint; cardkeeper check and cardkeeper scan list what has. Of a commit that is past no file is left: write its rule by hand", errUsage)
	}
	if path != "" {
		found = slices.DeleteFunc(found, func(f checker.Finding) bool { return !extractor.Matches(path, f.File) })
		if len(found) == 0 {
			return nil, fmt.Errorf("%w: --path: the value stands in no file that this matches", errUsage)
		}
	}
	open := slices.DeleteFunc(slices.Clone(found), func(f checker.Finding) bool { return f.Allow != nil })
	if len(open) == 0 {
		a := found[0].Allow
		return nil, fmt.Errorf("%w: this is allowed already, until %s, at %s:%d; give another end with --until", errUsage, a.Until, checker.ConfigFile, a.Line)
	}
	return slices.DeleteFunc(open, func(f checker.Finding) bool {
		folder, ok := card.Folder(ws.config.Shape.Cards, f.File)
		return ok && slices.ContainsFunc(open, func(o checker.Finding) bool {
			return o.File != f.File && (folder == "." || strings.HasPrefix(o.File, folder+"/"))
		})
	}), nil
}
