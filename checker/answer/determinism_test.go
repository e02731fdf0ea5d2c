package answer

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

var questions = []string{
	"how do I set up the tool", "what does apply refuse", "which rules are rejected", "what are the commands",
	"what does plan write", "rule label thread account", "is a booking a paid label", "what are the retry limit and time-out",
	"which destinatons does labels compare", "rules",
}

// fixtures are two skills and a copy of one of them, so that there are ties.
func fixtures(t testing.TB) []Skill {
	mail, post := readSkill(t, "testdata/mailbox.txt"), readSkill(t, "testdata/parcels.txt")
	copied := Skill{Path: "skills/mailbox-copy", Name: "copied"}
	for _, f := range mail.Facts {
		p := f.Places()[0]
		p.File = strings.Replace(p.File, mail.Path, copied.Path, 1)
		again, err := card.Ground(f.Entry(), card.ByHeading, p)
		if err != nil {
			t.Fatal(err)
		}
		copied.Facts = append(copied.Facts, again)
	}
	return []Skill{mail, post, copied}
}

func render(t testing.TB, x *Index) string {
	var b strings.Builder
	for _, q := range questions {
		a := x.Ask(q)
		out, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(out)
		b.WriteString(Text(a, nil) + Markdown(a, nil) + Explain(a))
	}
	return b.String()
}

func TestTheOrderOfTheInputChangesNoByte(t *testing.T) { // law 11
	t.Parallel()
	want := render(t, NewIndex(fixtures(t)))
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		skills := fixtures(t)
		rnd.Shuffle(len(skills), func(i, j int) { skills[i], skills[j] = skills[j], skills[i] })
		for _, s := range skills {
			rnd.Shuffle(len(s.Facts), func(i, j int) { s.Facts[i], s.Facts[j] = s.Facts[j], s.Facts[i] })
		}
		if got := render(t, NewIndex(skills)); got != want {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(want, got))
		}
	}
}

func TestTheInputIsNotChanged(t *testing.T) {
	t.Parallel()
	skills := fixtures(t)
	slices.Reverse(skills)
	slices.Reverse(skills[0].Facts)
	first := skills[0].Facts[0].Entry().Text
	NewIndex(skills)
	if skills[2].Name != "mailbox-rules" || skills[0].Facts[0].Entry().Text != first {
		t.Error("NewIndex sorted its caller's slices")
	}
}

func TestOneIndexServesManyAtOnce(t *testing.T) {
	t.Parallel()
	x := NewIndex(fixtures(t))
	want := render(t, x)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := render(t, x); got != want {
				t.Error("answers differ between goroutines")
			}
		})
	}
	all.Wait()
}

func TestTheSameFactOfSeveralSkillsIsShownOnce(t *testing.T) {
	t.Parallel()
	a := NewIndex(fixtures(t)).Ask("what does apply refuse")
	if !a.Answered {
		t.Fatalf("refused, best %.2f", a.Refusal.Best)
	}
	texts := map[string]int{}
	for _, h := range a.Hits {
		texts[h.Fact.Entry().Text]++
	}
	for text, n := range texts {
		if n > 1 {
			t.Errorf("%d times %q", n, text)
		}
	}
	if h := a.Hits[0]; h.Skill != "skills/mailbox" || !slices.Equal(h.Also, []string{"skills/mailbox-copy"}) {
		t.Errorf("skill %q, also %q", h.Skill, h.Also)
	}
	if out := Text(a, nil); !strings.Contains(out, "The same in: skills/mailbox-copy") {
		t.Errorf("the other skill is not named:\n%s", out)
	}
	if out := Markdown(a, nil); !strings.Contains(out, "`skills/mailbox-copy`") {
		t.Errorf("the other skill is not named:\n%s", out)
	}
}

func TestTheSameWordsInAnotherContextAreAnotherFact(t *testing.T) {
	t.Parallel()
	x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: []card.Fact{
		fact(t, "s", 1, "commands", "bullet", "Top > Red flags", "Code before test."),
		fact(t, "s", 2, "commands", "bullet", "Top > Prototype", "Code before test."),
		fact(t, "s", 3, "commands", "bullet", "Top > Other", "Something else."),
	}}})
	if a := x.Ask("is it code before test"); len(a.Hits) != 2 {
		t.Errorf("want both statements, got %d hits", len(a.Hits))
	}
}

func TestEqualFactsOfOneSkillCountOnceAndUngroundedOnesNot(t *testing.T) {
	t.Parallel()
	f := fact(t, "s", 1, "setup", "bullet", "Top", "Run it.")
	again, err := card.Ground(f.Entry(), card.ByHeading, card.Place{File: "s/SKILL.md", First: 9, Last: 9})
	if err != nil {
		t.Fatal(err)
	}
	x := NewIndex([]Skill{{Path: "s", Facts: []card.Fact{again, f, {}}}, {Path: "s", Name: "s"}})
	if x.Facts() != 1 || x.Cards() != 1 {
		t.Errorf("%d facts on %d cards", x.Facts(), x.Cards())
	}
}
