package search

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// An automaton finds many words in one pass over a text, as Aho and Corasick
// do. Its words are folded, and so is each character of the text as it is read.
//
// It is a table of states by classes of bytes, some 400 KB for the words of three
// hundred rules, and takes a few nanoseconds a byte where no word ends.
type automaton struct {
	class   [256]uint8 // bytes that no word has are of class 0
	classes int
	next    []uint16            // by state and class
	ends    [][]int32           // by state: the words that end there
	runes   map[rune]characters // those outside ASCII that matter
}

// characters are what one character of a text stands for.
type characters struct {
	folded string
	odd    bool // its lower case is another word than its folded form
}

// fold writes a text with one form for each set of characters that differ only
// in case.
func fold(text string) string {
	out := make([]rune, 0, len(text))
	for _, r := range text {
		out = append(out, foldRune(r))
	}
	return string(out)
}

// foldRune is the first character of those that differ only in case, but for
// ASCII the small letter: so the Kelvin sign is a k.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if least < utf8.RuneSelf {
		return unicode.ToLower(least)
	}
	return least
}

// newAutomaton makes an automaton, or reports false for more states than it can
// number.
func newAutomaton(words []string) (a automaton, ok bool) {
	a = automaton{classes: 1, runes: map[rune]characters{}}
	for _, w := range words {
		a.alphabet(w)
	}
	for c := 'A'; c <= 'Z'; c++ {
		a.class[c] = a.class[unicode.ToLower(c)]
	}
	a.next, a.ends = make([]uint16, a.classes), make([][]int32, 1)
	for id, w := range words {
		if len(a.ends)+len(w) > math.MaxUint16 {
			return a, false
		}
		a.insert(w, int32(id))
	}
	a.link()
	return a, true
}

// alphabet gives classes to the bytes of a word, and takes in all characters of
// texts that may stand in it.
func (a *automaton) alphabet(word string) {
	for i := 0; i < len(word); i++ {
		if a.class[word[i]] == 0 {
			a.class[word[i]] = uint8(a.classes)
			a.classes++
		}
	}
	for _, r := range word {
		for f := unicode.SimpleFold(r); ; f = unicode.SimpleFold(f) {
			if f >= utf8.RuneSelf {
				odd := foldRune(unicode.ToLower(f)) != r || unicode.ToLower(f) != unicode.ToLower(r)
				a.runes[f] = characters{string(r), odd}
			}
			if f == r {
				break
			}
		}
	}
	// The one character whose lower case is of another set.
	a.runes['\u0130'] = characters{odd: true}
}

// insert adds the states of a word.
func (a *automaton) insert(word string, id int32) {
	state := 0
	for i := 0; i < len(word); i++ {
		at := state*a.classes + int(a.class[word[i]])
		if a.next[at] == 0 {
			a.next[at] = uint16(len(a.ends))
			a.next = append(a.next, make([]uint16, a.classes)...)
			a.ends = append(a.ends, nil)
		}
		state = int(a.next[at])
	}
	a.ends[state] = append(a.ends[state], id)
}

// link fills in where to go on when a word breaks off, level by level.
func (a *automaton) link() {
	back := make([]int, len(a.ends))
	queue := []int{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for c := range a.classes {
			at := state*a.classes + c
			fallback := 0
			if state != 0 {
				fallback = int(a.next[back[state]*a.classes+c])
			}
			to := int(a.next[at])
			if to == 0 {
				a.next[at] = uint16(fallback)
				continue
			}
			back[to] = fallback
			a.ends[to] = append(a.ends[to], a.ends[fallback]...)
			queue = append(queue, to)
		}
	}
}

// walk calls see for each word of the text, with the span of the word's last
// character, until see reports false. It reports whether an odd character stood
// in the text.
func (a *automaton) walk(text string, see func(words []int32, last Span) bool) (odd bool) {
	state, width := 0, 0
	for i := 0; i < len(text); i += width {
		width = 1
		if c := text[i]; c < utf8.RuneSelf {
			state = int(a.next[state*a.classes+int(a.class[c])])
		} else {
			var r rune
			r, width = utf8.DecodeRuneInString(text[i:])
			chars, ok := a.runes[r]
			if !ok {
				state = 0
				continue
			}
			odd = odd || chars.odd
			if chars.folded == "" {
				state = 0
			}
			for j := 0; j < len(chars.folded); j++ {
				state = int(a.next[state*a.classes+int(a.class[chars.folded[j]])])
			}
		}
		if words := a.ends[state]; len(words) > 0 && !see(words, Span{i, i + width}) {
			return odd
		}
	}
	return odd
}
