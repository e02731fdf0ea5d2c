package answer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFurtherWordingsAreAnsweredTogether(t *testing.T) {
	t.Parallel()
	x := mailbox(t)
	const question, reworded = "which letters are not touched", "what does apply refuse"
	if a := ask(t, x, question); a.Answered {
		t.Fatalf("the fixture no longer tempts: %q", a.Hits[0].Fact.Entry().Text)
	}
	a := x.Ask(question, reworded)
	if !a.Answered || !strings.HasPrefix(a.Hits[0].Fact.Entry().Text, "`apply` refuses") {
		t.Errorf("%+v", a.Refusal)
	}
	if got := a.Hits[0].Wording; got != reworded || a.Form().Hits[0].Wording != reworded || !strings.Contains(Text(a, nil), `It fits the wording "`+reworded+`", and not the question itself.`) {
		t.Errorf("carried by %q\n%s", got, Text(a, nil))
	}
	if b := x.Ask(reworded, question); b.Hits[0].Wording != "" || strings.Contains(Text(b, nil), "It fits the wording") {
		t.Errorf("carried by %q, and not by the question", b.Hits[0].Wording)
	}
	if again := x.Ask(question, reworded); !cmp.Equal(Text(a, nil)+Explain(a), Text(again, nil)+Explain(again)) { // law 11
		t.Error("two answers differ")
	}
	if b := x.Ask(question, "", "?!", reworded); Text(b, nil) != Text(a, nil) {
		t.Error("a wording without a word counts")
	}
	if b := x.Ask(reworded, reworded, reworded); b.Best != x.Ask(reworded).Best {
		t.Errorf("the same wording thrice: %.4f, once %.4f", b.Best, x.Ask(reworded).Best)
	}
	if b := x.Ask(question, strings.Repeat("apply ", 200)); b.Answered || b.Refusal.Why != whyTooLong {
		t.Errorf("a long wording: %+v", b.Refusal)
	}
	if b := x.Ask("", reworded); b.Answered || b.Refusal.Why != whyNoWords {
		t.Errorf("no question: %+v", b.Refusal)
	}
}

func TestNoWordingLiftsWhatTheMeanDoesNot(t *testing.T) { // law 9
	t.Parallel()
	x, all := mailbox(t), append([]string{"zebra telescope", "how much does it cost"}, questions...)
	rapid.Check(t, func(r *rapid.T) {
		asked := rapid.SliceOfN(rapid.SampledFrom(all), 2, 5).Draw(r, "wordings")
		a := x.Ask(asked[0], asked[1:]...)
		if !a.Answered || a.List {
			return
		}
		for _, h := range a.Hits {
			mean := 0.0
			for _, w := range asked {
				read := x.read(w)
				for id := range x.facts {
					if c := read.look(id); c.held() && x.texts.fact(id).Entry().Text == h.Fact.Entry().Text {
						mean += decimal(read.judge(*c).sure) / float64(len(asked))
					}
				}
				read.done()
			}
			if h.Sure > mean+1e-9 || a.Best < decimal(Floor) {
				r.Fatalf("%q: %.4f after doubts, the mean is %.4f, best %.4f", asked, h.Sure, mean, a.Best)
			}
		}
	})
}

// answered are questions with the fact that answers them.
var answered = map[string]string{
	"what does apply refuse": "`apply` refuses", "which destinatons does labels compare": "`labels` compares",
	"is a rule with SPAM rejected": "A rule that names TRASH", "how do I connect my account?": "Connect the mail account",
	"How do I set this up?": "Run `setup` once", "what is a move?": "A move is", "how do I install the tool": "Run `setup` once",
}

// Saying more elsewhere, or the same again in nearly the same words, refuses nothing
// that was answered.
func TestAddingDocumentationTakesNoAnswerAway(t *testing.T) {
	t.Parallel()
	base := readSkill(t, "testdata/mailbox.txt")
	rapid.Check(t, func(r *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		strange, near := Skill{Path: "other", Name: "other"}, Skill{Path: "near", Name: "near"}
		for i := range rapid.IntRange(0, 400).Draw(r, "unrelated") {
			words := make([]string, 4+rnd.IntN(8))
			for j := range words {
				words[j] = "q" + strings.Repeat(string(rune('a'+rnd.IntN(26))), 3+rnd.IntN(4))
			}
			strange.Facts = append(strange.Facts, fact(t, "other", i+1, "commands", "bullet", "Qqq", strings.Join(words, " ")))
		}
		f := base.Facts[rapid.IntRange(0, len(base.Facts)-1).Draw(r, "which")].Entry()
		for i := range rapid.IntRange(0, 12).Draw(r, "near") {
			text := fmt.Sprintf([]string{"%s qqqq%d", "Qqqq%[2]d: %[1]s", "%s Qqqq%d qqqqq."}[rnd.IntN(3)], f.Text, i)
			near.Facts = append(near.Facts, fact(t, "near", i+1, string(f.Section), string(f.Kind), f.Context.Texts()[0], text))
		}
		x := NewIndex([]Skill{base, strange, near})
		for question, want := range answered {
			a := x.Ask(question)
			if !a.Answered {
				r.Fatalf("%q: refused, best %.4f\n%s", question, a.Refusal.Best, Explain(a))
			}
			if !slices.ContainsFunc(a.Hits, func(h Hit) bool { return strings.Contains(h.Fact.Entry().Text, want) }) {
				r.Fatalf("%q: %s", question, Text(a, nil))
			}
		}
	})
}
