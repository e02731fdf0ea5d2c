package answer

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"unicode/utf8"
)

// Edition is raised whenever the same facts could make another index: by other words,
// stems, weights or lists. The word tables are told apart by themselves.
const Edition = 3

// What [Load] refuses. An index is never worth a repair: make it anew.
var (
	ErrNotStored = errors.New("these are not the bytes of a stored index; build the index again")
	ErrEdition   = errors.New("the index was stored by another edition; build it again")
)

// signature begins every stored index; its number is that of the format.
const signature = "cardkeeper index 2\n"

// AppendBinary appends the index as bytes for [Load]. Equal facts give equal bytes. It
// does not fail; the error is that of [encoding.BinaryAppender].
func (x *Index) AppendBinary(b []byte) ([]byte, error) {
	from := len(b)
	b = append(b, signature...)
	b = appendNumber(b, Edition)
	b = append(b, tablesSum()...)
	b = x.texts.store(b)
	b = x.words.store(b)
	b = x.storeSkills(b)
	b = x.storeFacts(b)
	b = x.storeGroups(b)
	b = x.spelt.store(b)
	sum := sha256.Sum256(b[from:])
	return append(b, sum[:]...), nil
}

// tablesSum tells the word tables of one build from those of another.
func tablesSum() []byte {
	hash := sha256.New()
	names, _ := fs.Glob(tables, "*.txt") // the pattern is right
	for _, name := range names {
		data, _ := tables.ReadFile(name) // the tables are part of the build
		fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
	}
	return hash.Sum(nil)[:8]
}

// Load makes an index of bytes that [Index.AppendBinary] made, and keeps them: they must
// not be changed after. It fails with [ErrNotStored] for any others, also for a part of
// them, and with [ErrEdition] where another edition or other word tables made them.
func Load(data []byte) (*Index, error) {
	body := len(data) - sha256.Size
	if body < 0 || !bytes.HasPrefix(data, []byte(signature)) {
		return nil, ErrNotStored
	}
	if sum := sha256.Sum256(data[:body]); !bytes.Equal(sum[:], data[body:]) {
		return nil, ErrNotStored
	}
	w := &wire{rest: data[len(signature):body:body]}
	edition, sum := w.number(math.MaxInt32), w.bytes(len(tablesSum()))
	if w.bad || edition != Edition || !bytes.Equal(sum, tablesSum()) {
		return nil, ErrEdition
	}
	x := &Index{lex: words()}
	x.texts.load(w)
	x.words.load(w)
	x.loadSkills(w)
	x.loadFacts(w)
	x.loadGroups(w)
	x.spelt.load(w, x.words.len())
	if w.bad || len(w.rest) > 0 || !x.texts.sound() {
		return nil, ErrNotStored
	}
	x.turn()
	return x, nil
}

func (a *archive) store(b []byte) []byte {
	b = appendNumber(b, len(a.labels))
	for _, l := range a.labels {
		b = appendText(b, l)
	}
	b = appendText(b, string(a.contexts))
	b = appendNumber(b, len(a.contextAt))
	last := uint32(0)
	for _, at := range a.contextAt {
		b, last = appendNumber(b, int(at-last)), at
	}
	b = appendNumber(b, len(a.start)-1)
	for i := range len(a.start) - 1 {
		b = appendNumber(b, int(a.start[i+1]-a.start[i]))
	}
	return append(b, a.facts...)
}

func (a *archive) load(w *wire) {
	for range w.count() {
		a.labels = append(a.labels, string(w.text()))
	}
	a.contexts = w.text()
	at := 0
	a.contextAt = make([]uint32, w.count())
	for i := range a.contextAt {
		at += w.number(len(a.contexts) - at)
		a.contextAt[i] = uint32(at)
	}
	n, end := w.count(), 0
	a.start = make([]uint64, n+1)
	for i := range n {
		end += w.count()
		a.start[i+1] = uint64(end)
	}
	a.facts = w.bytes(end)
	if w.bad { // so that nobody reads on
		*a = archive{start: []uint64{0}}
	}
}

func (d *dictionary) store(b []byte) []byte { return storeTexts(b, d.text, d.start) }

func (d *dictionary) load(w *wire) { *d = newDictionary(loadTexts(w)) }

// storeTexts writes texts that stand in one, and where they begin.
func storeTexts(b []byte, text string, start []uint32) []byte {
	b = appendNumber(b, max(0, len(start)-1))
	for i := range max(0, len(start)-1) {
		b = appendNumber(b, int(start[i+1]-start[i]))
	}
	return append(b, text...)
}

func loadTexts(w *wire) (string, []uint32) {
	n, end := w.count(), 0
	start := make([]uint32, n+1)
	for i := range n {
		end += w.count()
		start[i+1] = uint32(min(end, math.MaxUint32))
	}
	text := w.bytes(end)
	if w.bad || end > math.MaxUint32 {
		w.bad = true
		return "", []uint32{0}
	}
	return string(text), start
}

// storeRow writes ascending numbers as their differences.
func storeRow(b []byte, row []uint32) []byte {
	b = appendNumber(b, len(row))
	last := uint32(0)
	for _, item := range row {
		b, last = appendNumber(b, int(item-last)), item
	}
	return b
}

// loadRow reads a row of numbers below n, which must ascend.
func (r *rows) loadRow(w *wire, n int) int {
	if len(r.start) == 0 {
		r.start = append(r.start, 0)
	}
	count, last := w.count(), 0
	for i := range count {
		step := w.number(n - 1 - last)
		if i > 0 && step == 0 {
			w.bad = true
		}
		last += step
		r.items = append(r.items, uint32(last))
	}
	r.start = append(r.start, uint32(len(r.items)))
	return count
}

