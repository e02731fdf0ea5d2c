package answer

import (
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
	groups map[groupKey][]int     // members of one list, in the card's order
	names  map[string]bool        // the skills' names, each as one term
	mean   float64                // mean number of words of a fact
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
	opens  string // the first informative term of its text
	twin   string
	group  groupKey
}

// A posting says how often one fact's own text holds a term.
type posting struct{ fact, count int }

// NewIndex makes an index of the facts of all skills. The order of skills and
// of facts does not matter; equal facts of one skill are one.
func NewIndex(skills []Skill) *Index {
	x := &Index{
		lex: newLexicon(), own: map[string][]posting{}, around: map[string]map[int]int{},
		spread: map[string]int{}, spelt: map[rune][]spelling{}, twins: map[string][]int{},
		groups: map[groupKey][]int{}, names: map[string]bool{},
	}
	b := builder{Index: x, read: reader{x.lex, stemmer{}}, scopeOf: map[string]int{}, seen: map[spelling]bool{}}
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
	for _, f := range s.Facts {
		b.addFact(f, len(b.skills)-1)
	}
}

// addFact numbers the fact and enters it wherever a question may look. Facts come
// in canonical order, so postings, twins and lists are sorted as they grow.
func (b *builder) addFact(f card.Fact, at int) {
	id, e := len(b.facts), f.Entry()
	twin := twinKey(e)
	added := entry{fact: f, skill: at, scope: b.scope(at, e), twin: twin, group: groupOf(at, e)}
	if speaks(e) {
		added.length, added.opens = b.addOwn(id, added.scope, e.Text)
	}
	b.perFact[added.scope]++
	b.facts = append(b.facts, added)
	if held := b.twins[twin]; len(held) == 0 || held[len(held)-1] != at {
		b.twins[twin] = append(held, at)
	}
	if added.group.listed() {
		b.groups[added.group] = append(b.groups[added.group], id)
	}
}

// addOwn indexes the fact's own text and returns its length in words and the
// first term of it that informs.
func (b *builder) addOwn(id, at int, text string) (length int, opens string) {
	words := b.read.words(text)
	if i := slices.IndexFunc(words, func(w word) bool { return !w.stop }); i >= 0 {
		opens = words[i].norm
	}
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
	return n, opens
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
