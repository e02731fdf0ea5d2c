package answer

import (
	"regexp"
	"slices"
	"strings"
)

// figures reads whether a figure is asked for, of what and in which unit.
func (d *demand) figures(l *lexicon, question string, raw []word, q *query) {
	d.figure = holdsPhrase(raw, []string{"percent"})
	for i, w := range raw {
		if w.surface != "how" || i+1 == len(raw) || !isMeasure(raw[i+1].surface) {
			continue
		}
		d.figure = true
		if !byPerson.MatchString(question) {
			subject, done := subjectOf(l, raw[i+2:])
			d.subject, d.verb = q.termsIn(subject), q.termsIn(done)
		}
	}
	if !d.figure {
		return
	}
	for _, u := range l.dimensions {
		if slices.ContainsFunc(u.asks, func(p []string) bool { return holdsPhrase(raw, p) }) {
			d.units = u.units
			break
		}
	}
	if counted := l.counted(raw); !l.isUnit(counted) {
		d.counted = counted
	}
}

// isMeasure reports whether "how" and the word ask for a figure.
func isMeasure(w string) bool {
	switch w {
	case "many", "much", "long", "often", "large", "big", "old", "far", "high", "wide", "tall", "small":
		return true
	}
	return false
}

// subjectOf returns the words, after those that ask for a figure, of what the figure is:
// behind the auxiliary as far as the next preposition, without the verb at the end.
func subjectOf(l *lexicon, rest []word) (subject, done []word) {
	at := slices.IndexFunc(rest, func(w word) bool { return isAuxiliary(w.surface) })
	if at < 0 {
		return nil, nil
	}
	aux := rest[at].surface
	var out []word
	for _, w := range rest[at+1:] {
		if w.stop && !isArticle(w.surface) {
			break
		}
		if !l.isUnit(w.norm) && !w.stop && !l.numbers[w.surface] && !isNumber(w.norm) {
			out = append(out, w)
		}
	}
	n := len(out) - 1
	switch {
	case n < 1:
		return out, nil
	case strings.HasPrefix(aux, "do") || !isPassive(out[n].surface):
		return out[:n], nil
	}
	return out[:n], out[n:]
}

// isPassive reports whether a word at the end says what is done with a thing.
func isPassive(w string) bool {
	switch w {
	case "kept", "held", "built", "sent", "written", "shown", "stored", "run", "taken", "given", "lost":
		return true
	}
	return strings.HasSuffix(w, "ed")
}

func isAuxiliary(w string) bool {
	switch w {
	case "is", "are", "was", "were", "do", "does", "did", "can", "could", "may", "might", "must", "shall", "should", "will", "would", "has", "have":
		return true
	}
	return false
}

func isArticle(w string) bool {
	switch w {
	case "a", "an", "the", "this", "that", "these", "those", "my", "our", "your", "its", "each", "every", "one":
		return true
	}
	return false
}

// termsIn returns which terms of the question words are.
func (q *query) termsIn(words []word) (out []int) {
	for i, t := range q.terms {
		if slices.ContainsFunc(words, func(w word) bool { return w.norm == t.norm }) {
			out = append(out, i)
		}
	}
	return out
}

// forbids reports whether a question asks when or what not: "when may I not", "what must
// never". "Why does it not" and "what if it does not" ask about a fault.
func forbids(raw []word) bool {
	no := false
	for i, w := range raw {
		switch s := strings.ReplaceAll(w.surface, "'", ""); s {
		case "why", "if", "how", "happens", "although", "but":
			return false
		case "not", "never":
			no = no || i > 0
		case "mustnt", "shouldnt", "maynt", "cant", "cannot":
			no = true
		}
	}
	return no && len(raw) > 0 && (raw[0].surface == "when" || raw[0].surface == "what" || raw[0].surface == "which" || raw[0].surface == "where" || raw[0].surface == "who")
}

// toDo is how a question begins that asks for a way to do something.
var toDo = regexp.MustCompile(`(?i)\bhow\s+(?:(?:do|can|could|should|would|must|may|might)\s+(?:i|we|you|one|they|people)|to)\s+([\pL-]+)`)

// byPerson is who asks for himself, which is not what a figure is of.
var byPerson = regexp.MustCompile(`(?i)\b(?:am|are|do|can|could|should|would|must|may|might|have|had)\s+(?:i|we|you|one|they|people)\b`)

// way reads what "how do I" is about to do, and with what: the words from the verb to the
// next small word.
func (d *demand) way(r reader, question string, q *query) {
	m := toDo.FindStringSubmatchIndex(question)
	if m == nil {
		return
	}
	d.verb = q.termsIn(r.words(question[m[2]:m[3]]))
	for _, w := range r.words(question[m[3]:]) {
		if w.stop && !isArticle(w.surface) {
			break
		}
		d.object = append(d.object, q.termsIn([]word{w})...)
	}
}
