package answer

import (
	"slices"
	"strings"
)

// skillsNamed returns the skills that a question names: by a name of several words, by a
// word that hardly means anything else, by one beside "skill", or by a folder.
func (x *Index) skillsNamed(question string, raw []word, q *query) (out []uint32, spaced bool) {
	var norms []uint32
	for _, t := range q.terms {
		id := uint32(t.variants[0].id)
		if len(t.parts) > 0 && slices.Contains(q.skills, id) || x.onlyNames(t) {
			norms, spaced = append(norms, id), spaced || strings.Contains(t.surface, " ")
		}
	}
	for i, w := range raw {
		beside := i+1 < len(raw) && raw[i+1].norm == "skill" || i > 0 && raw[i-1].surface == "skill"
		if beside && x.isName(w.norm) {
			norms = append(norms, uint32(x.words.find(w.norm)))
		}
	}
	paths := strings.Contains(question, "/")
	if len(norms) == 0 && !paths {
		return nil, false
	}
	for i, s := range x.skills {
		if slices.Contains(norms, s.norm) || paths && strings.Contains(s.path, "/") && holdsPath(question, s.path) {
			out = append(out, uint32(i))
		}
	}
	return out, spaced
}

// holdsPath reports whether a text holds a path with nothing of a name right beside it.
func holdsPath(text, path string) bool {
	at := strings.Index(text, path)
	if at < 0 {
		return false
	}
	before, after := strings.TrimRight(text[:at], "/."), text[at+len(path):]
	last := ' '
	for _, c := range before {
		last = c
	}
	return !inName(last) && !inName(firstRune(after)) && !strings.HasPrefix(after, "-")
}

// onlyNames reports whether a single word is the name of a skill and hardly stands in
// facts of others, so that it means the skill.
func (x *Index) onlyNames(t queryTerm) bool {
	if len(t.parts) > 0 || t.pair || !x.isName(t.norm) {
		return false
	}
	in, out := 0, 0
	for _, id := range x.holders.row(t.variants[0].id) {
		if int(x.skills[x.skillOf(int(id))].norm) == t.variants[0].id {
			in++
		} else if out++; out > mostElsewhere {
			return false
		}
	}
	return elsewhereShare*out <= in
}

// A single word is the name of a skill and nothing else where facts of other skills hold it
// a quarter as often at most. More than some are not counted.
const mostElsewhere, elsewhereShare = 50, 4

// isName reports whether a term is a skill's name.
func (x *Index) isName(term string) bool {
	id := x.words.find(term)
	return id >= 0 && x.files(uint32(id))
}
