package extractor

import (
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Shape is the part of the configuration that decides what the cards are. The
// zero Shape is not useful; start from [DefaultShape].
type Shape struct {
	// Cards is the folder of the cards, relative to the root.
	Cards string
	// Exclude lists what is neither a skill nor part of one. A pattern without
	// a slash matches a folder or file of that name anywhere; one with a slash
	// before its end matches from the root, "**" standing for any folders. "*" and "?" do not
	// cross a slash.
	Exclude []string
	// Vocabulary maps headings to sections, before the built-in table. Keys are
	// compared as [NormalHeading] leaves them.
	Vocabulary map[string]card.Section
	// MaxEntriesPerFile is how many entries of a file other than SKILL.md a card
	// prints; the rest is a count and a digest.
	MaxEntriesPerFile int
}

// DefaultShape is the shape of a repository without a configuration.
func DefaultShape() Shape {
	return Shape{
		Cards:   "cards",
		Exclude: []string{"tests", "fixtures", "node_modules"},
		// 200 keeps the card of a skill with 15 MB of references readable, and
		// leaves 97 of 100 measured reference files whole.
		MaxEntriesPerFile: 200,
	}
}

// Excluded reports whether the shape keeps the path out of every skill: it, or
// a folder above it, matches an exclude, is a version control folder, or is the cards folder.
func (s Shape) Excluded(name string) bool {
	if name == s.Cards || strings.HasPrefix(name, s.Cards+"/") {
		return true
	}
	parts := strings.Split(name, "/")
	if slices.Contains(parts, ".git") {
		return true
	}
	return slices.ContainsFunc(s.Exclude, func(pattern string) bool { return Matches(pattern, name) })
}

// Matches reports whether a path, or a folder above it, matches a pattern in the
// syntax of [Shape].Exclude. A malformed pattern matches nothing.
func Matches(pattern, name string) bool {
	return excludes(strings.TrimSuffix(pattern, "/"), strings.Split(name, "/"))
}

func excludes(pattern string, parts []string) bool {
	if !strings.Contains(pattern, "/") {
		return slices.ContainsFunc(parts, func(p string) bool { return matches(pattern, p) })
	}
	globs := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	for n := 1; n <= len(parts); n++ {
		if matchParts(globs, parts[:n]) {
			return true
		}
	}
	return false
}

// matchParts matches a whole path. "**" takes any number of folders. Where a
// later part fails, only the last "**" needs to take one more, so that the time
// is bounded by the product of both lengths whatever a pattern says.
func matchParts(globs, parts []string) bool {
	g, p := 0, 0
	star, taken := -1, 0 // the last "**", and how far it reaches
	for p < len(parts) {
		switch {
		case g < len(globs) && globs[g] == "**":
			star, taken = g, p
			g++
		case g < len(globs) && matches(globs[g], parts[p]):
			g++
			p++
		case star >= 0:
			taken++
			g, p = star+1, taken
		default:
			return false
		}
	}
	for g < len(globs) && globs[g] == "**" {
		g++
	}
	return g == len(globs)
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok // a malformed pattern was refused when the configuration was read
}
