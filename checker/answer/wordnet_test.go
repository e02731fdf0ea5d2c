package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
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
		if got := spelt(relatives(), relatives().of(word)); got != want || want == "" {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := relatives().of("zzzz"); len(got) > 0 {
		t.Errorf("a word that is not there: %v", got)
	}
}

// spelt returns stems as the table writes them.
func spelt(r *relations, stems []uint32) string {
	var out []string
	for _, n := range stems {
		out = append(out, r.stems.word(int(n)))
	}
	return strings.Join(out, " ")
}

func TestAWordIsLookedUpInItsForms(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"delete": "remov", "deletes": "remov", "deleting": "remov", "deleted": "remov",
		"shutting": "close", "queries": "question", "stopped": "halt",
	} {
		if got := strings.Fields(spelt(relatives(), related(word))); !slices.Contains(got, newLexicon().stems.stem(want)) && !slices.Contains(got, want) {
			t.Errorf("%q: %v, want %q among them", word, got, want)
		}
	}
}

func TestWordsThatAreMadeFromEachOtherStandForEachOther(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSuffix(derivations(), "\n"), "\n")
	if len(lines) < 2_500 || !slices.IsSorted(lines) {
		t.Fatalf("%d lines, sorted %v", len(lines), slices.IsSorted(lines))
	}
	for stem, want := range map[string]string{"fail": "failur", "failur": "fail", "decid": "decis", "store": "storag"} {
		if got := strings.Fields(spelt(roots(), derived(stem))); !slices.Contains(got, want) {
			t.Errorf("%q: %v, want %q among them", stem, got, want)
		}
	}
	for stem, not := range map[string]string{"stor": "storag", "take": "conquest", "fail": "fail", "failure": "fail"} {
		if slices.Contains(strings.Fields(spelt(roots(), derived(stem))), not) {
			t.Errorf("%q is made from %q", stem, not)
		}
	}
	skill := Skill{Path: "s", Name: "s", Facts: []card.Fact{
		fact(t, "s", 1, "commands", "bullet", "Top", "The storage of parcels is dry."), fact(t, "s", 2, "commands", "bullet", "Top", "Ask a person."),
	}}
	a := ask(t, NewIndex([]Skill{skill}), "how are parcels stored")
	if !a.Answered || a.Hits[0].Terms[1].Covered != .8 || a.Hits[0].Terms[1].By != Synonym {
		t.Errorf("%s", Explain(a))
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
	if !a.Answered || a.Hits[0].Fact.Entry().Text != "Remove the cache before the restart." || a.Hits[0].Terms[0].By != Related ||
		!strings.Contains(Explain(a), "delete: nothing of") || !strings.Contains(Explain(a), "doubt: few facts to compare it with; ") || strings.Contains(Explain(a), "others fit") {
		t.Errorf("%s", Explain(a))
	}
}
