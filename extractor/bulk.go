package extractor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// cut keeps SKILL.md whole and of every other file the first entries in
// canonical order; the rest of a file is one entry a section, with its count
// and digest, and stays a fact for questions. The result is in canonical order.
func (r *reader) cut(facts []card.Fact) []card.Fact {
	slices.SortFunc(facts, func(a, b card.Fact) int { return card.Compare(a.Entry(), b.Entry()) })
	seen := map[string]int{}
	var bulk []bulkKey
	var kept []card.Fact
	for _, f := range facts {
		e := f.Entry()
		seen[e.File]++
		if seen[e.File] <= r.shape.MaxEntriesPerFile || r.relative(r.files.Main) == e.File {
			kept = append(kept, f)
			continue
		}
		bulk = addBulk(bulk, e, f)
	}
	for _, k := range bulk {
		r.rest = append(r.rest, k.facts...)
		r.ground(&kept, k.entry(), card.ByKind, k.place())
	}
	slices.SortFunc(kept, func(a, b card.Fact) int { return card.Compare(a.Entry(), b.Entry()) })
	return kept
}

// A bulkKey is the rest of one file in one section.
type bulkKey struct {
	section card.Section
	file    string
	facts   []card.Fact
}

func addBulk(all []bulkKey, e card.Entry, f card.Fact) []bulkKey {
	for i := range all {
		if all[i].section == e.Section && all[i].file == e.File {
			all[i].facts = append(all[i].facts, f)
			return all
		}
	}
	return append(all, bulkKey{e.Section, e.File, []card.Fact{f}})
}

func (b bulkKey) entry() card.Entry {
	var all strings.Builder
	for _, f := range b.facts {
		all.WriteString(f.Entry().Identity())
	}
	return card.Entry{
		Section: b.section, File: b.file, Kind: card.Bulk,
		Text: fmt.Sprintf("%d more entries · sha256 %s", len(b.facts), digest(all.String())),
	}
}

// place spans from the first to the last line of what is not printed.
func (b bulkKey) place() card.Place {
	p := b.facts[0].Places()[0]
	for _, f := range b.facts {
		for _, other := range f.Places() {
			p.First, p.Last = min(p.First, other.First), max(p.Last, other.Last)
		}
	}
	return p
}
