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
		if got := row(table, word); strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", word, got, want)
		}
	}
	if got := row(table, "zzzz"); got != nil {
		t.Errorf("a word that is not there: %v", got)
	}
}

func TestAWordIsLookedUpInItsForms(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"delete": "remov", "deletes": "remov", "deleting": "remov", "deleted": "remov",
		"shutting": "close", "queries": "question", "stopped": "halt",
	} {
		if got := related(word); !slices.Contains(got, newLexicon().stems.stem(want)) && !slices.Contains(got, want) {
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
		if got := derived(stem); !slices.Contains(got, want) {
			t.Errorf("%q: %v, want %q among them", stem, got, want)
		}
	}
	for stem, not := range map[string]string{"stor": "storag", "take": "conquest", "fail": "fail", "failure": "fail"} {
		if slices.Contains(derived(stem), not) {
			t.Errorf("%q is made from %q", stem, not)
		}
	}
	skill := Skill{Path: "s", Name: "s", Facts: []card.Fact{
		fact(t, "s", 1, "commands", "bullet", "Top", "The storage of parcels is dry."), fact(t, "s", 2, "commands", "bullet", "Top", "Ask a person."),
	}}
	a := ask(t, NewIndex([]Skill{skill}), "where are parcels stored")
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
	if !a.Answered || a.Hits[0].Fact.Entry().Text != "Remove the cache before the restart." || a.Hits[0].Terms[0].By != Related {
		t.Errorf("%s", Explain(a))
	}
}
