package answer

// Holding returns facts whose own text holds a word, as hits without scores, at
// most so many of them.
func (x *Index) Holding(word string, most int) (hits []Hit) {
	for _, w := range (reader{x.lex, stemmer{}}).words(word) {
		for _, p := range x.own[w.norm] {
			if len(hits) == most {
				return hits
			}
			f := x.facts[p.fact]
			hits = append(hits, Hit{Fact: f.fact, Skill: x.skills[f.skill].path})
		}
	}
	return hits
}
