package answer

import (
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Skill is what the index knows of one skill.
type Skill struct {
	Path  string // the skill's folder, from the repository's root
	Name  string // its label; the path is its key
	Facts []card.Fact
}

// An Index is the facts of a repository at one commit, made ready for
// questions. It is not changed once made and may be used by several goroutines.
type Index struct {
	lex    *lexicon
	skills []skill
	facts  []entry
	scopes []scope
	own    map[string][]posting   // term to the facts whose own text holds it
	around map[string]map[int]int // term to scope to weight in thousandths
	spread map[string]int         // term to how many facts hold it in text or context
	spelt  map[rune][]spelling    // words of own texts by first letter, sorted
	twins  map[string][]int       // key of equal facts to the skills that hold them
	groups []group                // lists, in the card's order
	leads  map[string][]int       // term to the lists whose introduction holds it
	titles map[string][]int       // term to the lists whose nearest heading holds it
	names  map[string]bool        // the skills' names, each as one term
	mean   float64                // mean number of words of a fact

	markers []string // what stands where a value is kept back
	lessons []lesson
	taught  map[string][]int // term to the lessons that hold it
}

type skill struct {
	path, name string
	norm       string // the name as one term
}

// An entry is one searchable fact.
type entry struct {
	fact   card.Fact
	skill  int
	scope  int
	length int
	twin   string
	group  int      // the list that it is an item of, or -1
	words  []string // the informative terms of its text, sorted
	opens  string   // the identifier that its text begins with, or nothing
}

// A posting says how often one fact's own text holds a term.
type posting struct{ fact, count int }

// NewIndex makes an index of the facts of all skills. The order of skills and
// of facts does not matter; equal facts of one skill are one.
func NewIndex(skills []Skill) *Index {
	x := &Index{
		lex: newLexicon(), own: map[string][]posting{}, around: map[string]map[int]int{},
		spread: map[string]int{}, spelt: map[rune][]spelling{}, twins: map[string][]int{},
		leads: map[string][]int{}, titles: map[string][]int{}, names: map[string]bool{},
	}
	b := builder{Index: x, read: reader{x.lex, stemmer{}}, scopeOf: map[string]int{}, groupOf: map[string]int{}, seen: map[spelling]bool{}}
	for _, s := range inOrder(skills) {
		b.addSkill(s)
	}
	b.finish()
	return x
}

// Facts returns how many facts the index holds.
func (x *Index) Facts() int { return len(x.facts) }

// Cards returns how many skills, and so cards, the index was made of.
func (x *Index) Cards() int { return len(x.skills) }

// A builder fills an index.
type builder struct {
	*Index
	read    reader
	scopeOf map[string]int
	groupOf map[string]int
	perFact []int // facts of each scope
	seen    map[spelling]bool
	words   int
}

// addSkill indexes one skill; one without a name goes by its folder.
func (b *builder) addSkill(s Skill) {
	name := s.Name
	if name == "" {
		name = path.Base(s.Path)
	}
	norm := b.read.stems.stem(strings.Join(identifierParts(strings.ReplaceAll(name, " ", "-")), ""))
	b.skills = append(b.skills, skill{path: s.Path, name: name, norm: norm})
	b.names[norm] = true
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
// in canonical order, so postings, twins and lists are sorted as they grow.
func (b *builder) addFact(f card.Fact, at int, above map[lineOf]string) {
	id, e := len(b.facts), titled(f, above)
	twin := twinKey(f.Entry())
	added := entry{fact: f, skill: at, scope: b.scope(at, e), twin: twin, group: -1}
	if speaks(e) {
		added.length, added.words, added.opens = b.addOwn(id, added.scope, e.Text)
	}
	added.group = b.addToGroup(id, at, added.scope, e)
	b.perFact[added.scope]++
	b.facts = append(b.facts, added)
	if held := b.twins[twin]; len(held) == 0 || held[len(held)-1] != at {
		b.twins[twin] = append(held, at)
	}
}

// addOwn indexes the fact's own text and returns its length in words and
// its terms, sorted.
func (b *builder) addOwn(id, at int, text string) (length int, terms []string, opens string) {
	words := b.read.words(text)
	for _, w := range words {
		if !w.stop && !w.pair {
			b.seen[spelling{w.surface, w.norm}] = true
		}
	}
	counts, n := b.read.count(words)
	for term, count := range counts {
		b.own[term] = append(b.own[term], posting{id, count})
		if _, held := b.around[term][at]; !held {
			b.spread[term]++
		}
	}
	b.words += n
	return n, slices.Sorted(maps.Keys(counts)), opening(words)
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

// finish computes what needs all facts at once.
func (b *builder) finish() {
	for term, at := range b.around {
		for s := range at {
			b.spread[term] += b.perFact[s]
		}
	}
	for w := range b.seen {
		first := firstRune(w.surface)
		b.spelt[first] = append(b.spelt[first], w)
	}
	for _, words := range b.spelt {
		slices.SortFunc(words, spelling.compare)
	}
	b.mean = math.Max(1, float64(b.words)/math.Max(1, float64(len(b.facts))))
}

// count counts the terms of a text that is searched, and its words. An
// identifier is held whole and in its parts, a compound also as one.
func (r reader) count(words []word) (map[string]int, int) {
	counts, n := map[string]int{}, 0
	for i, w := range words {
		if i+1 < len(words) {
			if both, ok := r.joined(w, words[i+1]); ok {
				counts[both]++
			}
		}
		if w.stop {
			continue
		}
		n++
		counts[w.norm]++
		for _, p := range w.parts {
			counts[p]++
		}
	}
	return counts, n
}
