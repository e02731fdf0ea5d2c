package answer

import (
	"fmt"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// listing makes facts of one context, one a line from first on, beside enough others.
func listing(t *testing.T, kind card.Kind, first int, context card.Context, texts ...string) (facts []card.Fact) {
	t.Helper()
	for i, text := range texts {
		e := card.Entry{Section: card.Commands, File: "SKILL.md", Kind: kind, Context: context, Text: text}
		f, err := card.Ground(e, card.ByHeading, card.Place{File: "s/SKILL.md", First: first + i, Last: first + i})
		if err != nil {
			t.Fatal(err)
		}
		facts = append(facts, f)
	}
	return facts
}

func TestAListIsAnsweredAsOne(t *testing.T) {
	t.Parallel()
	title := func(more ...card.Element) card.Context {
		return append(card.Context{{Role: card.Heading, Text: "Courier"}}, more...)
	}
	filler := make([]string, 20)
	for i := range filler {
		filler[i] = fmt.Sprintf("Filler number %d stands here alone.", i)
	}
	var facts []card.Fact
	for _, l := range [][]card.Fact{
		listing(t, card.Paragraph, 1, title(card.Element{Role: card.Heading, Text: "Else"}), filler...),
		listing(t, card.Bullet, 50, title(card.Element{Role: card.Lead, Text: "These parcels are accepted:"}), "Books", "Toys"),
		listing(t, card.Bullet, 60, title(card.Element{Role: card.Lead, Text: "These parcels are not accepted:"}), "Batteries", "Liquids", "Live animals"),
		listing(t, card.Row, 70, title(card.Element{Role: card.Heading, Text: "States"}, card.Element{Role: card.Columns, Text: "| Delivery state | Meaning |"}), "| open | on its way |", "| held | at the depot |"),
		listing(t, card.Paragraph, 80, title(card.Element{Role: card.Heading, Text: "Drop points"}), "**Kiosk:** open late **Station:** on each drop line **Depot:** by day"),
		listing(t, card.Code, 90, title(card.Element{Role: card.Heading, Text: "Template"}), "## Loading rules"),
		listing(t, card.Code, 92, title(card.Element{Role: card.Heading, Text: "Template"}), "- Heavy first when loading\n- Fragile last"),
	} {
		facts = append(facts, l...)
	}
	x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: facts}})
	for question, want := range map[string][]string{
		"which parcels are accepted":       {"Books", "Toys"},
		"which parcels are never accepted": {"Batteries", "Liquids", "Live animals"},
		"what are the delivery states":     {"| held | at the depot |", "| open | on its way |"},
		"what are the drop points":         {"**Kiosk:** open late **Station:** on each drop line **Depot:** by day"},
		"what are the loading rules":       {"- Heavy first when loading\n- Fragile last"},
	} {
		a := ask(t, x, question)
		var got []string
		for _, h := range a.Hits {
			got = append(got, h.Fact.Entry().Text)
		}
		if !a.List || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: list %v, got %q, want %q\n%s", question, a.List, got, want, Explain(a))
		}
	}
	if a := ask(t, x, "which parcels are insured"); a.List || a.Answered {
		t.Errorf("a list that lacks what is asked about: %s", Explain(a))
	}
}

func TestListsThatSayNo(t *testing.T) {
	t.Parallel()
	l := newLexicon()
	r := reader{lex: l, stems: stemmer{}}
	for text, want := range map[string]bool{
		"Not supported:": true, "which features can't I use": true, "What to avoid": true, "never do this": true,
		"Supported:": false, "a note on knots": false, "": false,
	} {
		if got := l.denies(r.words(text)); got != want {
			t.Errorf("%q: says no %v", text, got)
		}
	}
}

// A list of another skill that reads alike is not taken with the one that answers, and a list that
// lacks the rarest word of the question, such as the name of the thing, answers nothing.
func TestAListIsOfWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	skill := func(path string, items ...string) Skill {
		under := card.Context{{Role: card.Heading, Text: "Needs"}, {Role: card.Lead, Text: "Shipping tools that must be there:"}}
		var facts []card.Fact
		for i, text := range items {
			e := card.Entry{Section: card.Setup, File: "SKILL.md", Kind: card.Bullet, Context: under, Text: text}
			f, err := card.Ground(e, card.ByHeading, card.Place{File: path + "/SKILL.md", First: i + 1, Last: i + 1})
			if err != nil {
				t.Fatal(err)
			}
			facts = append(facts, f)
		}
		return Skill{Path: path, Facts: facts}
	}
	x := NewIndex([]Skill{skill("courier", "a scale", "a label printer"), skill("stamps", "a sponge", "a franking machine")})
	a := ask(t, x, "what are the shipping tools")
	if !a.List || len(a.Hits) != 2 || a.Hits[0].Skill != a.Hits[1].Skill {
		t.Errorf("the lists of two skills are one: %s", Explain(a))
	}
	for _, missing := range []string{"zeppelin", "hovercraft"} {
		if a := ask(t, x, "what are the tools of the "+missing); a.Answered {
			t.Errorf("a list answers for a %s: %s", missing, Explain(a))
		}
	}
}
