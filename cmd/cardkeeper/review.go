package main

import (
	"context"
	"fmt"
	"io"

	"github.com/cardkeeper/cardkeeper/checker"
)

// review lists what was found, each once, and the allow rules that a person could
// take over for what is no secret.
func (b *builder) review(ctx context.Context, stdout io.Writer) error {
	if len(b.found) == 0 {
		return nil
	}
	found, err := nameless(ctx, b.scanner, b.found)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "\n%s:\n", count(len(found), "finding"))
	var leaks []checker.Finding
	for _, f := range found {
		fmt.Fprintf(stdout, "  %s:%d: %s (%s) %s%s\n", shown(f.File), f.Line, f.Rule, f.Tier, f.Fingerprint, scanFinding{Finding: f}.mark())
		if f.Leaks() {
			leaks = append(leaks, f)
		}
	}
	if len(leaks) > 0 {
		fmt.Fprintln(stdout, "What is a secret: rotate it first, then remove it. Then write the missing cards: cardkeeper build")
		fmt.Fprint(stdout, checker.PlainOffer(leaks, b.config.Policy, b.config.Salt == nil, today(), len(leaks)))
	}
	fmt.Fprintln(stdout)
	return nil
}

// nameless takes secrets out of the names of files.
func nameless(ctx context.Context, s checker.Scanner, found []checker.Finding) ([]checker.Finding, error) {
	out := make([]checker.Finding, 0, len(found))
	for _, f := range found {
		var err error
		if f.File, err = s.Withhold(ctx, f.File, nil); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// ended says why a finding that was allowed once is not any more.
func (b *builder) ended(f checker.Finding) string {
	if a := b.gate.Ended(f); a != nil {
		return ", since the rule that allowed it ended on " + a.Until.String()
	}
	return ""
}
