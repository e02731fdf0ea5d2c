package suite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

func TestWhatAReferenceNames(t *testing.T) {
	t.Parallel()
	x := answer.NewIndex(skills(t))
	var all []string
	x.Each(func(_ int, skill string, f card.Fact) bool {
		all = append(all, skill+": "+f.Entry().Text)
		return true
	})
	const restore = "Restore it into the scratch folder."
	for name, c := range map[string]struct {
		ref  Reference
		want []string
	}{
		"the whole text":                     {Reference{Text: "List the dumps and take the newest."}, []string{backup + ": List the dumps and take the newest."}},
		"a piece in other case and marks":    {Reference{Text: "needs TWICE the “size”"}, []string{backup + ": The scratch folder needs **twice** the size of the largest `dump`."}},
		"a piece that ends inside a word":    {Reference{Text: "List the dump"}, nil},
		"a fact of two skills":               {Reference{Text: restore}, []string{backup + ": " + restore, export + ": " + restore}},
		"narrowed by its skill":              {Reference{Text: restore, Skill: export}, []string{export + ": " + restore}},
		"narrowed by its file":               {Reference{Text: restore, File: backup + "/SKILL.md"}, []string{backup + ": " + restore}},
		"narrowed by another file":           {Reference{Text: restore, File: backup + "/more.md"}, nil},
		"narrowed by its section":            {Reference{Text: "dump", Section: "refusals"}, []string{backup + ": Ask a person when the dump is older than two days."}},
		"narrowed by its heading":            {Reference{Text: "restore", Under: "usage", Skill: backup}, []string{backup + ": " + restore}},
		"narrowed by a piece of its heading": {Reference{Text: "counts", Under: "issues"}, nil},
		"a heading alone":                    {Reference{Under: "Boundaries", Skill: export}, []string{export + ": Columns with customer mail never leave the machine."}},
		"an apostrophe of another kind":      {Reference{Text: "Don't keep"}, []string{backup + ": Don’t keep 日本語の記録 here."}},
		"a piece of a script without blanks": {Reference{Text: "本語の"}, []string{backup + ": Don’t keep 日本語の記録 here."}},
		"nothing":                            {Reference{Text: "zebra"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, n := range resolved(t, x, []Question{{Expect: []Reference{c.ref}}}).facts[0][0] {
				got = append(got, all[n])
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line string
		why  Why
		says string
	}{
		"answered as expected":                {`"question":"How large is the scratch folder?","expect":["twice the size"]`, "", "right"},
		"answered in another skill":           {`"question":"restore into the scratch folder","expect":[{"text":"Restore it","skill":"skills/export"}]`, "", "right"},
		"refused as expected":                 {`"question":"Who pays for the zeppelin?","refuse":true`, "", "right"},
		"answered, though it must be refused": {`"question":"Restore into the scratch folder?","refuse":true`, Answered, "must be refused"},
		"a figure that is in no fact":         {`"question":"How many zeppelins fly?","expect":["list the dumps"]`, Refused, "shares no word with the question"},
		"a fact that is gone":                 {`"question":"Restore into the scratch folder?","expect":["take the oldest"]`, Gone, "no such fact"},
		"one of two facts is gone":            {`"question":"Restore into the scratch folder?","expect":["restore it","take the oldest"]`, "", "right; item 2 of expect names no fact"},
		"one of all facts is gone":            {`"question":"Restore into the scratch folder?","all":true,"expect":["restore it","take the oldest"]`, Gone, "not every expected fact is there"},
		"not all facts are cited":             {`"question":"scratch folder size","all":true,"expect":["twice the size","customer mail never"],"note":""`, "", "right"},
		"another wording goes wrong":          {`"question":"Restore into the scratch folder?","also":["How many zeppelins in feet?"],"expect":["restore it"]`, Refused, "asked as in item 1 of also: refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := run(t, `{"id":"a",`+c.line+"}")[0]
			if o.Why != c.why || o.Right != (c.why == "") || !strings.Contains(o.Says(), c.says) {
				t.Errorf("%q: %s", o.Why, o.Says())
			}
		})
	}
}

func TestAFactThatIsNotAmongTheHits(t *testing.T) {
	t.Parallel()
	x := answer.NewIndex(skills(t))
	e := resolved(t, x, parsed(t, `{"id":"a","question":"Restore into the scratch folder?","expect":["twice the size"]}`))
	only := func(_ context.Context, q string) (answer.Answer, error) { // a library may leave hits out
		a := x.Ask(q)
		a.Hits = a.Hits[:1]
		return a, nil
	}
	var out []Outcome
	err := e.Run(t.Context(), x, only, func(o Outcome) { out = append(out, o) })
	if err != nil || out[0].Why != Missed || out[0].Rank < 2 || !strings.Contains(out[0].Says(), "it came ") {
		t.Errorf("%v: %+v", err, out)
	}
	failing := errors.New("read")
	if err := e.Run(t.Context(), x, func(context.Context, string) (answer.Answer, error) { return answer.Answer{}, failing }, nil); !errors.Is(err, failing) {
		t.Errorf("an answer that failed gives %v", err)
	}
}

// A gap becomes an answer by one line of the file, and no neighbour of it does.
func TestTeaching(t *testing.T) {
	t.Parallel()
	const gap = "May private addresses travel abroad?"
	if a := answer.NewIndex(skills(t)).Ask(gap); a.Answered {
		t.Fatal("no gap")
	}
	taught := `{"id":"a","question":"` + gap + `","expect":["customer mail never leave"]}` + "\n"
	out := run(t, taught+`{"id":"b","question":"May private addresses travel home?","refuse":true}`+"\n"+
		`{"id":"c","question":"May private zeppelins travel abroad?","refuse":true}`+"\n"+
		`{"id":"d","question":"Do addresses travel?","refuse":true}`)
	for _, o := range out {
		if !o.Right {
			t.Errorf("%s: %s", o.ID, o.Says())
		}
	}
	if h := out[0].Answer.Hits[0]; h.Fact.Places()[0].String() != export+"/SKILL.md:3" || h.Lesson != 1 {
		t.Errorf("answered by %s, line %d", h.Fact.Places()[0], h.Lesson)
	}
}

// What must be refused is refused, whatever the rest of the file teaches.
func TestARefusedQuestionIsRefusedAfterTeaching(t *testing.T) {
	t.Parallel()
	lines := `{"id":"a","question":"May private addresses travel abroad?","expect":["customer mail never leave"]}
{"id":"b","question":"Abroad may travel addresses that are private","refuse":true}
{"id":"c","question":"Which elephants fly?","expect":["list the dumps"]}`
	e := resolved(t, answer.NewIndex(skills(t)), parsed(t, lines))
	x, idle := teach(t, e)
	if d := cmp.Diff([]Idle{{1, 2, "Abroad may travel addresses that are private", "by its words the question of line 2 would be answered, which must be refused"}}, idle); d != "" {
		t.Errorf("idle lines: %s", d)
	}
	for question, answered := range map[string]bool{"Abroad may travel addresses that are private": false, "Which elephants fly?": true} {
		if a := x.Ask(question); a.Answered != answered {
			t.Errorf("%q: answered is %v", question, a.Answered)
		}
	}
}

// For any questions about any facts: what the file says must be refused is not
// answered by what it teaches.
func TestNoLessonAnswersWhatMustBeRefused(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	vocabulary := strings.Fields("scratch folder dump restore table customer zebra quartz mango ferry obelisk counts machine older days person")
	phrase := func() string {
		var out []string
		for range 2 + rnd.IntN(4) {
			out = append(out, vocabulary[rnd.IntN(len(vocabulary))])
		}
		return strings.Join(out, " ")
	}
	refs := []string{"twice the size", "list the dumps", "restore it", "two days", "customer mail", "comma separated"}
	plain := answer.NewIndex(skills(t))
	for range 300 {
		var b strings.Builder
		for i := range 8 {
			if i%2 == 0 {
				fmt.Fprintf(&b, `{"id":"e%d","question":"%s","expect":["%s"]}`+"\n", i, phrase(), refs[rnd.IntN(len(refs))])
			} else {
				fmt.Fprintf(&b, `{"id":"r%d","question":"%s","refuse":true}`+"\n", i, phrase())
			}
		}
		questions, _ := Parse([]byte(b.String())) // two may ask the same
		e := resolved(t, plain, questions)
		x, _ := teach(t, e)
		for _, q := range questions {
			if q.Refuse && x.Ask(q.Question).Answered && !plain.Ask(q.Question).Answered {
				t.Fatalf("%q is answered, taught by:\n%s", q.Question, b.String())
			}
		}
	}
}

// Lessons that lift one after the other are looked at a few rounds long; then none teaches,
// the harmless one behind them neither.
func TestLessonsThatLiftWithoutEndTeachNothing(t *testing.T) {
	t.Parallel()
	var facts []card.Fact
	var lines strings.Builder
	lines.WriteString(`{"id":"no","question":"warp drives engage sideways","refuse":true}` + "\n")
	const many = 40
	for i := range many {
		f, err := card.Ground(card.Entry{Section: card.Setup, File: "SKILL.md", Kind: card.Bullet, Text: fmt.Sprintf("Bolt item%d tight.", i)},
			card.ByHeading, card.Place{File: "s/SKILL.md", First: i + 1, Last: i + 1})
		if err != nil {
			t.Fatal(err)
		}
		facts = append(facts, f)
		fmt.Fprintf(&lines, `{"id":"l%d","question":"warp drives engage sideways turbo%d","expect":["Bolt item%d tight"]}`+"\n", i, i, i)
	}
	lines.WriteString(`{"id":"fine","question":"zeppelin moorings","expect":["Bolt item0 tight"]}` + "\n")
	e := resolved(t, answer.NewIndex([]answer.Skill{{Path: "s", Facts: facts}}), parsed(t, lines.String()))
	x, idle := teach(t, e)
	if len(idle) != many+1 {
		t.Errorf("%d lines teach nothing, want all %d", len(idle), many+1)
	}
	if a := x.Ask("zeppelin moorings"); a.Answered {
		t.Error("a lesson is left")
	}
}
