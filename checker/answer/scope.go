package answer

import (
	"path"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A scope is all that surrounds a fact: its skill, its file and its context.
// Facts under one heading share it, so it is indexed once for all of them.
type scope struct{ skill int }

// How much a word of the context weighs against the same word in the fact, in
// thousandths, by where it stands. Measured on 143 questions over four public
// collections: the nearest heading and the skill's name help most; the order of
// the rest is within noise.
const (
	nearHeading = 400
	farHeading  = 300
	skillName   = 500
	tableHeader = 300
	leadIn      = 200
	parentItem  = 200
	fileName    = 150
)

// scope returns the number of the entry's scope, which it adds where it is new.
// The section's name is no part of it: a section says where a fact is filed,
// not what it says (law 9).
func (b *builder) scope(at int, e card.Entry) int {
	key := strconv.Itoa(at) + "/" + card.Entry{File: e.File, Context: e.Context}.Identity()
	if id, known := b.scopeOf[key]; known {
		return id
	}
	id := len(b.scopes)
	b.scopeOf[key] = id
	b.scopes, b.perFact = append(b.scopes, scope{at}), append(b.perFact, 0)
	near := nearest(e.Context)
	for i, c := range e.Context {
		if w := roleWeight(c.Role, i == near); w > 0 {
			b.addAround(id, w, c.Text)
		}
	}
	b.addAround(id, skillName, b.skills[at].name)
	b.addAround(id, fileName, strings.TrimSuffix(path.Base(e.File), path.Ext(e.File)))
	return id
}

// nearest returns the index of the innermost heading, or -1.
func nearest(c card.Context) int {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].Role == card.Heading || c[i].Role == card.Label {
			return i
		}
	}
	return -1
}

// roleWeight is the weight of a context element, 0 where it is not searched.
func roleWeight(r card.Role, near bool) int {
	switch r {
	case card.Heading, card.Label, card.Tag:
		if near {
			return nearHeading
		}
		return farHeading
	case card.Columns:
		return tableHeader
	case card.Lead:
		return leadIn
	case card.Item:
		return parentItem
	}
	return 0 // the key of a frontmatter field says nothing of its value
}

// addAround adds each term of text once to the scope, with the field's weight.
func (b *builder) addAround(id, weight int, text string) {
	counts, _ := b.read.count(b.read.words(text))
	for term := range counts {
		if b.around[term] == nil {
			b.around[term] = map[int]int{}
		}
		b.around[term][id] += weight
	}
}
