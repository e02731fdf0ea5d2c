package answer

import (
	"maps"
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Lesson says that facts answer a question, whatever words they lack. It is for
// questions that somebody vouched for: a suite that stands on the base.
type Lesson struct {
	Text  string // the question, or another wording of it
	Line  int    // where it was written down, for who asks why
	Facts []int  // their numbers, as [Index.Each] gives them
}

// A lesson is a Lesson made ready. Its words are terms of its facts, with the
// weight of a synonym, for questions that it is about.
type lesson struct {
	terms map[string]int // to weight
	total int
	line  int
	facts []int
}

// lessonShare is the least part of a lesson's weight that a question must hold, in
// thousandths: a question of two words out of four asks about something wider.
const lessonShare = 650

// Taught is the index with lessons in the place of those that it had. It shares
// the rest with the index, which stays as it was.
//
// A lesson counts for a fact where the question leaves nothing over: each of its
// informative words stands in the fact, around it or in that one lesson. So a question
// that differs from a taught one by a word that nobody spoke of is judged as if
// there were no lesson. A lesson changes the score of its own facts alone.
func (x *Index) Taught(lessons []Lesson) *Index {
	y := *x
	y.lessons, y.taught = nil, map[string][]int{}
	for _, l := range lessons {
		ready := lesson{terms: map[string]int{}, line: l.Line, facts: slices.Compact(slices.Sorted(slices.Values(l.Facts)))}
		for _, t := range x.query(l.Text).terms {
			if !t.part {
				ready.terms[t.norm] = t.weight
				ready.total += t.weight
			}
		}
		for term := range ready.terms {
			y.taught[term] = append(y.taught[term], len(y.lessons))
		}
		y.lessons = append(y.lessons, ready)
	}
	return &y
}

// teach gives the candidates the lessons that count for them, and adds those that
// only a lesson brings up.
func (x *Index) teach(q query, found []candidate) []candidate {
	at := map[int]int{}
	for _, n := range x.lessonsOn(q) {
		l := x.lessons[n]
		words := l.words(q)
		if words == nil {
			continue
		}
		if len(at) == 0 {
			for i, c := range found {
				at[c.id] = i
			}
		}
		for _, id := range l.facts {
			i, known := at[id]
			c := candidate{id: id}
			if known {
				c = found[i]
			}
			if c.taught != nil || !x.completes(q, c, words) {
				continue
			}
			if c.taught, c.line = words, l.line; !x.fulfils(q, c) {
				continue // a lesson replaces no figure
			}
			if known {
				found[i] = c
				continue
			}
			at[id] = len(found)
			found = append(found, c)
		}
	}
	return found
}

// lessonsOn lists the lessons that share a word with the question, in their order.
func (x *Index) lessonsOn(q query) []int {
	if len(x.lessons) == 0 {
		return nil
	}
	some := map[int]bool{}
	for _, t := range q.terms {
		for _, v := range t.variants {
			for _, n := range x.taught[v.term] {
				some[n] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(some))
}

// words says which terms of the question the lesson holds, or is nil where the
// lesson is about something else.
func (l lesson) words(q query) []bool {
	out, shared := make([]bool, len(q.terms)), map[string]bool{}
	for i, t := range q.terms {
		for _, v := range t.variants {
			if _, held := l.terms[v.term]; held && v.match >= evidence {
				out[i], shared[v.term] = true, true
			}
		}
	}
	weight := 0
	for term := range shared {
		weight += l.terms[term]
	}
	if weight*full < l.total*lessonShare {
		return nil
	}
	return out
}

// completes reports whether the fact, what surrounds it and the words of a lesson
// hold the whole question. Of an identifier's parts nothing is asked.
func (x *Index) completes(q query, c candidate, words []bool) bool {
	own := make([]bool, len(q.terms))
	for _, m := range c.own {
		own[m.term] = m.how >= nearly // what is only related says nothing of the word
	}
	for i, t := range q.terms {
		if !t.part && !words[i] && !own[i] && !x.nearBy(t, x.facts[c.id].scope) {
			return false
		}
	}
	return true
}

// Each yields the facts that can be cited, with their numbers and the folders of
// their skills, in the index's order. Numbers hold for this index and for what
// [Index.Taught] makes of it.
func (x *Index) Each(yield func(number int, skill string, f card.Fact) bool) {
	for i, f := range x.facts {
		if speaks(f.fact.Entry()) && !yield(i, x.skills[f.skill].path, f.fact) {
			return
		}
	}
}

// Same reports whether an answer cites only one of two facts: they are one
// statement of two skills, or stand on the same lines.
func (x *Index) Same(a, b int) bool {
	f, g := x.facts[a], x.facts[b]
	p, at := f.fact.Places()[0], g.fact.Places()[0]
	return f.twin == g.twin || p.File == at.File && p.First <= at.Last && at.First <= p.Last
}

// Rank returns where the best of the facts stands among all that were looked at
// for a question, from 1, and how far it came; 0 where none of them was.
func (x *Index) Rank(question string, wanted func(number int) bool) (place int, sure float64) {
	r := x.look(question)
	var best candidate
	for id, c := range r.all {
		if wanted(id) && (place == 0 || better(c, best) < 0) {
			best, place = c, 1
		}
	}
	if place == 0 {
		return 0, 0
	}
	for _, c := range r.all {
		if better(c, best) < 0 {
			place++
		}
	}
	return place, decimal(x.judge(r, best).sure)
}

// teaches reports whether a lesson gives the fact a term of the question.
func (c candidate) teaches(term int) bool { return c.taught != nil && c.taught[term] }
