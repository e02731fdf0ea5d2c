package answer

import (
	"strings"
	"testing"
)

// Each refusal has a word of its own, which programs read.
func TestEachRefusalHasItsWord(t *testing.T) {
	t.Parallel()
	for why, want := range map[string]string{
		whyUncovered: "uncovered", whyNoWords: "no_words", whyNumber: "number", whyTooLong: "too_long", whyNoFacts: "no_facts",
		whyElsewhere: "elsewhere", whyFlag: "flag", whyInstructs: "instructs", whyTooMany: "too_many",
		WhyWithheld: "withheld", ErrSecret.Error(): "secret", ErrWithheld.Error(): "names_withheld", ErrNever.Error(): "never",
	} {
		if got := (Refusal{Why: why}).Reason(); got != want {
			t.Errorf("%s: %q, want %q", why, got, want)
		}
	}
	for question, want := range map[string]string{"": "no_words", "what is the": "no_words", "403": "number", "why does the sync fail": "uncovered", strings.Repeat("a", MaxQuestion+1): "too_long"} {
		if a := mailbox(t).Ask(question); a.Refusal == nil || a.Refusal.Reason() != want {
			t.Errorf("%.40q: %+v, want %s", question, a.Refusal, want)
		}
	}
}

// What is left out of a list is said, and of a few hits only where it answers best.
func TestWhatIsLeftOutIsSaid(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]Answer{
		"One item of this list is withheld here.": {Answered: true, List: true, LeftOut: []int{1}},
		"2 items of this list are withheld here.": {Answered: true, List: true, LeftOut: []int{1, 2}},
		"What answers best is withheld here.":     {Answered: true, Outdone: true, LeftOut: []int{1}},
		"Withheld: the documents keep this back.": {Answered: true, Withheld: true},
	} {
		if got := Text(a, nil); got != want+"\n" {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if f := (Answer{Answered: true, List: true, Best: .5}).Form(); !f.List || f.Best != .5 {
		t.Errorf("a list: %+v", f)
	}
	if f := (Answer{Answered: true, Best: .5}).Form(); f.List || f.Best != 0 {
		t.Errorf("no list: %+v", f)
	}
	if got := Text(Answer{Answered: true, LeftOut: []int{1}}, nil); got != "" {
		t.Errorf("%q", got)
	}
}
