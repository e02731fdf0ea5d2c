package suite

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Near is what a reference names that is not there, and what is there nearest to it.
type Near struct {
	Kind  string // "skill", "file" or "heading"
	Named string
	There string // "" where nothing is like it
}

// says tells it in words.
func (n Near) says() string {
	text := "there is no " + n.Kind + " " + oneLine(n.Named)
	if n.There != "" {
		text += "; the nearest is " + oneLine(n.There)
	}
	return text
}

// maxNear bounds the names that are looked for in one run, and maxName the length of one, in
// bytes: each is compared with all skills and files of the index.
const (
	maxNear = 20
	maxName = 200
)

// near finds out whether a reference is misspelt in its skill or file, or else in its heading.
func (e Expected) near(r Reference) (out []Near) {
	if r.Skill == "" && r.File == "" && r.Under == "" || len(e.misspelt) >= maxNear {
		return nil
	}
	for _, one := range []Near{{Kind: skillName, Named: r.Skill}, {Kind: fileName, Named: r.File}} {
		if one.Named == "" {
			continue
		}
		found, known := e.misspelt[one]
		if !known {
			found.there, found.nearest = e.nearest(one)
			e.misspelt[one] = found
		}
		if !found.there {
			one.There = found.nearest
			out = append(out, one)
		}
	}
	if r.Under != "" && len(out) == 0 {
		out = e.nearHeading(r)
	}
	return out
}

// nearHeading compares the heading of a reference with those above the facts that it names
// otherwise: where there are none, the heading is not what is wrong.
func (e Expected) nearHeading(r Reference) []Near {
	without := target{Reference: r, text: words(r.Text)}
	one := Near{Kind: headingName, Named: r.Under}
	at := Near{headingName, r.Under, r.Text + "\x00" + r.Skill + "\x00" + r.File + "\x00" + r.Section}
	found, known := e.misspelt[at]
	if !known {
		seen := map[string]bool{}
		e.index.Each(func(_ int, skill string, f card.Fact) bool {
			if without.narrows(skill, f) && strings.Contains(words(f.Entry().Text), without.text) {
				for _, c := range f.Entry().Context {
					seen[c.Text] = true
				}
			}
			return true
		})
		found.there, found.nearest = nearestOf(one, slices.Sorted(maps.Keys(seen)))
		found.there = found.there || len(seen) == 0
		e.misspelt[at] = found
	}
	if found.there {
		return nil
	}
	one.There = found.nearest
	return []Near{one}
}

// A spelled says whether a name is there, and which one is nearest where it is not.
type spelled struct {
	there   bool
	nearest string
}

// nearest compares a name with those of the index.
func (e Expected) nearest(n Near) (there bool, nearest string) {
	if len(e.names) == 0 {
		e.list()
	}
	return nearestOf(n, e.names[n.Kind])
}

// nearestOf compares a name with others, which stand in the alphabet's order. Of equally near ones
// the first is taken, and none that has more than half of it changed.
func nearestOf(n Near, names []string) (there bool, nearest string) {
	best := len(n.Named)/2 + 1
	for _, name := range names {
		if name == n.Named {
			return true, ""
		}
		if len(name) > maxName || len(n.Named) > maxName {
			continue
		}
		d := edits(strings.ToLower(n.Named), strings.ToLower(name), best)
		if path.Base(name) == path.Base(n.Named) && n.Kind == skillName {
			d = min(d, 1) // the same skill in another folder
		}
		if d < best {
			best, nearest = d, name
		}
	}
	return false, nearest
}

// The kinds of names.
const (
	skillName   = "skill"
	fileName    = "file"
	headingName = "heading"
)

// list gathers the names of the index, once.
func (e Expected) list() {
	seen := map[string]map[string]bool{skillName: {}, fileName: {}}
	e.index.Each(func(_ int, skill string, f card.Fact) bool {
		seen[skillName][skill] = true
		for _, p := range f.Places() {
			seen[fileName][p.File] = true
		}
		return true
	})
	for kind, names := range seen {
		e.names[kind] = slices.Sorted(maps.Keys(names))
	}
}

// edits is how many letters differ between two texts, or most where they are that many.
func edits(a, b string, most int) int {
	if len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
		if slices.Min(row) >= most {
			return most
		}
	}
	return min(row[len(b)], most)
}
