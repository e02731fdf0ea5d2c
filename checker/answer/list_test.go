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
	if r.q.asks != asksList || slices.Min(told.how) < full/2 {
		t.Fatalf("the fixture no longer tempts: list %v, %+v", r.q.asks, told)
	}
	if a := x.Ask("what are the dry-run stages"); a.Answered {
		t.Errorf("answered with %q", a.Hits[0].Fact.Entry().Text)
	}
}

func TestListQuestionsAreTold(t *testing.T) {
	t.Parallel()
	l := newLexicon()
	r := reader{lex: l, stems: stemmer{}}
	for question, want := range map[string]asks{
		"what are the ground rules of a meeting": asksList, "which mutations should I try": asksList,
		"what does each stage do": asksList, "list all flags": asksList, "error codes": asksList,
		"give me all the smells in the baseline": asksList, "all of it": asksFact,
		"common reasons why a parcel is late": asksList, "storage options for the depot": asksList,
		"a reason why parcels are late": asksFact, "the depot that parcels of the first class pass": asksFact,
		"what should I hand to a guest": mayBeList, "when is it better not to write": mayBeList, "when must I ask": mayBeList,
		"when is the parcel late": asksFact, "what": asksFact, "": asksFact,
		"which tool deletes an issue": asksFact, "what happens to a rule": asksFact, "what is the retry limit": asksFact,
		"which command lets me choose": asksFact, "what does apply refuse": asksFact, "how do I set up the tool": asksFact,
		"what are the retry limit and time-out of this command": asksFact,
	} {
		if got := l.asks(r.words(question)); got != want {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
}

// A list answers a question that does not ask for one where it fits best and has a fact that fits.
func TestAListMayAnswerAnyQuestion(t *testing.T) {
	t.Parallel()
	under := func(heading, lead string) card.Context {
		return card.Context{{Role: card.Heading, Text: heading}, {Role: card.Lead, Text: lead}}
	}
	var facts []card.Fact
	for _, l := range [][]card.Fact{
		listing(t, card.Bullet, 1, under("Handing over", "The night courier always escalates to a person:"), "Damaged parcels.", "A courier who is late.", "Complaints."),
		listing(t, card.Bullet, 10, under("Handing over", "At the depot:"), "Scales are set to zero by noon.", "Lamps are off."),
		listing(t, card.Paragraph, 20, card.Context{{Role: card.Heading, Text: "Else"}}, "The lamp of the night courier is green.", "Bells ring at noon."),
	} {
		facts = append(facts, l...)
	}
	x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: facts}})
	for question, want := range map[string]int{
		"what does the night courier escalate to a person": 3,
		"which colour has the lamp of the night courier":   0,
		"when are the scales set to zero":                  0,
		"how many persons does the night courier escalate": 0, // it wants a figure
	} {
		a := x.Ask(question)
		if a.List != (want > 0) || a.List && len(a.Hits) != want {
			t.Errorf("%q: list %v, %d hits, want %d\n%s", question, a.List, len(a.Hits), want, Explain(a))
		}
	}
}

func TestWhenAListIsTheAnswer(t *testing.T) {
	t.Parallel()
	chosen := []candidate{{id: 7, sure: 3200}, {id: 8, sure: 1500}}
	for what, c := range map[string]struct {
		asks  asks
		needs []need
		list  []int
		sure  int
		want  bool
	}{
		"one is asked for":                        {asks: asksList, list: []int{1}, sure: 3000, want: true},
		"one is asked for, and it fits too badly": {asks: asksList, list: []int{1}, sure: 2999},
		"one is asked for, none was found":        {asks: asksList},
		"one is asked for with a flag":            {asks: asksList, needs: []need{needFlag}, list: []int{1}, sure: 3000, want: true},
		"it holds a good fact and fits no worse":  {asks: mayBeList, list: []int{1, 8}, sure: 3200, want: true},
		"it holds a good fact and fits worse":     {asks: mayBeList, list: []int{1, 8}, sure: 3199},
		"it holds no good fact":                   {asks: mayBeList, list: []int{1}, sure: 9000},
		"it may be asked for with a figure":       {asks: mayBeList, needs: []need{needNumber}, list: []int{7}, sure: 4000},
		"any question, and a third better":        {list: []int{8}, sure: 4160, want: true},
		"any question, and not a third better":    {list: []int{7}, sure: 4159},
	} {
		q := query{asks: c.asks, needs: c.needs}
		if got := q.whole(c.list, c.sure, chosen); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	bad := []candidate{{id: 7, sure: 100}}
	for sure, want := range map[int]bool{openFloor: true, openFloor - 1: false} {
		if got := (&query{}).whole([]int{7}, sure, bad); got != want {
			t.Errorf("any question, the list fits by %d: %v", sure, got)
		}
	}
}
