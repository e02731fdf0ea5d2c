package answer

import (
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A list is cited whole where it has this many members; a longer one is a
// reference table, of which the best hits are shown.
const (
	leastMembers = 2
	mostMembers  = 15
)

// listFloor is the least share of the question's weight that a list must cover
// to be cited whole.
const listFloor = 5000

// groupKey names one list: the facts of one kind in one scope and sequence. The
// zero key is no list.
type groupKey struct {
	skill int
	key   string
}

func (g groupKey) listed() bool { return g.key != "" }

// groupOf returns the list that the entry is a member of.
func groupOf(at int, e card.Entry) groupKey {
	switch e.Kind {
	case card.Bullet, card.Step, card.Task, card.Row, card.Flag, card.Env, card.Subcommand:
		one := card.Entry{File: e.File, Context: e.Context, Kind: e.Kind, List: e.List}
		return groupKey{at, one.Identity()}
	}
	return groupKey{}
}

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

// list returns the members of the list that answers the question best, in the
// card's order, or nil. Only a list with a member that passes the floor by
// itself may answer: a heading alone is no evidence (law 9). A list that covers
// less of the question than one fact alone does is not what was asked for.
func (x *Index) list(q query, found []candidate) []int {
	best, most := []int(nil), listFloor-1
	for _, c := range found {
		most = max(most, c.base-1)
	}
	tried := map[groupKey]bool{}
	for _, c := range found {
		key := x.facts[c.id].group
		members := x.groups[key]
		if c.sure < Floor || tried[key] || len(members) < leastMembers || len(members) > mostMembers {
			continue
		}
		tried[key] = true
		if covered := x.covers(q, members); covered > most {
			best, most = members, covered
		}
	}
	return best
}

// covers is how much of the question's weight a list covers as a whole: a term
// in its heading or lead-in fully, in its members by their share, in what else
// surrounds it by half.
func (x *Index) covers(q query, members []int) int {
	first := x.facts[members[0]]
	title := x.titleTerms(first.fact.Entry().Context)
	sum := 0
	for _, t := range q.terms {
		held := 0
		for _, id := range members {
			if _, ok := slices.BinarySearchFunc(x.own[t.norm], id, func(p posting, id int) int { return p.fact - id }); ok {
				held++
			}
		}
		how := full * held / len(members)
		if x.near(t, first.scope) > 0 {
			how = max(how, full/2)
		}
		if title[t.norm] > 0 {
			how = full
		}
		sum += t.weight * how
	}
	return sum * (scale / full) / max(1, q.total)
}

// titleTerms returns the terms of the nearest heading and the lead-in.
func (x *Index) titleTerms(c card.Context) map[string]int {
	var texts []string
	near := nearest(c)
	for i, e := range c {
		if i == near || e.Role == card.Lead {
			texts = append(texts, e.Text)
		}
	}
	r := reader{x.lex, stemmer{}}
	counts, _ := r.count(r.words(strings.Join(texts, "\n")))
	return counts
}
