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

// How much of its rank a fact keeps, in thousandths.
const (
	fieldRank = 900  // a description repeats what the skill says better elsewhere
	unmetRank = 700  // what the question needs is not in it
	codeRank  = 900  // code, to a question that names none
	opensRank = 1500 // it begins with an identifier of the question, and so explains it
	namedRank = 3000 // the question names its skill, which is answered from first
)

// rank says how well the fact is worded for the question. It orders the facts and
// decides nothing else. Each term's part is rounded to a whole millionth before it is
// added, and no product is added to anything before it was rounded, so that no machine
// can add them up otherwise.
func (x *Index) rank(q query, c candidate) int {
	f := x.facts[c.id]
	norm := 1 - lengthPart + float64(lengthPart*float64(f.length)/x.mean)
	sum, next, covered, total := 0, 0, 0, 0
	for i, t := range q.terms {
		m := match{term: i}
		if next < len(c.own) && c.own[next].term == i {
			m = c.own[next]
			next++
		}
		if c.teaches(i) && m.how < synonym {
			m.how, m.count = synonym, max(1, m.count)
		}
		near := x.near(t, f.scope)
		sum += int(math.Round(float64(t.rare) * x.worth(m, near, norm)))
		total += t.rare
		if m.how == 0 {
			m.how = contextShare * min(full, near) / full
		}
		covered += t.rare / full * m.how
	}
	share := full/2 + full/2*covered/max(1, total)
	if f.fact.Entry().Kind == card.Field {
		share = share * fieldRank / full
	}
	if !x.fulfils(q, c) {
		share = share * unmetRank / full
	}
	if x.strayCode(q, c) {
		share = share * codeRank / full
	}
	if f.opens != "" && slices.ContainsFunc(q.terms, func(t queryTerm) bool { return t.norm == f.opens }) {
		share = share * opensRank / full
	}
	if q.names(x.skills[f.skill]) {
		share = share * namedRank / full
	}
	return sum * share / full * (scale + c.bonus) / scale
}

// names reports whether the question names the skill, by a name of several words: one
// word may mean the thing as well as the skill.
func (q query) names(s skill) bool {
	return slices.ContainsFunc(q.terms, func(t queryTerm) bool { return t.norm == s.norm && len(t.parts) > 0 })
}

// contextShare is what a term in the context counts for the share that is covered.
const contextShare = 700

// worth is what a term adds for a match, as a multiple of its weight: its frequency,
// which the context adds to, soon saturated.
func (x *Index) worth(m match, near int, norm float64) float64 {
	around := float64(near) / full
	strength, freq := float64(m.how)/full, float64(m.count)+around
	if m.how == 0 {
		strength, freq = 1, min(1, around)
	}
	return strength * freq * (saturation + 1) / (freq + float64(saturation*norm))
}
