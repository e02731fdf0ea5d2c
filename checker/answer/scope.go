package answer

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

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
	fileName    = 150 // and the folders above the skill: the plugin or the area that it is part of
)

// A lastScope is the scope of the fact before, since facts of one scope come together.
type lastScope struct {
	file    string
	context card.Context
	id      uint32
	known   bool
}

// scope returns the number of the entry's scope, which it adds where it is new: all
// that surrounds a fact, which facts under one heading share. The section's name is
// no part of it: a section says where a fact is filed, not what it says (law 9).
func (b *builder) scope(at int, e card.Entry) uint32 {
	if b.last.known && b.last.file == e.File && slices.Equal(b.last.context, e.Context) {
		return b.last.id
	}
	key := card.Entry{File: e.File, Context: e.Context}.Identity()
	id, known := b.scopeBy[key]
	if !known {
		id = b.newScope(at, e)
		b.scopeBy[key] = id
	}
	b.last = lastScope{e.File, e.Context, id, true}
	return id
}

func (b *builder) newScope(at int, e card.Entry) uint32 {
	id := uint32(len(b.scopes))
	b.scopes, b.perFact = append(b.scopes, uint32(at)), append(b.perFact, 0)
	near, held := nearest(e.Context), map[uint32]int{}
	for i, c := range e.Context {
		if w := roleWeight(c.Role, i == near); w > 0 {
			b.addAround(held, w, c.Text)
		}
	}
	b.addAround(held, skillName, b.skills[at].name)
	b.addAround(held, fileName, path.Dir(b.skills[at].path))
	b.addAround(held, fileName, fileWords(e.File))
	terms := slices.Sorted(maps.Keys(held))
	for _, term := range terms {
		b.weights = append(b.weights, uint16(min(held[term], mostWeight)))
	}
	b.context.add(terms...)
	return id
}

// fileWords are the words of a file's name: the whole name of a script, which people
// call it by, and of others what stands before the ending.
func fileWords(file string) string {
	name := path.Base(file)
	bare := strings.TrimSuffix(name, path.Ext(name))
	if isScript(name) {
		return bare + " " + name
	}
	return bare
}

// mostWeight bounds what a context can weigh, however deep it is.
const mostWeight = 1<<16 - 1

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

// addAround adds each term of text once, with the field's weight.
func (b *builder) addAround(held map[uint32]int, weight int, text string) {
	b.count(b.read.words(text))
	for _, term := range slices.Compact(b.found) {
		held[term] += weight
	}
}
