package answer

import "strings"

// mostNearest is how many facts a refusal keeps of those that came closest.
const mostNearest = 3

func (x *Index) accept(read []*reading, chosen []candidate, best int, list bool) Answer {
	a := Answer{Answered: true, List: list, Hits: []Hit{}, Best: decimal(best), Terms: asRead(read)}
	named := read[0].q.demand.skills
	a.Elsewhere = len(named) > 0
	for _, c := range chosen {
		h := x.cited(read, c)
		h.Taught = h.Taught && !list // a list stands by its own words
		a.Hits = append(a.Hits, h)
		a.Elsewhere = a.Elsewhere && !x.concerns(c.id, read[0].say(c.id), named)
	}
	return a
}

// refuse says no, and what was looked through (law 10).
func (x *Index) refuse(read []*reading, found []candidate, best int, why string) Answer {
	r := &Refusal{
		Facts: x.Facts(), Cards: x.Cards(), Terms: asRead(read),
		Floor: decimal(Floor), Best: decimal(best), Why: why,
	}
	for _, c := range found[:min(mostNearest, len(found))] {
		r.Nearest = append(r.Nearest, x.hit(read[0], c))
	}
	return Answer{Hits: []Hit{}, Best: r.Best, Terms: asRead(read), Refusal: r, standings: standings(found, true)}
}

// cited is hit, and says what is owed to a lesson.
func (x *Index) cited(read []*reading, c candidate) Hit {
	h := x.hit(read[0], c)
	h.Taught, h.Wording = owes(read, c), c.wording
	return h
}

// hit makes a candidate a citation: exact scores become decimals only here.
func (x *Index) hit(r *reading, c candidate) Hit {
	f := x.facts[c.id]
	skill := x.skillOf(c.id)
	h := Hit{
		Fact: x.texts.fact(c.id), Skill: x.skills[skill].path,
		Base: decimal(c.base), Sure: decimal(c.sure), Bonus: decimal(c.bonus),
		Number: c.id, Lesson: c.line,
	}
	last := skill
	for _, twin := range x.twins.row(int(f.twin)) {
		if other := x.skillOf(int(twin)); other != skill && other != last {
			h.Also = append(h.Also, x.skills[other].path)
			last = other
		}
	}
	bare := r.untaught(c)
	for i, how := range c.cover {
		t, by := r.q.terms[i], Taught
		if how == bare[i] {
			by = t.by(how, c.holds(i))
		}
		h.Terms = append(h.Terms, TermScore{r.q.written(t.surface, t.surface), r.q.share(t), float64(how) / full, by})
	}
	for _, d := range r.doubts(&c) {
		h.Doubt = append(h.Doubt, Doubt{d.why, float64(d.left) / full})
	}
	return h
}

// holds is how well the fact's own text holds term i.
func (c candidate) holds(i int) int {
	return c.own[i].how
}

// by says what covers the term: how much is counted, own of it by the fact's own text.
func (t queryTerm) by(how, own int) By {
	switch {
	case how == 0:
		return Nothing
	case own < how:
		return Around
	case own == full:
		return OwnText
	case own == nearly:
		return ItsSkill
	case own < nearly:
		return Related
	case t.readAs != "":
		return Typo
	}
	return Synonym
}

// asRead returns the words of all wordings, each once, as a refusal lists them: parts of
// an identifier are searched, but not shown beside it.
func asRead(read []*reading) []Term {
	out, seen := []Term{}, map[string]bool{}
	for _, r := range read {
		for _, t := range r.q.terms {
			if !t.part && !seen[t.surface] {
				seen[t.surface] = true
				out = append(out, Term{r.q.written(t.surface, t.surface), t.facts, t.known, r.q.written(t.surface, t.readAs), r.q.share(t), float64(t.weight) / (full * full)})
			}
		}
	}
	return out
}

// written puts the hyphens before a word that the question wrote as a flag, or before what
// that was read as.
func (q *query) written(surface, as string) string {
	for _, f := range q.demand.flags {
		if bare := strings.TrimLeft(f, "-"); as != "" && bare == surface {
			return f[:len(f)-len(bare)] + as
		}
	}
	return as
}

func (q query) share(t queryTerm) float64 { return decimal(t.weight * scale / max(1, q.total)) }

func decimal(n int) float64 { return float64(n) / scale }
