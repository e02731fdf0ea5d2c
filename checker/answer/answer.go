package answer

import (
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// MaxHits is how many facts an answer cites, unless the question asks for a list.
const MaxHits = 5

// An Answer is what the index says to one question: hits, best first, or a refusal.
type Answer struct {
	Answered bool
	Hits     []Hit    // empty on refusal; a list stands in the card's order
	Refusal  *Refusal // nil where answered
	List     bool     // the hits are one whole list
	Withheld bool     // the one hit holds a marker where the asked value would stand
	Terms    []Term   // how the question was read
	Meaning  *Meaning // nil where there is no meaning search, or nothing for it to order
}

// A Hit is one cited fact.
type Hit struct {
	Fact  card.Fact
	Skill string      // the path of the skill that holds it
	Also  []string    // paths of other skills that say the same
	New   bool        // known not to stand where the change begins; set by who knows that
	Base  float64     // share of the question that the fact covers, 0 to 1
	Sure  float64     // base after doubts: what the floor read
	Bonus float64     // a preference of its section: orders only
	Alike *int        // how near it is in meaning, in hundredths: orders only; nil where nobody asked
	Terms []TermScore // in the question's order
}

// A TermScore says how far one term of the question is covered by a fact.
type TermScore struct {
	Term    string
	Share   float64 // its part in the question's weight
	Covered float64 // 0 to 1; 0.6 where only the context holds it
}

// A Term is an informative word of the question.
type Term struct {
	Term   string // as written, in lower case
	Facts  int    // how many facts hold it in their own text
	Known  bool   // it stands somewhere in a fact or in what surrounds one
	ReadAs string // the word it was taken for, where it stands nowhere
	Share  float64
}

// A Refusal is the answer "not documented", with what was looked through (law 10).
type Refusal struct {
	Facts, Cards int
	Terms        []Term
	Floor        float64
	Best         float64 // the highest that any fact reached; below the floor
	Why          string  // for a person; holds no word of the question
}

// Why a question was refused.
const (
	whyUncovered = "No fact covers enough of the question."
	whyTooLong   = "The question is longer than 1,000 characters. Ask a shorter one."
	whyNoWords   = "The question holds no word that could be searched for. Name the thing that you ask about."
	whyNoFacts   = "The index holds no facts. Build it first."
)

// Ask answers one question: any text, up to [MaxQuestion] characters.
// Characters that show nothing are dropped first.
func (x *Index) Ask(question string) Answer {
	if utf8.RuneCountInString(question) > MaxQuestion {
		return x.refuse(query{}, 0, whyTooLong)
	}
	q := x.query(question)
	switch {
	case len(q.terms) == 0:
		return x.refuse(q, 0, whyNoWords)
	case len(x.facts) == 0:
		return x.refuse(q, 0, whyNoFacts)
	}
	reach := x.reach(q)
	found := x.candidates(q, reach)
	if q.list {
		if members := x.list(q, found); members != nil {
			return x.accept(q, x.members(q, members, reach), true)
		}
	}
	chosen := x.choose(found, MaxHits)
	best := 0
	for _, c := range chosen {
		best = max(best, c.sure)
	}
	if best < Floor {
		return x.refuse(q, surest(found), whyUncovered)
	}
	return x.accept(q, chosen, false)
}

// choose takes the best candidates whose base passes the floor, none twice: not
// the same statement of another skill, not the same lines.
func (x *Index) choose(found []candidate, most int) []candidate {
	var out []candidate
	for _, c := range found {
		if c.base >= Floor && !x.repeats(out, c) {
			out = append(out, c)
		}
		if len(out) == most {
			break
		}
	}
	return out
}

// repeats reports whether c says what is chosen already, or stands on its lines.
func (x *Index) repeats(chosen []candidate, c candidate) bool {
	f := x.facts[c.id]
	at := f.fact.Places()[0]
	for _, other := range chosen {
		g := x.facts[other.id]
		p := g.fact.Places()[0]
		if f.twin == g.twin || (p.File == at.File && p.First <= at.Last && at.First <= p.Last) {
			return true
		}
	}
	return false
}

// members scores the members of a list, in its order.
func (x *Index) members(q query, ids []int, reach []int) []candidate {
	matched := map[int]candidate{}
	for _, c := range x.collect(q) {
		matched[c.id] = c
	}
	var out []candidate
	for _, id := range ids {
		c := matched[id]
		c.id = id
		c.base, c.bonus = x.base(q, c), x.bonus(q, id)
		c.sure = x.doubt(q, c, reach)
		out = append(out, c)
	}
	return out
}

// surest is how close the best candidate came.
func surest(found []candidate) int {
	best := 0
	for _, c := range found {
		best = max(best, c.sure)
	}
	return best
}

func (x *Index) accept(q query, chosen []candidate, list bool) Answer {
	a := Answer{Answered: true, List: list, Hits: []Hit{}, Terms: q.shown()}
	for _, c := range chosen {
		a.Hits = append(a.Hits, x.hit(q, c))
	}
	return a
}

// refuse says no, and what was looked through (law 10).
func (x *Index) refuse(q query, best int, why string) Answer {
	return Answer{Hits: []Hit{}, Terms: q.shown(), Refusal: &Refusal{
		Facts: x.Facts(), Cards: x.Cards(), Terms: q.shown(),
		Floor: decimal(Floor), Best: decimal(best), Why: why,
	}}
}

// hit makes a candidate a citation: exact scores become decimals only here.
func (x *Index) hit(q query, c candidate) Hit {
	f := x.facts[c.id]
	h := Hit{
		Fact: f.fact, Skill: x.skills[f.skill].path,
		Base: decimal(c.base), Sure: decimal(c.sure), Bonus: decimal(c.bonus),
	}
	for _, s := range x.twins[f.twin] {
		if s != f.skill {
			h.Also = append(h.Also, x.skills[s].path)
		}
	}
	for i, how := range x.cover(q, c) {
		t := q.terms[i]
		h.Terms = append(h.Terms, TermScore{t.surface, q.share(t), float64(how) / full})
	}
	return h
}

// shown returns the question's words as a refusal lists them: parts of an
// identifier are searched, but not shown beside it.
func (q query) shown() []Term {
	out := []Term{}
	for _, t := range q.terms {
		if !t.part {
			out = append(out, Term{t.surface, t.facts, t.known, t.readAs, q.share(t)})
		}
	}
	return out
}

func (q query) share(t queryTerm) float64 { return decimal(t.weight * scale / max(1, q.total)) }

func decimal(n int) float64 { return float64(n) / scale }
