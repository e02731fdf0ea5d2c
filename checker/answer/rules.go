package answer

import "slices"

// Rules are what a policy says about answers.
type Rules struct {
	// Markers are what documents write where they keep a value back; see [DefaultMarkers].
	Markers []string
	// Never are names that no answer may hold; see [NewNames].
	Never []string
}

// DefaultMarkers are the markers of a policy that gives none.
func DefaultMarkers() []string {
	return []string{"[redacted]", "<redacted>", "(redacted)", "[withheld]", "<withheld>", "***", "███"}
}

// WhyWithheld is the reason of a refusal where an answer is there and must not be
// shown. It is no gap in the documents.
const WhyWithheld = "What would answer stands beside a secret, or beside something that the policy withholds, and is withheld."

// Gap reports whether the answer is a refusal that shows what is not documented,
// in contrast to a question that could not be read, an index without facts, and
// an answer that is there and must not be shown.
func (a Answer) Gap() bool {
	return a.Refusal != nil && a.Refusal.Facts > 0 && len(a.Terms) > 0 && a.Refusal.Why != WhyWithheld
}

// Equal reports whether two policies say the same, in whatever order.
func (r Rules) Equal(other Rules) bool {
	return sameWords(r.Markers, other.Markers) && sameWords(r.Never, other.Never)
}

// Merged is what rules become where a change leaves others and brings its own: what the
// change adds to the ones that it left is added, and what it takes away goes.
func (r Rules) Merged(left, brought Rules) Rules {
	return Rules{Markers: mergedWords(r.Markers, left.Markers, brought.Markers), Never: mergedWords(r.Never, left.Never, brought.Never)}
}

func sameWords(a, b []string) bool {
	return len(Fewer(a, b))+len(Fewer(b, a)) == 0
}

func mergedWords(now, left, brought []string) []string {
	return append(Fewer(now, Fewer(left, brought)), Fewer(Fewer(brought, left), now)...)
}

// Fewer are the words of a list that are not in another.
func Fewer(list, without []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(w string) bool { return slices.Contains(without, w) })
}
