package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
)

// addRules writes rules to the configuration, in place of those for the same that
// are over.
func (ws *workspace) addRules(ctx context.Context, rules []checker.Allow, stdout io.Writer) error {
	same := func(a, b checker.Allow) bool {
		return a.Rule == b.Rule && a.Path == b.Path && a.Fingerprint == b.Fingerprint
	}
	after, err := ws.editRules(func(old checker.Allow) bool {
		return slices.ContainsFunc(rules, func(a checker.Allow) bool { return same(a, old) })
	}, rules...)
	if errors.Is(err, config.ErrEdit) {
		for _, a := range rules {
			err = fmt.Errorf("%w\n    %s", err, strings.Join(a.YAML(), "\n    "))
		}
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if err != nil {
		return err
	}
	var lines []string
	for _, a := range after.Policy.Allow {
		if slices.ContainsFunc(rules, func(b checker.Allow) bool { return same(a, b) }) {
			lines = append(lines, fmt.Sprintf("added at %s:%d: %s in %s, until %s", checker.ConfigFile, a.Line, a.Rule, a.Path, a.Until))
		}
	}
	lines = append(lines, "Commit it. A pull request is judged by the rules of its base, so the rule counts once it stands there.")
	tell(ctx, ws.scanner, stdout, strings.Join(lines, "\n"))
	return nil
}

// editRules edits the configuration as it lies in the folder, and returns it as
// it is then.
func (ws *workspace) editRules(drop func(checker.Allow) bool, add ...checker.Allow) (config.Config, error) {
	root, err := ws.root()
	if err != nil {
		return config.Config{}, err
	}
	defer root.Close()
	before, err := root.ReadFile(checker.ConfigFile)
	if errors.Is(err, os.ErrNotExist) {
		return config.Config{}, fmt.Errorf("%w: there is no %s; run: cardkeeper init", errUsage, checker.ConfigFile)
	}
	if err != nil {
		return config.Config{}, err
	}
	after, err := config.EditAllow(before, drop, add...)
	if err != nil {
		return config.Config{}, err
	}
	if string(after) != string(before) {
		if err := tree.WriteFile(root, checker.ConfigFile, after); err != nil {
			return config.Config{}, err
		}
	}
	return config.Parse(after)
}

// listRules prints the rules, one a line.
func (ws *workspace) listRules(ctx context.Context, stdout io.Writer) error {
	found, err := ws.findings(ctx)
	if err != nil {
		return err
	}
	more, err := ws.elsewhere(ctx) // a rule may be for a script, which scan looks at alone
	if err != nil {
		return err
	}
	found = append(found, more...)
	gate := ws.gate()
	var lines []string
	for _, a := range ws.config.Policy.Allow {
		use := "unused"
		if slices.ContainsFunc(found, func(f checker.Finding) bool { return gate.Covers(a, f) }) {
			use = "used"
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s in %s, %s, %s, %s: %s", checker.ConfigFile, a.Line, a.Rule, a.Path, a.Fingerprint, left(a, today()), use, a.Reason))
	}
	if len(lines) == 0 {
		lines = append(lines, "no allow rules")
	}
	tell(ctx, ws.scanner, stdout, strings.Join(lines, "\n"))
	return nil
}

// left says how long a rule holds.
func left(a checker.Allow, today checker.Date) string {
	switch days := int(a.Until - today); {
	case days < 0:
		return fmt.Sprintf("until %s (ended %s ago)", a.Until, count(-days, "day"))
	case days == 0:
		return fmt.Sprintf("until %s (the last day)", a.Until)
	default:
		return fmt.Sprintf("until %s (%s left)", a.Until, count(days, "day"))
	}
}

// pruneRules removes the rules that are over.
func (ws *workspace) pruneRules(ctx context.Context, stdout io.Writer) error {
	var lines []string
	_, err := ws.editRules(func(a checker.Allow) bool {
		if !a.Over(today()) {
			return false
		}
		lines = append(lines, fmt.Sprintf("removed: %s in %s, which ended on %s", a.Rule, a.Path, a.Until))
		return true
	})
	if errors.Is(err, config.ErrEdit) {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		lines = append(lines, "no allow rule is over")
	}
	slices.Reverse(lines)
	tell(ctx, ws.scanner, stdout, strings.Join(lines, "\n"))
	return nil
}
