package extractor

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A trial is one line of the README's table and what it stands for: files
// before and after.
type trial struct{ before, after map[string]string }

// md is an edit of SKILL.md alone.
func md(before, after string) trial {
	return trial{map[string]string{"SKILL.md": "# T\n\n" + before}, map[string]string{"SKILL.md": "# T\n\n" + after}}
}

// neutralTrials holds, in the README's words, what changes no byte of a card.
func neutralTrials() map[string][]trial {
	return map[string][]trial{
		"lines wrapped elsewhere, blank lines, trailing blanks": {
			md("- one two\n  three\n- four\n", "- one\n  two three\n- four\n"), md("a\n\nb\n", "a\n\n\n\nb\n"), md("a\nb\n", "a  \nb \n")},
		"`*` or `+` for `-`, `1)` for `1.`": {
			md("- a\n- b\n", "* a\n* b\n"), md("- a\n- b\n", "+ a\n+ b\n"), md("1. a\n2. b\n", "1) a\n2) b\n")},
		"CRLF for LF": {md("- a\n\n1. b\n", "- a\r\n\r\n1. b\r\n")},
		"items of a bullet list in another order": {md("- a\n- b\n- c\n", "- c\n- a\n- b\n")},
		"a paragraph moved within its heading, headings in another order": {
			md("## H\n\na\n\n- b\n\nc\n", "## H\n\nc\n\n- b\n\na\n"), md("## H\n\na\n\n## I\n\nb\n", "## I\n\nb\n\n## H\n\na\n")},
		"HTML comments, relative link targets, table padding": {
			md("a b\n", "a <!-- note --> b\n"), md("see [x](a.md)\n", "see [x](b.md)\n"), md("| a | b |\n|---|---|\n| 1 | 2 |\n", "|a|b|\n|-|-|\n|1|  2  |\n"),
			md("| a | b |\n|---|---|\n| 1 | 2 |\n", "a | b\n---|---\n1 | 2\n")},
	}
}

// tellingTrials holds, in the README's words, what changes the card.
func tellingTrials() map[string][]trial {
	script := func(text string) trial {
		return trial{map[string]string{"SKILL.md": "# T\n", "scripts/x.sh": "case $1 in\n  --dry-run) : ;;\n  plan) : ;;\nesac\necho ${TOKEN_FILE:-x}\n"},
			map[string]string{"SKILL.md": "# T\n", "scripts/x.sh": text}}
	}
	return map[string][]trial{
		"a word, a figure, emphasis": {md("- a b\n", "- a c\n"), md("- wait 5 s\n", "- wait 6 s\n"), md("- never\n", "- **never**\n")},
		"the order of numbered steps or of command lines": {
			md("1. a\n2. b\n", "1. b\n2. a\n"), md("```sh\na\nb\n```\n", "```sh\nb\na\n```\n")},
		"a heading, or the sentence that introduces a list": {
			md("## H\n\n- a\n", "## I\n\n- a\n"), md("Do:\n\n- a\n", "Do not:\n\n- a\n")},
		"a statement under another heading": {md("## H\n\n- a\n- b\n\n## I\n\n- c\n", "## H\n\n- b\n\n## I\n\n- a\n- c\n")},
		"a command, flag or environment variable of a script": {
			script("case $1 in\n  --dry-run) : ;;\n  apply) : ;;\nesac\necho ${TOKEN_FILE:-x}\n"),
			script("case $1 in\n  --dry) : ;;\n  plan) : ;;\nesac\necho ${TOKEN_FILE:-x}\n"),
			script("case $1 in\n  --dry-run) : ;;\n  plan) : ;;\nesac\necho ${KEY_FILE:-x}\n")},
		"a statement added or removed": {md("- a\n", "- a\n- b\n"), md("- a\n- b\n", "- a\n")},
	}
}

// The README's table of what turns a card stale holds, line by line, and
// names nothing that is not tried here.
func TestTheReadmeSaysWhatTurnsACardStale(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "| no byte of the card changes | the card changes |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	claims := [2]map[string][]trial{neutralTrials(), tellingTrials()}
	for row := range strings.SplitSeq(strings.TrimSpace(table), "\n") {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if len(cells) != 2 {
			t.Fatalf("a row of %d cells: %s", len(cells), row)
		}
		for i, cell := range cells {
			edits, tried := claims[i][cell]
			if !tried {
				t.Errorf("the README says %q, and nothing tries it", cell)
			}
			for n, e := range edits {
				if same := bytes.Equal(cardOf(t, e.before), cardOf(t, e.after)); same != (i == 0) {
					t.Errorf("%q, edit %d: the bytes are equal: %v", cell, n+1, same)
				}
			}
			delete(claims[i], cell)
		}
	}
	for i := range claims {
		for claim := range claims[i] {
			t.Errorf("%q is tried here, and the README does not say it", claim)
		}
	}
}

func cardOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var pairs []string
	for name, text := range files {
		pairs = append(pairs, "skills/x/"+name, text)
	}
	got, err := Extract(tree(pairs...), DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	return card.Render(got.Skills[0].Card)
}
