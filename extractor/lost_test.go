package extractor

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

// What a reader of the page sees is never dropped in silence, as parsers do
// with a bullet that looks like a link definition: each line of each Markdown
// file is in a block, in the context of one, or under a note.
func TestNoLineIsLost(t *testing.T) {
	t.Parallel()
	lines := 0
	skillsOf(t, func(name string, fsys fs.FS, s Skill) {
		for file := range markdownOf(s) {
			src, err := fs.ReadFile(fsys, file)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := markdown.Parse(src)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range unclaimed(string(src), doc) {
				t.Errorf("%s: %s:%d is in no block", name, file, n)
			}
			lines += strings.Count(string(src), "\n")
		}
	})
	t.Logf("%d lines", lines)
}

// markdownOf lists the Markdown files that a skill has facts of.
func markdownOf(s Skill) map[string]bool {
	out := map[string]bool{}
	for _, f := range s.Facts {
		if file := f.Places()[0].File; IsMarkdown(file) {
			out[file] = true
		}
	}
	return out
}

var (
	comments = regexp.MustCompile(`(?s)<!--.*?-->`)
	// unseen is a line that shows nothing of its own: a fence, a tag, an image, a link definition.
	unseen = regexp.MustCompile("^[-*+>0-9.) \t]*(?:```|~~~|<|!\\[|\\[[^\\]]+\\]: *\\S+$|#)")
)

// unclaimed lists the lines that hold letters and that nothing stands for.
func unclaimed(src string, doc markdown.Document) []int {
	claimed := map[int]bool{}
	var leads []markdown.Element
	top := 0
	for _, b := range doc.Blocks {
		for i := b.First; i <= b.Last; i++ {
			claimed[i] = true
		}
		if b.Kind == markdown.Field {
			top = b.Last
		}
		for _, e := range b.Context {
			if claimed[e.Line] = true; (e.Role == markdown.Lead || e.Role == markdown.Label) && (len(leads) == 0 || leads[len(leads)-1] != e) {
				leads = append(leads, e)
			}
		}
	}
	for _, n := range doc.Notes {
		claimed[n.Line] = true
	}
	src = comments.ReplaceAllStringFunc(strings.ReplaceAll(src, "\r\n", "\n"), func(c string) string { return strings.Repeat("\n", strings.Count(c, "\n")) })
	var out []int
	front := top > 0
	for i, l := range strings.Split(src, "\n") {
		if front {
			front = i < top || strings.TrimSpace(l) != "---"
			continue
		}
		if claimed[i+1] || unseen.MatchString(l) || !strings.ContainsFunc(l, unicode.IsLetter) || led(leads, i+1, markdown.Fold(l)) {
			continue
		}
		out = append(out, i+1)
	}
	return out
}

// led reports whether a line is part of a sentence or a label of several lines.
func led(leads []markdown.Element, line int, text string) bool {
	text = strings.TrimLeft(text, "> ")
	for _, e := range leads {
		if max(e.Line-line, line-e.Line) < 20 && strings.Contains(e.Text, text) {
			return true
		}
	}
	return false
}
