package answer

import (
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Skill is what the index knows of one skill.
type Skill struct {
	Path  string // the skill's folder, from the repository's root
	Name  string // its label; the path is its key
	Facts []card.Fact
}

// An Index is the facts of a repository at one commit, made ready for
// questions. It is not changed once made and may be used by several goroutines.
//
// Words, facts, contexts, lists and skills have numbers, and all that is known of
// them stands in slices: a million facts are no million objects.
type Index struct {
	lex    *lexicon
	words  dictionary // the terms
	texts  archive    // the facts themselves
	skills []skill
	facts  []entry
	stands []footing // of each fact, apart since a question looks at many
	scopes []uint32  // the skill of each scope
	within rows      // scope to its facts
	groups []group

	own      rows     // fact to the terms of its text, ascending
	times    []uint8  // how often, for each of own's items
	holders  rows     // term to facts, the same turned
	context  rows     // scope to the terms that surround its facts
	weights  []uint16 // in thousandths, for each of context's items
	around   rows     // term to scopes
	heaviest []uint16 // of each term, its greatest weight in a context
	spread   []uint32 // of each term, how many facts hold it in text or context
	leads    rows     // group to the terms of what introduces it
	titles   rows     // group to the terms of its nearest heading
	led      rows     // term to groups
	titled   rows     // term to groups
	members  rows     // group to its facts, in the card's order
	twins    rows     // number of equal facts to the facts
	headed   rows     // heading to its groups
	openers  []uint32 // terms that facts begin with, ascending
	kin      []int32  // of each stem of the related words, its term, or -1
	root     []int32  // the same of the words that are made from each other
	spoken   rows     // skill to the terms of its facts and of what surrounds them, in no order
	names    []uint32 // the skills' names as terms, ascending
	spelt    spellings
	length   int     // of all facts, in words
	mean     float64 // the same for one fact, at least 1
	spare    *pool

	markers []string // what stands where a value is kept back
	lessons []lesson
	taught  map[string][]int // term to the lessons that hold it
}

type skill struct {
	path, name string
	norm       uint32 // the name as one term
}

// An entry is what an index holds of a fact beside its terms.
type entry struct {
	twin  uint32 // a number that equal facts share
	opens uint32 // the identifier that its text begins with, where its trait says so
	group int32  // the list that it is an item of, or -1
}

// A footing is what most questions ask of a fact beside its terms.
type footing struct {
	scope  uint32
	length uint32 // in words
	trait
}

// NewIndex makes an index of the facts of all skills. The order of skills and
// of facts does not matter; equal facts of one skill are one.
func NewIndex(skills []Skill) *Index {
	b := newBuilder()
	for _, s := range inOrder(skills) {
		b.addSkill(s)
	}
	return b.finish()
}

// Facts returns how many facts the index holds.
func (x *Index) Facts() int { return len(x.facts) }

// Cards returns how many skills, and so cards, the index was made of.
func (x *Index) Cards() int { return len(x.skills) }

func (x *Index) skillOf(fact int) int { return int(x.scopes[x.stands[fact].scope]) }

// turn makes what is found from the other side: facts by term, and so on.
func (x *Index) turn() {
	terms := x.words.len()
	x.holders, x.around = x.own.turned(terms), x.context.turned(terms)
	x.led, x.titled = x.leads.turned(terms), x.titles.turned(terms)
	x.spoken = x.speak(terms)
	x.members = gathered(len(x.facts), len(x.groups), func(i int) int { return int(x.facts[i].group) })
	x.within = gathered(len(x.facts), len(x.scopes), func(i int) int { return int(x.stands[i].scope) })
	x.twins = gathered(len(x.facts), len(x.facts), func(i int) int { return int(x.facts[i].twin) })
	x.headed = gathered(len(x.groups), len(x.groups), func(i int) int { return int(x.groups[i].heading) })
	for i, s := range x.stands {
		if s.trait&traitOpens != 0 {
			x.openers = append(x.openers, x.facts[i].opens)
		}
	}
	slices.Sort(x.openers)
	x.openers = slices.Compact(x.openers)
	x.heaviest = make([]uint16, terms)
	for i, term := range x.context.items {
		x.heaviest[term] = max(x.heaviest[term], x.weights[i])
	}
	x.mean = max(1, float64(x.length)/max(1, float64(len(x.facts))))
	x.kin, x.root = relatives().terms(&x.words), roots().terms(&x.words)
	x.spare = &pool{}
}

// speak gathers the terms of each skill.
func (x *Index) speak(terms int) (out rows) {
	last := make([]uint32, terms) // the skill that had the term last, plus one
	var row []uint32
	fact, scope := 0, 0
	add := func(skill int, all []uint32) {
		for _, term := range all {
			if last[term] != uint32(skill)+1 {
				last[term] = uint32(skill) + 1
				row = append(row, term)
			}
		}
	}
	for skill := range x.skills {
		row = row[:0]
		for ; fact < len(x.facts) && x.skillOf(fact) == skill; fact++ {
			add(skill, x.own.row(fact))
		}
		for ; scope < len(x.scopes) && int(x.scopes[scope]) == skill; scope++ {
			add(skill, x.context.row(scope))
		}
		out.add(row...)
	}
	return out
}
