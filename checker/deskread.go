package checker

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// mostHolding is how many of the facts with a word are looked at, before the word
// is shown as what another was read as: one that stands in more lines than these
// and is a secret in none of them is an ordinary word.
const mostHolding = 10

// veilReadings drops what mistyped words were read as where that may not be shown:
// the correction is a word of the index, which an answer would show to whoever
// comes near it.
func (d *Desk) veilReadings(ctx context.Context, a *answer.Answer) error {
	lines, corrected := make([]string, len(a.Terms)), false
	for i, t := range a.Terms {
		lines[i] = strings.ReplaceAll(cmp.Or(t.ReadAs, t.Term), "\n", " ")
		corrected = corrected || t.ReadAs != ""
	}
	if !corrected {
		return nil
	}
	text := strings.Join(lines, "\n")
	found, err := d.scanner.Scan(ctx, text)
	if err != nil {
		return fmt.Errorf("scan how the question was read: %w", err)
	}
	for _, f := range found {
		for i := f.First - 1; i < min(f.Last, len(a.Terms)); i++ {
			veil(a, i)
		}
	}
	for i, t := range a.Terms {
		if t.ReadAs == "" {
			continue
		}
		ordinary, err := d.isOrdinary(ctx, t.ReadAs)
		if err != nil {
			return err
		}
		if !ordinary || d.names.In(text) {
			veil(a, i)
		}
	}
	return nil
}

// isOrdinary reports whether facts with a word may all be shown: a password, say, is
// known for one by its line alone.
func (d *Desk) isOrdinary(ctx context.Context, word string) (bool, error) {
	hits := d.index.Holding(word, mostHolding)
	clean, _, err := d.Clean(ctx, hits)
	return len(clean) == len(hits), err
}

// veil drops what the i-th word was read as.
func veil(a *answer.Answer, i int) {
	a.Terms[i].ReadAs = ""
	if a.Refusal != nil && i < len(a.Refusal.Terms) {
		a.Refusal.Terms[i].ReadAs = ""
	}
}
