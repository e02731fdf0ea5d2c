package main

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// scanGate puts the allow rules of a tree before a scanner.
// Which files are cards, and of which skills, is looked up once it matters.
func scanGate(files fs.FS, cfg config.Config, s checker.Scanner) *checker.Gate {
	gate := checker.NewGate(s, cfg.Policy.Allow, today())
	skills := sync.OnceValue(func() map[string][]string {
		layout, err := extractor.Discover(files, cfg.Shape)
		if err != nil {
			return nil // then no rule for a skill's file speaks for its card
		}
		out := map[string][]string{}
		for _, skill := range layout.Skills {
			out[skill.Path] = skill.Files
		}
		return out
	})
	gate.Cards(func(file string) []string {
		if folder, ok := card.Folder(cfg.Shape.Cards, file); ok {
			return skills()[folder]
		}
		return nil
	})
	return gate
}

// scan scans a text. The allow rules speak of the repository's own files alone.
func (r *scanReport) scan(ctx context.Context, name, file, text string) ([]checker.Finding, error) {
	if file != "" {
		return checker.ScanText(ctx, r.gate, file, text)
	}
	return checker.ScanText(ctx, r.scanner, name, text)
}

// below returns a file's path relative to a folder, and whether it lies below it.
func below(root, name string) (string, bool) {
	top, err := filepath.Abs(root)
	if err != nil {
		return "", false
	}
	file, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(top, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// mark says until when the policy allows the finding.
func (f scanFinding) mark() string {
	if f.Allow == nil {
		return ""
	}
	return " (allowed until " + f.Allow.Until.String() + ")"
}
