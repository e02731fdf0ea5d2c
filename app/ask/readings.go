package ask

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// veilReadings drops what mistyped words were read as where that is a secret or
// a withheld value: the correction is a word of the index, which an answer would
// show to whoever comes near it.
func (l *Library) veilReadings(ctx context.Context, a *answer.Answer) error {
	lines, corrected := make([]string, len(a.Terms)), false
	for i, t := range a.Terms {
		lines[i] = strings.ReplaceAll(cmp.Or(t.ReadAs, t.Term), "\n", " ")
		corrected = corrected || t.ReadAs != ""
	}
	if !corrected {
		return nil
	}
	found, err := l.scanner.Scan(ctx, strings.Join(lines, "\n"))
	if err != nil {
		return fmt.Errorf("scan how the question was read: %w", err)
	}
	for _, f := range found {
		for i := f.First - 1; i < min(f.Last, len(a.Terms)); i++ {
			a.Terms[i].ReadAs = ""
			if a.Refusal != nil && i < len(a.Refusal.Terms) {
				a.Refusal.Terms[i].ReadAs = ""
			}
		}
	}
	return nil
}
