package extractor

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/google/go-cmp/cmp"
)

// placed finds the entry with a text and says where it stands and why.
func placed(t *testing.T, s Skill, text string) string {
	t.Helper()
	for _, f := range s.Facts {
		if f.Entry().Text == text {
			return fmt.Sprintf("%s by %s", f.Entry().Section, f.Reason())
		}
	}
	return "nowhere"
}

func TestPlacement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"a heading of the table":               {"# T\n## Prerequisites\n- x\n", "setup by heading"},
		"markup, emoji and numbers are off":    {"# T\n## 🚀 2. **`Prerequisites`** (optional):\n- x\n", "setup by heading"},
		"the nearest heading counts":           {"# T\n## Usage\n### Installation\n- x\n", "setup by heading"},
		"a neutral one takes its parent's":     {"# T\n## Prerequisites\n### Notes\n- x\n", "setup by heading"},
		"an unknown one takes its parent's":    {"# T\n## Prerequisites\n### Qwx\n- x\n", "setup by heading"},
		"a lone bold line is a heading":        {"# T\n## Usage\n**Prerequisites:**\n\n- x\n", "setup by heading"},
		"a numbered step is a command":         {"# T\n## Step 3: Qwx\n- x\n", "commands by rule"},
		"the title of SKILL.md is not asked":   {"# Installation\n- x\n", "architecture by default"},
		"a second title is not asked either":   {"# T\n\n# Installation\n- x\n", "architecture by default"},
		"below a heading that is dropped":      {"# T\n## License\n- x\n", "nowhere"},
		"and below its neutral child":          {"# T\n## License\n### Notes\n- x\n", "nowhere"},
		"a heading of its own ends the drop":   {"# T\n## License\n## Usage\n- x\n", "commands by heading"},
		"nothing speaks":                       {"x\n", "architecture by default"},
		"steps with no heading are commands":   {"# T\n1. x\n", "commands by cue"},
		"steps below one are what it says":     {"# T\n## Prerequisites\n1. x\n", "setup by heading"},
		"a command is a command":               {"# T\n## Overview\n```sh\nx\n```\n", "commands by kind"},
		"but in setup it is setup":             {"# T\n## Prerequisites\n```sh\nx\n```\n", "setup by heading"},
		"and in troubleshooting it stays":      {"# T\n## Troubleshooting\n```sh\nx\n```\n", "troubleshooting by heading"},
		"description":                          {"---\ndescription: x\n---\n", "architecture by kind"},
		"when_to_use":                          {"---\nwhen_to_use: x\n---\n", "architecture by kind"},
		"compatibility":                        {"---\ncompatibility: x\n---\n", "setup by kind"},
		"requires":                             {"---\nrequires: x\n---\n", "setup by kind"},
		"argument-hint":                        {"---\nargument-hint: x\n---\n", "commands by kind"},
		"allowed-tools":                        {"---\nallowed-tools: x\n---\n", "refusals by kind"},
		"a field that is no fact":              {"---\nlicense: x\n---\n", "nowhere"},
		"a lead-in alone is context":           {"x\n\nx:\n\n- y\n", "architecture by default"},
		"a heading in a quote ends with it":    {"# T\n> ## Prerequisites\n\n- x\n", "architecture by default"},
		"an item does not place what it holds": {"# T\n## Usage\n- Prerequisites\n  - x\n", "commands by heading"},
	} {
		if got := placed(t, skill(t, c.src), "x"); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestCues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Never delete a mail":              "refusals by cue",
		"It does not send mail":            "refusals by cue",
		"不要删除":                             "refusals by cue",
		"Use `git push origin` here":       "commands by cue",
		"Call `scripts/run.sh` first":      "commands by cue",
		"The upload fails above 2 GB":      "troubleshooting by cue",
		"Set MAIL_HOST first":              "setup by cue",
		"An API key is in the vault":       "setup by cue",
		"Mails are sorted by date":         "architecture by default",
		"Never run `git push` if it fails": "refusals by cue",
	} {
		if got := placed(t, skill(t, "- "+text+"\n"), text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// The title of another file decides last, since such a file has one subject.
func TestTheTitleOfAReferenceDecidesLast(t *testing.T) {
	t.Parallel()
	s := one(t, tree("s/SKILL.md", "", "s/setup.md", "# Installation\n- x\n## Usage\n- y\n## Notes\n- z\n"))
	for text, want := range map[string]string{"x": "setup by heading", "y": "commands by heading", "z": "setup by heading"} {
		if got := placed(t, s, text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestTheRepositorysOwnWordsComeFirst(t *testing.T) {
	t.Parallel()
	shape := DefaultShape()
	shape.Vocabulary = map[string]card.Section{"installation": card.Refusals, "qwx": card.Setup, "license": card.Architecture}
	out, err := Extract(tree("s/SKILL.md", "# T\n## Installation\n- a\n## 1. Qwx\n- b\n## License\n- c\n"), shape)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"a": "refusals by heading", "b": "setup by heading", "c": "architecture by heading"} {
		if got := placed(t, out.Skills[0], text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestStatsCountWhatWasPlacedAndLeftOut(t *testing.T) {
	t.Parallel()
	s := one(t, tree(
		"s/SKILL.md", "---\ndescription: d\nlicense: l\n---\n# T\n- plain\n- never this\n## Usage\n- u\n- u\n## Step 1\n- v\n## License\n- l1\n- l2\n\ntext\n",
		"s/a.md", "- w\n", "s/b.txt", "not read", "s/image.png", "\x00"))
	want := Stats{
		Files: 2, Bytes: s.Stats.Bytes, LeftOut: 3,
		Placed: map[card.Reason]int{card.ByKind: 1, card.ByDefault: 2, card.ByCue: 1, card.ByHeading: 1, card.ByRule: 1},
	}
	if diff := cmp.Diff(want, s.Stats); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if s.Stats.Bytes < 100 {
		t.Errorf("%d bytes", s.Stats.Bytes)
	}
	var sum Stats
	sum.Add(s.Stats)
	sum.Add(s.Stats)
	if sum.Files != 4 || sum.LeftOut != 6 || sum.Placed[card.ByDefault] != 4 || sum.Bytes != 2*s.Stats.Bytes {
		t.Errorf("sum %+v", sum)
	}
}

// Every line of the tables is one that the code can use.
func TestTables(t *testing.T) {
	t.Parallel()
	sections := card.Sections()
	known := func(s string) bool {
		return s == neutral || s == dropped || slices.Contains(sections[:], card.Section(s))
	}
	if n := len(table()); n < 200 {
		t.Errorf("only %d headings", n)
	}
	for h, s := range table() {
		if !known(s) {
			t.Errorf("%q has no section: %q", h, s)
		}
		if got := NormalHeading(h); got != h {
			t.Errorf("%q is never looked up: it normalises to %q", h, got)
		}
	}
	if len(cues()) < 4 {
		t.Errorf("only %d cues", len(cues()))
	}
	for _, c := range cues() {
		if !known(string(c.section)) {
			t.Errorf("a cue for %q", c.section)
		}
	}
}

func TestNormalHeading(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Quick Start":              "quick start",
		"## not a mark here":       "## not a mark here",
		"1.2.3 Usage:":             "usage",
		"(4) Usage":                "usage",
		"a) Usage":                 "usage",
		"iv. Usage":                "usage",
		"Step 2: Build":            "build",
		"Phase 1/3 — Plan":         "plan",
		"Step 2":                   "",
		"🚀 Usage ✅":                "usage",
		"**Usage** `x`":            "usage x",
		"[Usage](a.md) <b>now</b>": "usage now",
		"Don’t":                    "don't",
		"Q & A":                    "q and a",
		"Ｕｓａｇｅ":                    "usage",
		"错误码：":                     "错误码",
		"Usage (optional)":         "usage",
		"us\u200bage":              "usage",
		"References (references/)": "references (references/)",
		"Stepwise":                 "stepwise",
		"Steps":                    "steps",
		"1️⃣ Usage":                "usage",
		"":                         "",
	} {
		if got := NormalHeading(in); got != want {
			t.Errorf("NormalHeading(%q) = %q, want %q", in, got, want)
		}
	}
}
