package answer

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the tables
	"io"
	"sort"
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

// The tables unpacked: sorted lines of a word, a tab and the stems that go with it. They
// are searched as they are, since a question asks for few words.
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

// derived returns the stems of the words that the word of a stem is made from, or that are
// made from it: "failur" of "fail".
func derived(stem string) []string { return row(derivations(), stem) }

// related returns the stems of the words that WordNet puts beside a word of a
// question, or nil. The word is looked up as it is, else without its ending.
func related(word string) []string {
	for _, base := range lemmas(word) {
		if found := row(wordnet(), base); found != nil {
			return found
		}
	}
	return nil
}

// row returns the stems on the line of word.
func row(table, word string) []string {
	key := word + "\t"
	at := sort.Search(len(table), func(i int) bool { return table[lineStart(table, i):] >= key })
	line, _, _ := strings.Cut(table[lineStart(table, at):], "\n")
	stems, ok := strings.CutPrefix(line, key)
	if !ok {
		return nil
	}
	return strings.Fields(stems)
}

// lineStart returns where the first line begins that starts at or after i.
func lineStart(table string, i int) int {
	if i == 0 || i >= len(table) || table[i-1] == '\n' {
		return min(i, len(table))
	}
	if next := strings.IndexByte(table[i:], '\n'); next >= 0 {
		return i + next + 1
	}
	return len(table)
}

// endings are the endings of a word form and what the word has in their place,
// the longer first.
var endings = [...][2]string{
	{"ies", "y"}, {"ied", "y"}, {"ing", ""}, {"ing", "e"}, {"es", ""}, {"ed", ""}, {"d", ""}, {"s", ""}, {"er", ""}, {"ly", ""},
}

// lemmas returns the forms under which a word may stand in a dictionary.
func lemmas(word string) []string {
	out := []string{word}
	for _, e := range endings {
		stem, ok := strings.CutSuffix(word, e[0])
		if !ok || len(stem) < 2 {
			continue
		}
		out = append(out, stem+e[1])
		if n := len(stem); e[1] == "" && stem[n-1] == stem[n-2] { // "shutting", "stopped"
			out = append(out, stem[:n-1])
		}
	}
	return out
}
