package answer

import (
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// sectionBonus is what a fact gains in the order, in ten-thousandths of its rank, for
// standing in a section that the question's words prefer. It settles near ties; none and
// twice as much measured alike.
const sectionBonus = 1000

// bonus is the preference for one fact. No score that decides reads it (law 9).
func (x *Index) bonus(q query, fact int) int {
	if slices.Contains(x.prefers(q), x.facts[fact].fact.Entry().Section) {
		return sectionBonus
	}
	return 0
}

// prefers returns the sections that the question's words prefer. Stop words
// count too: "never" and "how" carry no subject, but may name a section.
func (x *Index) prefers(q query) []card.Section {
	var out []card.Section
	for _, w := range q.words {
		out = append(out, x.lex.sections[w.norm]...)
	}
	return out
}
