package answer

import (
	"slices"
	"sort"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// Each yields the facts that can be cited, with their numbers and the folders of
// their skills, in the index's order. Numbers hold for this index and for what
// [Index.Taught] makes of it.
func (x *Index) Each(yield func(number int, skill string, f card.Fact) bool) {
	for i := range x.facts {
		if f := x.texts.fact(i); speaks(f.Entry()) && !yield(i, x.skills[x.skillOf(i)].path, f) {
			return
		}
	}
}

// Same reports whether an answer cites only one of two facts: they are one
// statement of two skills, or stand on the same lines.
func (x *Index) Same(a, b int) bool {
	if x.facts[a].twin == x.facts[b].twin {
		return true
	}
	p, at := x.texts.at(a), x.texts.at(b)
	return p.File == at.File && p.First <= at.Last && at.First <= p.Last
}

// Alike returns the facts of which an answer cites only one, the given one among them, in
// ascending order; see [Index.Same].
func (x *Index) Alike(n int) []int {
	out := []int{n}
	for _, twin := range x.twins.row(int(x.facts[n].twin)) {
		out = append(out, int(twin))
	}
	skill := x.skillOf(n)
	first := sort.Search(len(x.facts), func(i int) bool { return x.skillOf(i) >= skill })
	for i := first; i < len(x.facts) && x.skillOf(i) == skill; i++ { // no file is shared by two skills
		if x.Same(n, i) {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Shortlist is how many facts are judged for a question, the best ranked ones.
const Shortlist = shortlist

// mostRanked bounds the facts that [Index.Rank] looks at behind the shortlist: a reference
// may name any number, and the place behind is the same for all.
const mostRanked = 100

// A standing is a fact of the shortlist, and how far it came, or unknown where that was not
// asked: the others of an answer need not be judged.
type standing struct{ number, sure int }

// unknown is how far a fact came that was not judged.
const unknown = -1

// Rank returns where the best of some facts, in ascending order, stands among those that were
// judged for the answer to a question in one wording, from 1, and how far it came. One behind
// them all has the place behind the last, and how far is not told; the place is 0 for none that
// shares a word with the question.
func (x *Index) Rank(a Answer, question string, facts []int) (place int, sure float64) {
	if len(facts) == 0 {
		return 0, 0
	}
	for i, s := range a.standings {
		if _, wanted := slices.BinarySearch(facts, s.number); wanted {
			return i + 1, x.came(s, question)
		}
	}
	r := x.open(question)
	defer r.done()
	r.teach()
	for _, id := range facts[:min(mostRanked, len(facts))] {
		if r.look(id).held() {
			return len(a.standings) + 1, 0
		}
	}
	return 0, 0
}

// came is how far a fact of the shortlist came.
func (x *Index) came(s standing, question string) float64 {
	if s.sure != unknown {
		return decimal(s.sure)
	}
	r := x.read(question)
	defer r.done()
	for _, c := range r.found {
		if c.id == s.number {
			return decimal(r.judge(c).sure)
		}
	}
	return 0 // unreachable: the same question finds the same
}

// standings are the facts of a shortlist; all says that each was judged.
func standings(found []candidate, all bool) []standing {
	out := make([]standing, len(found))
	for i, c := range found {
		out[i] = standing{c.id, unknown}
		if all {
			out[i].sure = c.sure
		}
	}
	return out
}
