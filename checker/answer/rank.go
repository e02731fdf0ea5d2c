package answer

import (
	"math"
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// BM25F with the context as weaker fields. Facts are short, so term frequency
// saturates early and length counts little; textbook values lost .08 on the
// measured questions.
const (
	saturation = .6
	lengthPart = .3
)

// rank says how well the fact is worded for the question. It orders facts of
// equal base and bonus and decides nothing else. Each term's share is rounded
// to a whole millionth before it is added.
func (x *Index) rank(q query, c candidate) int {
	f := x.facts[c.id]
	norm := 1 - lengthPart + float64(lengthPart*float64(f.length)/x.mean)
	sum, next, covered, total := 0, 0, 0, 0
	for i, t := range q.terms {
		how, freq := 0, 0.0
		if next < len(c.own) && c.own[next].term == i {
			how, freq = c.own[next].how, float64(c.own[next].count)
			next++
		}
		total += t.rare
		near := float64(x.near(t, f.scope)) / full
		strength := float64(how) / full
		if how == 0 {
			strength, freq = 1, min(1, near)
			covered += t.rare / full * int(700*min(1, near))
		} else {
			freq += near
			covered += t.rare / full * how
		}
		part := strength * freq * (saturation + 1) / (freq + float64(saturation*norm))
		sum += int(math.Round(float64(t.rare) * part))
	}
	share := .5 + .5*float64(covered)/float64(max(1, total))
	if f.fact.Entry().Kind == card.Field {
		share *= .9 // a description repeats what the skill says better elsewhere
	}
	if slices.ContainsFunc(q.terms, func(t queryTerm) bool { return t.norm == f.opens }) {
		share *= 1.5 // a fact that opens with a word of the question is about it
	}
	return int(math.Round(float64(sum) * share))
}
