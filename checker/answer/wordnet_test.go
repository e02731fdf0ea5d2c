package answer

import (
	"slices"
	"strings"
	"testing"
)

func TestTheTableOfRelatedWordsIsSortedAndFound(t *testing.T) {
	t.Parallel()
	table := wordnet()
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	if len(lines) < 50_000 || !slices.IsSorted(lines) {
		t.Fatalf("%d lines, sorted %v", len(lines), slices.IsSorted(lines))
	}
	for _, line := range []string{lines[0], lines[1], lines[len(lines)/2], lines[len(lines)-1]} {
		word, want, _ := strings.Cut(line, "\t")
		if got := spelt(relatives().of(word)); got != want || want == "" {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := relatives().of("zzzz"); len(got) > 0 {
		t.Errorf("a word that is not there: %v", got)
	}
}

// spelt returns stems as the table writes them.
func spelt(stems []uint32) string {
	var out []string
	for _, n := range stems {
		out = append(out, relatives().stems.word(int(n)))
	}
	return strings.Join(out, " ")
}

func TestAWordIsLookedUpInItsForms(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"delete": "remov", "deletes": "remov", "deleting": "remov", "deleted": "remov",
		"shutting": "close", "queries": "question", "stopped": "halt",
	} {
		if got := strings.Fields(spelt(related(word))); !slices.Contains(got, newLexicon().stems.stem(want)) && !slices.Contains(got, want) {
			t.Errorf("%q: %v, want %q among them", word, got, want)
		}
	}
}

// A related word finds a fact and puts it first, and never answers by itself (law 9).
func TestRelatedWordsOnlyOrder(t *testing.T) {
	t.Parallel()
	skill := Skill{Path: "s", Name: "s"}
	for i, text := range []string{"Remove the cache before the restart.", "Warm the cache after the restart.", "Ask a person."} {
		skill.Facts = append(skill.Facts, fact(t, "s", i+1, "commands", "bullet", "Top", text))
	}
	x := NewIndex([]Skill{skill})
	if a := ask(t, x, "delete"); a.Answered {
		t.Errorf("answered with %q", a.Hits[0].Fact.Entry().Text)
	}
	a := ask(t, x, "delete the cache before the restart")
	if !a.Answered || a.Hits[0].Fact.Entry().Text != "Remove the cache before the restart." || a.Hits[0].Terms[0].By != Related {
		t.Errorf("%s", Explain(a))
	}
}
