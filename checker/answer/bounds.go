package answer

import "math/bits"

// What a term can add to a rank depends on little: how well its mark allows it to be held,
// whether the context may hold it, and the ranges of the form. So it is reckoned once for each
// of these that turns up: a question of sixty words over facts that all hold others of them
// bounds each fact by itself.
const (
	holdings = 4            // not at all, related only, well, by a mark that terms share
	perTerm  = 2 * holdings // with and without the context
	ranges   = 8 * 4        // of lengths and repetitions
	unknown  = -1           // not reckoned yet
	inRanges = formLength | formTimes
)

// bounds are what the terms of a question can add, as far as it was reckoned.
type bounds struct {
	sums   [ranges][]int // by term and case
	covers []int
}

// most returns what no fact can exceed in rank that has the marks and the form.
func (r *reading) most(own, around uint64, f form) int {
	n := len(r.q.terms)
	if r.bounds.covers == nil {
		r.bounds.covers = unreckoned(n)
	}
	sums := r.bounds.sums[f&inRanges]
	if sums == nil {
		sums = unreckoned(n)
		r.bounds.sums[f&inRanges] = sums
	}
	t := account{sum: n, total: r.total} // one a term for what rounding may take
	add := func(i int) {
		at := i*perTerm + caseOf(i, own, around)
		if sums[at] == unknown {
			r.reckon(i, at, f)
		}
		t.sum += sums[at]
		t.covered += r.bounds.covers[at]
	}
	marks := uint32(own|around) | uint32((own|around)>>32)
	for left := marks &^ (1 << sharedBit); left != 0; left &= left - 1 {
		add(bits.TrailingZeros32(left))
	}
	for i := sharedBit; i < n && marks>>sharedBit != 0; i++ {
		add(i)
	}
	return t.rank(f)
}

func unreckoned(terms int) []int {
	out := make([]int, terms*perTerm)
	for i := range out {
		out[i] = unknown
	}
	return out
}

// caseOf is what the marks say of term i.
func caseOf(i int, own, around uint64) int {
	strong, weak, n := bit(i), weakBit(i), 0
	switch {
	case i >= sharedBit && own&(strong|weak) != 0: // it may be another term's mark
		n = 3
	case own&strong != 0:
		n = 2
	case own&weak != 0:
		n = 1
	}
	if around&(strong|weak) != 0 {
		return n + holdings
	}
	return n
}

// reckon finds what a term adds at most in a case, to facts of a form.
func (r *reading) reckon(i, at int, f form) {
	term, near := &r.q.terms[i], 0
	how := [holdings]int{0, term.weak, term.best, full}[at%holdings]
	if at%perTerm >= holdings {
		near = term.near
	}
	norm := 1 - lengthPart + lengthPart*float64(formLengths()[f&formLength])/r.x.mean
	t := account{}
	t.add(term, match{how: how, count: formMost()[f&formTimes>>3]}, near, norm)
	r.bounds.sums[f&inRanges][at] = t.sum
	r.bounds.covers[at] = t.covered
}
