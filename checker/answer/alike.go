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
	return strings.Join(slices.Compact(terms), " ")
}
