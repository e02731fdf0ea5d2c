package answer

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the table
	"io"
	"strings"
	"sync"
)

// packed is the table of related words, made by wordnet_make.go from WordNet 3.1,
// whose licence stands in LICENSE-WordNet.
//
//go:embed wordnet.tsv.gz
var packed []byte

// wordnet is the table unpacked: sorted lines of a word, a tab and the stems related to it.
var wordnet = sync.OnceValue(func() string {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "" // unreachable: the table is part of the build
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return "" // unreachable, as above
	}
	return string(text)
})

// relations are the table, made ready to be asked.
type relations struct {
	words dictionary
	stems []string // by word, with blanks between
}

// relatives is made once, by newRelations, and only read after that.
var relatives = sync.OnceValue(func() *relations { return newRelations(wordnet()) })

func newRelations(table string) *relations {
	n := strings.Count(table, "\n")
	r, start := &relations{stems: make([]string, 0, n)}, make([]uint32, 1, n+1)
	words := make([]byte, 0, len(table)/2)
	for line := range strings.Lines(table) {
		word, stems, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		words = append(words, word...)
		start = append(start, uint32(len(words)))
		r.stems = append(r.stems, stems)
	}
	r.words = newDictionary(string(words), start)
	return r
}

// of returns the stems on the line of a word, with blanks between; empty where there is none.
func (r *relations) of(word string) string {
	if i := r.words.find(word); i >= 0 {
		return r.stems[i]
	}
	return ""
}

// related returns the stems of the words that WordNet puts beside a word of a question,
// with blanks between. The word is looked up as it is, else without its ending.
func related(word string) string {
	r := relatives()
	if found := r.of(word); found != "" {
		return found
	}
	for _, e := range endings {
		stem, ok := strings.CutSuffix(word, e[0])
		if !ok || len(stem) < 2 {
			continue
		}
		if found := r.of(stem + e[1]); found != "" {
			return found
		}
		if n := len(stem); e[1] == "" && stem[n-1] == stem[n-2] { // "shutting", "stopped"
			if found := r.of(stem[:n-1]); found != "" {
				return found
			}
		}
	}
	return ""
}

// endings are the endings of a word form and what the word has in their place,
// the longer first.
var endings = [...][2]string{
	{"ies", "y"}, {"ied", "y"}, {"ing", ""}, {"ing", "e"}, {"es", ""}, {"ed", ""}, {"d", ""}, {"s", ""}, {"er", ""}, {"ly", ""},
}
