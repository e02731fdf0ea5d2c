package answer

import (
	"cmp"
	"fmt"
	"slices"
)

// MaxRivals is how many facts of one question are looked at by meaning. With the
// question they are 32 texts, the most that the strictest of the usual servers of
// embeddings takes in one request.
const MaxRivals = 31

// A Rival is a fact that an answer may cite, with what puts it in its place.
type Rival struct {
	Hit
	Keyword int  // its keyword score, in ten-thousandths of the best rival's
	Alike   int  // how near it is to the question in meaning, in hundredths, -100 to 100
	Known   bool // whether Alike was asked for
}

// Rivals returns the facts that may stand in the answer to a question which
// [Index.Ask] answers, but not with a list: first the hits of that answer, in their
// order, then others that pass the floor by themselves, best first, none twice.
// What Ask decides does not depend on them (law 9).
func (x *Index) Rivals(question string, also ...string) []Rival {
	read, why := x.wordings(question, also)
	defer done(read)
	if why != "" {
		return nil
	}
	var out []Rival
	best := 1
	for i, c := range judged(read, x.choose(read[0], x.merge(read), MaxRivals)) {
		if i >= MaxHits && c.sure < Floor {
			continue
		}
		if i == 0 {
			best = max(1, c.rank)
		}
		out = append(out, Rival{Hit: x.cited(read, c), Keyword: min(scale, c.rank*scale/best)})
	}
	return out
}

// ByMeaning orders rivals by keyword + weight * alike, the weight in hundredths, and
// returns as many as an answer cites. One whose likeness is not known keeps its place.
// All numbers are whole and ties keep their order, so that the same numbers give the
// same hits on any machine (law 11). No hit gets in that was no rival.
func ByMeaning(rivals []Rival, weight int) []Hit {
	var places []int
	var known []Rival
	for i, r := range rivals {
		if r.Known {
			places, known = append(places, i), append(known, r)
		}
	}
	slices.SortStableFunc(known, func(a, b Rival) int {
		return cmp.Compare(b.Keyword+weight*b.Alike, a.Keyword+weight*a.Alike)
	})
	ordered := slices.Clone(rivals)
	for i, at := range places {
		ordered[at] = known[i]
	}
	hits := []Hit{}
	for _, r := range ordered[:min(MaxHits, len(ordered))] {
		if r.Known {
			r.Hit.Alike = &r.Alike
		}
		hits = append(hits, r.Hit)
	}
	return hits
}

// A Meaning says whether meaning search had a say in the order of an answer.
type Meaning struct {
	Used  bool
	Facts int    // whose likeness to the question was looked at
	Why   string // where it was not used, for a person; holds no word of the question
}

func (m *Meaning) explained() string {
	switch {
	case m == nil:
		return ""
	case m.Used:
		return fmt.Sprintf("meaning search put %s in order\n", count(m.Facts, "fact"))
	}
	return "without meaning search: " + visible(m.Why) + "\n"
}

// A MeaningForm is a [Meaning] as it is printed.
type MeaningForm struct {
	Used  bool   `json:"used"`
	Facts int    `json:"facts"`
	Why   string `json:"why,omitempty"`
}

// meant adds to a form what meaning search had to say.
func (a Answer) meant(f *Form) {
	if m := a.Meaning; m != nil {
		f.Meaning = &MeaningForm{m.Used, m.Facts, m.Why}
	}
	for i, h := range a.Hits {
		f.Hits[i].Alike = h.cosine()
	}
}

// cosine is the likeness as a decimal.
func (h Hit) cosine() *float64 {
	if h.Alike == nil {
		return nil
	}
	c := float64(*h.Alike) / 100
	return &c
}
