package answer

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
