package extractor

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A context is printed with every group under it. One long heading over many
// others must not make a card of gigabytes, and a change of it must still change the card.
func TestALongHeadingDoesNotMultiply(t *testing.T) {
	t.Parallel()
	text := func(title string) string {
		return "# " + title + "\n\nx\n\n" + groups(600)
	}
	long := strings.Repeat("w ", 300_000)
	a := card.Render(skill(t, text(long+"end")).Card)
	if len(a) > 1<<20 {
		t.Errorf("the card has %d bytes", len(a))
	}
	if b := card.Render(skill(t, text(long+"END")).Card); bytes.Equal(a, b) {
		t.Error("a change at the end of a long heading changes no byte")
	}
}

func groups(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("## h" + strings.Repeat("i", i%7) + string(rune('a'+i%26)) + strings.Repeat("z", i/26) + "\n\nt\n")
	}
	return b.String()
}

// Deep and long contexts keep their ends, which say most, and a digest of the rest.
func TestALongContextIsFolded(t *testing.T) {
	t.Parallel()
	var c card.Context
	for range 20 {
		c = append(c, card.Element{Role: card.Item, Text: strings.Repeat("x", maxElement)})
	}
	other := append(card.Context{}, c...)
	other[10].Text = strings.Repeat("y", maxElement)
	a, b := fold(c), fold(other)
	if len(a) != maxContext+1 || a[3].Text == b[3].Text {
		t.Errorf("%d elements; the middle reads %q and %q", len(a), a[3].Text, b[3].Text)
	}
	if got := fold(c[:5]); len(got) != 5 {
		t.Errorf("a short context was folded to %d elements", len(got))
	}
}

// A card has an end, also where SKILL.md has none in sight.
func TestACardBeyondItsBoundIsCut(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# " + strings.Repeat("top ", 60) + "\n\n")
	for i := range 6000 {
		fmt.Fprintf(&b, "## %d %s\n\nx\n\n", i, strings.Repeat("sub ", 60))
	}
	s := skill(t, b.String())
	if text := card.Render(s.Card); len(text) > maxCard+1<<16 || !strings.Contains(string(text), "more entries · sha256") {
		t.Errorf("the card has %d bytes", len(text))
	}
	if len(s.Rest) == 0 {
		t.Error("what is not printed is lost for questions")
	}
}

// A hundred thousand equal statements, lists and command lines: each of these
// took minutes when places were sorted anew for every one of them.
func TestRepetitionIsCheap(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"equal items":   strings.Repeat("- a b\n\n", 100_000),
		"equal quotes":  strings.Repeat(">\n> a\n\n", 80_000),
		"command lines": "```sh\n" + strings.Repeat("ls\n", 60_000) + "```\n",
		"equal lists":   strings.Repeat("1. a\n\nx\n\n", 30_000),
	} {
		if s := skill(t, text); len(s.Facts) == 0 {
			t.Errorf("%s: no fact", name)
		}
	}
}

// Command lines under equal comments, exchanged between two fences, are another
// sequence in both.
func TestCommandLinesExchangedBetweenFences(t *testing.T) {
	t.Parallel()
	fence := func(drain string) string {
		return "```sh\n# open the valve\nvalve " + drain + "\n# then drain\ndrain " + drain + "\n```\n\n"
	}
	mixed := func(a, b string) string {
		return "```sh\n# open the valve\nvalve " + a + "\n# then drain\ndrain " + b + "\n```\n\n"
	}
	straight := card.Render(skill(t, "# T\n\n"+fence("fast")+fence("slow")).Card)
	crossed := card.Render(skill(t, "# T\n\n"+mixed("fast", "slow")+mixed("slow", "fast")).Card)
	if bytes.Equal(straight, crossed) {
		t.Error("exchanged command lines change no byte")
	}
	swapped := card.Render(skill(t, "# T\n\n"+fence("slow")+fence("fast")).Card)
	if !bytes.Equal(straight, swapped) {
		t.Error("two fences in another order change bytes")
	}
}

// A function is on the card where the Markdown names it: not where a comment or
// the target of a link happens to hold the word.
func TestOnlyVisibleWordsNameAFunction(t *testing.T) {
	t.Parallel()
	script := "def frobnicate():\n    pass\n"
	for text, want := range map[string]bool{
		"# T\n\nCall `frobnicate` first.\n":            true,
		"# T\n\n<!-- frobnicate -->\nCall it first.\n": false,
		"# T\n\n[Call](frobnicate.md) it first.\n":     false,
	} {
		got, err := Extract(tree("s/SKILL.md", text, "s/scripts/x.py", script), DefaultShape())
		if err != nil {
			t.Fatal(err)
		}
		named := false
		for _, f := range got.Skills[0].Facts {
			named = named || f.Entry().Kind == card.Function
		}
		if named != want {
			t.Errorf("%q: on the card: %v, want %v", text, named, want)
		}
	}
}
