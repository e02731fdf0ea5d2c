package answer

// Holding returns facts whose own text holds a word, as hits without scores, at
// most so many of them.
func (x *Index) Holding(word string, most int) (hits []Hit) {
	for _, w := range (reader{lex: x.lex, stems: stemmer{}}).words(word) {
		for _, id := range x.holders.row(x.words.find(w.norm)) {
			if len(hits) == most {
				return hits
			}
			hits = append(hits, Hit{Fact: x.texts.fact(int(id)), Skill: x.skills[x.skillOf(int(id))].path})
		}
	}
	return hits
}
