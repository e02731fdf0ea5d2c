package answer

import (
	"fmt"
	"strings"
)

// Explain renders how the question was read and how each hit was scored, term by term;
// of a refusal, what came closest, where the answer still holds it.
func Explain(a Answer) string {
	var b strings.Builder
	for _, t := range a.Terms {
		fmt.Fprintf(&b, "%s: weighs %.2f, %.0f %% of its wording; in %s%s\n",
			visible(t.Term), t.Weight, 100*t.Share, count(t.Facts, "fact"), t.readAs())
	}
	fmt.Fprintf(&b, "The floor is %.2f; it read %.4f", decimal(Floor), a.Best)
	if a.List {
		fmt.Fprintf(&b, " of the list as a whole, for which it is %.2f", decimal(listFloor))
	}
	b.WriteString(".\n")
	hits := a.Hits
	if a.Refusal != nil {
		hits = a.Refusal.Nearest
	}
	for i, h := range hits {
		explainHit(&b, i+1, h, a.Refusal != nil)
	}
	b.WriteString(a.Meaning.explained())
	return b.String()
}

func explainHit(b *strings.Builder, n int, h Hit, refused bool) {
	fmt.Fprintf(b, "%d. %s: base %.4f, after doubts %.4f, bonus %.4f\n", n, visible(h.Fact.Places()[0].String()), h.Base, h.Sure, h.Bonus)
	if refused {
		fmt.Fprintf(b, "   %s\n", visible(cut(h.Fact.Entry().Text, mostContext)))
	}
	for _, t := range h.Terms {
		if t.By == Related {
			fmt.Fprintf(b, "   %s: nothing of %.4f; it holds a related word, which puts hits in order and answers nothing\n", visible(t.Term), t.Share)
			continue
		}
		fmt.Fprintf(b, "   %s: %.2f of %.4f, by %s\n", visible(t.Term), t.Covered, t.Share, t.By)
	}
	for _, d := range h.Doubt {
		fmt.Fprintf(b, "   doubt: %s; %.2f is left\n", d.Why, d.Left)
	}
	if h.Lesson > 0 {
		fmt.Fprintf(b, "   taught by line %d of the questions", h.Lesson)
		if h.Taught {
			b.WriteString(", and found through it alone: by its own words it would not answer")
		}
		b.WriteByte('\n')
	}
	if h.Alike != nil {
		fmt.Fprintf(b, "   meaning %.2f\n", *h.cosine())
	}
}
