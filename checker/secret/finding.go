package secret

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
)

// A Tier says what a finding does to a merge.
type Tier string

const (
	// Block is for values that look like working credentials.
	Block Tier = "block"
	// Warn is for identifiers that are public by design and for values that are
	// as often a cache key as a secret. A warning must never stop a merge.
	Warn Tier = "warn"
)

// A Finding is a secret found, without the secret. Lines and columns count from
// 1, both ends included. Columns count bytes of the line, not characters, and
// name the value's own first and last byte; where it stands encoded, the
// encoded run's.
type Finding struct {
	Rule     string `json:"rule"`
	Tier     Tier   `json:"tier"`
	First    int    `json:"line"`
	Last     int    `json:"end"`
	FirstCol int    `json:"column"`
	LastCol  int    `json:"end_column"`
	// Fingerprint is the same for one rule and value wherever they stand.
	Fingerprint string `json:"fingerprint"`
}

// mostValues is how many values of one text get a fingerprint: more take longer
// than the default deadline, and are told at once.
const mostValues = 4000

// findings merges the hits, gives each its tier, place and fingerprint.
func (s *Scanner) findings(ctx context.Context, text string, hits []hit) ([]Finding, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	values := map[string]bool{}
	for _, h := range hits {
		values[h.value] = true
	}
	if len(values) > mostValues {
		return nil, fmt.Errorf("%w: more than %d secrets; split the file", ErrNotScanned, mostValues)
	}
	breaks := lineBreaks(text)
	prints := newPrinter(ctx, s.opts.Salt)
	var out []Finding
	for _, m := range merge(ctx, hits) {
		if ctx.Err() != nil {
			return nil, s.unscanned(ctx)
		}
		f := Finding{Rule: m.rule, Tier: m.tier, Fingerprint: prints.of(m.rule, m.value)}
		f.First, f.FirstCol = position(breaks, m.start)
		f.Last, f.LastCol = position(breaks, m.end-1)
		out = append(out, f)
	}
	if ctx.Err() != nil { // the merge may have been cut short
		return nil, s.unscanned(ctx)
	}
	slices.SortFunc(out, func(a, b Finding) int {
		return cmp.Or(a.First-b.First, a.FirstCol-b.FirstCol, a.Last-b.Last, a.LastCol-b.LastCol,
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
	return slices.Compact(out), nil
}

// position turns a byte of the text into line and column.
func position(breaks []int, at int) (line, column int) {
	i := sort.SearchInts(breaks, at)
	if i == 0 {
		return 1, at + 1
	}
	return i + 1, at - breaks[i-1]
}

type merged struct {
	hit
	tier Tier
}

// merge makes one of the hits that are one secret: those whose bytes meet and of
// which one value holds the other. The more specific rule gives the name, the
// graver tier stays. Two values in one encoded run remain two. When ctx has ended the
// result is not whole.
func merge(ctx context.Context, hits []hit) []merged {
	var out []merged
	for group := range chains(hits) {
		out = append(out, mergeGroup(ctx, slices.Clone(group))...)
	}
	return out
}

// chains yields the runs of hits of which each touches one before it. The hits
// are sorted by where they start.
func chains(hits []hit) iter.Seq[[]hit] {
	return func(yield func([]hit) bool) {
		for start := 0; start < len(hits); {
			end, reach := start+1, hits[start].end
			for end < len(hits) && hits[end].start < reach {
				reach = max(reach, hits[end].end)
				end++
			}
			if !yield(hits[start:end]) {
				return
			}
			start = end
		}
	}
}

// mergeGroup merges hits that touch in a chain. It looks at each with each: many
// values in one encoded run take long, so it gives up when ctx has ended.
func mergeGroup(ctx context.Context, group []hit) []merged {
	slices.SortStableFunc(group, func(a, b hit) int {
		return cmp.Or(generality(a.rule)-generality(b.rule), len(b.value)-len(a.value), strings.Compare(a.rule, b.rule))
	})
	var out []merged
next:
	for _, h := range group {
		if ctx.Err() != nil {
			return nil
		}
		for i := range out {
			if absorbs(out[i].hit, h) {
				if tier(h) == Block {
					out[i].tier = Block
				}
				continue next
			}
		}
		out = append(out, merged{h, tier(h)})
	}
	return out
}

// absorbs reports whether b, which comes later in order, is the secret a again.
func absorbs(a, b hit) bool {
	if a.start >= b.end || b.start >= a.end || a.sealed() || b.sealed() {
		return false
	}
	return strings.Contains(a.value, b.value) || generality(b.rule) == 3 ||
		generality(a.rule) < generality(b.rule) && strings.Contains(b.value, a.value)
}

// public names the rules for identifiers that are meant to be shown.
func public(rule string) bool {
	switch rule {
	case "flutterwave-public-key", "lob-pub-api-key", "mailgun-pub-key", "sendbird-access-id", "sumologic-access-id":
		return true
	}
	return false
}

// classes counts lower case, upper case, digits and the rest.
func classes(value string) int {
	var seen [4]int
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c >= 'a' && c <= 'z':
			seen[0] = 1
		case c >= 'A' && c <= 'Z':
			seen[1] = 1
		case c >= '0' && c <= '9':
			seen[2] = 1
		default:
			seen[3] = 1
		}
	}
	return seen[0] + seen[1] + seen[2] + seen[3]
}
