package jobs

import (
	"context"
	"time"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// counted is a scanner that counts what it looks through.
type counted struct {
	checker.Scanner
	r *Runner
}

// Scan looks for secrets and counts the look, the bytes and the findings.
func (c counted) Scan(ctx context.Context, text string) ([]secret.Finding, error) {
	begun := time.Now()
	found, err := c.Scanner.Scan(ctx, text)
	c.count(len(text), time.Since(begun), len(found) > 0, err)
	for _, f := range found {
		c.r.cfg.Meter.Finding(string(f.Tier))
	}
	return found, err
}

// Withhold takes secrets out and counts the look and the bytes.
func (c counted) Withhold(ctx context.Context, text string, place func(line int) string) (string, error) {
	begun := time.Now()
	out, err := c.Scanner.Withhold(ctx, text, place)
	c.count(len(text), time.Since(begun), out != text, err)
	return out, err
}

func (c counted) count(bytes int, took time.Duration, found bool, err error) {
	outcome := "clean"
	switch {
	case err != nil:
		outcome = "unfinished"
	case found:
		outcome = "found"
	}
	c.r.cfg.Meter.Scan(outcome, bytes, took)
}
