package answer

import (
	"slices"
	"strconv"
	"strings"
)

// Revised is the index that [NewIndex] makes of other skills: of those that the index holds
// but the ones that are gone, and of the given ones, which take the place of those with
// their paths. The result is the same to the byte, and costs the text of what
// differs alone. Lessons and markers are left behind; the index stays as it was.
func (x *Index) Revised(skills []Skill, gone func(path string) bool) *Index {
	added := inOrder(skills)
	r := &revision{
		builder: newBuilder(), old: x, term: make([]uint32, x.words.len()),
		same: make([]uint32, len(x.facts)), headings: make([]uint32, len(x.groups)), added: map[string]bool{}, less: map[spelling]uint32{},
	}
	r.move = newTransfer(r.texts, &x.texts)
	for _, s := range added {
		for _, f := range s.Facts {
			r.added[f.Entry().Text] = true
		}
	}
	for i, s := range x.skills {
		at, taken := slices.BinarySearchFunc(added, s.path, func(a Skill, path string) int { return strings.Compare(a.Path, path) })
		for _, a := range added[:at] {
			r.addSkill(a)
		}
		added = added[at:]
		if taken || gone(s.path) {
			r.drop(i)
		} else {
			r.copy(i)
		}
	}
	for _, a := range added {
		r.addSkill(a)
	}
	r.spell()
	return r.finish()
}

// Paths lists the folders of the skills that the index was made of, sorted.
func (x *Index) Paths() []string {
	out := make([]string, len(x.skills))
	for i, s := range x.skills {
		out[i] = s.path
	}
	return out
}

// A revision copies the skills of an index into a builder.
type revision struct {
	*builder
	old      *Index
	behind   span            // what of it was copied or dropped
	term     []uint32        // old number to new one, plus one
	same     []uint32        // likewise, of equal facts
	headings []uint32        // likewise
	added    map[string]bool // texts of the new facts
	move     *transfer
	less     map[spelling]uint32 // how often dropped skills hold each, by old term
}

// now is the number that a term of the old index has.
func (r *revision) now(old uint32) uint32 {
	if r.term[old] == 0 {
		r.term[old] = r.terms.number(r.old.words.word(int(old))) + 1
	}
	return r.term[old] - 1
}

// nowAll is now for a row; it holds until the next call.
func (r *revision) nowAll(row []uint32) []uint32 {
	r.found = r.found[:0]
	for _, old := range row {
		r.found = append(r.found, r.now(old))
	}
	return r.found
}

// A span is where a skill's facts, lists and scopes end. They begin where those of the skill before it end.
type span struct{ facts, lists, scopes int }

// after returns the end of a skill of the old index.
func (r *revision) after(skill int) span {
	x, s := r.old, r.behind
	for s.facts < len(x.facts) && x.skillOf(s.facts) == skill {
		s.facts++
	}
	for s.lists < len(x.groups) && x.skillOfGroup(s.lists) == skill {
		s.lists++
	}
	for s.scopes < len(x.scopes) && int(x.scopes[s.scopes]) == skill {
		s.scopes++
	}
	return s
}

// drop passes a skill over, and notes the spellings that go with it.
func (r *revision) drop(skill int) {
	end := r.after(skill)
	for i := r.behind.facts; i < end.facts; i++ {
		if e := r.old.texts.fact(i).Entry(); speaks(e) {
			r.written(r.read.words(e.Text), func(w word) {
				if term := r.old.words.find(w.norm); term >= 0 {
					r.less[spelling{w.surface, uint32(term)}]++
				}
			})
		}
	}
	r.behind = end
}

// copy takes a skill over as it is.
func (r *revision) copy(skill int) {
	x, from, end := r.old, r.behind, r.after(skill)
	at, shift := len(r.skills), span{lists: len(r.groups) - from.lists, scopes: len(r.scopes) - from.scopes}
	r.skills = append(r.skills, x.skills[skill])
	r.skills[at].norm = r.now(x.skills[skill].norm)
	for i := from.scopes; i < end.scopes; i++ {
		r.scopes, r.perFact = append(r.scopes, uint32(at)), append(r.perFact, 0)
		r.context.add(r.nowAll(x.context.row(i))...)
		r.weights = append(r.weights, x.weights[x.context.start[i]:x.context.start[i+1]]...)
	}
	for i := from.lists; i < end.lists; i++ {
		g := x.groups[i]
		g.scope, g.heading = uint32(int(g.scope)+shift.scopes), r.headingNow(g.heading)
		r.groups = append(r.groups, g)
		r.leads.add(r.nowAll(x.leads.row(i))...)
		r.titles.add(r.nowAll(x.titles.row(i))...)
	}
	for i := from.facts; i < end.facts; i++ {
		r.copyFact(i, shift)
	}
	r.behind = end
}

// copyFact takes a fact over, whose list and scope have numbers that are so much higher.
func (r *revision) copyFact(i int, shift span) {
	x, e := r.old, r.old.facts[i]
	e.twin = r.twinNow(i, r.move.add(i))
	at := x.stands[i]
	if at.trait&traitOpens != 0 {
		e.opens = r.now(e.opens)
	}
	if e.group >= 0 {
		e.group += int32(shift.lists)
	}
	at.scope = uint32(int(at.scope) + shift.scopes)
	r.own.add(r.nowAll(x.own.row(i))...)
	r.times = append(r.times, x.times[x.own.start[i]:x.own.start[i+1]]...)
	r.stands, r.facts = append(r.stands, at), append(r.facts, e)
	r.perFact[at.scope]++
	r.length += int(at.length)
}

// twinNow numbers what a fact of the old index, with this text, shares with its equals. Only one whose text is
// also that of a new fact needs to be compared.
func (r *revision) twinNow(i int, text []byte) uint32 {
	same := &r.same[r.old.facts[i].twin]
	switch {
	case *same > 0:
	case r.added[string(text)]:
		*same = r.twinOf(r.old.texts.fact(i).Entry()) + 1
	default:
		r.twins++
		*same = r.twins
	}
	return *same - 1
}

// headingNow numbers a heading of the old index, behind those that are there.
func (r *revision) headingNow(old uint32) uint32 {
	if r.headings[old] == 0 {
		n := uint32(len(r.heading))
		r.heading["copied "+strconv.Itoa(int(n))] = n
		r.headings[old] = n + 1
	}
	return r.headings[old] - 1
}

// spell takes over the spellings that the copied skills hold.
func (r *revision) spell() {
	for i, term := range r.old.spelt.terms {
		s, times := spelling{r.old.spelt.surface(i), term}, r.old.spelt.times[i]
		if n := times - min(r.less[s], times); n > 0 {
			r.seen[spelling{s.surface, r.now(term)}] += n
		}
	}
}
