package extractor

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/google/go-cmp/cmp"
)

// bullets prints n bullets whose numbers are padded, so that canonical order is theirs.
func bulletsOf(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- %s %03d\n", text, i)
	}
	return b.String()
}

func bulkOf(t *testing.T, s Skill) map[card.Section]string {
	t.Helper()
	out := map[card.Section]string{}
	for _, f := range s.Facts {
		if e := f.Entry(); e.Kind == card.Bulk {
			out[e.Section] = e.Text
			p := f.Places()
			if len(p) != 1 || p[0].File == "" || p[0].Last <= p[0].First {
				t.Errorf("bulk at %v", p)
			}
		}
	}
	return out
}

// SKILL.md is on the card whole; of any other file the first 200 entries.
func TestLargeFilesAreCut(t *testing.T) {
	t.Parallel()
	s := one(t, tree("s/SKILL.md", bulletsOf(450, "main"), "s/a.md", bulletsOf(450, "ref"), "s/b.md", bulletsOf(200, "exact")))
	kept := map[string]int{}
	for _, e := range s.Card.Entries {
		kept[e.File]++
	}
	if diff := cmp.Diff(map[string]int{"SKILL.md": 450, "a.md": 201, "b.md": 200}, kept); diff != "" {
		t.Errorf("entries on the card: -want +got\n%s", diff)
	}
	bulk := bulkOf(t, s)
	if len(bulk) != 1 || !strings.HasPrefix(bulk[card.Architecture], "250 more entries · sha256 ") {
		t.Errorf("bulk %v", bulk)
	}
	if len(s.Rest) != 250 || s.Rest[0].Entry().Text != "ref 200" || s.Rest[0].Places()[0].First != 201 {
		t.Errorf("%d facts beside the card, the first %+v", len(s.Rest), s.Rest[0])
	}
}

// Each section of a file has a count of its own.
func TestBulkIsCountedBySection(t *testing.T) {
	t.Parallel()
	s := one(t, tree("s/SKILL.md", "", "s/a.md", "# T\n## Prerequisites\n"+bulletsOf(250, "a")+"\n## Usage\n"+bulletsOf(20, "b")))
	bulk := bulkOf(t, s)
	if !strings.HasPrefix(bulk[card.Setup], "50 more") || !strings.HasPrefix(bulk[card.Commands], "20 more") {
		t.Errorf("bulk %v", bulk)
	}
}

// Law 5 needs it: a change that the card does not print changes its bytes.
func TestBulkSeesHiddenChanges(t *testing.T) {
	t.Parallel()
	base := bulletsOf(300, "a")
	want := card.Render(one(t, tree("s/SKILL.md", "", "s/a.md", base)).Card)
	lines := strings.Split(strings.TrimSuffix(base, "\n"), "\n")
	for name, c := range map[string]struct {
		text string
		same bool
	}{
		"a word of a hidden entry":    {strings.Replace(base, "a 299", "b 299", 1), false},
		"a hidden entry is gone":      {strings.Replace(base, "- a 299\n", "", 1), false},
		"a hidden entry more":         {base + "- a 300\n", false},
		"hidden entries in new order": {strings.Join(append(lines[298:], lines[:298]...), "\n") + "\n", true},
		"the same entry twice":        {base + "- a 299\n", true},
		"another marker":              {strings.ReplaceAll(base, "- ", "*   "), true},
	} {
		got := card.Render(one(t, tree("s/SKILL.md", "", "s/a.md", c.text)).Card)
		if bytes.Equal(want, got) != c.same {
			t.Errorf("%s: card unchanged: %v", name, !c.same)
		}
	}
}

func TestTheCapIsTheShapes(t *testing.T) {
	t.Parallel()
	shape := DefaultShape()
	shape.MaxEntriesPerFile = 3
	out, err := Extract(tree("s/SKILL.md", bulletsOf(9, "m"), "s/a.md", bulletsOf(5, "a")), shape)
	if err != nil {
		t.Fatal(err)
	}
	if got := bulkOf(t, out.Skills[0])[card.Architecture]; !strings.HasPrefix(got, "2 more entries") {
		t.Errorf("got %q", got)
	}
}

// The card of a skill with a file of 15,000 entries stays readable.
func TestManyEntries(t *testing.T) {
	t.Parallel()
	s := one(t, tree("s/SKILL.md", "# T\n", "s/a.md", bulletsOf(15_000, "entry")))
	if n := len(card.Render(s.Card)); n > 20_000 {
		t.Errorf("a card of %d bytes", n)
	}
	if len(s.Rest) != 14_800 {
		t.Errorf("%d facts beside the card", len(s.Rest))
	}
}
