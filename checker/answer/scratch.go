package answer

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"sync"
)

// A scratch is what one question writes on. All marks are zero between questions, so
// that a question costs what it touches and not the size of the index.
type scratch struct {
	own            []uint64             // marks of the facts of the stretch at hand
	touched        [stretch / 64]uint64 // a bit for each that is marked
	around         []uint64             // marks by scope
	listed         []bool               // lists that are named
	scopes, groups []uint32             // those that are marked
	reach          []uint64             // by skill, where it is known, plus one
	skills         []uint32             // those of which it is known
	classes        []class
	table          []int32       // numbers of classes plus one, at their hash or behind
	slots          [slots]uint16 // where the senses of a number begin, plus one
	entered        []int         // the slots that are taken
	cursors        []cursor
	best           []ranked // a heap, the last of them first
	counted        []sense  // senses that the members of a list hold
	later          []ranked // facts that may be among them, with what they cannot exceed
}

// A pool lends scratches of one index.
type pool struct{ sync.Pool }

func (p *pool) borrow(x *Index) *scratch {
	if s, ok := p.Get().(*scratch); ok {
		return s
	}
	return &scratch{
		own: make([]uint64, min(stretch, len(x.facts))), around: make([]uint64, len(x.scopes)), listed: make([]bool, len(x.groups)),
		reach: make([]uint64, len(x.skills)), table: make([]int32, 64),
	}
}

func (p *pool) giveBack(s *scratch) {
	wipe(s.around, &s.scopes)
	wipe(s.listed, &s.groups)
	wipe(s.reach, &s.skills)
	for _, at := range s.entered {
		s.slots[at] = 0
	}
	clear(s.table)
	s.entered, s.classes, s.cursors, s.best = s.entered[:0], s.classes[:0], s.cursors[:0], s.best[:0]
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

// mark adds a mark to what is numbered n, and n to those that are marked.
func mark(marks []uint64, marked []uint32, n uint32, m uint64) []uint32 {
	if marks[n] == 0 {
		marked = append(marked, n)
	}
	marks[n] |= m
	return marked
}

// slots is a round number: the more there are, the fewer terms of an index take that of
// another by chance.
const slots = 4096

// enter orders senses by slot, so that a term of the index is known at once for none of
// the question's.
func (s *scratch) enter(senses []sense) {
	slices.SortFunc(senses, func(a, b sense) int { return cmp.Or(a.id%slots-b.id%slots, a.id-b.id, a.term-b.term, a.order-b.order) })
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
		slices.SortFunc(s.counted, func(a, b sense) int { return cmp.Or(a.id-b.id, a.term-b.term, a.order-b.order) })
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

// A class is the facts of which own text and context hold the same terms of a question,
// in a form that is told by its number plus one, or in any.
type class struct {
	own, around uint64
	form        form
	rank        int // no fact of the class reaches more
}

// class returns a class, and whether it is new.
func (s *scratch) class(key class) (c *class, made bool) {
	at := s.slot(key)
	if s.table[at] == 0 {
		if 2*len(s.classes) >= len(s.table) {
			s.grow()
			at = s.slot(key)
		}
		s.classes = append(s.classes, key)
		s.table[at] = int32(len(s.classes))
		made = true
	}
	return &s.classes[s.table[at]-1], made
}

// slot is where the class stands in the table, or would stand.
func (s *scratch) slot(key class) int {
	hash, low := bits.Mul64(key.own^0x9e3779b97f4a7c15^uint64(key.form)<<45, key.around^bits.RotateLeft64(key.own, 31)^0xd6e8feb86659fd93)
	at := int(hash^low) & (len(s.table) - 1)
	for s.table[at] != 0 {
		if c := &s.classes[s.table[at]-1]; c.own == key.own && c.around == key.around && c.form == key.form {
			break
		}
		at = (at + 1) & (len(s.table) - 1)
	}
	return at
}

func (s *scratch) grow() {
	s.table = make([]int32, 4*len(s.table))
	for i, c := range s.classes {
		s.table[s.slot(c)] = int32(i) + 1
	}
}
