package answer

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/cardkeeper/cardkeeper/extractor"
)

// nearTree is the index of the skills in testdata/near.txtar.
func nearTree(t *testing.T) *Index {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/near.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	tree, err := extractor.Extract(files, extractor.DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	var skills []Skill
	for _, s := range tree.Skills {
		skills = append(skills, Skill{Path: s.Path, Name: path.Base(s.Path), Facts: slices.Concat(s.Facts, s.Rest)})
	}
	return NewIndex(skills)
}

// A question that differs from what is said by one thing is refused, and beside it stands
// the one that is answered.
func TestNearMissesAreRefusedAndTheirNeighboursAnswered(t *testing.T) {
	t.Parallel()
	x := nearTree(t)
	data, err := os.ReadFile("testdata/near.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		cells := strings.SplitN(strings.TrimSpace(line), " |", 3)
		if len(cells) < 3 || strings.HasPrefix(line, "#") {
			continue
		}
		kind, question, want := cells[0], strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
		switch a := ask(t, x, question); {
		case want == "" && a.Answered:
			t.Errorf("%s: %q: answered with %q\n%s", kind, question, a.Hits[0].Fact.Entry().Text, Explain(a))
		case want != "" && !a.Answered:
			t.Errorf("%s: %q: refused\n%s", kind, question, Explain(a))
		case want != "" && !slices.ContainsFunc(a.Hits, func(h Hit) bool { return shows(h, want) }):
			t.Errorf("%s: %q: no hit holds %q", kind, question, want)
		}
	}
}

// shows reports whether a hit holds words in its text, its headings or its file's name.
func shows(h Hit, want string) bool {
	e := h.Fact.Entry()
	return strings.Contains(strings.Join(append(e.Context.Texts(), e.Text, h.Fact.Places()[0].File), "\n"), want)
}
