package answer

import (
	"html"
	"slices"
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
	listDoubt  = 600 // the same of a list, which says less of what all its items share
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
// they can only refuse more (law 9). They last until the next call.
func (r *reading) doubts(c *candidate) []factor {
	out := r.reasons[:0]
	add := func(why string, holds bool, takes int) {
		if holds && takes > 0 {
			out = append(out, factor{why, full - takes})
		}
	}
	untaught := c.taught == nil // a lesson leaves no word of the question over, and names its facts
	if untaught {
		add("its skill does not speak of all", true, strayDoubt*(full-r.reach(r.x.skillOf(c.id)))/full)
	}
	add("it lacks what is asked for", c.form&formUnmet != 0, unmetDoubt)
	add("it is code", c.form&formStray != 0, codeDoubt)
	add("a name stands nowhere", r.q.strange() && untaught, nameDoubt)
	add("the rarest word that it lacks", true, gapDoubt*r.q.gap(c.cover)/full)
	if r.few {
		add("few facts to compare it with", untaught, crowdDoubt*r.crowd/full)
	} else {
		add("others fit as well", untaught, crowdDoubt*r.crowd/full)
	}
	r.against(c, func(why string, left int) { add(why, true, full-left) })
	r.reasons = out
	return out
}

// doubted is what the reasons to doubt leave of a base.
func doubted(base int, reasons []factor) int {
	for _, f := range reasons {
		base = base * f.left / full
	}
	return base
}

// fulfils reports whether the fact at hand holds what the question needs: a figure, a
// flag, code, and where things are counted the thing. A marker may stand for it.
func (r *reading) fulfils() bool {
	c := &r.at
	if r.q.wants&^r.x.stands[c.id].holds() != 0 {
		if len(r.x.markers) == 0 || !holdsMarker(html.UnescapeString(r.x.texts.text(c.id)), r.x.markers) {
			return false
		}
	}
	return r.q.counted < 0 || c.cover[r.q.counted] > 0
}

// strange reports whether the question holds a name that stands nowhere in the index.
func (q query) strange() bool {
	return slices.ContainsFunc(q.terms, func(t queryTerm) bool { return t.name && !t.known && t.readAs == "" })
}

// gap is the share of the question's weight, in thousandths, of the rarest term that the
// fact does not cover.
func (q *query) gap(cover []int) int {
	most := 0
	for i, how := range cover {
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
// takes nothing from an answer. Few says that there is no handful of them.
func (x *Index) crowd(found []candidate) (close int, few bool) {
	var kept []candidate
	for _, c := range found {
		words := x.own.row(c.id)
		if slices.ContainsFunc(kept, func(k candidate) bool { return alike(words, x.own.row(k.id)) }) {
			continue
		}
		kept = append(kept, c)
		if len(kept) == crowdSize {
			return max(leastCrowd, full*c.rank/max(1, kept[0].rank)), false
		}
	}
	return loneCrowd, true
}

// alike reports whether two sorted sets of terms share half of what they hold together.
func alike(a, b []uint32) bool {
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
