package answer

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// A spelling is a word of the facts as it is written, and the term that it is compared as.
type spelling struct {
	surface string
	term    uint32
}

// spellings are all spellings of an index. A word that is one edit away keeps its
// first half or its second: so it is looked for only among those of nearly its
// length that share a half.
type spellings struct {
	text  string
	start []uint32 // where each begins; one more than there are
	terms []uint32
	runes []uint32 // by length in characters: where those begin, in either order
	back  []uint32 // the same words, ordered within a length by their bytes from the last on
	times []uint32 // how often each stands in the facts, so that one can be taken away
}

// newSpellings orders spellings by length and bytes. Those that are too long for any question stay out.
func newSpellings(seen map[spelling]uint32, to []uint32) spellings {
	all, times := make([]spelling, 0, len(seen)), make([]uint32, 0, len(seen))
	for w, n := range seen {
		if utf8.RuneCountInString(w.surface) <= MaxQuestion {
			all, times = append(all, spelling{w.surface, to[w.term]}), append(times, n)
		}
	}
	runes := make([]int, len(all))
	order := make([]uint32, len(all))
	for i, w := range all {
		runes[i], order[i] = utf8.RuneCountInString(w.surface), uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(runes[a]-runes[b], strings.Compare(all[a].surface, all[b].surface), cmp.Compare(all[a].term, all[b].term))
	})
	s := spellings{start: []uint32{0}}
	var text []byte
	for _, i := range order {
		w := all[i]
		text = append(text, w.surface...)
		s.start, s.terms, s.times = append(s.start, uint32(len(text))), append(s.terms, w.term), append(s.times, times[i])
	}
	s.text = string(text)
	s.measure()
	s.back = make([]uint32, len(all))
	for i := range s.back {
		s.back[i] = uint32(i)
	}
	for n := range len(s.runes) - 1 {
		slices.SortFunc(s.back[s.runes[n]:s.runes[n+1]], func(a, b uint32) int {
			return cmp.Or(compareBackward(s.surface(int(a)), s.surface(int(b))), cmp.Compare(a, b))
		})
	}
	return s
}

// measure finds where the spellings of each length begin.
func (s *spellings) measure() {
	s.runes = make([]uint32, MaxQuestion+3)
	for i := range s.terms {
		s.runes[utf8.RuneCountInString(s.surface(i))+1]++
	}
	for n := range MaxQuestion + 2 {
		s.runes[n+1] += s.runes[n]
	}
}

func (s *spellings) surface(i int) string { return s.text[s.start[i]:s.start[i+1]] }

// compareBackward orders by bytes from the last to the first.
func compareBackward(a, b string) int {
	for len(a) > 0 && len(b) > 0 {
		x, y := a[len(a)-1], b[len(b)-1]
		if x != y {
			return cmp.Compare(x, y)
		}
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return cmp.Compare(len(a), len(b))
}

// near calls see for all spellings of n characters that begin with start or end
// with end. It may call twice for one.
func (s *spellings) near(n int, start, end string, see func(i int)) {
	if n < 0 || n+1 >= len(s.runes) {
		return
	}
	first, last := int(s.runes[n]), int(s.runes[n+1])
	for i := first + sort.Search(last-first, func(i int) bool { return s.surface(first+i) >= start }); i < last; i++ {
		if !strings.HasPrefix(s.surface(i), start) {
			break
		}
		see(i)
	}
	back := s.back[first:last]
	for i := sort.Search(len(back), func(i int) bool { return compareBackward(s.surface(int(back[i])), end) >= 0 }); i < len(back); i++ {
		if !strings.HasSuffix(s.surface(int(back[i])), end) {
			break
		}
		see(int(back[i]))
	}
}
