package answer

import (
	"hash/maphash"
	"slices"
)

// A dictionary numbers words. Those of an index stand in the order of their bytes, so that
// equal sets of words have equal numbers on every machine.
type dictionary struct {
	text  string   // all words, one after another
	start []uint32 // where each begins; one more than there are words
	seed  maphash.Seed
	table []uint32 // a word's number plus one at its hash or behind; at most half full
}

// newDictionary numbers words that differ, those of an index sorted. The hash has a seed of
// the process, so that nobody can write words that collide; numbers do not depend on it.
func newDictionary(text string, start []uint32) dictionary {
	d := dictionary{text: text, start: start, seed: maphash.MakeSeed()}
	size := 8
	for size < 2*len(start) {
		size *= 2
	}
	d.table = make([]uint32, size)
	for i := range d.len() {
		at := d.hash(d.word(i))
		for d.table[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		d.table[at] = uint32(i) + 1
	}
	return d
}

func (d *dictionary) hash(w string) int {
	return int(maphash.String(d.seed, w) & uint64(len(d.table)-1))
}

// len is the number of words.
func (d *dictionary) len() int { return max(0, len(d.start)-1) }

// word returns the word of a number.
func (d *dictionary) word(i int) string { return d.text[d.start[i]:d.start[i+1]] }

// find returns the number of a word, or -1.
func (d *dictionary) find(w string) int {
	if len(d.table) == 0 {
		return -1
	}
	for at := d.hash(w); d.table[at] != 0; at = (at + 1) & (len(d.table) - 1) {
		if i := int(d.table[at]) - 1; d.word(i) == w {
			return i
		}
	}
	return -1
}

// An interner numbers words as they come, until all are known.
type interner struct {
	numbers map[string]uint32
	words   []string
}

func (n *interner) number(w string) uint32 {
	if i, known := n.numbers[w]; known {
		return i
	}
	i := uint32(len(n.words))
	n.numbers[w] = i
	n.words = append(n.words, w)
	return i
}

// dictionary returns the words in order, and the number in it of each number so far.
func (n *interner) dictionary() (dictionary, []uint32) {
	order := make([]uint32, len(n.words))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if n.words[a] < n.words[b] {
			return -1
		}
		return 1
	})
	to, start := make([]uint32, len(order)), make([]uint32, 1, len(order)+1)
	var text []byte
	for i, old := range order {
		to[old] = uint32(i)
		text = append(text, n.words[old]...)
		start = append(start, uint32(len(text)))
	}
	return newDictionary(string(text), start), to
}
