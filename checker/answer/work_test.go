package answer

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// facts returns n facts of one skill under a hundred headings, with texts as they are told.
func factsOf(t testing.TB, n int, text func(i int) string) []Skill {
	t.Helper()
	s := Skill{Path: "skills/s", Name: "s"}
	for i := range n {
		s.Facts = append(s.Facts, fact(t, s.Path, i+1, "commands", "bullet", fmt.Sprintf("Top > Part q%d", i%100), text(i)))
	}
	return []Skill{s}
}

// work is how many facts were looked at for a question.
func work(x *Index, question string) int {
	r := x.read(question)
	defer r.done()
	return r.looked
}

// The work for a question never exceeds what it touches, and stays a small part of it
// where the facts differ. Work is counted, since a clock tells of the machine.
func TestNoQuestionTakesMoreThanItsFacts(t *testing.T) {
	t.Parallel()
	const n = 20_000
	word := func(i int) string { return fmt.Sprintf("w%dk", i) }
	var every []string
	for i := 0; len(strings.Join(every, " ")) < MaxQuestion-10; i++ {
		every = append(every, word(i))
	}
	for name, c := range map[string]struct {
		text     func(i int) string
		question string
		most     int
	}{
		"all known words that a question has room for": {func(i int) string {
			return fmt.Sprintf("%s %s %s", word(i%150), word(i/7%150), word(i*i%150))
		}, strings.Join(every, " "), n / 8},
		"every fact holds the term": {func(i int) string {
			return "apply " + strings.Repeat(word(i)+" ", 1+i%30)
		}, "apply", n + 3*shortlist},
		"every fact holds one term, few the other": {func(i int) string {
			return fmt.Sprintf("apply %s", word(i%300))
		}, "apply w7k", n / 20},
		"all facts are equal":  {func(int) string { return "apply the label" }, "apply label", n + 3*shortlist},
		"no fact holds a term": {word, "zebra", 0},
	} {
		x := NewIndex(factsOf(t, n, c.text))
		if got := work(x, c.question); got > c.most {
			t.Errorf("%s: %d facts were looked at, at most %d are allowed", name, got, c.most)
		}
		if r := x.read(c.question); len(r.found) > shortlist {
			t.Errorf("%s: a shortlist of %d", name, len(r.found))
		}
	}
}

func TestOneHugeFact(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("apply label ", 1<<20/12)
	skills := factsOf(t, 300, func(i int) string {
		if i == 0 {
			return huge
		}
		return fmt.Sprintf("apply w%dk", i)
	})
	x := loaded(t, stored(t, NewIndex(skills)))
	if got := work(x, "apply label"); got > 300+3*shortlist {
		t.Errorf("%d facts were looked at", got)
	}
	if a := x.Ask("apply label"); !a.Answered || len(a.Hits[0].Fact.Entry().Text) != len(huge) {
		t.Error("the huge fact is not the answer")
	}
	if n := len(x.own.items); n > 300*3 {
		t.Errorf("%d terms are held of 300 facts", n)
	}
}

// A misspelt word is compared with those of nearly its length that share a half alone.
func TestAMisspeltWordIsComparedWithFew(t *testing.T) {
	t.Parallel()
	x := NewIndex(factsOf(t, 20_000, func(i int) string { return fmt.Sprintf("w%04dxk%04d", i, (i*7919)%20_000) }))
	compared := 0
	for n := 10; n <= 12; n++ {
		x.spelt.near(n, "w1234", "xk2006", func(int) { compared++ })
	}
	if compared == 0 || compared > 20 {
		t.Errorf("%d words of 20,000 were compared", compared)
	}
}

// Once an index was asked, a question takes as much memory in a large one as in a small.
func TestAQuestionTakesNoMemoryOfTheIndexsSize(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would take away what is used again
	used := func(n int) uint64 {
		x := NewIndex(factsOf(t, n, func(i int) string { return fmt.Sprintf("apply w%dk to v%dk", i%50, i%997) }))
		x.Ask("apply w7k to v5k")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range 20 {
			x.Ask(fmt.Sprintf("apply w%dk to v%dk", i, 3*i))
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / 20
	}
	small, large := used(2_000), used(60_000)
	if large > small+32<<10 {
		t.Errorf("%d bytes a question over 60,000 facts, %d over 2,000", large, small)
	}
}

// The word that a misspelt one is read as is the same as if all had been compared.
func TestAMisspeltWordIsReadAsAPlainComparisonSays(t *testing.T) {
	t.Parallel()
	words := strings.Fields("destinations destination label labels carrier carriers barrier parcel parcels setup erase eraser érase naïve naive " +
		"abcde abcdf bacde abced abcdefgh badcfehg ストレージ kubernetes")
	var skills []Skill
	s := Skill{Path: "s", Name: "s"}
	for i, w := range words {
		for k := range 1 + i%3 {
			s.Facts = append(s.Facts, fact(t, "s", 10*i+k+1, "setup", "bullet", "Top", fmt.Sprintf("%s x%d", w, k)))
		}
	}
	x := NewIndex(append(skills, s))
	for _, w := range words {
		for _, typo := range edits(w) {
			if got, want := x.corrected(typo), plainCorrected(x, typo); got != want {
				t.Errorf("%q is read as %q, want %q", typo, got.surface, want.surface)
			}
		}
	}
}

// edits returns words that are one or two edits away.
func edits(w string) (out []string) {
	r := []rune(w)
	for i := range r {
		out = append(out, string(r[:i])+string(r[i+1:]), string(r[:i])+"x"+string(r[i:]), string(r[:i])+"x"+string(r[i+1:]))
		if i > 0 {
			out = append(out, string(r[:i-1])+string(r[i])+string(r[i-1])+string(r[i+1:]), string(r[:i-1])+"yx"+string(r[i+1:]))
		}
	}
	return append(out, w, w+"q")
}

func plainCorrected(x *Index, w string) (best spelling) {
	held := 0
	if len([]rune(w)) < typoLength {
		return spelling{}
	}
	for i := range x.spelt.terms {
		s := spelling{x.spelt.surface(i), x.spelt.terms[i]}
		n := len(x.holders.row(int(s.term)))
		if firstRune(s.surface) != firstRune(w) || !oneEdit([]rune(w), []rune(s.surface)) {
			continue
		}
		if n > held || n == held && (s.surface < best.surface || s.surface == best.surface && s.term < best.term) {
			best, held = s, n
		}
	}
	return best
}
