package extractor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// maxCard is how many bytes of entries a card prints, about: 4 MiB. The largest card of the
// measured collections has a seventh of that; a page beyond it is shown nowhere.
const maxCard = 4 << 20

// cut keeps SKILL.md whole and of every other file the first entries in
// canonical order; the rest of a file is one entry a section, with its count
// and digest, and stays a fact for questions. A card beyond maxCard is cut
// there, whatever the file. The result is in canonical order.
func (r *reader) cut(facts []card.Fact) []card.Fact {
	slices.SortFunc(facts, func(a, b card.Fact) int { return card.Compare(a.Entry(), b.Entry()) })
	seen := map[string]int{}
	var b bulk
	var kept []card.Fact
	size := 0
	var last card.Context
	for _, f := range facts {
		e := f.Entry()
		seen[e.File]++
		size += len(e.Text) + len("- \n")
		if !slices.Equal(last, e.Context) {
			size += 2 * len(strings.Join(e.Context.Texts(), " › ")) // the title of the group, and its link
			last = e.Context
		}
		if size <= maxCard && (seen[e.File] <= r.shape.MaxEntriesPerFile || r.relative(r.files.Main) == e.File) {
			kept = append(kept, f)
			continue
		}
		b.add(e, f)
	}
	for _, k := range b.keys {
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

// bulk is what a card does not print, in the order in which it was met.
type bulk struct {
	keys []*bulkKey
	at   map[string]*bulkKey
}

func (b *bulk) add(e card.Entry, f card.Fact) {
	if b.at == nil {
		b.at = map[string]*bulkKey{}
	}
	id := string(e.Section) + "/" + e.File
	if b.at[id] == nil {
		b.at[id] = &bulkKey{section: e.Section, file: e.File}
		b.keys = append(b.keys, b.at[id])
	}
	b.at[id].facts = append(b.at[id].facts, f)
}

func (b bulkKey) entry() card.Entry {
	all := sha256.New()
	for _, f := range b.facts {
		io.WriteString(all, f.Entry().Identity())
	}
	return card.Entry{
		Section: b.section, File: b.file, Kind: card.Bulk,
		Text: fmt.Sprintf("%d more entries · sha256 %s", len(b.facts), hex.EncodeToString(all.Sum(nil)[:16])),
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
