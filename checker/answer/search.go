package answer

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// stretch is how many facts are searched at a time: their marks stay in the processor's
// nearer memory while all terms add theirs.
const stretch = 1 << 14

// seeds is about how many facts that hold the rarest terms are looked at first, so that
// most of the others are known to be no match for them.
const seeds = 3 * shortlist / 2

// A cursor is how far the facts of one sense were read.
type cursor struct {
	facts []uint32 // the rest
	mark  uint64
}

// A ranked is a fact whose rank is known.
type ranked struct {
	rank int
	id   uint32
}

// before reports whether a comes first: the higher rank, then the lower number.
func (a ranked) before(b ranked) bool { return a.rank > b.rank || a.rank == b.rank && a.id < b.id }

func (a ranked) compare(b ranked) int {
	if a.rank != b.rank {
		return cmp.Compare(b.rank, a.rank)
	}
	return cmp.Compare(a.id, b.id)
}

// search finds the facts that rank highest. It reads all lists of facts of all terms, but
// looks only at those facts that may be among the best: what holds the same terms has a
// rank that it cannot exceed. So it finds the same as if it had looked at all (law 11).
func (r *reading) search() {
	for _, s := range r.senses {
		m := bitOf(s.term, s.match)
		for _, at := range r.x.around.row(s.id) {
			r.m.scopes = mark(r.m.around, r.m.scopes, at, m)
		}
		if facts := r.x.holders.row(s.id); len(facts) > 0 {
			r.m.cursors = append(r.m.cursors, cursor{facts, m})
		}
	}
	r.sow()
	for from := 0; from < len(r.x.facts); from += stretch {
		r.markStretch(uint32(from))
		r.searchStretch(uint32(from))
	}
	r.catchUp()
}

// sow looks at the facts of lessons and of the rarest terms.
func (r *reading) sow() {
	for _, id := range slices.Sorted(maps.Keys(r.taught)) {
		r.offer(uint32(id))
	}
	slices.SortStableFunc(r.m.cursors, func(a, b cursor) int { return len(a.facts) - len(b.facts) })
	left := seeds
	for _, c := range r.m.cursors {
		if c.mark>>32 != 0 {
			continue
		}
		for _, f := range c.facts[:min(left, len(c.facts))] {
			r.offer(f)
		}
		left -= min(left, len(c.facts))
	}
}

// markStretch marks the facts of a stretch with the terms that they hold.
func (r *reading) markStretch(from uint32) {
	own, touched, end := r.m.own, &r.m.touched, from+stretch
	for i := range r.m.cursors {
		c := &r.m.cursors[i]
		n := 0
		for n < len(c.facts) && c.facts[n] < end {
			at := c.facts[n] - from
			own[at] |= c.mark
			touched[at/64] |= 1 << (at % 64)
			n++
		}
		c.facts = c.facts[n:]
	}
}

// searchStretch looks at the marked facts of a stretch that may be among the best, and
// takes the marks away. It goes through them in their order, as memory likes it.
func (r *reading) searchStretch(from uint32) {
	m, any := r.m, r.q.anyForm()
	for n := range m.touched {
		for left := m.touched[n]; left != 0; left &= left - 1 {
			at := uint32(n*64 + bits.TrailingZeros64(left))
			own := m.own[at]
			m.own[at] = 0
			r.consider(from+at, own, any)
		}
		m.touched[n] = 0
	}
	if len(m.later) > enoughLater {
		r.catchUp()
	}
}

// consider keeps a fact for later that may be among the best, by its marks.
func (r *reading) consider(id uint32, own uint64, any form) {
	m, around := r.m, r.m.around[r.x.scopeOf[id]]
	c, made := m.class(class{own: own, around: around})
	if made {
		c.rank = r.most(own, around, any)
	}
	if r.beaten(c.rank) {
		return
	}
	f := r.q.form(r.x, id)
	if c, made = m.class(class{own: own, around: around, form: f + 1}); made {
		c.rank = r.most(own, around, f)
	}
	if !r.beaten(c.rank) {
		m.later = append(m.later, ranked{c.rank, id})
	}
}

// enoughLater is how many facts wait at most before the best of them are looked at.
const enoughLater = 1 << 8

// catchUp looks at the facts that may be among the best, the most promising first, until
// none of the others can be.
func (r *reading) catchUp() {
	later := r.m.later
	slices.SortFunc(later, ranked.compare)
	for _, one := range later {
		if r.beaten(one.rank) {
			break
		}
		r.offer(one.id)
	}
	r.m.later = later[:0]
}

// beaten reports whether a rank is below that of all the best.
func (r *reading) beaten(rank int) bool {
	return len(r.m.best) == shortlist && rank < r.m.best[0].rank
}

// offer takes a fact among the best if it is one of them.
func (r *reading) offer(id uint32) {
	one := ranked{r.look(int(id)).rank, id}
	best := r.m.best
	switch {
	case slices.Contains(best, one): // it was a seed
	case len(best) < shortlist:
		r.m.best = append(best, one)
		if len(r.m.best) == shortlist {
			slices.SortFunc(r.m.best, func(a, b ranked) int { return b.compare(a) }) // the last first, which is a heap
		}
	case one.before(best[0]):
		best[0] = one
		sink(best)
	}
}

// sink brings a heap in order of which the first was changed: the last of all comes first.
func sink(h []ranked) {
	for i := 0; ; {
		next := 2*i + 1
		if next+1 < len(h) && h[next].before(h[next+1]) {
			next++
		}
		if next >= len(h) || !h[i].before(h[next]) {
			return
		}
		h[i], h[next] = h[next], h[i]
		i = next
	}
}
