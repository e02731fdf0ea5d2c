package answer

import (
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// sectionBonus is what a fact gains in the order for standing in a section that
// the question's words prefer. It is less than a covered word is worth in a short
// question, so that it settles near ties; 400 to 1500 measured alike.
const sectionBonus = 1200

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
