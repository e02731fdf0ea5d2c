package answer

import (
	"html"
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// How much each reason to doubt takes from a base at most, in thousandths. Near
// misses share the words of a skill and lack the one thing that is asked about;
// each of these tells some of them apart. The values are round ones of a wide
// plateau, the same for all questions.
const (
	strayDoubt = 500 // the skill speaks of nothing else in the question
	unmetDoubt = 600 // a figure, a flag ... is asked for, and the fact has none
	codeDoubt  = 200 // code, to a question that names none
	nameDoubt  = 500 // the question holds a name that stands nowhere
	gapDoubt   = 850 // the rarest term that is not covered is all of the question
	crowdDoubt = 800 // facts that say something else fit as well
	crowdSize  = 5   // how many such facts are a crowd
	leastCrowd = 500 // a fact that stands further above the others is not trusted more
	loneCrowd  = 650 // where too few facts share a word with the question, standing above them tells little
	alikeParts = 2   // facts are alike that share one in so many of their terms
)

// A factor is one reason to doubt a fact, and what it leaves of the base, in thousandths.
type factor struct {
	why  string // for a person
	left int
}

// doubts returns the reasons to doubt a fact. Each leaves at most all of its base, so that
// they can only refuse more (law 9).
func (x *Index) doubts(r reading, c candidate) []factor {
	q := r.q
	var out []factor
	add := func(why string, holds bool, takes int) {
		if holds && takes > 0 {
			out = append(out, factor{why, full - takes})
		}
	}
	untaught := c.taught == nil // a lesson leaves no word of the question over, and names its facts
	add("its skill does not speak of all", untaught, strayDoubt*(full-r.reach[x.facts[c.id].skill])/full)
	add("it lacks what is asked for", !x.fulfils(q, c), unmetDoubt)
	add("it is code", x.strayCode(q, c), codeDoubt)
	add("a name stands nowhere", q.strange() && untaught, nameDoubt)
	add("the rarest word that it lacks", true, gapDoubt*x.gap(q, c)/full)
	add("others fit as well", untaught, crowdDoubt*r.crowd/full)
	return out
}

// doubted is what the reasons to doubt leave of a base.
func doubted(base int, reasons []factor) int {
	for _, f := range reasons {
		base = base * f.left / full
	}
	return base
}

// fulfils reports whether the fact holds what the question needs: a figure, a
// flag, code, and where things are counted the thing.
func (x *Index) fulfils(q query, c candidate) bool {
	f := x.facts[c.id].fact.Entry()
	for _, n := range q.needs {
		if !x.lex.meets(f, n) && !holdsMarker(html.UnescapeString(f.Text), x.markers) {
			return false
		}
	}
	return q.counted < 0 || x.cover(q, c)[q.counted] > 0
}

// strayCode reports whether the fact is code and the question neither names any nor
// asks for a command.
func (x *Index) strayCode(q query, c candidate) bool {
	switch x.facts[c.id].fact.Entry().Kind {
	case card.Code, card.Command:
		named := func(t queryTerm) bool { return len(t.parts) > 0 || t.name }
		return !slices.ContainsFunc(q.terms, named) && !slices.Contains(q.needs, needCode)
	}
	return false
}

// strange reports whether the question holds a name that stands nowhere in the index.
func (q query) strange() bool {
	return slices.ContainsFunc(q.terms, func(t queryTerm) bool { return t.name && !t.known && t.readAs == "" })
}

// gap is the share of the question's weight, in thousandths, of the rarest term that the
// fact does not cover.
func (x *Index) gap(q query, c candidate) int {
	most := 0
	for i, how := range x.cover(q, c) {
		if how < nearly {
			how = 0
		}
		most = max(most, q.terms[i].weight*(full-how)/full)
	}
	return full * most / max(1, q.total)
}

// crowd returns how close the best facts stand to each other, in thousandths: how well the
// fifth fits, compared with the first. Where a handful that say different things fit
// equally well, none of them is what was asked for. Facts that say nearly the same count
// as one, so that saying a thing twice, or adding what shares no word with the question,
// takes nothing from an answer.
func (x *Index) crowd(found []candidate) int {
	var kept []candidate
	for _, c := range found {
		words := x.facts[c.id].words
		if slices.ContainsFunc(kept, func(k candidate) bool { return alike(words, x.facts[k.id].words) }) {
			continue
		}
		kept = append(kept, c)
		if len(kept) == crowdSize {
			return max(leastCrowd, full*c.rank/max(1, kept[0].rank))
		}
	}
	return loneCrowd
}

// alike reports whether two sorted sets of terms share half of what they hold together.
func alike(a, b []string) bool {
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			both++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return alikeParts*both >= len(a)+len(b)-both
}
