package markdown

import (
	"strings"
	"testing"
)

func TestLinesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		start int // -1: they are prose
	}{
		"ticks":                             {"✓ a\n✓ b", 0},
		"a tick and a cross":                {"✅ a\n❌ b", 0},
		"with the selector of a picture":    {"⚠️ a\n⚠️ b", 0},
		"below a line that introduces them": {"a:\n• b\n• c", 1},
		"one tick":                          {"a:\n✓ b", -1},
		"a wrapped line between":            {"✓ a\nb\n✓ c", -1},
		"a tick in the middle":              {"a ✓ b\nc ✓ d", -1},
		"no blank after it":                 {"✓a\n✓b", -1},
		"dashes":                            {"— a\n— b", 0},
		"a dash that was wrapped":           {"a\n— b", -1},
		"an arrow and a dash":               {"→ a\n— b", -1},
		"a tick and an arrow":               {"✓ a\n→ b", -1},
		"letters":                           {"a. x\nb. y\nc. z", 0},
		"letters in the middle of a count":  {"c) x\nd) y", 0},
		"letters out of order":              {"a. x\nc. y", -1},
		"letters of two kinds":              {"a. x\nB. y", -1},
		"letters with two marks":            {"a. x\nb) y", -1},
		"Roman numerals":                    {"iii. x\niv. y", 0},
		"Roman or letters":                  {"i. x\nii. y", 0},
		"the letters h and i":               {"h. x\ni. y", 0},
		"Roman numerals in capitals":        {"I) x\nII) y", 0},
		"a word that looks Roman":           {"mix. x\ndim. y", -1},
		"an initial":                        {"by\nA. Nobody", -1},
		"nothing":                           {"", -1},
	} {
		start, ok := ownLines(strings.Split(c.text, "\n"))
		if !ok {
			start = -1
		}
		if start != c.start {
			t.Errorf("%s: from line %d, want %d", name, start, c.start)
		}
	}
}

func TestBlobs(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("Ab3+", 50)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"200 characters":           {"key " + word + " end", true},
		"199 characters":           {"key " + word[1:] + " end", false},
		"a protein":                {strings.Repeat("MKV", 70), true},
		"hexadecimal":              {strings.Repeat("0123456789abcdef", 13), true},
		"a picture in an address":  {"data:image/png;base64," + word, true},
		"an address":               {"https://example.org/" + word, false},
		"a text after an address":  {"https://example.org/ " + word, true},
		"digits":                   {strings.Repeat("0123456789", 30), false},
		"a rule":                   {strings.Repeat("-", 300), false},
		"many words":               {strings.Repeat("word ", 300), false},
		"a long text without one":  {strings.Repeat("語", 300), false},
		"an address with a port":   {"http://localhost:8080/" + word, false},
		"a run that a dot parts":   {word[:150] + "." + word[:150], false},
		"two runs in one sentence": {word[:150] + " " + word[:150], false},
	} {
		if got := HasBlob(c.text); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What a plus sign at the start of a wrapped line began goes back to its
// sentence; a list that is meant stays one.
func TestPluses(t *testing.T) {
	t.Parallel()
	const long = "a sentence that is so long that it was wrapped"
	for name, c := range map[string]struct {
		text string
		want int // blocks
	}{
		"in an item":                       {"- " + long + "\n  + more\n", 1},
		"at the margin":                    {"- " + long + "\n+ more\n- next\n", 2},
		"in a paragraph":                   {long + "\n+ more\n", 1},
		"with a line after it":             {long + "\n+ more\nand more\n", 1},
		"twice in one sentence":            {long + "\n+ " + long + "\n+ more\n", 3},
		"in a quote":                       {"> " + long + "\n> + more\n", 1},
		"in a step":                        {"1. " + long + "\n   + more\n2. next\n", 2},
		"after an empty line":              {long + "\n\n+ more\n", 2},
		"after a full stop":                {long + ".\n+ more\n", 2},
		"after a full stop in bold":        {"So **" + long + ".**\n+ more\n", 2},
		"after a wide full stop":           {long + "。\n+ more\n", 2},
		"after a backslash":                {long + "\\\n+ more\n", 2},
		"after a heading":                  {"# " + long + "\n+ more\n", 1},
		"after a short line":               {"a line\n+ more\n", 2},
		"with a child":                     {long + "\n+ more\n  - child\n", 3},
		"like a sentence":                  {long + "\n+ More\n", 2},
		"two items":                        {long + "\n+ more\n+ and more\n", 3},
		"another mark":                     {long + "\n- more\n", 2},
		"in an item that something parted": {"- " + long + "\n\n  + more\n", 2},
	} {
		doc, err := Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		checkDocument(t, []byte(c.text), doc)
		if len(doc.Blocks) != c.want {
			t.Errorf("%s: %d blocks, want %d: %+v", name, len(doc.Blocks), c.want, doc.Blocks)
		}
	}
}
