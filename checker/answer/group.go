package answer

import (
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A group is a list as one unit: the facts of one kind in one context and
// sequence, or one fact that is a list in itself.
type group struct {
	members []int // in the card's order
	scope   int
	items   int
	heading string // the headings around it
	denies  bool   // its introduction says no
}

// A list is cited whole where it has this many items; a longer one is a reference
// table, of which the best hits are shown.
const (
	leastItems = 2
	mostItems  = 30
)

// denyBonus is what a list is preferred by, in thousandths, that says no where the
// question does, and only there: "not supported" for "which can't I use".
const denyBonus = 1200

// siblingShare is how much of what the best list covers another list under the same
// heading must cover to be cited with it, in thousandths.
const siblingShare = 900

// fewItems is the least number of items that shares are taken of: one of two
// items says less about a list than three of six.
const fewItems = 4

func (g group) whole() bool { return leastItems <= g.items && g.items <= mostItems }

// addToGroup enters a fact into its list, which it makes where it is new, and returns
// the list's number, or -1.
func (b *builder) addToGroup(id, at, scope int, e card.Entry) int {
	key := groupKey(at, e)
	items := listItems(e)
	if key == "" && items < leastItems {
		return -1
	}
	n, known := b.groupOf[key]
	if key == "" || !known {
		n = len(b.groups)
		b.groups = append(b.groups, group{scope: scope})
		b.nameGroup(n, e)
		if key != "" {
			b.groupOf[key] = n
		}
	}
	g := &b.groups[n]
	g.members = append(g.members, id)
	g.items += max(1, items)
	return n
}

// groupKey names the list that an entry is a member of; empty for none.
func groupKey(at int, e card.Entry) string {
	switch e.Kind {
	case card.Bullet, card.Step, card.Task, card.Row, card.Flag, card.Env, card.Subcommand:
		one := card.Entry{File: e.File, Context: e.Context, Kind: e.Kind, List: e.List}
		return string(rune(at)) + one.Identity()
	}
	return ""
}

// listItems counts the items of a fact that is a list in itself: lines of code
// that begin like items, or sentences of a paragraph that begin with a bold name.
func listItems(e card.Entry) int {
	n := 0
	switch e.Kind {
	case card.Code:
		for line := range strings.Lines(e.Text) {
			if !strings.HasPrefix(strings.TrimSpace(line), "- ") {
				return 0
			}
			n++
		}
	case card.Paragraph:
		if strings.HasPrefix(e.Text, "**") {
			n = strings.Count(e.Text, ":** ") + strings.Count(e.Text, "**: ")
		}
	}
	return n
}

// nameGroup indexes what a list says of its items: the sentence that introduces it and
// the header of a table are its own words, the nearest heading is its title.
func (b *builder) nameGroup(n int, e card.Entry) {
	near := lastHeading(e.Context)
	b.groups[n].heading = groupHeading(b.groups[n].scope, e, near)
	for i, c := range e.Context {
		if i >= near && b.lex.denies(b.read.words(c.Text)) {
			b.groups[n].denies = true
		}
		switch {
		case c.Role == card.Lead && i >= near || c.Role == card.Columns:
			b.addGroupTerms(b.leads, n, c.Text)
		case i >= near && near >= 0:
			b.addGroupTerms(b.titles, n, c.Text)
		}
	}
}

// groupHeading names the place of a list by the headings around it.
func groupHeading(at int, e card.Entry, near int) string {
	return card.Entry{File: e.File, Context: e.Context[:near+1]}.Identity()
}

// lastHeading returns the index of the innermost heading, labels left aside, or -1.
func lastHeading(c card.Context) int {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].Role == card.Heading {
			return i
		}
	}
	return -1
}

func (b *builder) addGroupTerms(to map[string][]int, n int, text string) {
	counts, _ := b.read.count(b.read.words(text))
	for term := range counts {
		if held := to[term]; len(held) == 0 || held[len(held)-1] != n {
			to[term] = append(held, n)
		}
	}
}

// A tally is how far a list covers each term of a question, in thousandths.
type tally struct {
	how   []int // for its base: the heading counts as context does (law 9)
	fit   []int // for the order: the heading says what the items are
	proof bool  // its own words hold an informative term (law 9)
	named bool  // its heading or introduction holds one: it is what the question lists
}

