package answer

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxQuestion is the longest question that is read, in characters.
const MaxQuestion = 1000

// Weights and matches are whole thousandths: 1000 is a full one.
const (
	full     = 1000
	partial  = 150 // a part of an identifier; at 300 what shares only a part is taken for the thing
	subject  = 150 // a word for the documented thing itself
	root     = 800 // a word made from it, or that it is made from
	typoOwn  = 700 // a word of the fact one edit away
	synonym  = 700 // another word of the same group; the groups are few and narrow
	kin      = 350 // a word that WordNet puts beside it: for the order only
	nearly   = 600 // what a match in the context counts (law 9)
	evidence = 700 // the least match in a fact's own text that lets its context count
)

// A query is a question as it is judged.
type query struct {
	words   []word
	terms   []queryTerm
	total   int // sum of the terms' weight
	needs   []need
	asks    asks
	lists   bool // a list may answer it: it does not ask for a figure, a flag ...
	denies  bool // it asks for what is not, or must not
	kind    kind
	wants   needs
	prefers uint8    // sections, a bit each
	prose   bool     // it names no code
	openers uint64   // marks of its identifiers that some fact begins with
	skills  []uint32 // names of skills in it
	counted int      // the term of what "how many" counts, or -1
	demand  demand
}

// A queryTerm is one informative word of a question.
type queryTerm struct {
	word
	part     bool // part of an identifier that is itself a term
	minor    bool // a part, or a word for the documented thing itself: no evidence alone
	facts    int  // facts whose own text holds it
	known    bool // it stands somewhere, in a text or a context
	readAs   string
	weight   int // rarity in texts and contexts times importance, in millionths
	rare     int // the same by own texts alone: for the order only
	variants []variant

	best, weak int // the best match of a variant that stands for it well, and of one that may only be related
	near       int // the most that a context holds of it
}

// A variant is a term of the index that a question's word is matched with.
type variant struct {
	id    int // number of the term, or -1 where it stands nowhere
	match int
}

// clean returns the question without characters that show nothing or steer a
// terminal, with damaged bytes dropped, and without what it instructs.
func clean(question string) string {
	return withoutPleas(strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t' || c == '\r':
			return ' '
		case c == utf8.RuneError || unicode.IsControl(c) || unicode.Is(unicode.Cf, c):
			return -1
		}
		return c
	}, strings.ToValidUTF8(question, "")))
}

// query reads a question. The reader is its own, so that questions may be asked
// side by side.
func (x *Index) query(question string) query {
	r := reader{lex: x.lex, stems: stemmer{}}
	raw := r.words(clean(question))
	q := query{
		words: x.compound(r, raw), needs: x.lex.needs(raw), asks: x.lex.asks(raw), denies: x.lex.denies(raw), kind: x.lex.kind(raw),
	}
	names := trustCapitals(q.words)
	q.terms = make([]queryTerm, 0, len(q.words)+2) // a part or two
	q.counted = -1
	noun := x.lex.counted(raw)
	for i, w := range q.words {
		if w.stop || q.has(w.norm) || x.slip(w) {
			continue
		}
		w.name = w.name && (names && i > 0 || strings.ContainsAny(w.surface, "0123456789_"))
		q.terms = append(q.terms, x.term(w))
		if w.norm == noun {
			q.counted = len(q.terms) - 1
		}
	}
	for i := range q.terms {
		for _, p := range q.terms[i].parts {
			if !q.has(p) {
				part := x.term(word{surface: p, norm: p})
				part.part, part.minor, part.weight, part.rare = true, true, part.weight*partial/full, part.rare*partial/full
				q.terms = append(q.terms, part)
			}
		}
	}
	q.dampSubjects(x.lex)
	for _, t := range q.terms {
		q.total += t.weight
	}
	q.lists = q.asks == asksList || len(q.needs) == 0
	q.wants, q.prefers, q.prose = wanted(q.needs), q.preferred(x.lex), q.isProse()
	q.names(x)
	q.demand = x.demand(clean(question), raw, &q)
	return q
}

// has reports whether a stem is a term.
func (q *query) has(norm string) bool {
	for i := range q.terms {
		if q.terms[i].norm == norm {
			return true
		}
	}
	return false
}

// trustCapitals reports whether capitals mark names here: not in a question
// that is written in capitals throughout, or as a title.
func trustCapitals(words []word) bool {
	capitals := 0
	for _, w := range words {
		if w.name {
			capitals++
		}
	}
	return capitals*2 <= len(words)
}

