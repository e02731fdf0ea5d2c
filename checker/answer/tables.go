package answer

import (
	"slices"
	"strings"
)

// phrasesOf reads words of a table; "_" stands for a blank.
func phrasesOf(text string) (out [][]string) {
	for _, w := range strings.Fields(text) {
		out = append(out, strings.Split(w, "_"))
	}
	return out
}

// termsAmong returns the phrases of one word as terms, and the others.
func (l *lexicon) termsAmong(text string) (terms map[string]bool, phrases [][]string) {
	terms = map[string]bool{}
	for _, p := range phrasesOf(text) {
		if len(p) == 1 {
			terms[l.stems.stem(p[0])] = true
		} else {
			phrases = append(phrases, p)
		}
	}
	return terms, phrases
}

func (l *lexicon) readAttributes() {
	for _, line := range lines("attributes.txt") {
		ask, also, _ := strings.Cut(line, ":")
		asks, _ := l.termsAmong(ask)
		own, phrases := l.termsAmong(ask + " " + also)
		l.attributes = append(l.attributes, attributeAsked{asks, attribute{own, phrases, marksOf(also)}})
	}
}

func (l *lexicon) readOpposites() {
	for _, line := range lines("opposites.txt") {
		a, b, _ := strings.Cut(line, "|")
		var pair [2]map[string]bool
		for i, text := range []string{a, b} {
			pair[i], _ = l.termsAmong(strings.ReplaceAll(text, "/", " "))
		}
		l.opposites = append(l.opposites, pair)
	}
}

func (l *lexicon) readDimensions() {
	for _, line := range lines("units.txt") {
		ask, units, _ := strings.Cut(line, ":")
		name, ask, _ := strings.Cut(ask, " ")
		d := dimension{name: name, asks: phrasesOf(ask), units: strings.Fields(units), stems: map[string]bool{}}
		for _, u := range d.units {
			d.stems[l.stems.stem(u)] = true
		}
		l.dimensions = append(l.dimensions, d)
	}
	l.answerers = map[string]map[string]bool{}
	for _, line := range lines("answerers.txt") {
		name, list, _ := strings.Cut(line, ":")
		l.answerers[name] = map[string]bool{}
		for _, w := range strings.Fields(list) {
			l.answerers[name][w] = true
		}
	}
}

// marksOf returns the words of a list that are single marks; "#" stands for any digit.
func marksOf(text string) (out []string) {
	for _, w := range strings.Fields(text) {
		if !strings.ContainsFunc(w, inName) {
			out = append(out, w)
		}
	}
	return out
}

// isUnit reports whether a term is a unit.
func (l *lexicon) isUnit(term string) bool {
	return slices.ContainsFunc(l.dimensions, func(d dimension) bool { return d.stems[term] })
}
