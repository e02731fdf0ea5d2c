package answer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A group is a list as one unit: the facts of one kind in one context and
// sequence, or one fact that is a list in itself.
type group struct {
	scope, heading uint32
	items          uint32
	denies         bool // its introduction says no
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
func (b *builder) addToGroup(scope uint32, e card.Entry) int32 {
	key := groupKey(e)
	items := listItems(e)
	if key == "" && items < leastItems {
		return -1
	}
	n, known := b.groupOf[key]
	if key == "" || !known {
		n = int32(len(b.groups))
		b.groups = append(b.groups, group{scope: scope})
		b.nameGroup(int(n), e)
		if key != "" {
			b.groupOf[key] = n
		}
	}
	b.groups[n].items += uint32(max(1, items))
	return n
}

// groupKey names the list that an entry is a member of; empty for none.
func groupKey(e card.Entry) string {
	switch e.Kind {
	case card.Bullet, card.Step, card.Task, card.Row, card.Flag, card.Env, card.Subcommand:
		one := card.Entry{File: e.File, Context: e.Context, Kind: e.Kind, List: e.List}
		return one.Identity()
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
	b.groups[n].heading = b.headingOf(e, near)
	var leads, titles []uint32
	for i, c := range e.Context {
		words := b.read.words(c.Text)
		b.groups[n].denies = b.groups[n].denies || i >= near && b.lex.denies(words)
		switch {
		case c.Role == card.Lead && i >= near || c.Role == card.Columns:
			b.count(words)
			leads = append(leads, b.found...)
		case i >= near && near >= 0:
			b.count(words)
			titles = append(titles, b.found...)
		}
	}
	b.leads.add(distinct(leads)...)
	b.titles.add(distinct(titles)...)
}

func distinct(terms []uint32) []uint32 {
	slices.Sort(terms)
	return slices.Compact(terms)
}

// headingOf numbers the place of a list by its skill and the headings around it.
func (b *builder) headingOf(e card.Entry, near int) uint32 {
	key := strconv.Itoa(len(b.skills)) + card.Entry{File: e.File, Context: e.Context[:near+1]}.Identity()
	n, known := b.heading[key]
	if !known {
		n = uint32(len(b.heading))
		b.heading[key] = n
	}
	return n
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

// A tally is how far a list covers each term of a question, in thousandths.
type tally struct {
	how   []int // for its base: the heading counts as context does (law 9)
	fit   []int // for the order: the heading says what the items are
	proof bool  // its own words hold an informative term (law 9)
	named bool  // its heading or introduction holds one: it is what the question lists
}

// tally judges a list by its items, its introduction, its heading and what else
// surrounds it.
func (r *reading) tally(n int) tally {
	t := tally{how: make([]int, len(r.q.terms)), fit: make([]int, len(r.q.terms))}
	members := r.x.members.row(n)
	for _, f := range members {
		r.read(r.x.own.row(int(f)), func(_ int, s sense) { r.m.counted = append(r.m.counted, s) })
	}
	for s, held := range r.m.counts() {
		t.raise(s.term, r.x.groups[n].share(len(members), held, s.match), s.match, r.proves(s))
	}
	r.read(r.x.leads.row(n), func(_ int, s sense) {
		t.raise(s.term, s.match, s.match, r.proves(s))
		t.named = t.named || r.proves(s)
	})
	r.read(r.x.titles.row(n), func(_ int, s sense) {
		t.named = t.named || r.proves(s)
		t.how[s.term], t.fit[s.term] = max(t.how[s.term], s.match*nearly/full), max(t.fit[s.term], s.match)
	})
	r.read(r.x.context.row(int(r.x.groups[n].scope)), func(_ int, s sense) { t.raise(s.term, s.match/2, s.match, false) })
	return t
}

func (t *tally) raise(term, how, match int, proves bool) {
	t.fit[term] = max(t.fit[term], how)
	if match >= nearly { // what WordNet relates only orders (law 9)
		t.how[term] = max(t.how[term], how)
	}
	t.proof = t.proof || proves
}

// share is what a term counts that held of the members hold.
func (g group) share(members, held, match int) int {
	if members == 1 {
		return match / 2
	}
	return match * held / max(fewItems, int(g.items))
}

// list returns the members of the list that answers the question best, in the card's
// order, with its base after doubts; none where no list's own words hold an informative
// term, or where the base would be below what may answer. A list under the same heading that
// fits nearly as well is taken with it. Further wordings choose nothing; the base is the
// mean over all.
func (x *Index) list(read []*reading) (members []int, sure int) {
	r, least := read[0], 0
	if !r.q.lists {
		return nil, 0
	}
	if len(read) == 1 { // the base is no higher than the fit
		least = r.q.leastList()
	}
	best, most := r.bestList(least)
	if best < 0 {
		return nil, 0
	}
	if sure = x.groupSure(read, best); sure < r.q.leastList() {
		return nil, sure
	}
	for _, n := range x.headed.row(int(x.groups[best].heading)) {
		if fit, ok := r.fit(int(n)); int(n) == best || ok && fit >= most*siblingShare/full && x.groups[n].denies == x.groups[best].denies {
			for _, f := range x.members.row(int(n)) {
				members = append(members, int(f))
			}
		}
	}
	slices.Sort(members)
	return members, sure
}

// bestList returns the list that fits best, the first of equal ones, and how well, or -1
// where none fits by least. Only a list is looked at that its introduction or heading
// names, and of which the skill speaks of enough.
func (r *reading) bestList(least int) (best, most int) {
	best, most = -1, least
	for _, g := range r.named() {
		n := int(g)
		if r.promise(n) < most {
			continue
		}
		if fit, ok := r.fit(n); ok && (fit > most || fit == most && (best < 0 || n < best)) {
			best, most = n, fit
		}
	}
	return best, most
}

// named returns the lists of which introduction or heading hold an informative term.
func (r *reading) named() []uint32 {
	for _, s := range r.senses {
		if !r.proves(s) {
			continue
		}
		for _, by := range []rows{r.x.led, r.x.titled} {
			for _, g := range by.row(int(s.id)) {
				if !r.m.listed[g] && r.x.groups[g].whole() {
					r.m.listed[g] = true
					r.m.groups = append(r.m.groups, g)
				}
			}
		}
	}
	return r.m.groups
}

// promise is what the fit of a list cannot exceed: it covers no more than its skill does.
func (r *reading) promise(n int) int {
	reach := r.reach(int(r.x.scopes[r.x.groups[n].scope]))
	return r.preferred(n, doubted((reach+1)*(scale/full), []factor{{left: full - strayDoubt*(full-reach)/full}}))
}

// proves reports whether a term of the index is evidence for one of the question (law 9).
func (r *reading) proves(s sense) bool { return s.match >= evidence && !r.q.terms[s.term].minor }

// fit says how well a list fits the question, and whether it may answer at all.
func (r *reading) fit(n int) (int, bool) {
	if !r.x.groups[n].whole() {
		return 0, false
	}
	t := r.tally(n)
	return r.preferred(n, r.groupDoubt(n, t.fit)), t.proof && t.named
}

// preferred raises the fit of a list that says no where the question does, and only there.
func (r *reading) preferred(n, fit int) int {
	if r.q.denies == r.x.groups[n].denies {
		return fit * denyBonus / full
	}
	return fit
}

// groupSure is the base of a list after doubts, as the mean over the wordings.
func (x *Index) groupSure(read []*reading, n int) int {
	sum := 0
	for _, r := range read {
		if t := r.tally(n); t.proof {
			sum += r.groupDoubt(n, t.how)
		}
	}
	return sum / len(read)
}

// groupDoubt is the share of the question that is covered as how says, lowered by the
// reasons to doubt a list.
func (r *reading) groupDoubt(n int, how []int) int {
	stray, gap := strayDoubt*(full-r.reach(int(r.x.scopes[r.x.groups[n].scope])))/full, 0
	for i, h := range how {
		gap = max(gap, r.q.terms[i].weight*(full-h))
	}
	reasons := []factor{{left: full - stray}, {left: full - listDoubt*(gap/max(1, r.q.total))/full}}
	if r.q.strange() {
		reasons = append(reasons, factor{left: full - nameDoubt})
	}
	if r.elsewhere(n) {
		reasons = append(reasons, factor{left: r.q.demand.elsewhere()})
	}
	return doubted(r.q.part(how), reasons)
}

// part is the share of the question that is covered as how says.
func (q *query) part(how []int) int {
	sum := 0
	for i, h := range how {
		sum += q.terms[i].weight * h
	}
	return sum * (scale / full) / max(1, q.total)
}
