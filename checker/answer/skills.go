package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// inOrder returns the skills by path, those of one path as one, each with its
// facts merged and in canonical order. A fact without a place is none (law 1).
func inOrder(skills []Skill) []Skill {
	sorted := slices.Clone(skills)
	slices.SortStableFunc(sorted, func(a, b Skill) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Name, b.Name))
	})
	var out []Skill
	for _, s := range sorted {
		if n := len(out); n > 0 && out[n-1].Path == s.Path {
			out[n-1].Facts = slices.Concat(out[n-1].Facts, s.Facts)
			continue
		}
		out = append(out, s)
	}
	for i := range out {
		grounded := slices.DeleteFunc(slices.Clone(out[i].Facts), func(f card.Fact) bool { return len(f.Places()) == 0 })
		merged := card.Merge(grounded)
		slices.SortStableFunc(merged, func(a, b card.Fact) int { return card.Compare(a.Entry(), b.Entry()) })
		out[i].Facts = merged
	}
	return out
}

// speaks reports whether the entry's text is a statement. The skill's name is
// none (law 9), nor is a count and digest of what other facts say in full. Such
// facts are counted and never cited.
func speaks(e card.Entry) bool {
	switch e.Kind {
	case card.Bulk, card.Example:
		return false
	case card.Field:
		return !slices.Contains(e.Context, card.Element{Role: card.Key, Text: "name"})
	}
	return true
}

// twinKey is equal for facts that say the same in two skills: all but the file,
// the place in a sequence and the outermost heading, which is the skill's title.
func twinKey(e card.Entry) card.Entry {
	e.File, e.List, e.Ordinal = "", 0, 0
	if len(e.Context) > 0 && e.Context[0].Role == card.Heading {
		e.Context = e.Context[1:]
	}
	return e
}
