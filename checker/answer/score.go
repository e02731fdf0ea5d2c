package answer

import (
	"cmp"
	"slices"
)

// Scores are whole ten-thousandths, so that they add up alike on every machine
// and print as four decimals.
const scale = 10000

// Floor is the least base, after doubts, that may answer, in ten-thousandths.
// On 143 questions over four public collections it refuses four of five that
// have no answer; a lower one answers little more and is wrong far more often.
const Floor = 3400

// A candidate is a fact whose own text holds a term of the question.
type candidate struct {
	id    int
	own   []match // in the order of the question's terms
	base  int     // law 9
	sure  int     // base, lowered by doubts: what the floor reads
	bonus int     // orders only
	rank  int     // orders facts of equal base and bonus
}

// A match says how well a fact's own text holds one term of the question.
type match struct{ term, how, count int }

// candidates returns the facts that hold a term of the question in their own
// text, scored, best first.
func (x *Index) candidates(q query, reach []int) []candidate {
	found := x.collect(q)
	for i := range found {
		c := &found[i]
		c.base = x.base(q, *c)
		c.sure = x.doubt(q, *c, reach)
		c.bonus = x.bonus(q, c.id)
		c.rank = x.rank(q, *c)
	}
	slices.SortFunc(found, x.better)
	return found
}

// better orders candidates: the preferred first, then the better worded, then by
// place, so that no two are ever equal.
func (x *Index) better(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(b.sure+b.bonus, a.sure+a.bonus),
		cmp.Compare(b.rank, a.rank),
		cmp.Compare(a.id, b.id),
	)
}

// collect gathers the candidates, by number of their fact.
func (x *Index) collect(q query) []candidate {
	at := map[int]int{}
	var found []candidate
	for i, t := range q.terms {
		for _, v := range t.variants {
			for _, p := range x.own[v.term] {
				n, seen := at[p.fact]
				if !seen {
					n = len(found)
					at[p.fact] = n
					found = append(found, candidate{id: p.fact})
				}
				found[n].add(match{i, x.limit(p.fact, v), p.count})
			}
		}
	}
	return found
}

// limit is the match of a variant in a fact's own text. The name of the fact's
// skill says only where the fact is filed, even where the fact repeats it.
func (x *Index) limit(fact int, v variant) int {
	if x.skills[x.facts[fact].skill].norm == v.term {
		return min(v.match, nearly)
	}
	return v.match
}

// add keeps the better of two matches of one term. Terms come in order.
func (c *candidate) add(m match) {
	if n := len(c.own); n > 0 && c.own[n-1].term == m.term {
		if m.how > c.own[n-1].how {
			c.own[n-1] = m
		}
		return
	}
	c.own = append(c.own, m)
}

// base is how much of the question's weight the fact covers.
func (x *Index) base(q query, c candidate) int {
	sum := 0
	for i, how := range x.cover(q, c) {
		sum += q.terms[i].weight * how
	}
	return sum * (scale / full) / max(1, q.total)
}

// cover returns how far the fact covers each term, in thousandths: by its own
// text, and by its context only where its own text covers an informative term.
func (x *Index) cover(q query, c candidate) []int {
	evident := slices.ContainsFunc(c.own, func(m match) bool { return m.how >= evidence && !q.terms[m.term].minor })
	out := make([]int, len(q.terms))
	for _, m := range c.own {
		out[m.term] = m.how
	}
	for i, t := range q.terms {
		if evident && out[i] < nearly && x.near(t, x.facts[c.id].scope) > 0 {
			out[i] = nearly
		}
	}
	return out
}

// near is how much of a term a scope holds, in thousandths: of its variants the best.
func (x *Index) near(t queryTerm, scope int) int {
	most := 0
	for _, v := range t.variants {
		most = max(most, x.around[v.term][scope])
	}
	return most
}

// doubt lowers the base of a fact by the reasons to doubt it. Every factor is
// at most one, so it can only refuse more.
func (x *Index) doubt(q query, c candidate, reach []int) int {
	f := x.facts[c.id]
	sure := c.base * (600 + 400*reach[f.skill]/full) / full
	for _, n := range q.needs {
		if !x.lex.meets(f.fact.Entry(), n) {
			sure /= 2
			break
		}
	}
	if q.strange() {
		sure /= 2
	}
	return sure
}

// strange reports whether the question holds a name that stands nowhere in the index.
func (q query) strange() bool {
	return slices.ContainsFunc(q.terms, func(t queryTerm) bool { return t.name && !t.known && t.readAs == "" })
}

// reach returns for each skill how much of the question's weight stands
// anywhere in it, in thousandths: a skill that never speaks of most of the
// question seldom answers it.
func (x *Index) reach(q query) []int {
	sums := make([]int, len(x.skills))
	for _, t := range q.terms {
		held := make([]bool, len(x.skills))
		for _, v := range t.variants {
			for _, p := range x.own[v.term] {
				held[x.facts[p.fact].skill] = true
			}
		}
		for _, v := range t.variants {
			for s := range x.around[v.term] {
				held[x.scopes[s].skill] = true
			}
		}
		for s, h := range held {
			if h {
				sums[s] += t.weight
			}
		}
	}
	for s := range sums {
		sums[s] = sums[s] * full / max(1, q.total)
	}
	return sums
}
