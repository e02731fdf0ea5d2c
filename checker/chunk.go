package checker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// scanChunk is how much text is scanned at once, in bytes: a quarter of what
// the scanner takes, since its time grows faster than the text.
const scanChunk = 1 << 20

// chunk says how many of the first texts are scanned together, one a line: as
// many as fit, and at least one. A single text may be longer than a chunk.
func chunk(n int, size func(i int) int) int {
	total := 0
	for i := range n {
		if total += size(i) + 1; total > scanChunk {
			return max(i, 1)
		}
	}
	return n
}

// ScanFacts scans facts as they stand in the index, one a line. A finding is at
// the fact's first place.
func ScanFacts(ctx context.Context, s Scanner, facts []card.Fact) ([]Finding, error) {
	texts, at := make([]string, len(facts)), make([]card.Place, len(facts))
	for i, f := range facts {
		texts[i], at[i] = f.Entry().Text, f.Places()[0]
	}
	return scanTexts(ctx, s, texts, at)
}

// scanNames scans the names of files, which stand on cards and in answers. A
// finding is at the file's first line.
func scanNames(ctx context.Context, s Scanner, files []string) ([]Finding, error) {
	texts, at := make([]string, len(files)), make([]card.Place, len(files))
	for i, file := range files {
		texts[i], at[i] = file+"\n"+parted(file), card.Place{File: file, First: 1, Last: 1}
	}
	return scanTexts(ctx, s, texts, at)
}

// parted puts each part of a path on a line of its own. Rules end a token where
// prose ends it, and a slash does not.
func parted(path string) string { return strings.ReplaceAll(path, "/", "\n") }

// WithholdPaths takes found values out of a text that names files: also such as
// are told only where a part of a path stands by itself. The number of lines
// stays the same.
func WithholdPaths(ctx context.Context, s Scanner, text string) (string, error) {
	ctx = secret.Remember(ctx)
	if strings.Contains(text, "/") {
		if _, err := s.Scan(ctx, parted(text)); err != nil {
			return "", fmt.Errorf("scan the names of files: %w", err)
		}
	}
	return s.Withhold(ctx, text, nil)
}

// scanTexts scans texts and tells each finding at its text's place.
func scanTexts(ctx context.Context, s Scanner, texts []string, at []card.Place) ([]Finding, error) {
	var out []Finding
	for len(texts) > 0 {
		n := chunk(len(texts), func(i int) int { return len(texts[i]) })
		found, err := scanTogether(ctx, s, texts[:n], at[:n])
		if err != nil {
			return nil, fmt.Errorf("scan the facts of %s: %w", at[0].File, err)
		}
		out = append(out, found...)
		texts, at = texts[n:], at[n:]
	}
	return out, nil
}

// scanTogether scans texts as one, a line each. A text with a value that may pass
// in its file is scanned anew by itself, for what that value hides.
func scanTogether(ctx context.Context, s Scanner, texts []string, at []card.Place) ([]Finding, error) {
	var owner []int // of each line
	for i, text := range texts {
		for range strings.Count(text, "\n") + 1 {
			owner = append(owner, i)
		}
	}
	found, err := s.Scan(ctx, strings.Join(texts, "\n"))
	if err != nil {
		return nil, err
	}
	gate, _ := s.(*Gate)
	var out []Finding
	apart := map[int]bool{}
	for _, f := range found {
		i, last := owner[min(max(f.First, 1), len(owner))-1], owner[min(max(f.Last, 1), len(owner))-1]
		if f.Rule == secret.WithheldRule && i != last {
			continue // words of two texts that stand together only here
		}
		one := finding(f, at[i].File, at[i].First, at[i].Last)
		if gate != nil && gate.allows(one) != nil {
			apart[i] = true
			continue
		}
		out = append(out, one)
	}
	for _, i := range slices.Sorted(maps.Keys(apart)) {
		found, err := ScanText(ctx, s, at[i].File, texts[i])
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			f.Line, f.End = at[i].First, at[i].Last
			out = append(out, f)
		}
	}
	return out, nil
}
