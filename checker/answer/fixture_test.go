package answer

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// readSkill reads a fixture: a "skill PATH NAME" line, then one fact a line as
// section | kind | heading > heading | text. A fact's place is its line.
func readSkill(t testing.TB, file string) Skill {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s Skill
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, "skill "); ok {
			s.Path, s.Name, _ = strings.Cut(rest, " ")
			continue
		}
		if cells := strings.SplitN(line, " | ", 4); len(cells) == 4 {
			s.Facts = append(s.Facts, fact(t, s.Path, n, cells[0], cells[1], cells[2], cells[3]))
		}
	}
	return s
}

func fact(t testing.TB, skill string, line int, section, kind, headings, text string) card.Fact {
	t.Helper()
	e := card.Entry{Section: card.Section(section), File: "SKILL.md", Kind: card.Kind(kind), Text: text}
	for h := range strings.SplitSeq(headings, " > ") {
		role := card.Heading
		if lead, ok := strings.CutPrefix(h, "lead="); ok {
			role, h = card.Lead, lead
		}
		if key, ok := strings.CutPrefix(h, "key="); ok {
			role, h = card.Key, key
		}
		e.Context = append(e.Context, card.Element{Role: role, Text: h})
	}
	f, err := card.Ground(e, card.ByHeading, card.Place{File: skill + "/SKILL.md", First: line, Last: line})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mailbox(t testing.TB) *Index {
	t.Helper()
	return NewIndex([]Skill{readSkill(t, "testdata/mailbox.txt")})
}
