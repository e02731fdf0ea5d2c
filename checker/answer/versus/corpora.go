package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/cardkeeper/cardkeeper/extractor"
)

// An asked is a line of a question file.
type asked struct {
	Corpus, Question string
	Expect           []struct {
		File      string
		Line, End int
	}
}

// right reports whether the doc stands where the answer was expected: on the
// same lines, and at most twelve lines longer.
func (a asked) right(d doc) bool {
	for _, p := range d.fact.Places() {
		for _, e := range a.Expect {
			end := max(e.Line, e.End)
			if p.File == e.File && p.First <= end && e.Line <= p.Last && p.Last-p.First-(end-e.Line) <= 12 {
				return true
			}
		}
	}
	return false
}

// readQuestions returns the questions of a file that have an answer, by collection.
func readQuestions(file string) (map[string][]query, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string][]query{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var a asked
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return nil, fmt.Errorf("%s: not a line of JSON", file)
		}
		if len(a.Expect) > 0 {
			out[a.Corpus] = append(out[a.Corpus], query{a.Question, a.right})
		}
	}
	return out, nil
}

// readCollection returns all facts of a folder's skills.
func readCollection(folder string) ([]doc, error) {
	tree, err := extractor.Extract(os.DirFS(folder), extractor.DefaultShape())
	if err != nil {
		return nil, err
	}
	var docs []doc
	for _, s := range tree.Skills {
		for _, f := range slices.Concat(s.Facts, s.Rest) {
			e, p := f.Entry(), f.Places()[0]
			docs = append(docs, doc{skill: s.Path, file: e.File, context: e.Context.Texts(), text: e.Text, first: p.First, last: p.Last, fact: f})
		}
	}
	return docs, nil
}

// corpora asks the questions of a file over the collections in a folder.
func corpora(folder, file string) error {
	questions, err := readQuestions(file)
	if err != nil {
		return err
	}
	sums := map[string]result{}
	for corpus, asked := range questions {
		docs, err := readCollection(filepath.Join(folder, corpus))
		if err != nil {
			return err
		}
		for name, e := range engines() {
			r, err := measure(name, e, docs, asked)
			if err != nil {
				return err
			}
			s := sums[name]
			s.right, s.asked, s.empty = s.right+r.right, s.asked+r.asked, s.empty+r.empty
			sums[name] = s
		}
	}
	for _, name := range names() {
		s := sums[name]
		fmt.Printf("%s: %d of %d questions with an answer have it among the first five, %d got no hit\n", name, s.right, s.asked, s.empty)
	}
	return nil
}
