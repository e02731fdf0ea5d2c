package answer

import "slices"

// A reading is one wording of a question with what was found for it. It leaves alone facts
// that cannot matter: the shortlist is the same as if it had looked at all (law 11). What
// it found lasts until it is done.
type reading struct {
	x       *Index
	wording string // "" for the question itself
	q       query
	found   []candidate // the shortlist, best first
	crowd   int
	few     bool               // there is no handful of facts that share a word with it
	taught  map[int]taughtFact // facts that a lesson counts for
	m       *scratch
	senses  []sense   // the variants of all terms
	at      candidate // the fact at hand
	all     bool      // so few facts hold anything that all are looked at
	near    []int     // how much of each term surrounds the fact at hand, in thousandths
	nearOf  int       // the scope that this is of, or -1
	spoken  []bool    // the terms that the skill at hand holds
	beside  []bool    // the terms that this scope holds well enough to count
	reasons []factor  // room for the doubts of one fact
	total   int       // of the terms' rarity
	looked  int       // facts that were looked at: the work that was done
	words   reader    // for what is read once more
	said    map[int]*said
}

// A sense is a term of the index that counts for a term of the question.
type sense struct {
	id                 uint32
	filed              bool // it is the name of a skill
	term, order, match int
}

// place puts senses in order: those first of which a slot of the scratch comes first.
func (s sense) place() uint64 {
	return uint64(s.id%slots)<<52 | uint64(s.id/slots)<<32 | uint64(s.term)<<16 | uint64(s.order)
}

// read reads one wording, and finds and ranks the facts for it. The caller ends it with done.
func (x *Index) read(question string) *reading {
	r := x.open(question)
	r.teach()
	r.search()
	slices.SortFunc(r.m.best, ranked.compare)
	r.found = r.m.found[:len(r.m.best)]
	for i, c := range r.m.best {
		r.found[i] = r.m.kept[c.room]
		r.found[i].base = r.q.base(r.found[i].cover)
	}
	r.crowd, r.few = x.crowd(r.found)
	return r
}

// open prepares what looks at facts.
func (x *Index) open(question string) *reading {
	r := &reading{x: x, q: x.query(question), m: x.spare.borrow(x), nearOf: -1}
	n := len(r.q.terms)
	r.m.fit(n)
	r.at.own, r.at.cover = r.m.matches[shortlist*n:], r.m.covers[shortlist*n:(shortlist+1)*n]
	r.near, r.beside, r.spoken = r.m.covers[(shortlist+1)*n:], r.m.flags[:n], r.m.flags[n:]
	r.senses = r.m.senses[:0]
	for i := range r.q.terms {
		r.q.terms[i].bound(x)
		r.total += r.q.terms[i].rare
		for k, v := range r.q.terms[i].variants {
			if v.id >= 0 {
				r.senses = append(r.senses, sense{uint32(v.id), v.match > nearly && x.files(uint32(v.id)), i, k, v.match})
			}
		}
	}
	r.m.senses = r.senses
	r.m.enter(r.senses)
	return r
}

// done gives back what the reading wrote on.
func (r *reading) done() { r.x.spare.giveBack(r.m) }

// read calls see for the place in row of each term that counts for the question.
func (r *reading) read(row []uint32, see func(i int, s sense)) {
	for i, id := range row {
		at := r.m.slots[id%slots]
		if at == 0 {
			continue
		}
		for _, s := range r.senses[at-1:] {
			if s.id%slots != id%slots {
				break
			}
			if s.id == id {
				see(i, s)
			}
		}
	}
}

// reach is how much of the question's weight stands anywhere in a skill, in
// thousandths: a skill that never speaks of most of the question seldom answers it.
func (r *reading) reach(skill int) int {
	if known := r.m.reach[skill]; known > 0 {
		return int(known) - 1
	}
	clear(r.spoken)
	r.read(r.x.spoken.row(skill), func(_ int, s sense) { r.spoken[s.term] = true })
	sum := 0
	for i, ok := range r.spoken {
		if ok {
			sum += r.q.terms[i].weight
		}
	}
	sum = sum * full / max(1, r.q.total)
	r.m.reach[skill] = uint64(sum) + 1
	r.m.skills = append(r.m.skills, uint32(skill))
	return sum
}
