package card

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A text as the fold leaves it: one line, no blank at either end, anything else.
func lines() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		part := rapid.OneOf(
			rapid.SampledFrom([]string{"a", "`x`", "``", "›", " › ", "&rsaquo;", "&amp;rsaquo;", "*Points*", "## Setup", "- ", "1. ", "| a |",
				"[↗](/x)", "<!--", "*under* y", "2", "10", "\\", "ü", "日", "](/", "`", "# ", "> ", nothing}),
			rapid.StringMatching(`[ -~]{1,6}`),
		)
		s := strings.Join(rapid.SliceOfN(part, 1, 5).Draw(t, "parts"), rapid.SampledFrom([]string{"", " "}).Draw(t, "sep"))
		if s = strings.TrimSpace(s); s == "" {
			return "x"
		}
		return s
	})
}

func entries() *rapid.Generator[Entry] {
	return rapid.Custom(func(t *rapid.T) Entry {
		sections := Sections()
		names := kindNames()
		e := Entry{
			Section: rapid.SampledFrom(sections[:]).Draw(t, "section"),
			File:    rapid.SampledFrom([]string{"SKILL.md", "references/a b.md", "references/ü›(1).md", "scripts/x.py"}).Draw(t, "file"),
			Kind:    rapid.SampledFrom(names).Draw(t, "kind").kind,
			Text:    lines().Draw(t, "text"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "depth") {
			role := rapid.SampledFrom(roleNames()).Draw(t, "role").role
			e.Context = append(e.Context, Element{role, lines().Draw(t, "context")})
		}
		if e.Kind.Sequential() {
			e.List = rapid.IntRange(0, 2).Draw(t, "list")
			e.Ordinal = rapid.IntRange(0, 12).Draw(t, "ordinal")
		}
		return e
	})
}

func cards() *rapid.Generator[Card] {
	return rapid.Custom(func(t *rapid.T) Card {
		description := ""
		if rapid.Bool().Draw(t, "described") {
			description = lines().Draw(t, "description")
		}
		folder := rapid.SampledFrom([]string{".", "skills/x", "a b/ü(1)/`c", "x](/y"}).Draw(t, "folder")
		return New(folder, lines().Draw(t, "title"), description, rapid.SliceOfN(entries(), 0, 8).Draw(t, "entries"))
	})
}

// Law 4: Parse(Render(card)) == card.
func TestParseReadsWhatRenderWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := cards().Draw(t, "card")
		got, err := Parse(Render(c))
		if err != nil {
			t.Fatalf("%v\n%s", err, Render(c))
		}
		if diff := cmp.Diff(c, got); diff != "" {
			t.Fatalf("-want +got\n%s\n%s", diff, Render(c))
		}
	})
}

// Law 3: the bytes depend on the set of entries alone.
func TestRenderIgnoresOrderAndRepetition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := cards().Draw(t, "card")
		shuffled := append(slices.Clone(c.Entries), c.Entries...)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		other := Card{Path: c.Path, Title: c.Title, Description: c.Description, Entries: shuffled}
		if !bytes.Equal(Render(c), Render(other)) {
			t.Fatal("shuffled and repeated entries render to other bytes")
		}
	})
}

// Two cards with different sets of entries never share their bytes.
func TestRenderTellsCardsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := cards().Draw(t, "a"), cards().Draw(t, "b")
		if same := cmp.Equal(a, b); same != bytes.Equal(Render(a), Render(b)) {
			t.Fatalf("cards equal: %v, bytes equal: %v", same, !same)
		}
	})
}

func TestCompareIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := entries().Draw(t, "a"), entries().Draw(t, "b")
		if Compare(a, b) != -Compare(b, a) {
			t.Fatal("not antisymmetric")
		}
		if (Compare(a, b) == 0) != (a.Identity() == b.Identity()) {
			t.Fatal("equal in order but not in identity, or the other way round")
		}
	})
}

func TestNaturalOrder(t *testing.T) {
	want := []string{"", "01", "1", "2", "10", "A2", "A10", "a", "a 2 b", "a 10 b", "a 10 c", "ä"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Natural)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGroundNeedsAPlace(t *testing.T) {
	for name, places := range map[string][]Place{
		"no place":             nil,
		"no file":              {{"", 1, 1}},
		"line zero":            {{"a.md", 0, 1}},
		"end before its start": {{"a.md", 3, 2}},
		"one good and one bad": {{"a.md", 1, 1}, {"a.md", -1, 1}},
	} {
		if _, err := Ground(Entry{Text: "x"}, ByKind, places...); !errors.Is(err, ErrNoPlace) {
			t.Errorf("%s: got %v, want ErrNoPlace", name, err)
		}
	}
}

func TestMergeKeepsEveryPlace(t *testing.T) {
	ground := func(text string, line int) Fact {
		f, err := Ground(Entry{Text: text}, ByKind, Place{"a.md", line, line})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	got := Merge([]Fact{ground("x", 9), ground("y", 2), ground("x", 3), ground("x", 9)})
	if len(got) != 2 || len(got[0].Places()) != 2 || got[0].Places()[0].First != 3 {
		t.Errorf("got %+v", got)
	}
}

func TestAnchorIsGitHubs(t *testing.T) {
	for heading, want := range map[string]string{
		"Quick start":              "quick-start",
		"`plan` & apply":           "plan--apply",
		"**Bold** step 2: go!":     "bold-step-2-go",
		"See [docs](https://x.y/)": "see-docs",
		"snake_case-name":          "snake_case-name",
		"安装 / Setup":               "安装--setup",
		"🚀 Launch":                 "-launch",
	} {
		if got := Anchor(heading); got != want {
			t.Errorf("Anchor(%q) = %q, want %q", heading, got, want)
		}
	}
}

func TestCardPlaces(t *testing.T) {
	for folder, file := range map[string]string{".": "cards/_root.md", "skills/x": "cards/skills/x.md", "a b": "cards/a b.md",
		"_root": "cards/__root.md", "__root": "cards/___root.md", "x/_root": "cards/x/_root.md"} {
		if got := File("cards", folder); got != file {
			t.Errorf("File(%q) = %q, want %q", folder, got, file)
		}
		if got, ok := Folder("cards", file); !ok || got != folder {
			t.Errorf("Folder(%q) = %q, %v", file, got, ok)
		}
	}
	for _, file := range []string{"cards/x.txt", "cards", "other/x.md"} {
		if got, ok := Folder("cards", file); ok {
			t.Errorf("Folder(%q) = %q, want none", file, got)
		}
	}
}
