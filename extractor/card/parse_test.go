package card

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func sample() Card {
	return New("skills/x", "x", "What it does.", []Entry{
		{Section: Commands, File: "SKILL.md", Context: Context{{Heading, "Use"}}, Kind: Step, Ordinal: 1, Text: "first"},
		{Section: Commands, File: "SKILL.md", Context: Context{{Heading, "Use"}}, Kind: Step, Ordinal: 2, Text: "second"},
		{Section: Setup, File: "SKILL.md", Context: Context{{Lead, "Needs:"}}, Kind: Bullet, Text: "git"},
	})
}

// A hand edit either changes what the card says or is refused with its line.
func TestParseRefusesOtherBytes(t *testing.T) {
	good := string(Render(sample()))
	edit := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the sample has no %q:\n%s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	for name, text := range map[string]string{
		"empty":                    "",
		"no marker":                edit("<!-- cardkeeper", "<!-- other"),
		"edition zero":             edit("edition 1", "edition 0"),
		"section renamed":          edit("## Refusals", "## Refusal"),
		"section missing":          edit("\n## Refusals\n\n"+nothing+"\n", ""),
		"entries out of order":     edit("1. first\n2. second", "2. second\n1. first"),
		"entry twice":              edit("- git", "- git\n- git"),
		"bullet among steps":       edit("2. second", "- second"),
		"free prose":               edit("- git", "- git\nand more"),
		"unknown block":            edit("*Points*", "*Point*"),
		"text after the end":       good + "\nmore\n",
		"missing last line end":    strings.TrimSuffix(good, "\n"),
		"trailing blank":           edit("- git", "- git "),
		"huge ordinal":             edit("2. second", "99999999999999999999. second"),
		"list number one":          edit("*Steps*", "*Steps, list 1*"),
		"group without a block":    edit("*Points*\n\n", ""),
		"cut in the middle":        good[:len(good)/2],
		"link edited":              edit("(/skills/x/SKILL.md#use)", "(/elsewhere)"),
		"not UTF-8 in a structure": edit("## Setup", "## S\xfftup"),
	} {
		_, err := Parse([]byte(text))
		var syntax *SyntaxError
		if name != "trailing blank" && !errors.As(err, &syntax) {
			t.Errorf("%s: got %v, want a syntax error with a line", name, err)
		}
	}
}

func TestParseSaysWhatItCannotRead(t *testing.T) {
	good := string(Render(sample()))
	conflict := strings.Replace(good, "- git", "<<<<<<< HEAD\n- git\n=======\n- jj\n>>>>>>> topic", 1)
	if _, err := Parse([]byte(conflict)); !errors.Is(err, ErrConflict) {
		t.Errorf("conflict markers: got %v", err)
	}
	newer := strings.Replace(good, "edition 1", fmt.Sprintf("edition %d", Edition+1), 1)
	if _, err := Parse([]byte(newer)); !errors.Is(err, ErrEdition) {
		t.Errorf("newer edition: got %v", err)
	}
	if n, err := EditionOf([]byte(newer)); err != nil || n != Edition+1 {
		t.Errorf("EditionOf = %d, %v", n, err)
	}
	if _, err := Parse([]byte(strings.ReplaceAll(good, "\n", "\r\n"))); err != nil {
		t.Errorf("CRLF: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Render(sample()))
	f.Add([]byte("<!-- cardkeeper edition 1 -->\n# x\n\n[`.`](/)\n\n## Setup\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Parse(b)
		if err != nil {
			return
		}
		if got := strings.ReplaceAll(string(b), "\r\n", "\n"); got != string(Render(c)) {
			t.Errorf("accepted bytes that Render does not write")
		}
	})
}