// dampSubjects makes words for the documented thing itself ("this tool") weigh
// little, unless the question holds nothing else.
func (q *query) dampSubjects(l *lexicon) {
	others := slices.ContainsFunc(q.terms, func(t queryTerm) bool { return !l.subjects[t.norm] })
	for i, t := range q.terms {
		if others && l.subjects[t.norm] {
			q.terms[i].minor, q.terms[i].weight, q.terms[i].rare = true, t.weight*subject/full, t.rare*subject/full
		}
	}
}

// term looks a question's word up.
func (x *Index) term(w word) queryTerm {
	id := x.words.find(w.norm)
	t := queryTerm{word: w, facts: len(x.holders.row(id)), known: x.known(id), minor: isNumber(w.norm)}
	t.variants = append(make([]variant, 0, 8), variant{id, full})
	if !t.known && !w.pair {
		if read := x.corrected(w.surface); read.surface != "" {
			t.readAs = read.surface
			t.variants = append(t.variants, variant{int(read.term), typoOwn})
		}
	}
	for _, s := range derived(w.norm) {
		t.add(int(x.root[s]), root)
	}
	for _, s := range x.lex.synonyms[w.norm] {
		t.add(x.words.find(s), synonym)
	}
	if len(w.parts) == 0 && !w.pair {
		for _, s := range related(w.surface) {
			t.add(int(x.kin[s]), kin)
		}
	}
	stands := x.standIn(t)
	t.weight = rarity(len(x.facts), x.spreadOf(stands))
	t.rare = rarity(len(x.facts), len(x.holders.row(stands)))
	return t
}

// add takes a variant that stands somewhere.
func (t *queryTerm) add(id, match int) {
	if id >= 0 {
		t.variants = append(t.variants, variant{id, match})
	}
}

// terms returns the terms of the index that count for the question's word, the word itself
// first, wherever it stands.
func (x *Index) terms(t queryTerm) []string {
	out := []string{t.norm}
	for _, v := range t.variants[1:] {
		out = append(out, x.words.word(v.id))
	}
	return out
}

// isNumber reports whether a term is nothing but a number: it stands in facts on anything, and
// names nothing by itself.
func isNumber(term string) bool { return strings.Trim(term, "0123456789") == "" }

// bound finds what no fact can exceed in the term.
func (t *queryTerm) bound(x *Index) {
	for _, v := range t.variants {
		if v.id < 0 {
			continue
		}
		if bitOf(0, v.match) == bit(0) {
			t.best = max(t.best, v.match)
		} else {
			t.weak = max(t.weak, v.match)
		}
		t.near = max(t.near, int(x.heaviest[v.id]))
	}
}

// isProse reports whether the question names no identifier and asks for no code.
func (q *query) isProse() bool {
	named := func(t queryTerm) bool { return len(t.parts) > 0 || t.name }
	return !slices.ContainsFunc(q.terms, named) && !slices.Contains(q.needs, needCode)
}

// names finds the skills that the question names, by names of several words: one word may
// mean the thing as well as the skill. It also finds whether some fact begins with an
// identifier of the question.
func (q *query) names(x *Index) {
	for i, t := range q.terms {
		id := uint32(t.variants[0].id)
		if _, named := slices.BinarySearch(x.names, id); named && len(t.parts) > 0 {
			q.skills = append(q.skills, id)
		}
		if _, opens := slices.BinarySearch(x.openers, id); opens {
			q.openers |= bit(i)
		}
	}
}

// known reports whether a term stands in a fact or around one.
func (x *Index) known(id int) bool { return len(x.holders.row(id)) > 0 || len(x.around.row(id)) > 0 }

func (x *Index) spreadOf(id int) int {
	if id < 0 {
		return 0
	}
	return int(x.spread[id])
}

// standIn returns the term whose rarity is the question's word's: the word
// itself where it stands anywhere, else what it was read as, else the first
// synonym that the index knows.
func (x *Index) standIn(t queryTerm) int {
	if t.known {
		return t.variants[0].id
	}
	for _, v := range t.variants[1:] {
		if v.match >= evidence && len(x.holders.row(v.id)) > 0 {
			return v.id
		}
	}
	return t.variants[0].id
}

// smallIndex is the least number of facts that rarity reckons with. Of a handful of facts
// no word is rare or common by more than chance: with the true number, one word that
// stands nowhere outweighs all that does.
const smallIndex = 1000

// rarity is the weight of a term that held of n facts hold, in millionths: the
// usual inverse document frequency, kept positive. It is rounded to a whole
// number, so that later sums are exact.
func rarity(n, held int) int {
	n = max(n, smallIndex)
	return int(math.Round(1e6 * math.Log(1+(float64(n-held)+.5)/(float64(held)+.5))))
}
