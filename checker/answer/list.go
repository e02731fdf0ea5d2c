package answer

import (
	"slices"
	"strings"
)

// The least share of the question's weight that a list must cover to be cited whole, in
// ten-thousandths: by itself, where it holds a fact that was chosen and fits no worse, and
// where the question's words say nothing of a list, as in "what must a loop always
// escalate". Of the last, 3000 takes a list for a single fact too often, and 5000 leaves
// some out.
const (
	listFloor   = 3000
	agreedFloor = 2000
	openFloor   = 4000
)

// openLead is how much better than any single fact a list must fit, in tenths, where the question's
// words say nothing of one. At 12 it takes the place of facts that are right.
const openLead = 13

// asks is how plainly a question asks for a list.
type asks int

const (
	asksFact  asks = iota // a list may answer it all the same
	mayBeList             // "what should I ..."
	asksList
)

// leastList is the least base with which a list may be the answer.
func (q *query) leastList() int {
	floor, _ := q.agreement()
	if q.asks == asksList {
		return min(floor, listFloor)
	}
	return floor
}

// agreement is the base that a list must have, and by how much it must fit better than any
// fact, in tenths, where it holds a fact that was chosen by itself.
func (q *query) agreement() (floor, lead int) {
	if q.asks != asksFact && len(q.needs) == 0 { // a list seldom says which command or flag
		return agreedFloor, 10
	}
	return openFloor, openLead
}

// whole reports whether the answer is a list, by how well it fits and by the facts that were
// chosen by themselves.
func (q *query) whole(list []int, sure int, chosen []candidate) bool {
	floor, lead := q.agreement()
	best := surest(chosen)
	agrees := slices.ContainsFunc(chosen, func(c candidate) bool { return slices.Contains(list, c.id) })
	agreed := agrees && sure >= floor && 10*sure >= lead*best
	return agreed || q.asks == asksList && sure >= listFloor
}

// asks reads off a question's words whether it asks for a list.
func (l *lexicon) asks(words []word) asks {
	begins := func(phrase []string) bool { return holdsPhrase(words[:min(len(phrase), len(words))], phrase) }
	switch {
	case l.wantsAll(words) || l.namesMany(words):
		return asksList
	case slices.ContainsFunc(l.lists, begins):
		return mayBeList
	}
	return asksFact
}

// wantsAll reports whether the question asks for all of something: "what are the", "each
// step", "all the flags", "which reasons".
func (l *lexicon) wantsAll(words []word) bool {
	for i, w := range words {
		rest := words[i+1:]
		switch w.surface {
		case "what", "which":
			if len(rest) > 1 && rest[0].surface == "are" && rest[1].surface == "the" {
				return slices.ContainsFunc(rest[2:min(6, len(rest))], l.plural)
			}
			if len(rest) > 0 && oneThing(rest[0].surface) {
				continue
			}
			if l.pluralAhead(rest) {
				return true
			}
		case "each", "every":
			if len(rest) > 0 && !rest[0].stop {
				return true
			}
		case "all":
			if len(rest) > 0 && (l.plural(rest[0]) || rest[0].stop && l.pluralAhead(rest[1:])) {
				return true
			}
		}
	}
	return false
}

// namesMany reports whether the words are no sentence but name several things: a few that end
// in a plural, or that begin with one, as in "common reasons for a delay".
func (l *lexicon) namesMany(words []word) bool {
	first := slices.IndexFunc(words, func(w word) bool { return w.stop })
	if first < 0 {
		return 0 < len(words) && len(words) <= 5 && l.plural(words[len(words)-1])
	}
	return 0 < first && first < 4 && l.plural(words[first-1])
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

// oneThing reports whether "which" and the word ask for one of a kind, so that the word
// in -s behind it is what that one does: "which flag filters".
func oneThing(w string) bool {
	switch w {
	case "flag", "option", "switch", "command", "subcommand", "tool", "script", "file", "folder", "directory", "skill", "setting", "variable", "parameter", "argument", "field", "function", "method":
		return true
	}
	return false
}
