package answer

import (
	"cmp"
	"iter"
	"slices"
	"sync"
)

// A scratch is what one question writes on. All marks are zero between questions, so
// that a question costs what it touches and not the size of the index.
type scratch struct {
	own      []uint64             // marks of the facts of the stretch at hand
	touched  [stretch / 64]uint64 // a bit for each that is marked
	vicinity vicinity
	ceiling  ceiling
	listed   []bool        // lists that are named
	groups   []uint32      // those
	reach    []uint64      // by skill, where it is known, plus one
	skills   []uint32      // those of which it is known
	slots    [slots]uint16 // where the senses of a number begin, plus one
	entered  []uint32      // the slots that are taken
	senses   []sense
	cursors  []cursor
	held     []holding // the facts at hand
	later    []ranked  // facts that may be among the best, with what they cannot exceed
	order    []uint64  // the same by what they cannot exceed
	best     []ranked  // a heap, the last of them first
	warmth   uint32    // of no meaning
	kept     [shortlist]candidate
	matches  []match // room for those that are kept
	covers   []int   // likewise
	flags    []bool
	found    [shortlist]candidate
	counted  []sense // senses that the members of a list hold
}

// A pool lends scratches of one index.
type pool struct{ sync.Pool }

func (p *pool) borrow(x *Index) *scratch {
	if s, ok := p.Get().(*scratch); ok {
		return s
	}
	return &scratch{
		own: make([]uint64, min(stretch, len(x.facts))), listed: make([]bool, len(x.groups)), reach: make([]uint64, len(x.skills)),
		vicinity: vicinity{of: make([]uint32, len(x.scopes)), known: map[uint64]uint32{}, warm: make([]uint64, (len(x.facts)+63)/64)},
	}
}

func (p *pool) giveBack(s *scratch) {
	wipe(s.vicinity.of, &s.vicinity.scopes)
	if s.vicinity.spared != 0 {
		clear(s.vicinity.warm)
		s.vicinity.spared = 0
	}
	wipe(s.listed, &s.groups)
	wipe(s.reach, &s.skills)
	for _, at := range s.entered {
		s.slots[at] = 0
	}
	s.entered, s.cursors, s.best = s.entered[:0], s.cursors[:0], s.best[:0]
	p.Put(s)
}

// wipe puts back to zero what was marked.
func wipe[T any](marks []T, marked *[]uint32) {
	var none T
	for _, n := range *marked {
		marks[n] = none
	}
	*marked = (*marked)[:0]
}

// fit makes room for a question of n terms: for the candidates that are kept and for what is
// at hand.
func (s *scratch) fit(n int) {
	if matches, covers := (shortlist+1)*n, (shortlist+2)*n; cap(s.covers) < covers {
		s.matches, s.covers, s.flags = make([]match, matches), make([]int, covers), make([]bool, 2*n)
	} else {
		s.matches, s.covers, s.flags = s.matches[:matches], s.covers[:covers], s.flags[:2*n]
	}
	for i := range s.kept {
		at, end := i*n, (i+1)*n
		s.kept[i].own, s.kept[i].cover = s.matches[at:end:end], s.covers[at:end:end]
	}
}

// keep copies a candidate to where it lasts until the question ends.
func (s *scratch) keep(c *candidate, room int32) {
	s.kept[room] = c.keptIn(s.kept[room].own, s.kept[room].cover)
}

// slots is a round number: the more there are, the fewer terms of an index take that of
// another by chance.
const slots = 4096

// enter orders senses by slot, so that a term of the index is known at once for none of
// the question's.
func (s *scratch) enter(senses []sense) {
	slices.SortFunc(senses, func(a, b sense) int { return cmp.Compare(a.place(), b.place()) })
	for i, one := range senses {
		if at := one.id % slots; s.slots[at] == 0 {
			s.slots[at] = uint16(i) + 1
			s.entered = append(s.entered, at)
		}
	}
}

// counts yields each sense that was counted with how often it was, and forgets them.
func (s *scratch) counts() iter.Seq2[sense, int] {
	return func(yield func(sense, int) bool) {
		slices.SortFunc(s.counted, func(a, b sense) int { return cmp.Compare(a.place(), b.place()) })
		for from, to := 0, 0; from < len(s.counted); from = to {
			for to < len(s.counted) && s.counted[to] == s.counted[from] {
				to++
			}
			if !yield(s.counted[from], to-from) {
				break
			}
		}
		s.counted = s.counted[:0]
	}
}

// Marks have two bits for each term: the lower half says that it is held, or one
// that stands for it well, the upper that one is held that may only be related. Terms
// past the 31st share theirs.
const sharedBit = 31

func bit(i int) uint64 { return 1 << min(i, sharedBit) }

func weakBit(i int) uint64 { return bit(i) << 32 }

// bitOf is the mark of a variant of term i that matches so well.
func bitOf(i, match int) uint64 {
	if 2*match > full {
		return bit(i)
	}
	return weakBit(i)
}
