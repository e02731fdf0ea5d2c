package answer

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the tables
	"io"
	"strings"
	"sync"
)

// The tables of related words and of words that are made from each other, by
// wordnet_make.go from WordNet 3.1, whose licence stands in LICENSE-WordNet.
var (
	//go:embed wordnet.tsv.gz
	packedRelated []byte
	//go:embed derived.tsv.gz
	packedDerived []byte
)

// The tables unpacked: sorted lines of a word, a tab and the stems that go with it.
var (
	wordnet     = sync.OnceValue(func() string { return unpacked(packedRelated) })
	derivations = sync.OnceValue(func() string { return unpacked(packedDerived) })
)

func unpacked(table []byte) string {
	z, err := gzip.NewReader(bytes.NewReader(table))
	if err != nil {
		return "" // unreachable: the table is part of the build
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return "" // unreachable, as above
	}
	return string(text)
}

// relations are a table, made ready to be asked. Stems have numbers.
type relations struct {
	words, stems dictionary
	beside       rows // word to the stems that go with it
}

// Both are made once, by newRelations, and only read after that.
var (
	relatives = sync.OnceValue(func() *relations { return newRelations(wordnet()) })
	roots     = sync.OnceValue(func() *relations { return newRelations(derivations()) })
)

func newRelations(table string) *relations {
	n := strings.Count(table, "\n")
	r := &relations{beside: rows{start: make([]uint32, 1, n+1), items: make([]uint32, 0, 4*n)}}
	words, stems := newColumn(n), newColumn(n)
	number := make(map[string]uint32, n)
	for line := range strings.Lines(table) {
		word, related, _ := strings.Cut(line, "\t")
		words.add(word)
		for stem := range strings.FieldsSeq(related) {
			i, known := number[stem]
			if !known {
				i = uint32(len(number))
				number[stem] = i
				stems.add(stem)
			}
			r.beside.items = append(r.beside.items, i)
		}
		r.beside.start = append(r.beside.start, uint32(len(r.beside.items)))
	}
	r.words, r.stems = newDictionary(string(words.text), words.start), newDictionary(string(stems.text), stems.start)
	return r
}

// A column is words one after another.
type column struct {
	text  []byte
	start []uint32
}

// newColumn makes room for about n words.
func newColumn(n int) column { return column{make([]byte, 0, 10*n), make([]uint32, 1, n+1)} }

func (c *column) add(word string) {
	c.text = append(c.text, word...)
	c.start = append(c.start, uint32(len(c.text)))
}

// of returns the stems on the line of a word, none where there is none.
func (r *relations) of(word string) []uint32 { return r.beside.row(r.words.find(word)) }

// terms returns, for each stem, its number among the words of an index, or -1.
func (r *relations) terms(words *dictionary) []int32 {
	out := make([]int32, r.stems.len())
	for i := range out {
		out[i] = -1
	}
	if words.len() < len(out) {
		for i := range words.len() {
			if n := r.stems.find(words.word(i)); n >= 0 {
				out[n] = int32(i)
			}
		}
		return out
	}
	for n := range out {
		out[n] = int32(words.find(r.stems.word(n)))
	}
	return out
}

// derived returns the stems of the words that the word of a stem is made from, or that are
// made from it, by number: "failur" of "fail".
func derived(stem string) []uint32 { return roots().of(stem) }

// related returns the stems of the words that WordNet puts beside a word of a question, by
// number. The word is looked up as it is, else without its ending.
func related(word string) []uint32 {
	r := relatives()
	if found := r.of(word); len(found) > 0 {
		return found
	}
	for _, e := range endings {
		stem, ok := strings.CutSuffix(word, e[0])
		if !ok || len(stem) < 2 {
			continue
		}
		if found := r.of(stem + e[1]); len(found) > 0 {
			return found
		}
		if n := len(stem); e[1] == "" && stem[n-1] == stem[n-2] { // "shutting", "stopped"
			if found := r.of(stem[:n-1]); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// endings are the endings of a word form and what the word has in their place,
// the longer first.
var endings = [...][2]string{
	{"ies", "y"}, {"ied", "y"}, {"ing", ""}, {"ing", "e"}, {"es", ""}, {"ed", ""}, {"d", ""}, {"s", ""}, {"er", ""}, {"ly", ""},
}
