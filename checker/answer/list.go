package answer

import (
	"slices"
	"strings"
)

// listFloor is the least share of the question's weight that a list must cover
// to be cited whole.
const listFloor = 3000

// asksList reports whether the question asks for all of something: "what are
// the", "each step", "all flags", "which reasons", or a bare plural.
func (l *lexicon) asksList(words []word) bool {
	for i, w := range words {
		switch w.surface {
		case "what", "which":
			if next := i + 1; next+1 < len(words) && words[next].surface == "are" && words[next+1].surface == "the" {
				return slices.ContainsFunc(words[next+2:min(next+6, len(words))], l.plural)
			}
			if l.pluralAhead(words[i+1:]) {
				return true
			}
		case "each", "every", "all":
			if i+1 < len(words) && (w.surface != "all" || l.plural(words[i+1])) && !words[i+1].stop {
				return true
			}
		}
	}
	n := len(words)
	return n > 0 && n <= 5 && l.plural(words[n-1]) && !slices.ContainsFunc(words, func(w word) bool { return w.stop })
}

// pluralAhead reports whether a plural noun comes within four words. A word
// before an article or a pronoun is a verb: "which tool deletes an issue".
// plural guesses by the ending. What it takes for a plural and is none stands in
// verbs.txt; a wrong guess only tries a list, which must still cover the question.
func (l *lexicon) pluralAhead(words []word) bool {
	for i, w := range words {
		if i == 4 || w.stop {
			return false
		}
		if l.plural(w) && (i+1 == len(words) || !slices.Contains(l.articles, words[i+1].surface)) {
			return true
		}
	}
	return false
}

func (l *lexicon) plural(w word) bool {
	s := w.surface
	return len(s) > 3 && strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !w.stop && len(w.parts) == 0 && !l.verbs[s]
}

// denies reports whether words say no.
func (l *lexicon) denies(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return l.negations[w.surface] || l.negations[strings.ReplaceAll(w.surface, "'", "")]
	})
}
