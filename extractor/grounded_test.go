package extractor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
	"go.yaml.in/yaml/v3"
)

// Law 1: each fact of each card stands at its places: the folded lines hold
// the entry's text, or give the digest that it names.
func TestFactsStandWhereTheySay(t *testing.T) {
	t.Parallel()
	facts := 0
	skillsOf(t, func(name string, fsys fs.FS, s Skill) {
		g := grounds{fsys: fsys, skill: s, files: map[string][]string{}}
		for _, f := range append(append([]card.Fact{}, s.Facts...), s.Rest...) {
			facts++
			for _, p := range f.Places() {
				if err := g.check(f.Entry(), p); err != nil {
					t.Errorf("%s: %s: %s: %v", name, p, f.Entry().Kind, err)
				}
			}
		}
	})
	t.Logf("%d facts", facts)
}

type grounds struct {
	fsys  fs.FS
	skill Skill
	files map[string][]string
}

func (g grounds) lines(p card.Place) ([]string, error) {
	if g.files[p.File] == nil {
		b, err := fs.ReadFile(g.fsys, p.File)
		if err != nil {
			return nil, err
		}
		text := strings.ToValidUTF8(strings.TrimPrefix(string(b), "\ufeff"), "\ufffd")
		g.files[p.File] = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	}
	all := g.files[p.File]
	if p.Last > len(all) {
		return nil, fmt.Errorf("the file has %d lines", len(all))
	}
	return all[p.First-1 : p.Last], nil
}

func (g grounds) check(e card.Entry, p card.Place) error {
	lines, err := g.lines(p)
	if err != nil {
		return err
	}
	want := e.Text
	if e.Kind == card.Bulk {
		return g.bulk(e)
	}
	if e.Kind == card.Example && isShell(strings.TrimSpace(strings.SplitN(want, " ", 2)[0])) {
		return nil // what is left of a fence without its commands; its lines are facts of their own, checked as such
	}
	for _, got := range candidates(e.Kind, lines) {
		if strings.Contains(got, want) || e.Kind == card.Example && strings.HasSuffix(want, " "+got) {
			return nil
		}
	}
	return fmt.Errorf("%q is not in %q", want, lines)
}

var (
	marks     = regexp.MustCompile(`^(?:[ \t]*(?:>|[-*+](?:[ \t]+|$)|\d{1,9}[.)](?:[ \t]+|$)))*[ \t]*`)
	quoted    = regexp.MustCompile(`^[ \t>]*`)
	htmlly    = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)
	firstMark = regexp.MustCompile(`:\s*\n\s*- `)
	listMark  = regexp.MustCompile(`\n\s*- `)
	typed     = regexp.MustCompile(`^(?:\$|>|PS [^>]*>|❯) +`)
)

// candidates are the readings of lines of which one must hold an entry's text.
func candidates(kind card.Kind, lines []string) []string {
	bare := make([]string, len(lines))
	for i, l := range lines {
		bare[i] = quoted.ReplaceAllString(l, "")
	}
	whole := strings.Join(lines, "\n")
	switch kind {
	case card.Command:
		for i := range bare {
			bare[i] = typed.ReplaceAllString(strings.TrimLeft(lines[i], " \t>"), "")
		}
		return []string{markdown.FoldCode(whole), markdown.FoldCode(strings.Join(bare, "\n"))}
	case card.Code, card.Example:
		return codeCandidates(lines, bare)
	case card.Field:
		return append(fieldCandidates(whole), markdown.Fold(whole))
	case card.Row:
		return []string{markdown.FoldRow(lines[0]), markdown.FoldRow(bare[0])}
	case card.Bullet, card.Step, card.Task, card.Paragraph, card.Quote:
		quotedText := markdown.Fold(strings.Join(bare, "\n")) // with the number of "- 1. text"
		bare[0] = marks.ReplaceAllString(lines[0], "")
		text := strings.Join(bare, "\n")
		return []string{markdown.Fold(text), markdown.Fold(lines[0]), markdown.Fold(htmlly.ReplaceAllString(text, "")), quotedText}
	}
	return []string{whole, strings.ReplaceAll(whole, "_", "-")} // what a script declares
}

func fieldCandidates(text string) []string {
	var fields map[string]any
	if yaml.Unmarshal([]byte(text), &fields) != nil {
		return []string{markdown.Fold(listMark.ReplaceAllString(firstMark.ReplaceAllString(text, " "), ", "))} // read line by line
	}
	var out []string
	for _, v := range fields {
		if list, ok := v.([]any); ok {
			out = append(out, markdown.Fold(strings.Trim(strings.ReplaceAll(fmt.Sprintf("%q", list), `" "`, ", "), `[]"`)))
		}
		out = append(out, markdown.Fold(fmt.Sprint(v)))
	}
	return out
}

// codeCandidates are the code itself, without what its container adds, and its digest.
func codeCandidates(lines, bare []string) []string {
	var out []string
	for _, text := range [][]string{lines, bare} {
		var code []markdown.CodeLine
		for i, l := range text {
			code = append(code, markdown.CodeLine{Text: l, Line: i + 1})
		}
		out = append(out, markdown.Visible(dedent(code)), digest(dedent(code)))
	}
	return out
}

// bulk recomputes what stands for the rest of a file from the facts that are not printed.
func (g grounds) bulk(e card.Entry) error {
	var all strings.Builder
	n := 0
	for _, f := range g.skill.Rest {
		if r := f.Entry(); r.Section == e.Section && r.File == e.File && r.Kind != card.Code {
			all.WriteString(r.Identity())
			n++
		}
	}
	if want := fmt.Sprintf("%d more entries · sha256 %s", n, wideDigest(all.String())); want != e.Text {
		return fmt.Errorf("%q, recomputed %q", e.Text, want)
	}
	return nil
}

// wideDigest is what stands for the entries that a card does not print.
func wideDigest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}
