package answer

import "slices"

// A form is what a rank depends on beside the terms: how long a fact is, how often it
// repeats a word, and which of the question's preferences it meets.
type form uint16

const (
	formLength    form = 7      // a range of lengths
	formTimes     form = 3 << 3 // a range of repetitions
	formField     form = 1 << 5 // a frontmatter field
	formUnmet     form = 1 << 6 // a need is not met
	formStray     form = 1 << 7 // code, to a question that names none
	formPreferred form = 1 << 8
	formOpens     form = 1 << 9 // it begins with an identifier of the question
	formNamed     form = 1 << 10
	forms              = 1 << 11
)

// formLengths are where the ranges of lengths begin, in words; formMost are the most
// repetitions in each range.
func formLengths() [8]uint32 { return [...]uint32{0, 3, 5, 8, 11, 15, 22, 35} }

func formMost() [4]int { return [...]int{1, 2, 4, mostTimes} }

// ranged is the part of a fact's form that no question changes.
func ranged(length uint32, times uint8) (f form) {
	for i, n := range formLengths() {
		if length >= n {
			f = form(i)
		}
	}
	for i, n := range formMost() {
		if int(times) <= n {
			return f | form(i)<<3
		}
	}
	return f | formTimes
}

// A trait is what of a fact's form no question changes, and what questions are compared
// with: the needs that it meets, its section, whether it is code or begins with an identifier.
type trait uint32

const (
	traitCode  trait = 1 << 24
	traitOpens trait = 1 << 25
	traits           = 1<<26 - 1
)

func newTrait(f form, holds needs, section uint8) trait {
	return trait(f) | trait(holds)<<16 | trait(section)<<20
}

func (t trait) form() form     { return form(t) & (forms - 1) }
func (t trait) holds() needs   { return needs(t>>16) & 15 }
func (t trait) section() uint8 { return uint8(t>>20) & 15 }

// form is how a fact meets the question.
func (q *query) form(x *Index, id uint32) form {
	t := x.stands[id].trait
	f := t.form()
	if q.wants&^t.holds() != 0 && len(x.markers) == 0 { // with markers, its text has to be looked at
		f |= formUnmet
	}
	if q.prefers&(1<<t.section()) != 0 {
		f |= formPreferred
	}
	if q.prose && t&traitCode != 0 {
		f |= formStray
	}
	if q.openers != 0 && t&traitOpens != 0 && q.holds(x.facts[id].opens) {
		f |= formOpens
	}
	if len(q.skills) > 0 && slices.Contains(q.skills, x.skills[x.skillOf(int(id))].norm) {
		f |= formNamed
	}
	return f
}

// holds reports whether a term of the question is the index's term, as it is.
func (q *query) holds(id uint32) bool {
	return slices.ContainsFunc(q.terms, func(t queryTerm) bool { return t.variants[0].id == int(id) })
}
