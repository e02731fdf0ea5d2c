package answer

import "math/bits"

// A part is the most that a mark adds to a rank, and to the share that is covered.
type part struct{ sum, covered int }

// What a fact's own text may hold of a mark's terms, and what its context holds of them,
// make a number below [states]: own, plus [nearby] where the context holds some. The
// later half is for facts of which it is not known whether their text holds it.
const (
	ownWeak   = 1
	ownStrong = 2
	nearby    = 4
	unsure    = 8
	states    = 16
)

// shapes is how many ranges of lengths and repetitions there are.
const shapes = int(formLength|formTimes) + 1

// A ceiling says what no fact can exceed in rank, by its marks and form.
type ceiling struct {
	marks uint64                  // how many marks the question has
	share float64                 // what one covered part adds to the share that a fact keeps
	keeps [forms / shapes]float64 // by form without its shape, what a fact keeps
	parts []part                  // by shape, mark and state, where the shape is filled
	full  uint32                  // the shapes that are filled, a bit each
}

// open makes a ceiling ready for a question.
func (c *ceiling) open(q *query) {
	c.marks, c.full = uint64(min(len(q.terms), sharedBit+1)), 0
	total := 0
	for i := range q.terms {
		total += q.terms[i].rare
	}
	c.share = .5 / float64(max(1, total))
	for i := range c.keeps {
		c.keeps[i] = form(i * shapes).keeps()
	}
	if n := shapes * int(c.marks) * states; cap(c.parts) < n {
		c.parts = make([]part, n)
	}
}

// of returns the parts of a shape.
func (c *ceiling) of(r *reading, shape form) []part {
	n := int(c.marks) * states
	parts := c.parts[int(shape)*n : int(shape+1)*n : int(shape+1)*n]
	if c.full>>shape&1 == 0 {
		c.full |= 1 << shape
		clear(parts)
		norm := 1 - lengthPart + lengthPart*float64(formLengths()[shape&formLength])/r.x.mean
		for i := range r.q.terms {
			at := min(i, sharedBit) * states
			r.q.terms[i].fill(parts[at:at+states], norm, formMost()[shape>>3], i >= sharedBit)
		}
	}
	return parts
}

// fill adds what a term adds in each state. Where the text may hold a term, it may also
// not: a weak match can rank below none beside a strong context.
func (t *queryTerm) fill(to []part, norm float64, times int, shared bool) {
	how := [...]int{0, ownWeak: t.weak, ownStrong: t.best, ownWeak | ownStrong: t.best}
	if shared { // it may be another term's mark
		how = [...]int{0, full, full, full}
	}
	for _, near := range [...]int{0, nearby} {
		var weakest part
		for own, how := range how {
			one := account{sum: 1} // for what rounding may take
			one.add(t, match{how: how, count: times}, near/nearby*t.near, norm)
			weakest = part{max(weakest.sum, one.sum), max(weakest.covered, one.covered)}
			sure := part{one.sum, one.covered}
			if shared {
				sure = weakest
			}
			to[own|near].add(sure)
			to[own|near|unsure].add(weakest)
		}
	}
}

func (p *part) add(o part) { p.sum, p.covered = p.sum+o.sum, p.covered+o.covered }

// most returns what no fact can exceed in rank that has the marks and the form. Of the
// marks of maybe it need not have any in its text.
func (r *reading) most(own, maybe, around uint64, f form) int {
	c := &r.m.ceiling
	sum, covered, parts := 0, 0, c.of(r, f%form(shapes))
	around |= around >> 32
	all := own | maybe
	for left := uint32(all | all>>32 | around); left != 0; left &= left - 1 {
		i := bits.TrailingZeros32(left)
		state := all>>i&1*ownStrong | all>>(i+32)&1*ownWeak | around>>i&1*nearby
		if (own>>i|own>>(i+32))&1 == 0 {
			state |= unsure
		}
		p := &parts[i*states+int(state)]
		sum, covered = sum+p.sum, covered+p.covered
	}
	return int(float64(sum)*(.5+c.share*float64(covered))*c.keeps[f/form(shapes)]) + 1
}
