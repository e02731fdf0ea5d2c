package answer

import (
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// What is left of a base where a fact does not give what the question demands, in
// thousandths: the surer the sign, the less. For figures, attributes, names and ways half as
// much again, or that much less, moved no measured set by more than two questions.
const (
	brokenLeft    = 100 // it is about another thing, or says the contrary: it is not cited
	subjectLeft   = 200 // its figure is of something else
	answererLeft  = 200 // nobody, no place, no time
	unitLeft      = 250
	attributeLeft = 300
	aroundLeft    = 300 // only the wider context names what the figure is of
	thingLeft     = 400 // what is done, or with what, is something else
	nameLeft      = 500 // it lacks a name, which may be beside the point
)

// A reason takes from a base; see [Doubt].
type reason func(why string, left int)

// against gives the reasons why a fact is not what the question demands. What a lesson
// names was judged by a person.
func (r *reading) against(c *candidate, add reason) {
	d := &r.q.demand
	if c.taught != nil {
		return
	}
	if d.direct && r.misses(c) {
		add("it lacks a name of the question", nameLeft)
	}
	if !d.any() {
		return
	}
	s := r.say(c.id)
	r.againstNamed(c.id, s, add)
	r.againstSides(s, add)
	r.againstFigure(c, s, add)
	r.againstAttribute(c, s, add)
	r.againstWay(c, s, add)
	s.againstAnswerer(d, r.x.lex, add)
}

// breaks reports whether a fact is about another thing than the question, or says the
// contrary, so that it is not cited.
func (r *reading) breaks(c *candidate) bool {
	broken := false
	r.against(c, func(_ string, left int) { broken = broken || left <= brokenLeft })
	return broken
}

// misses reports whether a fact lacks a name of the question that stands somewhere.
func (r *reading) misses(c *candidate) bool {
	around := r.x.context.row(int(r.x.stands[c.id].scope))
	for i, t := range r.q.terms {
		if t.name && t.known && !t.part && c.cover[i] < nearly && !slices.Contains(around, uint32(t.variants[0].id)) {
			return true
		}
	}
	return false
}

// covers reports whether one of the terms stands in a fact or close above it, or is
// covered by its wider context. Of a word for the documented thing itself nothing is asked.
func (r *reading) covers(c *candidate, s *said, terms []int) bool {
	held := func(i int) bool { t := r.q.terms[i]; return t.minor || c.cover[i] >= nearly || s.near[t.norm] }
	return len(terms) == 0 || slices.ContainsFunc(terms, held)
}

// againstNamed looks for the flag, the script and the skill that the question names.
func (r *reading) againstNamed(id int, s *said, add reason) {
	d := &r.q.demand
	if len(d.flags) > 0 && !slices.ContainsFunc(flagsOf(s.e.Text), r.q.asksFlag) {
		add("it is not about the flag that is named", brokenLeft)
	}
	if len(d.files) > 0 && !s.about(d.files) {
		left := thingLeft
		if len(d.flags) > 0 {
			left = brokenLeft
		}
		add("it is not about the script that is named", left)
	}
	if len(d.skills) > 0 && !r.x.concerns(id, s, d.skills) {
		add("it is of another skill than the named one", d.elsewhere())
	}
}

// elsewhere is what is left of what another skill says than the named one.
func (d *demand) elsewhere() int {
	if d.spaced {
		return nameLeft
	}
	return brokenLeft
}

// elsewhere reports whether a list is of another skill than the named one, and what
// introduces it does not name that one.
func (r *reading) elsewhere(n int) bool {
	named, g := r.q.demand.skills, r.x.groups[n]
	if len(named) == 0 || slices.Contains(named, r.x.scopes[g.scope]) {
		return false
	}
	return !slices.ContainsFunc(named, func(s uint32) bool {
		norm := r.x.skills[s].norm
		return slices.Contains(r.x.leads.row(n), norm) || slices.Contains(r.x.titles.row(n), norm)
	})
}

// asksFlag reports whether the question names the flag, as it is or misspelt.
func (q *query) asksFlag(flag string) bool {
	if slices.Contains(q.demand.flags, flag) {
		return true
	}
	bare := strings.TrimLeft(flag, "-")
	return slices.ContainsFunc(q.terms, func(t queryTerm) bool {
		return t.readAs == bare && slices.ContainsFunc(q.demand.flags, func(f string) bool { return strings.TrimLeft(f, "-") == t.surface })
	})
}

// about reports whether a fact is of one of the scripts or speaks of it.
func (s *said) about(files []string) bool {
	for _, f := range files {
		if strings.EqualFold(path.Base(s.e.File), f) || strings.Contains(strings.ToLower(s.e.Text), f) {
			return true
		}
		if slices.ContainsFunc(s.e.Context, func(c card.Element) bool { return strings.Contains(strings.ToLower(c.Text), f) }) {
			return true
		}
	}
	return false
}

// concerns reports whether a fact is of one of the skills, said there too, or names one.
func (x *Index) concerns(id int, s *said, skills []uint32) bool {
	for _, twin := range x.twins.row(int(x.facts[id].twin)) {
		if slices.Contains(skills, uint32(x.skillOf(int(twin)))) {
			return true
		}
	}
	for _, n := range skills {
		if s.near[x.words.word(int(x.skills[n].norm))] || strings.Contains(s.e.Text, x.skills[n].path) {
			return true
		}
		parts := strings.FieldsFunc(strings.ToLower(x.skills[n].name), func(c rune) bool { return !inName(c) })
		if slices.ContainsFunc(s.e.Context, func(c card.Element) bool { return holdsAll(c.Text, parts) }) || holdsAll(s.e.Text, parts) {
			return true
		}
	}
	return false
}

// holdsAll reports whether a text holds the words next to each other.
func holdsAll(text string, parts []string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !inName(c) })
	for i := range len(words) - len(parts) + 1 {
		if slices.Equal(words[i:i+len(parts)], parts) {
			return true
		}
	}
	return false
}

// besideWords is how near, in words, the other of two opposites stands to a word of the
// question, or a figure to what it counts.
const besideWords = 6

// againstSides looks for what says the contrary.
func (r *reading) againstSides(s *said, add reason) {
	contrary := func(o side) bool {
		return !overlap(s.near, o.own) && overlap(s.own, o.other) && s.opposes(o, &r.q)
	}
	switch {
	case slices.ContainsFunc(r.q.demand.sides, contrary):
		add("it says the opposite", brokenLeft)
	case r.q.demand.not && !r.x.lex.denies(s.words) && !r.x.lex.denies(r.words.words(s.around)):
		add("it does not say when or what not", brokenLeft)
	}
}

// opposes reports whether the other side stands near a word that the question holds.
func (s *said) opposes(side side, q *query) bool {
	for i, w := range s.words {
		if !side.other[w.norm] {
			continue
		}
		for _, near := range s.words[max(0, i-besideWords):min(len(s.words), i+besideWords+1)] {
			if !side.other[near.norm] && slices.ContainsFunc(q.terms, func(t queryTerm) bool { return !t.minor && t.norm == near.norm }) {
				return true
			}
		}
	}
	return false
}

// againstWay looks for what "how do I" is about to do, and with what.
func (r *reading) againstWay(c *candidate, s *said, add reason) {
	d := &r.q.demand
	if !r.covers(c, s, d.verb) {
		add("it does something else", thingLeft)
	}
	if !r.covers(c, s, d.object) {
		add("it is about something else", thingLeft)
	}
}
