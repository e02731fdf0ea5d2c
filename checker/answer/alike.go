package answer

import (
	"slices"
	"strings"
)

// An Alikeness puts questions together that ask for the same. It is for one
// goroutine; the zero value is ready.
type Alikeness struct{ read reader }

// Key is one and the same for questions with the same informative words, whatever
// their order and inflection, how often they stand there, and what stands between
// them. It is for comparing alone: another build may give another one.
func (a *Alikeness) Key(question string) string {
	return strings.Join(a.Terms(question), " ")
}

// Terms are the informative words of a question, each once, as [Near] compares them.
func (a *Alikeness) Terms(question string) []string {
	if a.read.lex == nil {
		a.read = reader{lex: words(), stems: stemmer{}}
	}
	words := a.read.words(clean(question))
	var terms []string
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) {
			if both, ok := a.read.joined(words[i], words[i+1]); ok {
				terms = append(terms, both)
				i++
				continue
			}
		}
		if !words[i].stop {
			terms = append(terms, words[i].norm)
		}
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// Near says whether two questions, by their Terms, ask for nearly the same: of all
// the words of both, two in three are in both. So one word more, in two or more, makes
// no other question, and one word in the place of another, in up to four, does.
func Near(a, b []string) bool {
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch c := strings.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return both > 0 && 3*both >= 2*(len(a)+len(b)-both)
}
