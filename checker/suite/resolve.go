package suite

import (
	"context"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// Expected are questions with the facts that they expect in one index.
type Expected struct {
	index     *answer.Index // as it was made, with no lesson
	questions []Question
	facts     [][][]int     // numbers of facts by question and reference
	alike     map[int][]int // what is cited as one with a fact, for those that were asked for
	misspelt  map[Near]spelled
	names     map[string][]string // of skills and files, once they were asked for
}

// A target is a reference while facts are looked at.
type target struct {
	Reference
	text, under     string // as words
	question, index int
}

// Resolve finds the facts that questions expect. It looks at each fact once, and
// compares it with those references alone whose first word it holds. It fails with ctx's
// error where that ends before.
func Resolve(ctx context.Context, x *answer.Index, questions []Question) (Expected, error) {
	e := Expected{index: x, questions: questions, facts: make([][][]int, len(questions)), alike: map[int][]int{}, misspelt: map[Near]spelled{}, names: map[string][]string{}}
	byWord := map[string][]target{}
	var untexted []target
	for i, q := range questions {
		e.facts[i] = make([][]int, len(q.Expect))
		for j, r := range q.Expect {
			t := target{r, words(r.Text), words(r.Under), i, j}
			if t.text == "" {
				untexted = append(untexted, t)
				continue
			}
			first, _, _ := strings.Cut(t.text[1:], " ")
			byWord[first] = append(byWord[first], t)
		}
	}
	if len(byWord)+len(untexted) == 0 {
		return e, nil
	}
	x.Each(func(n int, skill string, f card.Fact) bool {
		e.take(n, skill, f, byWord, untexted)
		return n%breath != 0 || ctx.Err() == nil
	})
	return e, ctx.Err()
}

// Only are those of some questions, which must be among the resolved ones of one file: these
// are told apart by their lines.
func (e Expected) Only(questions []Question) Expected {
	at := map[int]int{}
	for i, q := range e.questions {
		at[q.Line] = i
	}
	out := e
	out.questions, out.facts = nil, nil
	for _, q := range questions {
		if i, known := at[q.Line]; known {
			out.questions, out.facts = append(out.questions, e.questions[i]), append(out.facts, e.facts[i])
		}
	}
	return out
}

// breath is after how many facts it is looked whether the work is still wanted: some
// milliseconds.
const breath = 1 << 10

// take enters a fact wherever a reference names it.
func (e Expected) take(n int, skill string, f card.Fact, byWord map[string][]target, untexted []target) {
	enter := func(t target) {
		if at := &e.facts[t.question][t.index]; len(*at) == 0 || (*at)[len(*at)-1] != n {
			*at = append(*at, n)
		}
	}
	for _, t := range untexted {
		if t.narrows(skill, f) {
			enter(t)
		}
	}
	text := words(f.Entry().Text)
	for word := range strings.FieldsSeq(text) {
		for _, t := range byWord[word] {
			if strings.Contains(text, t.text) && t.narrows(skill, f) {
				enter(t)
			}
		}
	}
}

// narrows reports whether the fact stands where the reference says.
func (t target) narrows(skill string, f card.Fact) bool {
	e := f.Entry()
	if t.Skill != "" && t.Skill != skill || t.Section != "" && t.Section != string(e.Section) {
		return false
	}
	if t.File != "" && !slices.ContainsFunc(f.Places(), func(p card.Place) bool { return p.File == t.File }) {
		return false
	}
	return t.under == "" || slices.ContainsFunc(e.Context, func(c card.Element) bool { return words(c.Text) == t.under })
}
