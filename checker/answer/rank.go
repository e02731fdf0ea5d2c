package answer

import "math"

// BM25F with the context as weaker fields. Facts are short, so term frequency
// saturates early and length counts little; textbook values lost .08 on the
// measured questions.
const (
	saturation = .6
	lengthPart = .3
)

// How much of its rank a fact keeps, in thousandths.
const (
	fieldRank = 900  // a description repeats what the skill says better elsewhere
	unmetRank = 700  // what the question needs is not in it
	codeRank  = 900  // code, to a question that names none
	opensRank = 1500 // it begins with an identifier of the question, and so explains it
	namedRank = 3000 // the question names its skill, which is answered from first
)

// rank says how well the fact at hand is worded for the question. It orders the facts and
// decides nothing else. Each term's part is rounded to a whole millionth before it is
// added, and no product is added to anything before it was rounded, so that no machine
// can add them up otherwise.
func (r *reading) rank(f form) int {
	c, t := &r.at, account{total: r.total}
	norm := 1 - lengthPart + float64(lengthPart*float64(r.x.stands[c.id].length)/r.x.mean)
	for i := range r.q.terms {
		m := c.own[i]
		if c.teaches(i) && m.how < synonym {
			m.how, m.count = synonym, max(1, m.count)
		}
		t.add(&r.q.terms[i], m, r.near[i], norm)
	}
	return t.rank(f)
}

// An account adds up a rank.
type account struct{ sum, covered, total int }

// add takes in what a term adds. One that the fact does not hold, and nothing around it, adds nothing.
func (t *account) add(term *queryTerm, m match, near int, norm float64) {
	if m.how == 0 && near == 0 {
		return
	}
	t.sum += int(math.Round(float64(term.rare) * worth(m, near, norm)))
	if m.how == 0 {
		m.how = contextShare * min(full, near) / full
	}
	t.covered += term.rare / full * m.how
}

// contextShare is what a term in the context counts for the share that is covered.
const contextShare = 700

// worth is what a term adds for a match, as a multiple of its weight: its frequency,
// which the context adds to, soon saturated.
func worth(m match, near int, norm float64) float64 {
	around := float64(near) / full
	strength, freq := float64(m.how)/full, float64(m.count)+around
	if m.how == 0 {
		strength, freq = 1, min(1, around)
	}
	return strength * freq * (saturation + 1) / (freq + float64(saturation*norm))
}

// rank is what the form makes of the sum.
func (t *account) rank(f form) int {
	share := full/2 + full/2*t.covered/max(1, t.total)
	for _, by := range formRanks() {
		if f&by.form != 0 {
			share = share * by.rank / full
		}
	}
	return t.sum * share / full * (scale + f.bonus()) / scale
}

// A formRank is what part of its rank a fact of a form keeps, in thousandths.
type formRank struct {
	form form
	rank int
}

func formRanks() [5]formRank {
	return [...]formRank{{formField, fieldRank}, {formUnmet, unmetRank}, {formStray, codeRank}, {formOpens, opensRank}, {formNamed, namedRank}}
}

// keeps is the product of what the forms leave of a rank, before anything is rounded.
func (f form) keeps() float64 {
	share := float64(scale+f.bonus()) / scale
	for _, by := range formRanks() {
		if f&by.form != 0 {
			share *= float64(by.rank) / full
		}
	}
	return share
}
