package drift

import (
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxDiffLines bounds a comparison, in lines of both texts that stand in both
// and not at their common beginning or end. At worst its time grows with their
// product; so many take some tenths of a second. Hand-written files stay far below.
const maxDiffLines = 10_000

// Added reports for each line of a text, the first at 0, whether it is new
// against an older one. The answer is exact; where the two are too much alike in
// another order to be compared in time, all lines count as new.
func Added(before, after string) []bool {
	old, now := lines(before), lines(after)
	out := make([]bool, len(now))
	first := 0
	for first < min(len(old), len(now)) && old[first] == now[first] {
		first++
	}
	last := 0
	for last < min(len(old), len(now))-first && old[len(old)-1-last] == now[len(now)-1-last] {
		last++
	}
	old, now = old[first:len(old)-last], now[first:len(now)-last]
	a, b, at := shared(old, now)
	for i := range now {
		out[first+i] = true
	}
	if len(a)+len(b) > maxDiffLines {
		for i := range out {
			out[i] = true
		}
		return out
	}
	for _, i := range kept(a, b) {
		out[first+at[i]] = false
	}
	return out
}

// lines are a text's lines without their ends, so that LF for CRLF is no change.
func lines(text string) []string {
	out := strings.Split(text, "\n")
	for i, l := range out {
		out[i] = strings.TrimSuffix(l, "\r")
	}
	return out
}

// firstLine is where lines are mapped to: a private plane, so that no line's rune
// is a surrogate or one that the library treats in its own way.
const firstLine = 0xf0000

// shared writes both texts as runes, one for each distinct line, without the
// lines that stand in one of them alone: these have changed in any comparison.
// at says which line of the newer text each rune is.
func shared(old, now []string) (a, b []rune, at []int) {
	runes := map[string]rune{}
	for _, l := range old {
		runes[l] = 0
	}
	next := rune(firstLine)
	for i, l := range now {
		r, both := runes[l]
		if !both {
			continue
		}
		if r == 0 {
			r = next
			// More distinct lines than the plane has are more than are compared.
			next = min(next+1, 0xffffd)
			runes[l] = r
		}
		b, at = append(b, r), append(at, i)
	}
	for _, l := range old {
		if r := runes[l]; r != 0 {
			a = append(a, r)
		}
	}
	return a, b, at
}

// kept lists the places in b of a longest common run of a and b.
func kept(a, b []rune) (out []int) {
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0
	i := 0
	for _, d := range differ.DiffMainRunes(a, b, false) {
		n := len([]rune(d.Text))
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			for range n {
				out = append(out, i)
				i++
			}
		case diffmatchpatch.DiffInsert:
			i += n
		}
	}
	return out
}
