package answer

import (
	"math/bits"
	"slices"
)

// A vicinity says what the contexts of facts hold of a question, and which marks of a fact do
// not bring it among the best by themselves. Scopes that hold the same are of one quarter; those of the
// first hold nothing.
type vicinity struct {
	quarters []quarter
	known    map[uint64]uint32 // marks to the quarter that has them
	of       []uint32          // by scope, its quarter
	scopes   []uint32          // those that are not of the first
	next     []uint32          // by quarter, that with the mark at hand as well, plus one

	marks  []postings // those that some fact holds, the most frequent first
	spared uint64     // marks that alone bring no fact among the best
	warm   []uint64   // facts whose context may do so beside these, a bit each
	could  form       // what a fact may be beside its shape
}

// A quarter is the scopes that hold the same of a question.
type quarter struct {
	around uint64
	asked  bool // whether spared facts in it may be among the best
	warm   bool // they may
}

// postings are how many places a mark has.
type postings struct {
	mark uint64
	n    int
}

// open finds the quarter of each scope, and how often each mark is held.
func (v *vicinity) open(r *reading) {
	clear(v.known)
	v.known[0] = 0
	v.quarters, v.marks = append(v.quarters[:0], quarter{}), v.marks[:0]
	v.spared, v.could = 0, formNamed
	if len(r.q.skills) == 0 {
		v.could = 0
	}
	if r.q.prefers != 0 {
		v.could |= formPreferred
	}
	var counts [64]int
	for _, s := range r.senses {
		mark := bitOf(s.term, s.match)
		v.add(r.x.around.row(int(s.id)), mark)
		counts[bits.TrailingZeros64(mark)] += len(r.x.holders.row(int(s.id)))
	}
	for i, n := range counts {
		if mark := uint64(1) << i; n > 0 && mark&r.q.openers == 0 { // an opening ranks high
			v.marks = append(v.marks, postings{mark, n})
		}
	}
	slices.SortStableFunc(v.marks, func(a, b postings) int { return b.n - a.n })
}

// add gives scopes a mark.
func (v *vicinity) add(scopes []uint32, mark uint64) {
	v.next = append(v.next[:0], make([]uint32, len(v.quarters))...)
	for _, at := range scopes {
		from := v.of[at]
		if from == 0 {
			v.scopes = append(v.scopes, at)
		}
		if int(from) >= len(v.next) { // it was made for this mark
			continue
		}
		if v.next[from] == 0 {
			v.next[from] = v.quarter(v.quarters[from].around|mark) + 1
		}
		v.of[at] = v.next[from] - 1
	}
}

// quarter returns the number of the quarter with these marks.
func (v *vicinity) quarter(around uint64) uint32 {
	n, known := v.known[around]
	if !known {
		n = uint32(len(v.quarters))
		v.known[around] = n
		v.quarters = append(v.quarters, quarter{around: around})
	}
	return n
}

// highest are the ranges of facts that rank highest: short, and with all repetitions.
const highest = formTimes

// spare chooses the marks that alone bring no fact among the best, the most frequent
// first, and finds the facts whose context may do so.
func (r *reading) spare() {
	v := &r.m.vicinity
	if r.least() == 0 {
		return
	}
	for _, p := range v.marks {
		if r.beaten(r.most(0, v.spared|p.mark, 0, highest|v.could)) {
			v.spared |= p.mark
		}
	}
	if v.spared == 0 {
		return
	}
	for _, at := range v.scopes {
		q := &v.quarters[v.of[at]]
		if !q.asked {
			q.asked = true
			q.warm = !r.beaten(r.most(0, v.spared, q.around, highest|v.could))
		}
		if q.warm {
			for _, f := range r.x.within.row(int(at)) {
				v.warm[f/64] |= 1 << (f % 64)
			}
		}
	}
}

// least is the rank below which no fact is among the best.
func (r *reading) least() int {
	if len(r.m.best) < shortlist {
		return 0
	}
	return r.m.best[0].rank
}
