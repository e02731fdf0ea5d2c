package extractor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// The hand-read sample of placements: complete, of known judgements, and still
// of the rules at hand. A fact that moved since was not judged anew and is told.
func TestTheHandReadSample(t *testing.T) {
	data, err := os.ReadFile("testdata/placement.tsv")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	sections := map[string]map[string]card.Section{} // collection, then place
	moved := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 7 {
			t.Fatalf("a row of %d fields: %q", len(f), line)
		}
		counts[f[5]]++
		if f[5] != "right" && f[6] == "" {
			t.Errorf("no reason beside the judgement of %s:%s", f[1], f[2])
		}
		at := placements(t, sections, f[0])
		if got, ok := at[f[1]+":"+f[2]]; at != nil && (!ok || got != card.Section(f[3])) {
			moved++
		}
	}
	if counts["right"]+counts["arguable"]+counts["wrong"] != 100 || len(counts) != 3 {
		t.Errorf("the judgements are %v, want 100 of three kinds", counts)
	}
	t.Logf("right %d, arguable %d, wrong %d; %d facts are placed otherwise by now", counts["right"], counts["arguable"], counts["wrong"], moved)
	if moved > 10 {
		t.Errorf("%d of 100 facts are placed otherwise than when they were judged; draw and read a new sample", moved)
	}
}

// placements reads a collection once; nil where it is not at hand.
func placements(t *testing.T, known map[string]map[string]card.Section, collection string) map[string]card.Section {
	if at, ok := known[collection]; ok {
		return at
	}
	dir := filepath.Join("..", "..", "shared", "corpora", collection)
	if _, err := os.Stat(dir); err != nil {
		t.Logf("SKIP: %s is not at hand, so only the form of its rows is tested", collection)
		known[collection] = nil
		return nil
	}
	known[collection] = map[string]card.Section{}
	for _, s := range extract(t, os.DirFS(dir)).Skills {
		for _, f := range s.Facts {
			for _, p := range f.Places() {
				known[collection][p.String()] = f.Entry().Section
			}
		}
	}
	return known[collection]
}
