package answer

import "strings"

// compound joins words that are one: a skill's name written with blanks, what
// the table of compounds holds, also around a short object ("set this up"), and
// neighbours whose joined form the index knows but not both halves.
func (x *Index) compound(r reader, words []word) []word {
	var out []word
	taken := map[int]bool{}
	for i, w := range words {
		if taken[i] {
			continue
		}
		if name, n := x.spelledName(r, words[i:]); n > 1 {
			for j := range n {
				taken[i+j] = true
			}
			out = append(out, name)
			continue
		}
		if both, at := x.partner(r, words, i); at > 0 && !taken[at] {
			taken[at] = true
			w = word{surface: w.surface + " " + words[at].surface, norm: both}
		}
		out = append(out, w)
	}
	return out
}

// nameWords is the most words of a skill's name that are looked for.
const nameWords = 5

// spelledName returns the skill's name that words begin with, as one word, and
// of how many words it is made: at least two, or 0.
func (x *Index) spelledName(r reader, words []word) (word, int) {
	surface, whole := "", ""
	var parts []string
	for i, w := range words[:min(nameWords, len(words))] {
		if len(w.parts) > 0 || w.pair {
			break
		}
		surface, whole = strings.TrimSpace(surface+" "+w.surface), whole+w.surface
		if !w.stop {
			parts = append(parts, w.norm)
		}
		if norm := r.stems.stem(whole); i > 0 && x.names[norm] {
			return word{surface: surface, norm: norm, parts: parts}, i + 1
		}
	}
	return word{}, 0
}

// objectWords is how many words may stand inside a divided compound.
const objectWords = 3

// partner returns the joined form of word i and a later one, and that one's
// index, or 0.
func (x *Index) partner(r reader, words []word, i int) (string, int) {
	w := words[i]
	for at := i + 1; at < len(words) && at <= i+1+objectWords; at++ {
		both, ok := r.joined(w, words[at])
		if ok && (at == i+1 || words[at].stop) {
			return both, at
		}
	}
	if i+1 == len(words) || w.pair || w.stop || words[i+1].stop || len(w.parts)+len(words[i+1].parts) > 0 {
		return "", 0
	}
	both := r.stems.stem(strings.ToLower(w.surface + words[i+1].surface))
	if len(x.own[both]) > 0 && (len(x.own[w.norm]) == 0 || len(x.own[words[i+1].norm]) == 0) {
		return both, i + 1
	}
	return "", 0
}
