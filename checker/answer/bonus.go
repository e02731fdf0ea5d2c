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
func (f form) bonus() int {
	if f&formPreferred != 0 {
		return sectionBonus
	}
	return 0
}

// preferred returns the sections that the question's words prefer, a bit each. Stop
// words count too: "never" and "how" carry no subject, but may name a section.
func (q *query) preferred(l *lexicon) (out uint8) {
	all := card.Sections()
	for _, w := range q.words {
		for _, s := range l.sections[w.norm] {
			out |= 1 << slices.Index(all[:], s)
		}
	}
	return out
}
