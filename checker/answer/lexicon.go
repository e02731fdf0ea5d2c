package answer

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// tables holds the word lists; each says in its first lines what it is.
//
//go:embed *.txt
var tables embed.FS

// A lexicon is the word lists in the form in which they are asked. It is
// written once, by newLexicon, and only read after that.
type lexicon struct {
	stop      map[string]bool
	stops     []string // the plain ones, in the table's order
	wideStop  []string // stop words of scripts without spaces, longest first
	compounds map[string]map[string]bool
	subjects  map[string]bool // by stem
	numbers   map[string]bool
	verbs     map[string]bool // words in -s that are no plural nouns
	articles  []string
	negations map[string]bool
	lists     [][]string          // how questions begin that a list may answer
	synonyms  map[string][]string // stem to the stems of its group, in file order
	sections  map[string][]card.Section
	cues      []cue
	kinds     []phrase
	stems     stemmer

	attributes []attributeAsked
	opposites  [][2]map[string]bool // the terms of each side
	dimensions []dimension
	answerers  map[string]map[string]bool // by question word
}

// An attributeAsked is an attribute with the terms by which questions ask for it.
type attributeAsked struct {
	asks map[string]bool
	attribute
}

// A dimension is what figures are given in: phrases of questions, and units.
type dimension struct {
	name  string
	asks  [][]string
	units []string
	stems map[string]bool // of the units
}

// A cue is a phrase of a question and what an answering fact must then hold.
type cue struct {
	need   need
	phrase []string
}

// words is the lexicon of this build.
var words = sync.OnceValue(newLexicon)

// newLexicon reads the embedded tables. Words are held by stem where an
// inflected form means the same, else as written.
func newLexicon() *lexicon {
	l := &lexicon{
		stop: map[string]bool{}, subjects: map[string]bool{}, numbers: map[string]bool{}, verbs: map[string]bool{},
		compounds: map[string]map[string]bool{}, synonyms: map[string][]string{},
		sections: map[string][]card.Section{}, stems: stemmer{},
	}
	for _, line := range lines("stopwords.txt") {
		l.readStops(line)
	}
	slices.SortStableFunc(l.wideStop, func(a, b string) int { return len(b) - len(a) })
	for _, line := range lines("compounds.txt") {
		if a, b, ok := strings.Cut(line, " "); ok {
			first := l.stems.stem(a)
			if l.compounds[first] == nil {
				l.compounds[first] = map[string]bool{}
			}
			l.compounds[first][b] = true
		}
	}
	for _, w := range listed("subjects.txt") {
		l.subjects[l.stems.stem(w)] = true
	}
	for _, w := range listed("numbers.txt") {
		l.numbers[w] = true
	}
	for _, w := range listed("verbs.txt") {
		l.verbs[w] = true
	}
	l.articles, l.negations = listed("articles.txt"), map[string]bool{}
	for _, w := range listed("negations.txt") {
		l.negations[w] = true
	}
	for _, line := range lines("lists.txt") {
		l.lists = append(l.lists, strings.Fields(line))
	}
	l.readSynonyms()
	l.readSections()
	l.readCues()
	l.readKinds()
	l.readAttributes()
	l.readOpposites()
	l.readDimensions()
	return l
}

// readStops sorts stop words by script: those of a script without spaces are cut
// out of a run, the others are compared whole.
func (l *lexicon) readStops(line string) {
	for _, w := range strings.Fields(line) {
		if wide(firstRune(w)) {
			l.wideStop = append(l.wideStop, w)
			continue
		}
		l.stop[w] = true
		l.stops = append(l.stops, w)
	}
}

// readSynonyms links each word of a group to the others of it.
func (l *lexicon) readSynonyms() {
	for _, line := range lines("synonyms.txt") {
		var group []string
		for _, w := range strings.Fields(line) {
			group = append(group, l.stems.stem(w))
		}
		for _, w := range group {
			for _, other := range group {
				if other != w && !slices.Contains(l.synonyms[w], other) {
					l.synonyms[w] = append(l.synonyms[w], other)
				}
			}
		}
	}
}

// readSections links words to the sections that they prefer; one word may prefer two.
func (l *lexicon) readSections() {
	for _, line := range lines("sections.txt") {
		name, rest, _ := strings.Cut(line, ":")
		for _, w := range strings.Fields(rest) {
			s, section := l.stems.stem(w), card.Section(name)
			if !slices.Contains(l.sections[s], section) {
				l.sections[s] = append(l.sections[s], section)
			}
		}
	}
}

// readCues keeps the order of the table, which is the order of the needs.
func (l *lexicon) readCues() {
	for _, line := range lines("cues.txt") {
		name, phrase, _ := strings.Cut(line, ":")
		l.cues = append(l.cues, cue{need(name), strings.Fields(phrase)})
	}
}

// lines returns the lines of an embedded table without comments and blanks.
func lines(name string) []string {
	data, err := tables.ReadFile(name)
	if err != nil {
		return nil // unreachable: the tables are part of the build
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// listed returns the words of an embedded table.
func listed(name string) []string {
	var out []string
	for _, line := range lines(name) {
		out = append(out, strings.Fields(line)...)
	}
	return out
}
