package answer

import (
	"html"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// againstFigure looks whether a fact holds a figure, and one of what is asked for.
func (r *reading) againstFigure(c *candidate, s *said, add reason) {
	d := &r.q.demand
	if !d.figure {
		return
	}
	if left := r.leftOf(c, s); left < full {
		add("its figure is of something else", left)
	}
	held, kept := unitWords(s.e.Text+"\n"+s.around), holdsMarker(html.UnescapeString(s.e.Text), r.x.markers)
	switch {
	case kept: // a marker stands for any figure
	case len(d.units) > 0 && !slices.ContainsFunc(d.units, func(u string) bool { return held[u] }):
		add("its figure has another unit", unitLeft)
	case len(d.units) == 0 && c.form&formUnmet != 0 && !r.x.lex.holdsNumber(s.e.Text):
		add("it holds no figure", nameLeft)
	case d.counted != "" && s.own[d.counted] && !s.counts(d.counted, r.x.lex):
		add("it counts something else", unitLeft)
	}
}

// leftOf says how far a fact is about what the figure is asked of: by itself and what is
// right above it, by more that surrounds it, or not at all.
func (r *reading) leftOf(c *candidate, s *said) int {
	d := &r.q.demand
	if len(d.subject) == 0 {
		return full
	}
	left := subjectLeft
	for _, i := range d.subject {
		t := r.q.terms[i]
		switch {
		case t.minor || c.own[i].how >= evidence || s.near[t.norm]:
			return full
		case c.cover[i] >= nearly && (len(t.parts) > 0 || d.counted != ""):
			return full
		case c.cover[i] >= nearly:
			left = max(left, aroundLeft)
		}
	}
	return left
}

// counts reports whether a figure stands near a word.
func (s *said) counts(term string, l *lexicon) bool {
	for i, w := range s.words {
		if w.norm != term {
			continue
		}
		for _, near := range s.words[max(0, i-besideWords):min(len(s.words), i+besideWords+1)] {
			if l.holdsNumber(near.surface) {
				return true
			}
		}
	}
	return false
}

// againstAttribute looks for the attribute that is asked for, and that it is one of the
// right thing.
func (r *reading) againstAttribute(c *candidate, s *said, add reason) {
	d := &r.q.demand
	if slices.ContainsFunc(d.attributes, func(a attribute) bool { return !s.has(a) }) {
		add("it says nothing of the attribute that is asked for", attributeLeft)
	}
	if !r.covers(c, s, d.bearer) {
		add("it is the attribute of something else", attributeLeft)
	}
}

// wordedOtherwise counts an attribute that a fact says in other words, "at most" for the
// maximum, as said by a synonym.
func (r *reading) wordedOtherwise(c *candidate) {
	d := &r.q.demand
	for n, a := range d.attributes {
		i := d.asked[n]
		if c.cover[i] < nearly && r.say(c.id).says(a) {
			c.cover[i] = synonym
		}
	}
}

// has reports whether a fact speaks of an attribute: itself, or what is right above it. In
// a table the cell below it must say something.
func (s *said) has(a attribute) bool {
	if s.says(a) {
		return true
	}
	if s.e.Kind == card.Row {
		for _, c := range s.e.Context {
			if c.Role == card.Columns {
				if at := columnOf(c.Text, a); at >= 0 {
					return cellSays(s.e.Text, at)
				}
			}
		}
	}
	return overlap(s.near, a.own)
}

// says reports whether a fact's own text speaks of an attribute.
func (s *said) says(a attribute) bool {
	return overlap(s.own, a.own) || s.holdsAny(a.phrases) || s.marked(a.marks)
}

// marked reports whether a fact holds one of the marks; "#" is any digit.
func (s *said) marked(marks []string) bool {
	return slices.ContainsFunc(marks, func(m string) bool {
		return m == "#" && strings.ContainsAny(s.e.Text, "0123456789") || m != "#" && strings.Contains(s.e.Text, m)
	})
}

// columnOf is the column of a table's header that names the attribute, or -1.
func columnOf(header string, a attribute) int {
	r := reader{lex: words(), stems: stemmer{}}
	for i, cell := range strings.Split(header, "|") {
		if overlap(r.termsOf(r.words(cell)), a.own) {
			return i
		}
	}
	return -1
}

// cellSays reports whether a cell of a row holds a letter or digit.
func cellSays(row string, at int) bool {
	cells := strings.Split(row, "|")
	return at >= len(cells) || strings.ContainsFunc(cells[at], inName)
}
