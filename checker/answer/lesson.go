package answer

import (
	"context"
	"maps"
	"slices"
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
	terms  map[string]int // to weight
	total  int
	line   int
	facts  []int
	denies bool // it says no
	kind   kind // of the question that was taught
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
// there were no lesson, and so is one that asks for something of another kind, such as who in
// the place of how many. A lesson changes the score of its own facts alone.
//
// It fails with ctx's error where that ends before all lessons are read.
func (x *Index) Taught(ctx context.Context, lessons []Lesson) (*Index, error) {
	y := *x
	y.lessons, y.taught = nil, map[string][]int{}
	for _, l := range lessons {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ready := lesson{terms: map[string]int{}, line: l.Line, facts: slices.Compact(slices.Sorted(slices.Values(l.Facts)))}
		q := x.query(l.Text)
		ready.denies, ready.kind = q.denies, q.kind
		for _, t := range q.terms {
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
	return &y, nil
}

// A taughtFact is what the lesson that counts for a fact gives it.
type taughtFact struct {
	words []bool // by term of the question
	line  int
}

// teach finds the facts that a lesson counts for. They are looked at before any other.
func (r *reading) teach() {
	if len(r.x.lessons) == 0 {
		return
	}
	meant := r.x.meanings(r.q)
	for _, n := range r.x.lessonsOn(meant) {
		l := r.x.lessons[n]
		words := l.words(meant, r.q)
		if words == nil {
			continue
		}
		for _, id := range l.facts {
			if _, known := r.taught[id]; known || !r.completes(id, words) {
				continue
			}
			if r.taught == nil {
				r.taught = map[int]taughtFact{}
			}
			r.taught[id] = taughtFact{words, l.line}
			if c := r.look(id); c.form&formUnmet != 0 {
				delete(r.taught, id) // a lesson replaces no figure
			}
		}
	}
}

// Lifts reports whether a lesson counts for any fact that a question asks for. Where none does,
// the answer is the one without lessons, at a fraction of the cost. Looked is the work that it
// took: how many facts were looked at.
func (x *Index) Lifts(question string) (lifts bool, looked int) {
	r := x.open(question)
	defer r.done()
	r.teach()
	return len(r.taught) > 0, r.looked
}

// OtherKind is the line of a lesson that would count for a question, but was taught for one of
// another kind; 0 for none.
func (x *Index) OtherKind(question string) int {
	r := x.open(question)
	defer r.done()
	meant := x.meanings(r.q)
	for _, n := range x.lessonsOn(meant) {
		l := x.lessons[n]
		if l.kind.agrees(r.q.kind) {
			continue
		}
		l.kind = r.q.kind
		words := l.words(meant, r.q)
		if words != nil && slices.ContainsFunc(l.facts, func(id int) bool { return r.completes(id, words) }) {
			return l.line
		}
	}
	return 0
}

// untaught is how far a fact covers each term without its lesson.
func (r *reading) untaught(c candidate) []int {
	if c.taught == nil {
		return c.cover
	}
	return r.bare(c.id).cover
}

// bare is a fact as it would be without its lesson.
func (r *reading) bare(id int) candidate {
	all := r.taught
	r.taught = nil
	c := r.look(id).kept()
	r.taught = all
	return c
}

// owes reports whether a fact is cited thanks to a lesson alone: by its own words, as the
// mean over the wordings, it would stay below the floor.
func owes(read []*reading, c candidate) bool {
	if c.line == 0 {
		return false
	}
	sure := 0
	for _, r := range read {
		if bare := r.bare(c.id); bare.held() {
			sure += r.judge(bare).sure
		}
	}
	return sure/len(read) < Floor
}

// lessonsOn lists the lessons that share a word with the question, in their order.
func (x *Index) lessonsOn(meant [][]string) []int {
	some := map[int]bool{}
	for _, terms := range meant {
		for _, term := range terms {
			for _, n := range x.taught[term] {
				some[n] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(some))
}

// meanings are what each term of a question stands for.
func (x *Index) meanings(q query) [][]string {
	out := make([][]string, len(q.terms))
	for i, t := range q.terms {
		out[i] = x.meant(t)
	}
	return out
}

// meant returns the terms that stand for the question's word well enough to count,
// wherever they stand.
func (x *Index) meant(t queryTerm) []string {
	out := []string{t.norm}
	for _, v := range t.variants[1:] {
		if v.match >= evidence {
			out = append(out, x.words.word(v.id))
		}
	}
	return append(out, x.lex.synonyms[t.norm]...)
}

// words says which terms of the question the lesson holds, or is nil where the
// lesson is about something else, as where one of the two says no and the other does not,
// or where they ask for things of different kinds.
func (l lesson) words(meant [][]string, q query) []bool {
	if q.denies != l.denies || !l.kind.agrees(q.kind) {
		return nil
	}
	out, shared := make([]bool, len(q.terms)), map[string]bool{}
	for i := range q.terms {
		for _, term := range meant[i] {
			if _, held := l.terms[term]; held {
				out[i], shared[term] = true, true
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
func (r *reading) completes(id int, words []bool) bool {
	c := r.look(id)
	for i, t := range r.q.terms { // what is only related says nothing of the word
		if !t.part && !words[i] && c.own[i].how < nearly && !r.beside[i] {
			return false
		}
	}
	return true
}

// taughtBy is the line of the lesson that a citation stands thanks to, 0 for none.
func (h Hit) taughtBy() int {
	if !h.Taught {
		return 0
	}
	return h.Lesson
}

// Ranked returns the numbers of the facts that rank highest for a question, best first, at
// most 50. What may answer, and whether anything may, [Index.Ask] says.
func (x *Index) Ranked(question string) []int {
	r := x.read(question)
	defer r.done()
	out := make([]int, len(r.found))
	for i := range r.found {
		out[i] = r.found[i].id
	}
	return out
}

// teaches reports whether a lesson gives the fact a term of the question.
func (c *candidate) teaches(term int) bool { return c.taught != nil && c.taught[term] }