func (x *Index) storeSkills(b []byte) []byte {
	b = appendNumber(b, len(x.skills))
	for _, s := range x.skills {
		b = appendNumber(appendText(appendText(b, s.path), s.name), int(s.norm))
	}
	b = appendNumber(b, len(x.scopes))
	for i, skill := range x.scopes {
		b = storeRow(appendNumber(b, int(skill)), x.context.row(i))
		for _, weight := range x.weights[x.context.start[i]:x.context.start[i+1]] {
			b = appendNumber(b, int(weight))
		}
	}
	return b
}

func (x *Index) loadSkills(w *wire) {
	terms := x.words.len()
	for range w.count() {
		x.skills = append(x.skills, skill{path: string(w.text()), name: string(w.text()), norm: uint32(w.number(terms - 1))})
	}
	for i, s := range x.skills {
		x.names = append(x.names, s.norm)
		w.bad = w.bad || i > 0 && s.path <= x.skills[i-1].path
	}
	slices.Sort(x.names)
	x.names = slices.Compact(x.names)
	x.scopes = make([]uint32, w.count())
	for i := range x.scopes {
		x.scopes[i] = uint32(w.number(len(x.skills) - 1))
		if i > 0 && x.scopes[i] < x.scopes[i-1] {
			w.bad = true
		}
		for range x.context.loadRow(w, terms) {
			x.weights = append(x.weights, uint16(w.number(mostWeight)))
		}
	}
}

func (x *Index) storeFacts(b []byte) []byte {
	b = appendNumber(b, x.length)
	for i, f := range x.facts {
		s := x.stands[i]
		for _, n := range [...]int{int(s.scope), int(s.trait), int(f.twin), int(s.length), int(f.opens), int(f.group) + 1} {
			b = appendNumber(b, n)
		}
		b = storeRow(b, x.own.row(i))
		b = append(b, x.times[x.own.start[i]:x.own.start[i+1]]...)
	}
	for _, n := range x.spread {
		b = appendNumber(b, int(n))
	}
	return b
}

// leastFact is how many bytes of numbers a fact takes at least.
const leastFact = 7

func (x *Index) loadFacts(w *wire) {
	x.length = w.number(math.MaxInt)
	terms, n := x.words.len(), len(x.texts.start)-1
	if n*leastFact > len(w.rest) {
		w.bad = true
		return
	}
	x.facts, x.stands = make([]entry, n), make([]footing, n)
	last := uint32(0)
	for i := range x.facts {
		at := w.number(len(x.scopes) - 1)
		s, f := &x.stands[i], &x.facts[i]
		s.scope, s.trait, f.twin = uint32(at), trait(w.number(traits)), uint32(w.number(n-1))
		s.length, f.opens, f.group = uint32(w.number(math.MaxUint32)), uint32(w.number(max(0, terms-1))), int32(w.number(n))-1
		x.times = append(x.times, w.bytes(x.own.loadRow(w, terms))...)
		if w.bad || x.scopes[at] < last { // facts come skill by skill
			w.bad = true
			return
		}
		last = x.scopes[at]
	}
	x.spread = make([]uint32, min(terms, len(w.rest)))
	for i := range x.spread {
		x.spread[i] = uint32(w.number(math.MaxUint32))
	}
	w.bad = w.bad || len(x.spread) < terms
}

func (x *Index) storeGroups(b []byte) []byte {
	b = appendNumber(b, len(x.groups))
	for i, g := range x.groups {
		denies := 0
		if g.denies {
			denies = 1
		}
		b = appendNumber(appendNumber(appendNumber(appendNumber(b, int(g.scope)), int(g.heading)), int(g.items)), denies)
		b = storeRow(storeRow(b, x.leads.row(i)), x.titles.row(i))
	}
	return b
}

func (x *Index) loadGroups(w *wire) {
	terms, n := x.words.len(), w.count()
	x.groups = make([]group, n)
	for i := range x.groups {
		x.groups[i] = group{
			scope: uint32(w.number(len(x.scopes) - 1)), heading: uint32(w.number(n - 1)),
			items: uint32(w.number(math.MaxUint32)), denies: w.number(1) == 1,
		}
		x.leads.loadRow(w, terms)
		x.titles.loadRow(w, terms)
		w.bad = w.bad || i > 0 && x.skillOfGroup(i) < x.skillOfGroup(i-1) // lists come skill by skill
	}
	w.bad = w.bad || !x.gathers()
}

// gathers reports whether each list has members, all of its own skill.
func (x *Index) gathers() bool {
	held := make([]bool, len(x.groups))
	for i, f := range x.facts {
		if f.group < 0 {
			continue
		}
		if int(f.group) >= len(held) || x.skillOfGroup(int(f.group)) != x.skillOf(i) {
			return false
		}
		held[f.group] = true
	}
	return !slices.Contains(held, false)
}

func (x *Index) skillOfGroup(group int) int { return int(x.scopes[x.groups[group].scope]) }

func (s *spellings) store(b []byte) []byte {
	b = storeTexts(b, s.text, s.start)
	for i, term := range s.terms {
		b = appendNumber(appendNumber(appendNumber(b, int(term)), int(s.back[i])), int(s.times[i]))
	}
	return b
}

func (s *spellings) load(w *wire, terms int) {
	s.text, s.start = loadTexts(w)
	n := len(s.start) - 1
	s.terms, s.back, s.times = make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for i := range n {
		s.terms[i], s.back[i], s.times[i] = uint32(w.number(terms-1)), uint32(w.number(n-1)), uint32(w.number(math.MaxUint32))
		w.bad = w.bad || utf8.RuneCountInString(s.surface(i)) > MaxQuestion
	}
	if w.bad {
		*s = spellings{}
		return
	}
	s.measure()
}
