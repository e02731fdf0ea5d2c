package answer

import (
	"slices"
	"strings"
)

// compound joins words that are one: a skill's name written with blanks, what
// the table of compounds holds, also around a short object ("set this up"), and
// neighbours whose joined form the index knows but not both halves.
func (x *Index) compound(r reader, words []word) []word {
	out, taken := make([]word, 0, len(words)), map[int]bool{}
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
	var room [64]byte
	whole := room[:0]
	for i, w := range words[:min(nameWords, len(words))] {
		if len(w.parts) > 0 || w.pair {
			break
		}
		whole = append(whole, w.surface...)
		if i > 0 && x.mayName(whole) && x.named(r, whole) {
			return spelled(words[:i+1], r.stems.stem(string(whole))), i + 1
		}
	}
	return word{}, 0
}

// spelled makes one word of several.
func spelled(words []word, norm string) word {
	out := word{norm: norm}
	for i, w := range words {
		if i > 0 {
			out.surface += " "
		}
		out.surface += w.surface
		if !w.stop {
			out.parts = append(out.parts, w.norm)
		}
	}
	return out
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
	if x.held(w.norm) > 0 && x.held(words[i+1].norm) > 0 {
		return "", 0
	}
	if both := r.stems.stem(strings.ToLower(w.surface + words[i+1].surface)); x.held(both) > 0 {
		return both, i + 1
	}
	return "", 0
}

// mayName reports whether the stem of a word can be a skill's name. A stem begins as its
// word does; of a short word only the first letter is sure ("dying" is stemmed to "die").
func (x *Index) mayName(w []byte) bool {
	sure := w[:min(1, len(w))]
	if len(w) > 6 {
		sure = w[:2]
	}
	low, high := 0, len(x.names)
	for low < high {
		if mid := (low + high) / 2; x.words.word(int(x.names[mid])) < string(sure) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(x.names) && strings.HasPrefix(x.words.word(int(x.names[low])), string(sure))
}

// named reports whether a word's stem is the name of a skill.
func (x *Index) named(r reader, w []byte) bool {
	id := x.words.find(r.stems.stem(string(w)))
	return id >= 0 && x.files(uint32(id))
}

// files reports whether a term is a skill's name.
func (x *Index) files(id uint32) bool {
	_, ok := slices.BinarySearch(x.names, id)
	return ok
}

// held is how many facts' own texts hold a term.
func (x *Index) held(norm string) int { return len(x.holders.row(x.words.find(norm))) }
