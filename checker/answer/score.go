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

// A candidate is a fact as the question sees it.
type candidate struct {
	id    int
	own   []match // of each term of the question
	cover []int   // how far the fact covers each term, in thousandths
	form  form
	base  int // law 9
	sure  int // base, lowered by doubts: what the floor reads
	bonus int // orders only
	rank  int // orders

	taught []bool // the question's terms that a lesson gives it; nil where none counts
	line   int    // of that lesson

	wording string // the further wording that carries it, where the question itself does not
}

// A match says how well a fact's own text holds a term of the question; 0 is not at all.
type match struct{ how, count, order int }

// held reports whether the fact's own text holds a term of the question, or a lesson
// brings it up.
func (c *candidate) held() bool {
	return c.taught != nil || slices.ContainsFunc(c.own, func(m match) bool { return m.how > 0 })
}

// shortlist is how many of the best ranked facts are judged. Of the right ones that are
// ranked lower, none was ever among the five that are shown.
const shortlist = 50

// look finds what the question's terms have to do with a fact, and ranks it. What it
// returns lasts until the next look; keep it with [candidate.kept].
func (r *reading) look(id int) *candidate {
	r.looked++
	c := &r.at
	c.id = id
	r.match(id)
	if scope := int(r.x.stands[id].scope); scope != r.nearOf {
		r.nearOf = scope
		r.surround(scope)
	}
	on := r.taught[id]
	c.taught, c.line = on.words, on.line
	r.covered()
	c.form = r.q.form(r.x, uint32(id))
	if !r.fulfils() {
		c.form |= formUnmet
	}
	c.bonus = c.form.bonus()
	c.rank = r.rank(c.form)
	return c
}

// kept returns a copy that lasts.
func (c *candidate) kept() candidate {
	return c.keptIn(make([]match, len(c.own)), make([]int, len(c.cover)))
}

// keptIn is kept in given room.
func (c *candidate) keptIn(own []match, cover []int) candidate {
	out := *c
	copy(own, c.own)
	copy(cover, c.cover)
	out.own, out.cover = own, cover
	return out
}

// better orders candidates: the better worded first, then by place, so that no two are
// ever equal.
func better(a, b candidate) int { return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.id, b.id)) }

// match finds the terms of the question in the fact's own text. Of the variants of
// a term the best match counts, and the first of equal ones.
func (r *reading) match(id int) {
	clear(r.at.own)
	first := r.x.own.start[id]
	r.read(r.x.own.row(id), func(i int, s sense) {
		how := s.match
		if s.filed && s.id == r.x.skills[r.x.skillOf(id)].norm { // the skill's name says only where the fact is filed, even where the fact repeats it
			how = min(how, nearly)
		}
		if m := &r.at.own[s.term]; how > m.how || how == m.how && s.order < m.order {
			*m = match{how, int(r.x.times[int(first)+i]), s.order}
		}
	})
}

// surround finds how much of each term a scope holds, and which it holds as it is,
// mistyped or by a synonym of the trade.
func (r *reading) surround(scope int) {
	clear(r.near)
	clear(r.beside)
	first := r.x.context.start[scope]
	r.read(r.x.context.row(scope), func(i int, s sense) {
		r.near[s.term] = max(r.near[s.term], int(r.x.weights[int(first)+i]))
		r.beside[s.term] = r.beside[s.term] || s.match >= evidence
	})
}

// covered finds how far the fact covers each term: by its own text, and by its
// context only where its own text covers an informative term.
func (r *reading) covered() {
	c, evident := &r.at, false
	for i, m := range c.own {
		evident = evident || m.how >= evidence && !r.q.terms[i].minor
	}
	for i, m := range c.own {
		c.cover[i] = m.how
		if c.teaches(i) {
			c.cover[i] = max(m.how, synonym)
		}
		if evident && c.cover[i] < nearly && r.beside[i] {
			c.cover[i] = nearly
		}
	}
}

// judge computes a candidate's base, and what the doubts leave of it.
func (r *reading) judge(c candidate) candidate {
	r.wordedOtherwise(&c)
	c.base = r.q.base(c.cover)
	c.sure = doubted(c.base, r.doubts(&c))
	return c
}

// base is how much of the question's weight is covered.
func (q *query) base(cover []int) int {
	sum := 0
	for i, how := range cover {
		if how >= nearly { // what WordNet relates only orders
			sum += q.terms[i].weight * how
		}
	}
	return sum * (scale / full) / max(1, q.total)
}
