package main

import (
	"bufio"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
)

const nameOurs, nameOrder, nameFTS5, nameBleve, nameTypos = "cardkeeper", "cardkeeper, order alone", "FTS5", "bleve", "bleve with typos"

func names() []string { return []string{nameOurs, nameOrder, nameFTS5, nameBleve, nameTypos} }

func engines() map[string]engine {
	return map[string]engine{nameOurs: &ours{}, nameOrder: &order{}, nameFTS5: &fts5{}, nameBleve: &bleves{}, nameTypos: &bleves{typos: true}}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	sizes := flag.String("facts", "1000,100000", "numbers of facts to make, one run each")
	number := flag.Int("queries", 1000, "questions for each run")
	only := flag.String("engines", strings.Join(names(), ";"), "engines to measure, parted by semicolons")
	words := flag.String("words", "../wordnet.tsv.gz", "general words: a table whose first column they are")
	folder := flag.String("corpora", "", "a folder of collections")
	questions := flag.String("questions", "", "a file of questions over them")
	profile := flag.String("profile", "", "write where time went to this file, for go tool pprof")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	fmt.Printf("%s, %s/%s, GOMAXPROCS %d\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
	if *questions != "" {
		if err := corpora(*folder, *questions); err != nil {
			return err
		}
	}
	common, err := readWords(*words)
	if err != nil {
		return err
	}
	fmt.Println(header)
	for size := range strings.FieldsFuncSeq(*sizes, func(c rune) bool { return c == ',' }) {
		n, err := strconv.Atoi(size)
		if err != nil {
			return fmt.Errorf("-facts: %q is no number", size)
		}
		if err := versus(n, *number, strings.Split(*only, ";"), common); err != nil {
			return err
		}
	}
	return nil
}

// versus measures the engines over n made facts.
func versus(n, number int, only []string, common []string) error {
	docs, err := newMaker(1, common).make(n)
	if err != nil {
		return err
	}
	asked := queries(2, docs, number)
	all := engines()
	for _, name := range names() {
		if !slices.Contains(only, name) {
			continue
		}
		r, err := measure(name, all[name], docs, asked)
		if err != nil {
			return err
		}
		delete(all, name)
		fmt.Println(r)
	}
	return nil
}

// readWords returns the words of the table of related words. One with many
// relatives is one with many meanings, and so a frequent one.
func readWords(file string) ([]string, error) {
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return nil, nil // then all words are made up
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: not in gzip's format", file)
	}
	type row struct {
		word      string
		relatives int
	}
	var rows []row
	for lines := bufio.NewScanner(z); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), "\t")
		if plain(word) && !stops[word] {
			rows = append(rows, row{word, len(strings.Fields(rest))})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return b.relatives - a.relatives })
	var out []string
	for _, r := range rows {
		out = append(out, r.word)
	}
	return out, nil
}

// plain reports whether a word is one of a to z.
func plain(w string) bool {
	return len(w) > 2 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == ""
}
