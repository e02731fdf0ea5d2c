package answer

import (
	"fmt"
	"slices"
	"strings"
)

// Misread returns the words of the question that were read as others, where a hit hangs on
// that: whoever reads the answer has to know.
func (a Answer) Misread() (out []Term) {
	for _, t := range a.Terms {
		hangs := func(h Hit) bool {
			return slices.ContainsFunc(h.Terms, func(s TermScore) bool { return s.Term == t.Term && s.By != Nothing && s.By != Related })
		}
		if a.Answered && t.ReadAs != "" && (a.List || slices.ContainsFunc(a.Hits, hangs)) {
			out = append(out, t)
		}
	}
	return out
}

// before is what a reader has to know before the hits, a line each.
func (a Answer) before(code func(string) string) string {
	var b strings.Builder
	for _, t := range a.Misread() {
		fmt.Fprintf(&b, "Read %s as %s.\n", code(t.Term), code(t.ReadAs))
	}
	if a.Elsewhere {
		b.WriteString("The skill that the question names says nothing of it; this is from another.\n")
	}
	return b.String()
}
