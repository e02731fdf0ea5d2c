package answer

import (
	"math"
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// An archive holds the facts themselves as bytes. A question reads only those that
// it cites, so that a loaded index need not make a value of each.
type archive struct {
	facts     []byte   // one after another
	start     []uint64 // where each begins; one more than there are facts
	contexts  []byte   // each once for all facts that share it
	contextAt []uint32
	labels    []string // names of files, sections, kinds, reasons and roles
}

// An archivist fills an archive.
type archivist struct {
	archive
	label   map[string]int
	context map[string]int
	key     []byte
}

func newArchivist() *archivist {
	return &archivist{archive: archive{start: []uint64{0}}, label: map[string]int{}, context: map[string]int{}}
}

func (a *archivist) labelled(name string) int {
	if i, known := a.label[name]; known {
		return i
	}
	i := len(a.labels)
	a.label[name] = i
	a.labels = append(a.labels, name)
	return i
}

// add files a fact under the next number.
func (a *archivist) add(f card.Fact) {
	e, b := f.Entry(), a.facts
	for _, n := range []int{
		a.labelled(string(e.Section)), a.labelled(e.File), a.labelled(string(e.Kind)), a.labelled(string(f.Reason())),
		a.contextOf(e.Context), zigzag(e.List), zigzag(e.Ordinal), len(f.Places()),
	} {
		b = appendNumber(b, n)
	}
	for _, p := range f.Places() {
		b = appendNumber(appendNumber(appendNumber(b, a.labelled(p.File)), p.First), p.Last-p.First)
	}
	a.facts = appendText(b, e.Text)
	a.start = append(a.start, uint64(len(a.facts)))
}

// zigzag writes small numbers of either sign as small ones without.
func zigzag(n int) int {
	if n < 0 {
		return -2*n - 1
	}
	return 2 * n
}

func unzigzag(n int) int {
	if n%2 == 1 {
		return -(n + 1) / 2
	}
	return n / 2
}

func (a *archivist) contextOf(c card.Context) int {
	key := appendNumber(a.key[:0], len(c))
	for _, e := range c {
		key = appendText(appendNumber(key, a.labelled(string(e.Role))), e.Text)
	}
	return a.contextNumber(key)
}

// contextNumber numbers a context by its bytes, which may be used again.
func (a *archivist) contextNumber(key []byte) int {
	a.key = key
	if i, known := a.context[string(key)]; known {
		return i
	}
	i := len(a.contextAt)
	a.context[string(key)] = i
	a.contextAt = append(a.contextAt, uint32(len(a.contexts)))
	a.contexts = append(a.contexts, key...)
	return i
}

// A transfer files facts of another archive as they are, without a value of each.
type transfer struct {
	to      *archivist
	from    *archive
	label   []int // its number to ours plus one
	context []int // likewise
}

func newTransfer(to *archivist, from *archive) *transfer {
	return &transfer{to, from, make([]int, len(from.labels)), make([]int, len(from.contextAt))}
}

func (t *transfer) labelled(old int) int {
	if t.label[old] == 0 {
		t.label[old] = t.to.labelled(t.from.labels[old]) + 1
	}
	return t.label[old] - 1
}

// add files fact i of the other archive under the next number, as [archivist.add] does, and returns its text.
func (t *transfer) add(i int) (text []byte) {
	w, r := t.from.open(i)
	b := t.to.facts
	for _, n := range [...]int{
		t.labelled(r.section), t.labelled(r.file), t.labelled(r.kind), t.labelled(r.reason), t.contextOf(r.context), r.list, r.ordinal, r.places,
	} {
		b = appendNumber(b, n)
	}
	for range r.places {
		b = appendNumber(b, t.labelled(w.number(len(t.label)-1)))
		b = appendNumber(appendNumber(b, w.number(math.MaxInt32)), w.number(math.MaxInt32))
	}
	text = w.text()
	t.to.facts = append(appendNumber(b, len(text)), text...)
	t.to.start = append(t.to.start, uint64(len(t.to.facts)))
	return text
}

func (t *transfer) contextOf(old int) int {
	if t.context[old] == 0 {
		w := wire{rest: t.from.contexts[t.from.contextAt[old]:]}
		n := w.count()
		key := appendNumber(t.to.key[:0], n)
		for range n {
			key = appendNumber(key, t.labelled(w.number(len(t.label)-1)))
			text := w.text()
			key = append(appendNumber(key, len(text)), text...)
		}
		t.context[old] = t.to.contextNumber(key) + 1
	}
	return t.context[old] - 1
}

// fact returns fact i as it was filed. It is the zero fact where the bytes are damaged.
func (a *archive) fact(i int) card.Fact {
	var e card.Entry
	places, reason, ok := a.read(i, &e)
	if !ok {
		return card.Fact{}
	}
	f, err := card.Ground(e, reason, places...)
	if err != nil {
		return card.Fact{} // unreachable: read looked at the places
	}
	return f
}

// record is what stands before the places and the text of a fact.
type record struct {
	section, file, kind, reason, context, list, ordinal, places int
}

func (a *archive) open(i int) (w wire, r record) {
	w = wire{rest: a.facts[a.start[i]:a.start[i+1]]}
	labels := len(a.labels) - 1
	r = record{
		section: w.number(labels), file: w.number(labels), kind: w.number(labels), reason: w.number(labels),
		context: w.number(len(a.contextAt) - 1), list: w.number(math.MaxInt32), ordinal: w.number(math.MaxInt32), places: w.count(),
	}
	return w, r
}

func (a *archive) read(i int, e *card.Entry) ([]card.Place, card.Reason, bool) {
	w, r := a.open(i)
	var places []card.Place
	for range r.places {
		places = append(places, a.place(&w))
	}
	text := w.text()
	if w.bad || len(places) == 0 {
		return nil, "", false
	}
	*e = card.Entry{
		Section: card.Section(a.labels[r.section]), File: a.labels[r.file], Kind: card.Kind(a.labels[r.kind]),
		Context: a.contextAtNumber(r.context), List: unzigzag(r.list), Ordinal: unzigzag(r.ordinal), Text: string(text),
	}
	return places, card.Reason(a.labels[r.reason]), true
}

func (a *archive) place(w *wire) card.Place {
	file, first := w.number(len(a.labels)-1), w.number(math.MaxInt32)
	p := card.Place{First: first, Last: first + w.number(math.MaxInt32)}
	if w.bad || p.First < 1 || a.labels[file] == "" {
		w.bad = true
		return card.Place{}
	}
	p.File = a.labels[file]
	return p
}

// text returns the text of fact i.
func (a *archive) text(i int) string {
	w, r := a.open(i)
	for range r.places {
		a.place(&w)
	}
	return string(w.text())
}

// kind returns the kind of fact i.
func (a *archive) kind(i int) card.Kind {
	_, r := a.open(i)
	return card.Kind(a.labels[r.kind])
}

// at returns the first place of fact i.
func (a *archive) at(i int) card.Place {
	w, _ := a.open(i)
	return a.place(&w)
}

func (a *archive) contextAtNumber(i int) card.Context {
	w := wire{rest: a.contexts[a.contextAt[i]:]}
	n := w.count()
	out := make(card.Context, 0, min(n, 64))
	for range n {
		role := w.number(len(a.labels) - 1)
		text := w.text()
		if w.bad {
			break
		}
		out = append(out, card.Element{Role: card.Role(a.labels[role]), Text: string(text)})
	}
	return slices.Clip(out)
}

// sound reports whether each fact can be read, so that later none fails.
func (a *archive) sound() bool {
	for i := range len(a.start) - 1 {
		if a.start[i] > a.start[i+1] || a.start[i+1] > uint64(len(a.facts)) {
			return false
		}
		w, r := a.open(i)
		for range r.places {
			a.place(&w)
		}
		w.text()
		if w.bad || r.places == 0 || len(w.rest) > 0 {
			return false
		}
	}
	for _, at := range a.contextAt {
		if int(at) > len(a.contexts) {
			return false
		}
		w := wire{rest: a.contexts[at:]}
		for range w.count() {
			w.number(len(a.labels) - 1)
			w.text()
		}
		if w.bad {
			return false
		}
	}
	return true
}
