package checker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// A scan is what was found in a file, and the memory of its values.
type scan struct {
	found  []Finding
	values *secret.Memory
}

// Clean drops the hits that touch a finding, in their files or in their own words.
// All files are scanned first: what one of them gives away, no hit may show. What was found
// before, for other hits, plays no part. Let are the findings that rules let into the others.
func (d *Desk) Clean(ctx context.Context, hits []answer.Hit) (out []answer.Hit, let []Finding, err error) {
	ctx, _ = secret.Apart(ctx)
	bad, err := d.scans(ctx, d.quoted(hits))
	if err != nil {
		return nil, nil, err
	}
	for _, h := range hits {
		ok, found, err := d.isClean(ctx, h, bad)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			out, let = append(out, h), append(let, found...)
		}
	}
	return out, let, nil
}

// scans scans files, or takes what it kept of them, and has ctx remember what was found.
func (d *Desk) scans(ctx context.Context, files []string) (map[string]scan, error) {
	known := d.scanned
	if known == nil {
		known = map[string]scan{}
	}
	fresh := slices.DeleteFunc(slices.Clone(files), func(file string) bool { _, kept := known[file]; return kept })
	if err := d.ready(ctx, fresh); err != nil {
		return nil, err
	}
	for _, file := range fresh {
		apart, values := secret.Apart(ctx)
		found, err := ScanFile(apart, d.scanner, d.files, file)
		if err != nil {
			return nil, err
		}
		known[file] = scan{found, values}
	}
	for _, file := range files {
		known[file].values.Tell(ctx)
	}
	return known, nil
}

// quoted lists the Markdown files that hits stand in, but for those of skills in which
// nothing is found.
func (d *Desk) quoted(hits []answer.Hit) (files []string) {
	for _, h := range hits {
		if d.clean[h.Skill] {
			continue
		}
		for _, p := range h.Fact.Places() {
			if extractor.IsMarkdown(p.File) {
				files = append(files, p.File)
			}
		}
	}
	return unique(files)
}

func (d *Desk) isClean(ctx context.Context, h answer.Hit, bad map[string]scan) (ok bool, let []Finding, err error) {
	for _, p := range h.Fact.Places() {
		for _, b := range bad[p.File].found {
			if b.Allow == nil && b.Line <= p.Last && p.First <= b.End {
				return false, nil, nil
			}
		}
	}
	return d.areClean(ctx, h)
}

// areClean reports whether the words of a hit may be shown: those of the file
// under its rules, in the order in which they are shown, since a value may begin in
// the context and end in the text; the names of files and skills under none.
func (d *Desk) areClean(ctx context.Context, h answer.Hit) (ok bool, let []Finding, err error) {
	e, places := h.Fact.Entry(), h.Fact.Places()
	words := append(e.Context.Texts(), e.Text)
	names := append(slices.Clone(h.Also), h.Skill)
	for _, p := range places {
		names = append(names, p.File)
	}
	if d.names.In(strings.Join(words, "\n")) || slices.ContainsFunc(names, d.names.In) {
		return false, nil, nil
	}
	found, err := ScanText(ctx, d.scanner, places[0].File, strings.Join(words, "\n"))
	if err != nil {
		return false, nil, fmt.Errorf("scan an answer: %w", err)
	}
	if slices.ContainsFunc(found, func(f Finding) bool { return f.Allow == nil }) {
		return false, nil, nil
	}
	known, err := d.holdsKnown(ctx, words, names, places[0].File)
	if err != nil {
		return false, nil, fmt.Errorf("scan an answer: %w", err)
	}
	return !known, found, nil
}

// holdsKnown reports whether words or names hold a value, also one that only
// another line of a file gave away.
func (d *Desk) holdsKnown(ctx context.Context, words, names []string, file string) (bool, error) {
	var lines []Line
	for _, text := range words {
		lines = append(lines, Line{Text: text, File: file})
	}
	for _, text := range names {
		lines = append(lines, Line{Text: text})
	}
	gate, ok := d.scanner.(*Gate)
	if !ok {
		gate = NewGate(d.scanner, nil, 0)
	}
	before := slices.Clone(lines)
	err := gate.WithholdLines(ctx, lines)
	return !slices.Equal(before, lines), err
}