// tallies judges each list whose items, introduction or heading hold a term.
func (x *Index) tallies(q query) map[int]*tally {
	all := map[int]*tally{}
	at := func(g int) *tally {
		if all[g] == nil {
			all[g] = &tally{how: make([]int, len(q.terms)), fit: make([]int, len(q.terms))}
		}
		return all[g]
	}
	for i, t := range q.terms {
		for _, v := range t.variants {
			proves := v.match >= evidence && !t.minor
			for g, n := range x.held(v.term) {
				at(g).raise(i, x.groups[g].share(n, v.match), proves)
			}
			for _, g := range x.leads[v.term] {
				at(g).raise(i, v.match, proves)
				at(g).named = at(g).named || proves
			}
			for _, g := range x.titles[v.term] {
				tl := at(g)
				tl.named = tl.named || proves
				tl.how[i], tl.fit[i] = max(tl.how[i], v.match*nearly/full), max(tl.fit[i], v.match)
			}
		}
	}
	x.surround(q, all)
	return all
}

// held counts the members of each list that hold a term.
func (x *Index) held(term string) map[int]int {
	counts := map[int]int{}
	for _, p := range x.own[term] {
		if g := x.facts[p.fact].group; g >= 0 {
			counts[g]++
		}
	}
	return counts
}

// surround adds what else stands around the lists, which counts half.
func (x *Index) surround(q query, all map[int]*tally) {
	for i, t := range q.terms {
		for _, v := range t.variants {
			around := x.around[v.term]
			for g, tl := range all {
				if around[x.groups[g].scope] > 0 {
					tl.raise(i, v.match/2, false)
				}
			}
		}
	}
}

func (tl *tally) raise(term, how int, proves bool) {
	tl.how[term], tl.fit[term] = max(tl.how[term], how), max(tl.fit[term], how)
	tl.proof = tl.proof || proves
}

// share is what a term counts that n of the members hold.
func (g group) share(n, match int) int {
	if len(g.members) == 1 {
		return match / 2
	}
	return match * n / max(fewItems, g.items)
}

// list returns the members of the list that answers the question best, in the card's
// order, with its base after doubts; none where no list's own words hold an informative
// term. A list under the same heading that fits nearly as well is taken with it. Further
// wordings choose nothing; the base is the mean over all.
func (x *Index) list(read []reading) (members []int, sure int) {
	fits, best := map[int]int{}, -1
	for n, tl := range x.tallies(read[0].q) {
		if !tl.proof || !tl.named || !x.groups[n].whole() {
			continue
		}
		fits[n] = x.groupDoubt(read[0], n, tl.fit)
		if read[0].q.denies == x.groups[n].denies {
			fits[n] = fits[n] * denyBonus / full
		}
		if best < 0 || fits[n] > fits[best] || fits[n] == fits[best] && n < best {
			best = n
		}
	}
	if best < 0 {
		return nil, 0
	}
	for n, fit := range fits {
		if n == best || fit >= fits[best]*siblingShare/full && x.siblings(n, best) {
			members = append(members, x.groups[n].members...)
		}
	}
	slices.Sort(members)
	return members, x.groupSure(read, best)
}

// siblings reports whether two lists stand under one heading and say the same of their items.
func (x *Index) siblings(n, m int) bool {
	return x.groups[n].heading == x.groups[m].heading && x.groups[n].denies == x.groups[m].denies
}

// groupSure is the base of a list after doubts, as the mean over the wordings.
func (x *Index) groupSure(read []reading, n int) int {
	sum := 0
	for _, r := range read {
		if tl := x.tallies(r.q)[n]; tl != nil && tl.proof {
			sum += x.groupDoubt(r, n, tl.how)
		}
	}
	return sum / len(read)
}

// groupDoubt is the share of the question that is covered as how says, lowered by the
// reasons to doubt a list.
func (x *Index) groupDoubt(r reading, n int, how []int) int {
	sum := 0
	for i, h := range how {
		sum += r.q.terms[i].weight * h
	}
	stray := strayDoubt * (full - r.reach[x.facts[x.groups[n].members[0]].skill]) / full
	reasons := []factor{{left: full - stray}}
	if r.q.strange() {
		reasons = append(reasons, factor{left: full - nameDoubt})
	}
	return doubted(sum*(scale/full)/max(1, r.q.total), reasons)
}
