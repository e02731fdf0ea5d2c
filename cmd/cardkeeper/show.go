package main

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/spf13/cobra"
)

func showCommand() *cobra.Command {
	var w where
	c := &cobra.Command{
		Use:   "show SKILL",
		Short: "Print a skill's card with the lines that each statement was read from",
		Long:  "SKILL is the skill's folder, or its last part where that names one skill only.",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ws, err := w.open(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer ws.close()
			ws.warn(c.Context(), c.ErrOrStderr(), "The card may show one.")
			text, err := ws.show(c.Context(), args[0])
			if err != nil {
				return err
			}
			fmt.Fprint(c.OutOrStdout(), text)
			return nil
		},
	}
	w.flags(c, true)
	return c
}

func (ws *workspace) show(ctx context.Context, name string) (string, error) {
	layout, err := extractor.Discover(ws.files, ws.config.Shape)
	if err != nil {
		return "", err
	}
	files, err := findSkill(layout, name)
	if err != nil {
		return "", err
	}
	s, err := files.Read(ws.files, ws.config.Shape)
	if err != nil {
		return "", err
	}
	// What is found in the files is withheld from the lines that quote them.
	ctx = secret.Remember(ctx)
	gate := ws.gate()
	if _, err := checker.SkillLeaks(ctx, gate, ws.files, files, s); err != nil {
		return "", err
	}
	lines := lined(s, files.Main)
	if err := gate.WithholdLines(ctx, lines); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String(), nil
}

func findSkill(l extractor.Layout, name string) (extractor.SkillFiles, error) {
	name = path.Clean(strings.TrimSuffix(name, "/SKILL.md"))
	var found []extractor.SkillFiles
	var names []string
	for _, s := range l.Skills {
		if s.Path == name {
			return s, nil
		}
		if path.Base(s.Path) == name {
			found, names = append(found, s), append(names, s.Path)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return extractor.SkillFiles{}, fmt.Errorf("%w: no skill of that name; there are: %s", errUsage, someSkills(l))
	}
	return extractor.SkillFiles{}, fmt.Errorf("%w: several skills have that name; give one of: %s", errUsage, strings.Join(names, ", "))
}

// someSkills names the first skills of a layout.
func someSkills(l extractor.Layout) string {
	const most = 10
	var names []string
	for i, s := range l.Skills {
		if i == most {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(l.Skills)-most)
		}
		names = append(names, s.Path)
	}
	return strings.Join(names, ", ")
}

// lined is a card as lines, each statement after its places and read from their file.
func lined(s extractor.Skill, main string) []checker.Line {
	var out []checker.Line
	add := func(file, text string) { out = append(out, checker.Line{Text: text, From: main, File: file}) }
	add(main, s.Card.Title)
	if s.Card.Description != "" {
		add(main, s.Card.Description)
	}
	for _, section := range card.Sections() {
		add("", "")
		add("", strings.ToUpper(string(section)))
		last, any := "", false
		for _, f := range s.Facts {
			e := f.Entry()
			if e.Section != section {
				continue
			}
			any = true
			file := f.Places()[0].File
			if head := strings.Join(append([]string{e.File}, e.Context.Texts()...), " › "); head != last {
				add(file, "  "+head)
				last = head
			}
			add(file, fmt.Sprintf("    %s  %s%s", placesOf(f), ordinal(e), e.Text))
		}
		if !any {
			add("", "  Nothing documented.")
		}
	}
	return out
}

// placesOf writes a fact's places as file:line or file:first-last.
func placesOf(f card.Fact) string {
	var out []string
	for _, p := range f.Places() {
		if p.Last > p.First {
			out = append(out, fmt.Sprintf("%s:%d-%d", p.File, p.First, p.Last))
			continue
		}
		out = append(out, p.String())
	}
	return strings.Join(out, ", ")
}

func ordinal(e card.Entry) string {
	if e.Kind.Sequential() {
		return fmt.Sprintf("%d. ", e.Ordinal)
	}
	return ""
}
