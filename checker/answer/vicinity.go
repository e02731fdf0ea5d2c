package answer

import (
	"math/bits"
	"slices"
)

// A vicinity says what the contexts of facts hold of a question, and which marks of a fact
// alone bring it among the best. Scopes that hold the same are of one quarter; those of the
// first hold nothing.
type vicinity struct {
	quarters []quarter
	known    map[uint64]uint32 // marks to the quarter that has them
	of       []uint32          // by scope, its quarter
	scopes   []uint32          // those that are not of the first
	next     []uint32          // by quarter, that with the mark at hand as well, plus one

	marks  []postings // those that some fact holds, the most frequent first
	spared uint64     // marks that alone bring no fact among the best
	least  int        // the rank at which they were chosen
	could  form       // what a fact may be beside its shape
}

// A quarter is the scopes that hold the same of a question.
type quarter struct {
	around uint64
	asked  uint32 // shapes of which it is known whether spared facts of them matter, a bit each
	matter uint32 // those of which they do
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
	v.spared, v.least, v.could = 0, 0, formNamed
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

// around returns the marks of a scope.
func (v *vicinity) around(scope uint32) uint64 { return v.quarters[v.of[scope]].around }

// usual is the shape of most facts that rank high: short, and without repetition.
const usual form = 1

// spare chooses the marks that alone bring no fact among the best, the most frequent
// first, where more can be spared than before.
func (r *reading) spare() {
	v, least := &r.m.vicinity, r.least()
	if least <= v.least+v.least/16 { // to choose again costs more than that saves
		return
	}
	v.least, v.spared = least, 0
	for _, p := range v.marks {
		if r.most(0, v.spared|p.mark, 0, usual|v.could) < least {
			v.spared |= p.mark
		}
	}
	for i := range v.quarters {
		v.quarters[i].asked = 0
	}
}

// matters reports whether a fact with none but spared marks may be among the best.
func (r *reading) matters(id uint32) bool {
	v := &r.m.vicinity
	stands := &r.x.stands[id]
	s, shape := &v.quarters[v.of[stands.scope]], form(stands.trait)&(formLength|formTimes)
	if bit := uint32(1) << shape; s.asked&bit == 0 {
		s.asked |= bit
		s.matter &^= bit
		if r.most(0, v.spared, s.around, shape|v.could) >= v.least {
			s.matter |= bit
		}
	}
	return s.matter>>shape&1 != 0
}

// least is the rank below which no fact is among the best.
func (r *reading) least() int {
	if len(r.m.best) < shortlist {
		return 0
	}
	return r.m.best[0].rank
}
