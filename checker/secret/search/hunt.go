package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// edge is what a window has beside what matches can reach: one character, which
	// \b and the like look at.
	edge = utf8.UTFMax
	// leastGrowth is by how many bytes at least a window grows where a match came
	// to its end.
	leastGrowth = 1 << 10
	// asks is how many words may pass before the context is looked at.
	asks = 1 << 12
)

// A hunt is one query at work.
type hunt struct {
	ctx     context.Context
	set     *Set
	query   Query
	text    string
	scale   int              // how many bytes a character may have that a reach takes for one
	opened  []bool           // by keyword: the text holds it
	windows map[int][]Span   // by pattern
	walks   map[int]*[2]walk // by anchor
	tried   []trial          // by tail
}

// A trial is what a tail said last, and where.
type trial struct {
	end  int
	fits bool
}

func newHunt(ctx context.Context, s *Set, q Query) *hunt {
	h := &hunt{
		ctx: ctx, set: s, query: q, text: q.Text, scale: 1,
		opened: make([]bool, len(s.keywords)), windows: map[int][]Span{},
		walks: map[int]*[2]walk{}, tried: make([]trial, s.tails),
	}
	if strings.Contains(q.Text, "\u017f") || strings.Contains(q.Text, "\u212a") {
		h.scale = len("\u212a")
	}
	return h
}

// look goes over the text once and notes keywords and windows.
func (h *hunt) look() error {
	seen := 0
	odd := h.set.find.walk(h.text, func(words []int32, last Span) bool {
		for _, id := range words {
			w := &h.set.words[id]
			for _, g := range w.gates {
				h.opened[g] = true
			}
			for i := range w.probes {
				h.try(&w.probes[i], last)
			}
		}
		seen++
		return seen%asks != 0 || h.ctx.Err() == nil
	})
	if odd {
		lower := strings.ToLower(h.text)
		for g, k := range h.set.keywords {
			h.opened[g] = strings.Contains(lower, k)
		}
	}
	return h.ctx.Err()
}

// try notes the window around a word if a match can be there.
func (h *hunt) try(p *probe, last Span) {
	if h.query.Skip != nil && h.query.Skip(p.pattern) {
		return
	}
	a := p.anchor
	start := max(0, last.End-utf8.UTFMax*a.longest)
	if p.exact != "" {
		start = last.End - len(p.exact)
		if start < 0 || h.text[start:last.End] != p.exact {
			return
		}
	}
	if a.tail != nil && !h.fits(a.tail, last) {
		return
	}
	walks := h.walks[a.id]
	if walks == nil {
		walks = &[2]walk{}
		h.walks[a.id] = walks
	}
	from := walks[0].backward(&a.before, h.text, start, h.scale)
	to := walks[1].forward(&a.after, h.text, last.End, h.scale)
	h.note(p.pattern, h.window(from, to))
}

// fits asks a tail once for a place: several patterns may share it.
func (h *hunt) fits(t *tail, last Span) bool {
	was := &h.tried[t.id]
	if was.end != last.End {
		*was = trial{last.End, t.fits(h.text, last, h.scale)}
	}
	return was.fits
}

// window adds room for the edges. It may begin within a character: no match
// begins so near to its start.
func (h *hunt) window(from, to int) Span {
	return Span{max(0, from-edge), min(len(h.text), to+edge)}
}

// note adds a window, to the last one if they meet: where words are dense, most do,
// and the list stays short.
func (h *hunt) note(pattern int, w Span) {
	all := h.windows[pattern]
	if n := len(all); n > 0 && w.touches(all[n-1]) {
		all[n-1] = Span{min(w.Start, all[n-1].Start), max(w.End, all[n-1].End)}
		return
	}
	h.windows[pattern] = append(all, w)
}

// open reports whether the text holds one of a pattern's keywords.
func (h *hunt) open(pattern int) bool {
	gates := h.set.gates[pattern]
	return len(gates) == 0 || slices.ContainsFunc(gates, func(g int) bool { return h.opened[g] })
}

// A ready window has been looked through; found is how many matches stand before it.
type ready struct {
	Span
	found int
}

// matches runs one pattern over its windows.
//
// Windows that meet are one, so each match of the whole text lies in one window, and
// no two windows share one. Going from left to right in each therefore gives what
// going through the whole text gives, also where matches would overlap and only the
// first counts. For that reason windows are left out after they are joined, not
// before, where the query wants only some.
func (h *hunt) matches(pattern int) ([]Span, error) {
	windows := joined(h.windows[pattern])
	if h.set.whole[pattern] {
		windows = []Span{{0, len(h.text)}}
	}
	var out []Span
	var done []ready
	for next := 0; next < len(windows); {
		if err := h.ctx.Err(); err != nil {
			return nil, err
		}
		w := windows[next]
		next++
		found, ok := h.run(pattern, w)
		for !ok {
			w = h.grown(w)
			for ; next < len(windows) && windows[next].Start <= w.End; next++ {
				w.End = max(w.End, windows[next].End)
			}
			for n := len(done); n > 0 && done[n-1].touches(w); n = len(done) {
				w.Start = min(w.Start, done[n-1].Start)
				out, done = out[:done[n-1].found], done[:n-1]
			}
			found, ok = h.run(pattern, w)
		}
		done = append(done, ready{w, len(out)})
		out = append(out, found...)
	}
	return slices.DeleteFunc(out, func(s Span) bool { return !h.wanted(s) }), nil
}

// run gives the matches in a window, or false where one comes so near to its end
// that the whole text may say otherwise: a word whose tail does not fit has no
// window, but may stand in that of another, and seem to fit where that is cut.
func (h *hunt) run(pattern int, w Span) ([]Span, bool) {
	if !h.wanted(w) {
		return nil, true
	}
	var out []Span
	for _, at := range h.set.patterns[pattern].Expression.FindAllStringIndex(h.text[w.Start:w.End], -1) {
		end := w.Start + at[1]
		if end > w.End-edge && w.End < len(h.text) {
			return nil, false
		}
		out = append(out, Span{w.Start + at[0], end})
	}
	return out, true
}

// grown is a window three times as long.
func (h *hunt) grown(w Span) Span {
	by := max(leastGrowth, w.End-w.Start)
	return h.window(w.Start-by, w.End+by)
}

// wanted reports spans that touch what the query wants touched.
func (h *hunt) wanted(s Span) bool {
	if h.query.Touching == nil {
		return true
	}
	i, _ := slices.BinarySearchFunc(h.query.Touching, s.Start, func(t Span, at int) int { return cmp.Compare(t.End, at) })
	return i < len(h.query.Touching) && h.query.Touching[i].touches(s)
}

// joined sorts windows and joins those that meet.
func joined(windows []Span) []Span {
	slices.SortFunc(windows, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	var out []Span
	for _, w := range windows {
		if n := len(out); n > 0 && w.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, w.End)
			continue
		}
		out = append(out, w)
	}
	return out
}
