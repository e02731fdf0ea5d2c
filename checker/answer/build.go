package answer

import (
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A builder fills an index. Until all are known, terms have the numbers in which
// they came.
type builder struct {
	*Index
	read    reader
	terms   interner
	texts   *archivist
	twin    map[card.Sum]uint32
	twins   uint32            // numbers of them that were given
	scopeBy map[string]uint32 // of one skill
	groupOf map[string]int32  // of one skill
	heading map[string]uint32
	perFact []uint32            // facts of each scope
	seen    map[spelling]uint32 // how often
	found   []uint32            // terms of the text at hand
	last    lastScope
}

func newBuilder() *builder {
	lex := words()
	return &builder{
		Index: &Index{lex: lex}, read: reader{lex, stemmer{}, map[string]word{}}, terms: interner{numbers: map[string]uint32{}},
		texts: newArchivist(), twin: map[card.Sum]uint32{}, heading: map[string]uint32{}, seen: map[spelling]uint32{},
	}
}

// addSkill indexes one skill; one without a name goes by its folder.
func (b *builder) addSkill(s Skill) {
	name := s.Name
	if name == "" {
		name = path.Base(s.Path)
	}
	norm := b.read.stems.stem(strings.Join(identifierParts(strings.ReplaceAll(name, " ", "-")), ""))
	b.skills = append(b.skills, skill{path: s.Path, name: name, norm: b.terms.number(norm)})
	b.scopeBy, b.groupOf, b.last = map[string]uint32{}, map[string]int32{}, lastScope{}
	above := codeTitles(s.Facts)
	for _, f := range s.Facts {
		b.addFact(f, len(b.skills)-1, above)
	}
}

// A lineOf is a line of a file.
type lineOf struct {
	file string
	line int
}

// codeTitles returns the parts of code that are one line and a title of what comes
// below: a heading, a comment, or words that end in a colon.
func codeTitles(facts []card.Fact) map[lineOf]string {
	out := map[lineOf]string{}
	for _, f := range facts {
		e := f.Entry()
		if e.Kind != card.Code || strings.Contains(e.Text, "\n") || !strings.HasPrefix(e.Text, "#") && !strings.HasSuffix(e.Text, ":") {
			continue
		}
		for _, p := range f.Places() {
			out[lineOf{p.File, p.Last}] = e.Text
		}
	}
	return out
}

// titled returns the entry with the title above it as part of its context.
func titled(f card.Fact, above map[lineOf]string) card.Entry {
	e, at := f.Entry(), f.Places()[0]
	for back := 1; back <= 2 && e.Kind == card.Code; back++ { // one blank line may stand between
		if text, ok := above[lineOf{at.File, at.First - back}]; ok {
			e.Context = append(slices.Clip(e.Context), card.Element{Role: card.Lead, Text: text})
			return e
		}
	}
	return e
}

// addFact numbers the fact and enters it wherever a question may look. Facts come
// in canonical order, so that lists are sorted as they grow.
func (b *builder) addFact(f card.Fact, at int, above map[lineOf]string) {
	e := titled(f, above)
	b.texts.add(f)
	stands, added := footing{scope: b.scope(at, e)}, entry{twin: b.twinOf(f.Entry())}
	times, opens := uint8(0), ""
	if speaks(e) {
		stands.length, times, opens = b.addOwn(e.Text)
	} else {
		b.own.add()
	}
	form := ranged(stands.length, times)
	if e.Kind == card.Field {
		form |= formField
	}
	t := newTrait(form, b.lex.held(f.Entry()), sectionNumber(e.Section))
	if e.Kind == card.Code || e.Kind == card.Command {
		t |= traitCode
	}
	if opens != "" {
		t |= traitOpens
		added.opens = b.terms.number(opens)
	}
	stands.trait = t
	b.stands = append(b.stands, stands)
	added.group = b.addToGroup(stands.scope, e)
	b.perFact[stands.scope]++
	b.facts = append(b.facts, added)
}

// twinOf numbers what equal facts of several skills share.
func (b *builder) twinOf(e card.Entry) uint32 {
	key := twinKey(e).Sum()
	n, known := b.twin[key]
	if !known {
		n = b.twins
		b.twin[key] = n
		b.twins++
	}
	return n
}

// sectionNumber is the place of a section among all, or past the last.
func sectionNumber(s card.Section) uint8 {
	all := card.Sections()
	if i := slices.Index(all[:], s); i >= 0 {
		return uint8(i)
	}
	return uint8(len(all))
}

// addOwn indexes the fact's own text and returns its length in words, how often it
// repeats one, and the identifier that it begins with.
func (b *builder) addOwn(text string) (length uint32, most uint8, opens string) {
	words := b.read.words(text)
	b.written(words, func(w word) { b.seen[spelling{w.surface, b.terms.number(w.norm)}]++ })
	n := b.count(words)
	terms := make([]uint32, 0, len(b.found))
	for i, term := range b.found {
		if i > 0 && term == b.found[i-1] {
			last := &b.times[len(b.times)-1]
			*last = min(*last, mostTimes-1) + 1
			most = max(most, *last)
			continue
		}
		terms = append(terms, term)
		b.times = append(b.times, 1)
		most = max(most, 1)
	}
	b.own.add(terms...)
	b.length += n
	return uint32(n), most, opening(words)
}

// written calls see for each word of a text that a misspelt one may be read as.
func (b *builder) written(words []word, see func(word)) {
	for _, w := range words {
		if !w.stop && !w.pair {
			see(w)
		}
	}
}

// opening returns the identifier that a text begins with, which it then most often explains.
func opening(words []word) string {
	for _, w := range words {
		if !w.stop {
			if len(w.parts) > 0 {
				return w.norm
			}
			return ""
		}
	}
	return ""
}

// mostTimes is how often a term is counted in one fact. The rank saturates far below.
const mostTimes = 255

// count gathers the terms of a text in found, sorted, and counts its words.
func (b *builder) count(words []word) int {
	b.found = b.found[:0]
	n := b.read.each(words, func(term string) { b.found = append(b.found, b.terms.number(term)) })
	slices.Sort(b.found)
	return n
}

// each calls see for each term of a text that is searched, and counts its words. An
// identifier is held whole and in its parts, a compound also as one.
func (r reader) each(words []word, see func(term string)) int {
	n := 0
	for i, w := range words {
		if i+1 < len(words) {
			if both, ok := r.joined(w, words[i+1]); ok {
				see(both)
			}
		}
		if w.stop {
			continue
		}
		n++
		see(w.norm)
		for _, p := range w.parts {
			see(p)
		}
	}
	return n
}

// finish numbers the terms by their bytes and computes what needs all facts at once.
func (b *builder) finish() *Index {
	x := b.Index
	words, to := b.terms.dictionary()
	x.words, x.texts = words, b.texts.archive
	for _, r := range []rows{x.own, x.context, x.leads, x.titles} {
		r.renumbered(to)
	}
	sortRows(x.own, x.times)
	sortRows(x.context, x.weights)
	sortRows(x.leads, []uint8(nil))
	sortRows(x.titles, []uint8(nil))
	for i, s := range x.stands {
		if s.trait&traitOpens != 0 {
			x.facts[i].opens = to[x.facts[i].opens]
		}
	}
	for i := range x.skills {
		x.skills[i].norm = to[x.skills[i].norm]
		x.names = append(x.names, x.skills[i].norm)
	}
	slices.Sort(x.names)
	x.names = slices.Compact(x.names)
	x.spelt = newSpellings(b.seen, to)
	x.spread = b.spreadOut()
	x.turn()
	return x
}

// spreadOut counts for each term the facts that hold it in text or context.
func (b *builder) spreadOut() []uint32 {
	spread := make([]uint32, b.words.len())
	for at, n := range b.perFact {
		for _, term := range b.context.row(at) {
			spread[term] += n
		}
	}
	for i, s := range b.stands {
		near := b.context.row(int(s.scope))
		for _, term := range b.own.row(i) {
			if _, held := slices.BinarySearch(near, term); !held {
				spread[term]++
			}
		}
	}
	return spread
}

// sortRows sorts each row, and what stands beside its items along with it.
func sortRows[T uint8 | uint16](r rows, beside []T) {
	type pair struct {
		item uint32
		with T
	}
	var pairs []pair
	for i := range r.len() {
		row := r.row(i)
		if beside == nil {
			slices.Sort(row)
			continue
		}
		with := beside[r.start[i]:r.start[i+1]]
		pairs = pairs[:0]
		for k, item := range row {
			pairs = append(pairs, pair{item, with[k]})
		}
		slices.SortFunc(pairs, func(a, b pair) int { return int(a.item) - int(b.item) })
		for k, p := range pairs {
			row[k], with[k] = p.item, p.with
		}
	}
}
