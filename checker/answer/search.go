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

// fewPostings is for how many places it is not worth to reckon first which of them matter.
const fewPostings = 256

// seeds is of how many facts that hold the rarest terms the best are looked at first, so
// that most of the others are known to be no match for them.
const seeds = 4 * shortlist

// A cursor is how far the facts of one sense were read.
type cursor struct {
	facts []uint32 // the rest
	mark  uint64
}

// A holding is a fact with its marks, and the quarter of its scope.
type holding struct {
	id, quarter uint32
	mark        uint64
}

// A ranked is a fact whose rank is known.
type ranked struct {
	rank int
	id   uint32
	room int32 // where its candidate is kept
}

// before reports whether a comes first: the higher rank, then the lower number.
func (a ranked) before(b ranked) bool { return a.rank > b.rank || a.rank == b.rank && a.id < b.id }

func (a ranked) compare(b ranked) int {
	if a.rank != b.rank {
		return cmp.Compare(b.rank, a.rank)
	}
	return cmp.Compare(a.id, b.id)
}

// search finds the facts that rank highest. It leaves alone what cannot be among them:
// what holds but common or distant terms, and stands where nothing of the question is
// spoken of, has a rank that it cannot exceed. So it finds the same as if it had looked at
// all (law 11).
func (r *reading) search() {
	postings := 0
	for _, s := range r.senses {
		if facts := r.x.holders.row(int(s.id)); len(facts) > 0 {
			r.m.cursors = append(r.m.cursors, cursor{facts, bitOf(s.term, s.match)})
			postings += len(facts)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.taught)) {
		r.offer(uint32(id))
	}
	if r.all = postings <= fewPostings; !r.all {
		r.m.ceiling.open(&r.q)
		r.m.vicinity.open(r)
		r.sow()
		r.spare()
	}
	for from := 0; from < len(r.x.facts) && postings > 0; from += stretch {
		r.markStretch(uint32(from))
		r.searchStretch(uint32(from))
	}
	r.catchUp()
}

// sow looks at the facts that hold the rarest terms, and of these at the ones first that
// hold several.
func (r *reading) sow() {
	slices.SortStableFunc(r.m.cursors, func(a, b cursor) int { return len(a.facts) - len(b.facts) })
	held, left := r.m.held[:0], seeds
	for _, c := range r.m.cursors {
		if c.mark>>32 != 0 {
			continue
		}
		for _, f := range c.facts[:min(left, len(c.facts))] {
			held = append(held, holding{id: f, mark: c.mark})
		}
		left -= min(left, len(c.facts))
	}
	slices.SortFunc(held, func(a, b holding) int { return cmp.Compare(a.id, b.id) })
	n := 0
	for i, h := range held {
		if i > 0 && held[n-1].id == h.id {
			held[n-1].mark |= h.mark
		} else {
			held[n] = h
			n++
		}
	}
	r.m.held = held
	r.consider(held[:n])
	r.catchUp()
}

// markStretch marks the facts of a stretch with the terms that they hold: first those of
// the marks that none of the best can do without, then the others where it matters.
func (r *reading) markStretch(from uint32) {
	m, end := r.m, from+stretch
	spared := m.vicinity.spared
	for i := range m.cursors {
		if c := &m.cursors[i]; c.mark&spared == 0 {
			m.markAll(c, from, end)
		}
	}
	if spared == 0 {
		return
	}
	for i := range m.cursors {
		if c := &m.cursors[i]; c.mark&spared != 0 {
			m.markSpared(c, from, end)
		}
	}
}

func (s *scratch) markAll(c *cursor, from, end uint32) {
	own, touched := s.own, &s.touched
	n := 0
	for n < len(c.facts) && c.facts[n] < end {
		at := c.facts[n] - from
		own[at] |= c.mark
		touched[at/64] |= 1 << (at % 64)
		n++
	}
	c.facts = c.facts[n:]
}

// markSpared marks what is marked already, or stands where it may be among the best.
func (s *scratch) markSpared(c *cursor, from, end uint32) {
	own, touched, warm := s.own, &s.touched, s.vicinity.warm[from/64:]
	n := 0
	for n < len(c.facts) && c.facts[n] < end {
		at := c.facts[n] - from
		if bit := uint64(1) << (at % 64); (warm[at/64]|touched[at/64])&bit != 0 {
			own[at] |= c.mark
			touched[at/64] |= bit
		}
		n++
	}
	c.facts = c.facts[n:]
}

