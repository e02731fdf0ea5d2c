package answer

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

func TestAListQuestionGetsTheWholeListInOrder(t *testing.T) {
	t.Parallel()
	var facts []card.Fact
	for i, text := range []string{"Collect the sources.", "Score each source.", "Drop weak sources.", "Sort the rest.", "Write it out."} {
		e := card.Entry{
			Section: card.Commands, File: "SKILL.md", Kind: card.Step, List: 0, Ordinal: i + 1, Text: text,
			Context: card.Context{{Role: card.Heading, Text: "Stages of the source review"}},
		}
		f, err := card.Ground(e, card.ByHeading, card.Place{File: "s/SKILL.md", First: 20 + i, Last: 20 + i})
		if err != nil {
			t.Fatal(err)
		}
		facts = append(facts, f)
	}
	for i := range 12 {
		facts = append(facts, fact(t, "s", 50+i, "architecture", "paragraph", "Else", fmt.Sprintf("Filler number %d stands here.", i)))
	}
	x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: facts}})
	a := x.Ask("what are the stages of the source review")
	if !a.Answered || !a.List || len(a.Hits) != 5 {
		t.Fatalf("answered %v, list %v, %d hits, refusal %+v", a.Answered, a.List, len(a.Hits), a.Refusal)
	}
	for i, h := range a.Hits {
		if h.Fact.Entry().Ordinal != i+1 {
			t.Errorf("place %d holds step %d", i, h.Fact.Entry().Ordinal)
		}
	}
	if b := x.Ask("how is each source scored"); b.Answered && b.Hits[0].Fact.Entry().Ordinal != 2 && !b.List {
		t.Errorf("%q", b.Hits[0].Fact.Entry().Text)
	}
	if b := x.Ask("what are the stages of the budget talks"); b.Answered {
		t.Errorf("a heading alone answered a list question: %+v", b.Hits[0]) // law 9
	}
}

func TestAHeadingAloneAnswersNoListQuestion(t *testing.T) { // law 9
	t.Parallel()
	x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: []card.Fact{
		fact(t, "s", 1, "commands", "bullet", "Dry-run stages", "Run nothing at all."),
		fact(t, "s", 2, "commands", "bullet", "Dry-run stages", "Say so."),
		fact(t, "s", 3, "commands", "bullet", "Else", "Go home."),
	}}})
	r := x.read("what are the dry-run stages")
	defer r.done()
	told := r.tally(int(x.facts[0].group))
	if !r.q.list || slices.Min(told.how) < full/2 {
		t.Fatalf("the fixture no longer tempts: list %v, %+v", r.q.list, told)
	}
	if a := x.Ask("what are the dry-run stages"); a.Answered {
		t.Errorf("answered with %q", a.Hits[0].Fact.Entry().Text)
	}
}

func TestListQuestionsAreTold(t *testing.T) {
	t.Parallel()
	l := newLexicon()
	r := reader{lex: l, stems: stemmer{}}
	for question, want := range map[string]bool{
		"what are the ground rules of a meeting": true, "which mutations should I try": true,
		"what does each stage do": true, "list all flags": true, "error codes": true,
		"which tool deletes an issue": false, "what happens to a rule": false, "what is the retry limit": false,
		"which command lets me choose": false, "what does apply refuse": false, "how do I set up the tool": false,
		"what are the retry limit and time-out of this command": false,
	} {
		if got := l.asksList(r.words(question)); got != want {
			t.Errorf("%q: list %v", question, got)
		}
	}
}
