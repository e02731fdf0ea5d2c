package card

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Place is where a statement stands in the sources: whole lines, counted
// from 1, both ends included. File is relative to the repository's root.
type Place struct {
	File  string `json:"file"`
	First int    `json:"line"`
	Last  int    `json:"end"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.First) }

// A Reason says why a fact stands in its section.
type Reason string

// The reasons, strongest first.
const (
	ByKind    Reason = "kind"    // the kind has one section: a flag is a command
	ByHeading Reason = "heading" // a heading of the vocabulary
	ByRule    Reason = "rule"    // a rule for the long tail of headings
	ByCue     Reason = "cue"     // words of the statement itself
	ByDefault Reason = "default" // nothing spoke; architecture
)

// A Fact is an entry together with the places it was read from. The zero Fact
// is empty; a real one is made by [Ground] alone.
type Fact struct {
	entry  Entry
	places []Place
	reason Reason
}

// ErrNoPlace is returned by [Ground] for a statement that was read nowhere.
var ErrNoPlace = errors.New("a fact needs a place: a file and a line, counted from 1")

// Ground makes a fact of an entry and the places it was read from. It fails
// without a place, and for a place that cannot be one: no file, a line below 1,
// an end before its start. Places are kept sorted and each once.
func Ground(e Entry, why Reason, places ...Place) (Fact, error) {
	if len(places) == 0 {
		return Fact{}, ErrNoPlace
	}
	for _, p := range places {
		if p.File == "" || p.First < 1 || p.Last < p.First {
			return Fact{}, fmt.Errorf("%w; got %s lines %d to %d", ErrNoPlace, p.File, p.First, p.Last)
		}
	}
	sorted := slices.Clone(places)
	slices.SortFunc(sorted, comparePlaces)
	e.Context = slices.Clone(e.Context)
	return Fact{entry: e, places: slices.Compact(sorted), reason: why}, nil
}

func comparePlaces(a, b Place) int {
	if c := strings.Compare(a.File, b.File); c != 0 {
		return c
	}
	if a.First != b.First {
		return a.First - b.First
	}
	return a.Last - b.Last
}

// Entry returns what a card holds of the fact.
func (f Fact) Entry() Entry { return f.entry }

// Places returns where the fact was read, sorted by file and line. The slice is the fact's own.
func (f Fact) Places() []Place { return f.places }

// Reason says why the fact stands in its section.
func (f Fact) Reason() Reason { return f.reason }

// Merge turns facts with equal entries into one fact with all their places. The
// first one's reason stays. The order of first appearance is kept.
func Merge(facts []Fact) []Fact {
	at := make(map[Sum]int, len(facts))
	var out []Fact
	grown := map[int]bool{}
	for _, f := range facts {
		id := f.entry.Sum()
		i, seen := at[id]
		if !seen {
			at[id] = len(out)
			out = append(out, f)
			continue
		}
		if !grown[i] {
			grown[i] = true
			out[i].places = slices.Clone(out[i].places)
		}
		out[i].places = append(out[i].places, f.places...)
	}
	for i := range grown {
		slices.SortFunc(out[i].places, comparePlaces)
		out[i].places = slices.Compact(out[i].places)
	}
	return out
}
