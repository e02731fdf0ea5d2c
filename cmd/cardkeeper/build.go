package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/spf13/cobra"
)

func buildCommand() *cobra.Command {
	var w where
	var all bool
	c := &cobra.Command{
		Use:   "build",
		Short: "Write the cards of all skills whose files changed",
		RunE: func(c *cobra.Command, _ []string) error {
			return build(c.Context(), w, all, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	w.flags(c, true)
	c.Flags().BoolVar(&all, "all", false, "also renew cards of an older edition whose skills did not change")
	return c
}

// A builder writes cards.
type builder struct {
	*workspace
	out   *os.Root
	all   bool
	gate  *checker.Gate
	found []checker.Finding // in all skills
	leaks []checker.Finding // those that keep a card from being written
	held  []checker.Finding // those of skills whose cards are as they should be
	newer []string          // cards of a newer edition
	lines []string          // for stderr, once they were scanned
	stats extractor.Stats

	written, removed, kept int
	skills                 int
	empty                  map[card.Section]int
}

func build(ctx context.Context, w where, all bool, stdout, stderr io.Writer) error {
	ws, err := w.open(ctx, stderr)
	if err != nil {
		return err
	}
	defer ws.close()
	return ws.build(ctx, all, false, stdout, stderr)
}

// build writes the cards. The first time, it lists all that was found for review.
func (ws *workspace) build(ctx context.Context, all, first bool, stdout, stderr io.Writer) error {
	out, err := ws.root()
	if err != nil {
		return err
	}
	defer out.Close()
	b := &builder{workspace: ws, out: out, gate: ws.gate(), all: all, empty: map[card.Section]int{}}
	if err := b.run(ctx); err != nil {
		return err
	}
	b.say(stdout)
	b.offer(stderr)
	for _, f := range b.leaks {
		b.tell("%s:%d: %s. Its card was not written%s", f.File, f.Line, mend(f), b.ended(f))
	}
	for _, f := range b.held {
		b.tell("%s:%d: %s. Its card was written before%s", f.File, f.Line, mend(f), b.ended(f))
	}
	if first {
		if err := b.review(ctx, stdout); err != nil {
			return err
		}
	}
	b.warn(ctx, stderr, "The cards were written without it; cardkeeper check fails until then.")
	if len(b.lines) > 0 {
		tell(ctx, b.scanner, stderr, strings.Join(b.lines, "\n"))
	}
	switch {
	case len(b.newer) > 0:
		return fmt.Errorf("not written, since a newer cardkeeper made them (upgrade this one): %s", strings.Join(b.newer, ", "))
	case len(b.leaks)+len(b.held) > 0:
		return result(exitFound)
	}
	return nil
}

// tell keeps a line for the person at the keyboard.
func (b *builder) tell(format string, args ...any) {
	b.lines = append(b.lines, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
}

func (b *builder) run(ctx context.Context) error {
	layout, err := b.layout()
	if err != nil {
		return err
	}
	for _, n := range layout.Notes {
		b.tell("%s", n)
	}
	wanted := map[string]bool{}
	for _, s := range layout.Skills {
		wanted[card.File(b.config.Shape.Cards, s.Path)] = true
		skill, err := s.Read(b.files, b.config.Shape)
		if err != nil {
			return err
		}
		for _, n := range skill.Notes {
			b.tell("%s", n)
		}
		if err := b.write(ctx, s, skill); err != nil {
			return err
		}
	}
	return b.prune(wanted)
}

// write writes one card, unless it is fresh, of an older edition and unchanged, or
// holds a secret. Each skill is scanned, since a rule may have ended or a value be
// withheld since its card was written.
func (b *builder) write(ctx context.Context, files extractor.SkillFiles, s extractor.Skill) error {
	b.stats.Add(s.Stats)
	b.skills++
	for _, section := range s.Card.Empty() {
		b.empty[section]++
	}
	name := card.File(b.config.Shape.Cards, s.Path)
	text := card.Render(s.Card)
	committed, err := b.onDisk(name)
	if err != nil {
		return err
	}
	v := drift.Judge(text, committed)
	if v.State == drift.Newer {
		b.newer = append(b.newer, name)
		return nil
	}
	found, err := checker.SkillFindings(ctx, b.gate, b.files, files, s)
	if err != nil {
		return err
	}
	b.found = append(b.found, found...)
	found = slices.DeleteFunc(found, func(f checker.Finding) bool { return !f.Leaks() })
	switch {
	case v.State == drift.Fresh, v.State == drift.Older && !b.all:
		b.kept++
		b.held = append(b.held, found...)
		return nil
	case len(found) > 0:
		b.leaks = append(b.leaks, found...)
		return nil
	}
	b.written++
	return tree.WriteFile(b.out, name, text)
}

// onDisk reads a card as it lies in the folder; nil for none. A symbolic link
// in its place is none, and is replaced.
func (b *builder) onDisk(name string) ([]byte, error) {
	info, err := b.out.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := b.out.ReadFile(name)
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// prune removes the cards of skills that are gone. A file that is no card stays.
func (b *builder) prune(wanted map[string]bool) error {
	names, err := checker.CardFiles(b.files, b.config.Shape.Cards)
	if err != nil {
		return err
	}
	for _, name := range names {
		if wanted[name] {
			continue
		}
		data, err := b.onDisk(name)
		if err != nil {
			return err
		}
		if checker.Marked(data) {
			b.removed++
			if err := tree.Remove(b.out, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) say(stdout io.Writer) {
	fmt.Fprintf(stdout, "%s written, %d unchanged, %d removed\n", count(b.written, "card"), b.kept, b.removed)
	p := b.stats.Placed
	fmt.Fprintf(stdout, "entries placed: %d by kind, %d by heading, %d by rule, %d by cue, %d by default; %d left out\n",
		p[card.ByKind], p[card.ByHeading], p[card.ByRule], p[card.ByCue], p[card.ByDefault], b.stats.LeftOut)
	for _, section := range card.Sections() {
		if n := b.empty[section]; n > 0 {
			fmt.Fprintf(stdout, "%s: nothing documented in %d of %d skills\n", section, n, b.skills)
		}
	}
}

// mend is what to do about a finding.
func mend(f checker.Finding) string {
	if f.Withheld() {
		return "withheld value. " + checker.TakeOut
	}
	return "secret (" + f.Rule + "); rotate it, then remove it"
}

// count writes a number of things.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// attributes is the line that keeps the cards' bytes equal on every machine,
// and folds them away in a pull request's diff.
func attributes(cards string) string { return cards + "/** text eol=lf linguist-generated" }

// offer names the line for .gitattributes where it is missing.
func (b *builder) offer(stderr io.Writer) {
	data, err := fs.ReadFile(b.files, ".gitattributes")
	if err == nil && containsLine(data, attributes(b.config.Shape.Cards)) || !b.local.Git() {
		return
	}
	fmt.Fprintf(stderr, "tip: add this line to .gitattributes: %s\n", attributes(b.config.Shape.Cards))
}
