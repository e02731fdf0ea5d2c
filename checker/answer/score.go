package answer

import (
	"cmp"
	"slices"
)

// Scores are whole ten-thousandths, so that they add up alike on every machine
// and print as four decimals.
const scale = 10000

// Floor is the least base, after doubts, that may answer, in ten-thousandths.
// It was chosen on 200 questions over seven public collections, where it refuses nine
// of ten that have no answer. At 1100 it refuses eight of ten and answers two in a hundred
// more of the others; at 2000 it answers a third less.
const Floor = 1400

// A candidate is a fact whose own text holds a term of the question.
type candidate struct {
	id    int
	own   []match // in the order of the question's terms
	base  int     // law 9
	sure  int     // base, lowered by doubts: what the floor reads
	bonus int     // orders only
	rank  int     // orders facts of equal base and bonus

	taught []bool // the question's terms that a lesson gives it; nil where none counts
	line   int    // of that lesson
}

// A match says how well a fact's own text holds one term of the question.
type match struct{ term, how, count int }

// shortlist is how many of the best ranked facts are judged. Of the right ones that are
// ranked lower, none was ever among the five that are shown.
const shortlist = 50

// A reading is one wording of a question with what was found for it.
type reading struct {
	q     query
	reach []int             // how much of it each skill speaks of
	found []candidate       // the shortlist, best first
	all   map[int]candidate // every fact whose own text holds a term, by number
	crowd int
}

// look reads one wording, and finds, ranks and judges the facts for it.
func (x *Index) look(question string) reading {
	r := reading{q: x.query(question), all: map[int]candidate{}}
	r.reach = x.reach(r.q)
	found := x.collect(r.q)
	for i := range found {
		c := &found[i]
		c.bonus = x.bonus(r.q, c.id)
		c.rank = x.rank(r.q, *c)
		r.all[c.id] = *c
	}
	slices.SortFunc(found, better)
	r.found = found[:min(shortlist, len(found))]
	r.crowd = x.crowd(r.found)
	for i, c := range r.found {
		r.found[i] = x.judge(r, c)
	}
	return r
}

// judge computes a candidate's base, and what the doubts leave of it.
func (x *Index) judge(r reading, c candidate) candidate {
	c.base = x.base(r.q, c)
	c.sure = doubted(c.base, x.doubts(r, c))
	return c
}

// better orders candidates: the better worded first, then by place, so that no two are
// ever equal.
func better(a, b candidate) int {
	return cmp.Or(
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
	return x.teach(q, found)
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
		if how >= nearly { // what WordNet relates only orders
			sum += q.terms[i].weight * how
		}
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
	for i, taught := range c.taught {
		if taught {
			out[i] = max(out[i], synonym)
		}
	}
	for i, t := range q.terms {
		if evident && out[i] < nearly && x.nearBy(t, x.facts[c.id].scope) {
			out[i] = nearly
		}
	}
	return out
}

// untaught is the candidate without its lesson.
func (c candidate) untaught() candidate {
	c.taught = nil
	return c
}

// near is how much of a term a scope holds, in thousandths: of its variants the best.
func (x *Index) near(t queryTerm, scope int) int {
	most := 0
	for _, v := range t.variants {
		most = max(most, x.around[v.term][scope])
	}
	return most
}

// nearBy reports whether a scope holds a term as it is, mistyped or by a synonym of the trade.
func (x *Index) nearBy(t queryTerm, scope int) bool {
	return slices.ContainsFunc(t.variants, func(v variant) bool { return v.match >= evidence && x.around[v.term][scope] > 0 })
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