// searchStretch looks at the marked facts of a stretch that may be among the best, and
// takes the marks away. It goes through them in their order, as memory likes it.
func (r *reading) searchStretch(from uint32) {
	m := r.m
	m.held = m.held[:0]
	for n := range m.touched {
		for left := m.touched[n]; left != 0; left &= left - 1 {
			at := uint32(n*64 + bits.TrailingZeros64(left))
			m.held = append(m.held, holding{id: from + at, mark: m.own[at]})
			m.own[at] = 0
		}
		m.touched[n] = 0
	}
	if r.all {
		for _, h := range m.held {
			r.offer(h.id)
		}
		return
	}
	r.consider(m.held)
	if len(m.later) > enoughLater {
		r.catchUp()
	}
}

// consider keeps facts for later that may be among the best, by their marks.
func (r *reading) consider(held []holding) {
	v := &r.m.vicinity
	for i := range held { // so that memory answers for many at once
		held[i].quarter = v.of[r.x.stands[held[i].id].scope]
	}
	for _, h := range held {
		most := r.most(h.mark, 0, v.quarters[h.quarter].around, r.q.form(r.x, h.id))
		if !r.beaten(most) {
			r.m.later = append(r.m.later, ranked{rank: most, id: h.id})
		}
	}
}

// enoughLater is how many facts wait at most before the best of them are looked at.
const enoughLater = 1 << 10

// catchUp looks at the facts that may be among the best, the most promising first, until
// none of the others can be.
func (r *reading) catchUp() {
	later, order := r.m.later, r.m.order[:0]
	for i, one := range later {
		order = append(order, uint64(one.rank)<<laterBits|uint64(i)) // numbers alone are sorted soonest
	}
	slices.Sort(order)
	slices.Reverse(order)
	for some := range slices.Chunk(order, together) {
		for _, at := range some {
			r.m.warmth += r.x.warm(later[at&(1<<laterBits-1)].id)
		}
		for _, at := range some {
			if one := later[at&(1<<laterBits-1)]; !r.beaten(one.rank) {
				r.offer(one.id)
			}
		}
		if r.beaten(later[some[len(some)-1]&(1<<laterBits-1)].rank) {
			break
		}
	}
	r.m.later, r.m.order = later[:0], order
}

// together is how many facts are fetched at a time, so that they come from the far
// memory side by side and not one after the other.
const together = 16

// warm reads a little of what a look reads, and returns something that depends on it.
func (x *Index) warm(id uint32) (sum uint32) {
	scope := x.stands[id].scope
	if at := x.own.start[id]; int(at) < len(x.own.items) {
		sum += x.own.items[at] + uint32(x.times[at])
	}
	if at := x.context.start[scope]; int(at) < len(x.context.items) {
		sum += x.context.items[at] + uint32(x.weights[at])
	}
	return sum
}

// laterBits are enough for the facts of a stretch and those that wait. No rank has as many
// bits as are left.
const laterBits = 16

// beaten reports whether a rank is below that of all the best.
func (r *reading) beaten(rank int) bool { return rank < r.least() }

// offer takes a fact among the best if it is one of them.
func (r *reading) offer(id uint32) {
	best := r.m.best
	if (!r.all || r.taught != nil) && slices.ContainsFunc(best, func(b ranked) bool { return b.id == id }) { // it was a seed
		return
	}
	c := r.look(int(id))
	one := ranked{rank: c.rank, id: id}
	switch {
	case len(best) == shortlist && !one.before(best[0]):
	case len(best) < shortlist:
		one.room = int32(len(best))
		r.m.keep(c, one.room)
		r.m.best = append(best, one)
		if len(r.m.best) == shortlist {
			for i := shortlist/2 - 1; i >= 0; i-- {
				sink(r.m.best, i)
			}
		}
	default:
		one.room = best[0].room
		r.m.keep(c, one.room)
		best[0] = one
		sink(best, 0)
	}
}

// sink brings a heap in order of which item i was changed: the last of all comes first.
func sink(h []ranked, i int) {
	for {
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
