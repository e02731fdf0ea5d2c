package answer

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// MaxAlso is how many further wordings of a question are read.
const MaxAlso = 8

// Ask answers one question: any text, up to [MaxQuestion] characters. Characters that
// show nothing are dropped first.
//
// The caller may put the question in further words; the first [MaxAlso] are read. The
// facts of all wordings are ordered together, and what the floor reads of a fact is the
// mean over the wordings, so that none of them lifts what the others do not (law 9).
func (x *Index) Ask(question string, also ...string) Answer {
	read, why := x.wordings(question, also)
	defer done(read)
	if why != "" {
		return x.refuse(read, nil, 0, why)
	}
	list, sure := x.list(read)
	found := x.merge(read)
	chosen := judged(read, x.choose(read[0], found, MaxHits))
	if read[0].q.whole(list, sure, chosen) {
		return x.accept(read, x.listed(read, list), sure, true)
	}
	if ids, sure, many := x.inventory(read[0]); many {
		return x.refuse(read, nil, 0, whyTooMany)
	} else if len(ids) > 0 && sure >= listFloor {
		return x.accept(read, x.listed(read, ids), sure, true)
	}
	best := surest(chosen)
	if best < Floor {
		if judged(read, found); len(chosen) == 0 {
			best = surest(found)
		}
		return x.refuse(read, found, best, read[0].why(found))
	}
	a := x.accept(read, chosen, best, false)
	a.standings = standings(found, false)
	return a
}

// why says what a refusal is due to: what the question names, where a fact of something
// else would have answered.
func (r *reading) why(found []candidate) string {
	for _, c := range found {
		switch {
		case c.base < Floor:
		case len(r.q.demand.skills) > 0 && !r.x.concerns(c.id, r.say(c.id), r.q.demand.skills):
			return whyElsewhere
		case len(r.q.demand.flags) > 0 && r.breaks(&c):
			return whyFlag
		}
	}
	return whyUncovered
}

// judged judges facts that were found for one wording. For more, the mean was judged.
func judged(read []*reading, found []candidate) []candidate {
	for i := range found {
		if len(read) == 1 {
			found[i] = read[0].judge(found[i])
		}
	}
	return found
}

// done ends readings.
func done(read []*reading) {
	for _, r := range read {
		r.done()
	}
}

// wordings reads a question in all its words; why says what is wrong with it. The caller
// ends what was read with done.
func (x *Index) wordings(question string, also []string) (read []*reading, why string) {
	all := append([]string{question}, also[:min(MaxAlso, len(also))]...)
	if slices.ContainsFunc(all, func(w string) bool { return utf8.RuneCountInString(w) > MaxQuestion }) {
		return nil, whyTooLong
	}
	for i, w := range all {
		if r := x.read(w); i == 0 || len(r.q.terms) > 0 {
			if i > 0 {
				r.wording = w
			}
			read = append(read, r)
		} else {
			r.done()
		}
	}
	switch {
	case len(read[0].q.words) == 0 && len((reader{lex: x.lex, stems: stemmer{}}).words(question)) > 0:
		return read, whyInstructs
	case len(read[0].q.terms) == 0:
		return read, whyNoWords
	case !slices.ContainsFunc(read[0].q.terms, func(t queryTerm) bool { return !isNumber(t.norm) }):
		return read, whyNumber
	case len(x.facts) == 0:
		return read, whyNoFacts
	}
	return read, ""
}

// merge puts the shortlists of all wordings together. A fact is judged by the mean over
// the wordings, those included that it shares no word with, and ordered by the wording
// that fits it best.
func (x *Index) merge(read []*reading) []candidate {
	if len(read) == 1 {
		return read[0].found
	}
	at := map[int]int{}
	var out []candidate
	for _, r := range read {
		for _, c := range r.found {
			n, seen := at[c.id]
			if !seen {
				n = len(out)
				at[c.id] = n
				out = append(out, x.average(read, c.id))
			}
			out[n].rank = max(out[n].rank, r.q.ideal(c.rank))
		}
	}
	slices.SortFunc(out, better)
	return out
}

// average returns the candidate for a fact with its base and what the doubts leave as the
// mean over the wordings. Its matches are those of the question itself.
func (x *Index) average(read []*reading, id int) candidate {
	out, best := candidate{id: id}, 0
	for i, r := range read {
		c := r.look(id).kept()
		if i == 0 {
			out.own, out.cover, out.form = c.own, c.cover, c.form
		}
		if !c.held() {
			continue
		}
		c = r.judge(c)
		if i == 0 {
			out.bonus, out.taught = c.bonus, c.taught
		}
		if c.sure > best && best < Floor { // the question itself, or what says more than it
			out.wording, best = r.wording, c.sure
		}
		out.line = cmp.Or(out.line, c.line)
		out.base += c.base
		out.sure += c.sure
	}
	out.base, out.sure = out.base/len(read), out.sure/len(read)
	return out
}

// ideal is a rank as a share, in millionths, of the weight of the question, so that long
// and short wordings compare.
func (q query) ideal(rank int) int {
	total := 0
	for _, t := range q.terms {
		total += t.rare
	}
	return rank * (full * full) / max(1, total)
}

// besideShare is how much of the first hit's base, in thousandths, a further one must
// have to be cited beside it. A quarter more would leave right ones out.
const besideShare = 400

// choose takes the best candidates whose base passes the floor and is not far below the
// first one's, none twice: not the same statement of another skill, not the same lines.
func (x *Index) choose(r *reading, found []candidate, most int) []candidate {
	var out []candidate
	for _, c := range found {
		far := len(out) > 0 && c.base*full < out[0].base*besideShare
		if c.base >= Floor && !far && !x.repeats(out, c) && !r.breaks(&c) {
			out = append(out, c)
		}
		if len(out) == most {
			break
		}
	}
	return out
}

// repeats reports whether c says what is chosen already, or stands on its lines.
func (x *Index) repeats(chosen []candidate, c candidate) bool {
	return slices.ContainsFunc(chosen, func(other candidate) bool { return x.Same(c.id, other.id) })
}

// listed judges the members of a list, in its order.
func (x *Index) listed(read []*reading, ids []int) []candidate {
	out := make([]candidate, len(ids))
	for i, id := range ids {
		out[i] = x.average(read, id)
	}
	return out
}

// surest is how close the best candidate came.
func surest(found []candidate) int {
	best := 0
	for _, c := range found {
		best = max(best, c.sure)
	}
	return best
}
