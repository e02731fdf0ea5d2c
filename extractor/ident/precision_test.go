package ident

import (
	"os"
	"strings"
	"testing"
)

// The judged sample is whole, names no identifier, and holds the share that a
// card's reader may count on.
func TestTheJudgedSample(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/precision.tsv")
	if err != nil {
		t.Fatal(err)
	}
	verdicts, rows := map[string]int{}, 0
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 5 || minerFor(cells[0]) == nil {
			t.Fatalf("row %d has %d cells and language %q", rows+1, len(cells), cells[0])
		}
		verdicts[cells[3]]++
		rows++
	}
	if rows != 60 || verdicts["right"]+verdicts["wrong"]+verdicts["arguable"] != rows {
		t.Errorf("%d rows, verdicts %v", rows, verdicts)
	}
	if verdicts["right"] < 57 {
		t.Errorf("%d of 60 right, want 95 in 100", verdicts["right"])
	}
}
