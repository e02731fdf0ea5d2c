package suite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// told runs one question over the fixture with answers that somebody else gives.
func told(t *testing.T, line string, ask func(x *answer.Index, question string) (answer.Answer, error)) Outcome {
	t.Helper()
	x := answer.NewIndex(skills(t))
	var out []Outcome
	e := resolved(t, x, parsed(t, `{"id":"a",`+line+"}"))
	err := e.Run(t.Context(), x, func(_ context.Context, q string) (answer.Answer, error) { return ask(x, q) }, func(o Outcome) { out = append(out, o) })
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

func TestOutcomesOfWhatMayNotBeShown(t *testing.T) {
	t.Parallel()
	const restore = `"question":"Restore into the scratch folder?",`
	all := func(x *answer.Index, q string) (answer.Answer, error) { // as if no hit could be shown
		a := x.Ask(q)
		for _, h := range a.Hits {
			a.LeftOut = append(a.LeftOut, h.Number)
		}
		return answer.Answer{LeftOut: a.LeftOut, Refusal: &answer.Refusal{Why: answer.WhyWithheld}}, nil
	}
	first := func(x *answer.Index, q string) (answer.Answer, error) { // as if the first could not
		a := x.Ask(q)
		a.LeftOut, a.Hits = []int{a.Hits[0].Number}, a.Hits[1:]
		return a, nil
	}
	marked := func(x *answer.Index, q string) (answer.Answer, error) {
		a := x.Ask(q)
		a.Withheld, a.Hits = true, a.Hits[:1]
		return a, nil
	}
	silent := func(*answer.Index, string) (answer.Answer, error) { return answer.Answer{}, answer.ErrNever }
	for name, c := range map[string]struct {
		line string
		ask  func(*answer.Index, string) (answer.Answer, error)
		why  Why
		says string
	}{
		"all is withheld":                        {restore + `"expect":["restore it"]`, all, Withheld, "what would answer stands beside"},
		"another fact is withheld":               {restore + `"expect":["list the dumps"]`, all, Refused, "refused, though"},
		"the expected one is withheld":           {restore + `"expect":["restore it"]`, first, Withheld, "is left out of the answer"},
		"another one is":                         {restore + `"expect":["twice the size"]`, first, "", "right"},
		"a marker keeps the value back":          {restore + `"expect":["restore it"]`, marked, Withheld, "a marker stands where the value would"},
		"a marker, and it must be refused":       {restore + `"refuse":true`, marked, "", "right"},
		"withheld, and it must be refused":       {restore + `"refuse":true`, all, "", "right"},
		"the question may not be shown":          {restore + `"expect":["restore it"]`, silent, Unasked, "no answer may name"},
		"it may not be shown, and it is refused": {restore + `"refuse":true`, silent, "", "right"},
		"withheld and gone":                      {restore + `"expect":["take the oldest"]`, all, Gone, "no such fact"},
	} {
		o := told(t, c.line, c.ask)
		if o.Why != c.why || o.Right != (c.why == "") || !strings.Contains(o.Says(), c.says) {
			t.Errorf("%s: %q, %s", name, o.Why, o.Says())
		}
	}
}

func TestWhatWasExpectedAndWhatCame(t *testing.T) {
	t.Parallel()
	plain := func(x *answer.Index, q string) (answer.Answer, error) { return x.Ask(q), nil }
	const restore = `"question":"Restore into the scratch folder?",`
	for name, c := range map[string]struct{ line, wants, came string }{
		"a fact":                {restore + `"expect":[{"text":"take the oldest","skill":"skills/backup"}]`, `"take the oldest" in skills/backup`, "skills/backup/SKILL.md:3"},
		"one of several":        {restore + `"expect":["a one","b two","c three","d four"]`, `"a one" or "b two" or "c three" or 1 more`, ""},
		"a refusal":             {restore + `"refuse":true`, "a refusal", ""},
		"by its heading":        {restore + `"expect":[{"under":"Nowhere","skill":"skills/backup","section":"setup"}]`, `a fact under "Nowhere" in skills/backup, setup; there is no heading Nowhere`, ""},
		"one of all is missing": {`"question":"Restore into the scratch folder?","all":true,"expect":["twice the size","take the oldest","list the dumps","restore it"]`, `"take the oldest" (missing) and "list the dumps" (missing) and "twice the size" and 1 more`, ""},
		"a heading misspelt":    {restore + `"expect":[{"text":"restore it","under":"Usages"}]`, "there is no heading Usages; the nearest is Usage", ""},
		"nothing came":          {`"question":"How many zeppelins fly?","expect":["list the dumps"]`, `"list the dumps"`, "a refusal"},
		"a skill misspelt":      {restore + `"expect":[{"text":"restore it","skill":"skills/bakcup"}]`, `"restore it" in skills/bakcup; there is no skill skills/bakcup; the nearest is skills/backup`, ""},
		"a skill that moved":    {restore + `"expect":[{"text":"restore it","skill":"tools/much/deeper/export"}]`, "the nearest is skills/export", ""},
		"a file misspelt":       {restore + `"expect":[{"text":"restore it","file":"skills/backup/SKILLS.md"}]`, "there is no file skills/backup/SKILLS.md; the nearest is skills/backup/SKILL.md", ""},
		"a name like no other":  {restore + `"expect":[{"text":"restore it","skill":"zzzzzzzzzzzz"}]`, "there is no skill zzzzzzzzzzzz", ""},
		"a skill that is there": {restore + `"expect":[{"text":"zebra","skill":"skills/export"}]`, `"zebra" in skills/export`, ""},
	} {
		o := told(t, c.line, plain)
		if wants := o.Wants(); wants != c.wants && !strings.HasSuffix(wants, c.wants) || !strings.HasPrefix(o.Came(), c.came) {
			t.Errorf("%s: wants %s, came %s", name, wants, o.Came())
		}
		if strings.Contains(o.Says(), "any more") {
			t.Errorf("%s: what never was is told as gone: %s", name, o.Says())
		}
	}
	gone := told(t, restore+`"expect":["take the oldest"]`, plain)
	if since := gone.Since(Outcome{}); since.Says() != "no fact is as expected any more" {
		t.Errorf("of what was there: %s", since.Says())
	}
	if since := gone.Since(gone); since.Says() != "no such fact" {
		t.Errorf("of what was not there at the base either: %s", since.Says())
	}
}

// Each step ends soon after nobody wants it any more, and with the reason.
func TestEveryStepEndsWithItsContext(t *testing.T) {
	t.Parallel()
	x := answer.NewIndex(skills(t))
	var lines strings.Builder
	for i := range 50 {
		fmt.Fprintf(&lines, `{"id":"e%d","question":"Which zeppelin %d?","expect":["restore it"]}`+"\n"+`{"id":"r%d","question":"Whose zeppelin %d?","refuse":true}`+"\n", i, i, i, i)
	}
	questions := parsed(t, lines.String())
	e := resolved(t, x, questions)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Resolve(over, x, questions); !errors.Is(err, context.Canceled) {
		t.Errorf("Resolve: %v", err)
	}
	if _, _, err := e.Teach(over); !errors.Is(err, context.Canceled) {
		t.Errorf("Teach: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	asked := 0
	err := e.Run(ctx, x, func(ctx context.Context, q string) (answer.Answer, error) {
		if asked++; asked == 3 {
			stop()
		}
		return x.Ask(q), nil
	}, func(Outcome) {})
	if !errors.Is(err, context.Canceled) || asked != 3 {
		t.Errorf("Run: %v after %d questions", err, asked)
	}
}
