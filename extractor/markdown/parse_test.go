package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkDocument holds what is true of every document.
func checkDocument(t testing.TB, src []byte, doc Document) {
	t.Helper()
	total := bytes.Count(src, []byte("\n")) + 1
	for _, b := range doc.Blocks {
		if b.First < 1 || b.Last < b.First || b.Last > total {
			t.Errorf("%q has lines %d to %d of %d", b.Text, b.First, b.Last, total)
		}
		if Fold(b.Text) != b.Text {
			t.Errorf("%q is not folded", b.Text)
		}
		if (b.Kind == Fence) != (b.Text == "") || b.Kind == Fence && len(b.Code) == 0 {
			t.Errorf("kind %d with text %q and %d code lines", b.Kind, b.Text, len(b.Code))
		}
		for i, c := range b.Code {
			if c.Line < b.First || c.Line > b.Last || i > 0 && c.Line <= b.Code[i-1].Line || strings.Contains(c.Text, "\n") {
				t.Errorf("code line %q at %d, of a fence at %d to %d", c.Text, c.Line, b.First, b.Last)
			}
		}
		for _, e := range b.Context {
			if e.Line < 1 || e.Line > total || e.Text == "" {
				t.Errorf("context %+v of %q", e, b.Text)
			}
		}
		if len(b.Context) > maxDepth {
			t.Errorf("a context of %d elements", len(b.Context))
		}
	}
	for _, n := range doc.Notes {
		if n.Line < 1 || n.Line > total || n.Text == "" {
			t.Errorf("note %+v", n)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"---\nname: x\ndescription: >\n  a\n  b\n---\n# T\n\nIntro:\n\n- a\n  1. b\n\n     c\n> [!NOTE]\n> d\n\n| a | b |\n|---|---|\n| `|` | \\| |\n",
		"<rule>\n\n- a\n- b\n</rule>\n\n<div>\n  <p>x</p>\n- y\n</div>\n<!-- z -->\n```sh\n$ a \\\n  b\n",
		"\ufeff---\r\na: b: c\r\n---\r\n**L**\r\n\r\ntext\r\n---\r\n- > 3 x\n- # h\n\t- t\n1) a\n2. b\n",
		"\x13\n-:\n\xff",
		"<pre>\na\n</pre>\n<x>text\n</x>\n<!-- a\n\n-->\n<![CDATA[ a ]]>\n<?php a ?>\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, err := Parse(src)
		if err != nil {
			if !errors.Is(err, ErrBinary) && !errors.Is(err, ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		checkDocument(t, src, doc)
		again, err := Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(doc, again); diff != "" {
			t.Errorf("not the same twice:\n%s", diff)
		}
	})
}

func TestFilesThatAreNotRead(t *testing.T) {
	t.Parallel()
	big := bytes.Repeat([]byte("- a bullet of a dump\n"), 5<<20/21)
	for name, c := range map[string]struct {
		src  []byte
		want error
	}{
		"five MiB":              {big, ErrTooLarge},
		"a byte over the limit": {bytes.Repeat([]byte{'a'}, MaxBytes+1), ErrTooLarge},
		"at the limit":          {bytes.Repeat([]byte{'a'}, MaxBytes), nil},
		"a zero byte":           {[]byte("a\x00b"), ErrBinary},
		"UTF-16":                {[]byte{0xff, 0xfe, '#', 0, ' ', 0}, ErrBinary},
		"empty":                 {nil, nil},
	} {
		if _, err := Parse(c.src); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

func TestInvalidBytesAreReplacedAndNoted(t *testing.T) {
	t.Parallel()
	src := []byte("# T\n\nfine\n\n- caf\xe9 au lait\n- next\n")
	doc, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	checkDocument(t, src, doc)
	if got := doc.Blocks[1].Text; got != "caf\ufffd au lait" {
		t.Errorf("got %q", got)
	}
	if len(doc.Notes) != 1 || doc.Notes[0].Kind != Damaged || doc.Notes[0].Line != 5 {
		t.Errorf("got %+v", doc.Notes)
	}
}

// Damage of one line costs that line alone.
func TestDeepNestingIsNotedAndTheRestIsRead(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"10,000 quotes":       strings.Repeat(">", 10_000) + " deep",
		"10,000 spaced":       strings.Repeat("> ", 10_000) + "deep",
		"10,000 bullets":      strings.Repeat("- ", 10_000) + "deep",
		"10,000 numbers":      strings.Repeat("1. ", 10_000) + "deep",
		"10,000 tabs":         strings.Repeat("\t", 10_000) + "- deep",
		"quotes in bullets":   strings.Repeat("- > ", 10_000) + "deep",
		"a megabyte of marks": strings.Repeat(">", 1<<20),
	} {
		src := []byte("before\n\n" + line + "\n\n- after\n")
		doc, err := Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		checkDocument(t, src, doc)
		if len(doc.Blocks) != 2 || doc.Blocks[1].Text != "after" || doc.Blocks[1].First != 5 {
			t.Errorf("%s: got %d blocks", name, len(doc.Blocks))
		}
		if len(doc.Notes) != 1 || doc.Notes[0].Line != 3 {
			t.Errorf("%s: got notes %+v", name, doc.Notes)
		}
	}
}

func TestNestingThatPeopleWriteIsRead(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"quotes":                    strings.Repeat("> ", 40) + "deep",
		"bullets":                   strings.Repeat("- ", 40) + "deep",
		"a long row of numbers":     strings.Repeat("0.25 ", 1000) + "deep",
		"a long rule, then a text":  strings.Repeat("-", 5000) + "\ndeep",
		"2,000 digits":              strings.Repeat("7", 2000) + " deep",
		"a bullet of 300 kilobytes": "- " + strings.Repeat("word ", 60_000) + "deep",
	} {
		doc, err := Parse([]byte(line + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.Notes) != 0 || len(doc.Blocks) != 1 || !strings.HasSuffix(doc.Blocks[0].Text, "deep") {
			t.Errorf("%s: %d blocks, notes %+v", name, len(doc.Blocks), doc.Notes)
		}
	}
}

// Inputs on which a parser with nested loops takes minutes. The test's own
// time is the measure: each takes well below a second.
func TestHostileInputsStayLinear(t *testing.T) {
	t.Parallel()
	var ticks, nested strings.Builder
	for i := range 600 {
		ticks.WriteString(strings.Repeat("`", i+1) + " ")
		if i < 400 {
			nested.WriteString(strings.Repeat("  ", i) + "- <div>\n")
		}
	}
	const n = 50_000
	for name, src := range map[string]string{
		"comments that never end":          "x " + strings.Repeat("<!-- ", n),
		"empty comments in an HTML block":  "<!-- -->" + strings.Repeat("a<!---->", n),
		"comments inside a text":           "x " + strings.Repeat("a<!--b-->\n", n),
		"one tag opened again and again":   strings.Repeat("<x>\n", n) + "</x>\n",
		"code spans of every length":       ticks.String(),
		"links in links":                   strings.Repeat("[a](", n),
		"brackets":                         strings.Repeat("[]", n) + strings.Repeat("[", n),
		"a wide table with short rows":     strings.Repeat("|a", n) + "\n" + strings.Repeat("|-", n) + "\n" + strings.Repeat("|b\n", n),
		"HTML in lists in HTML":            "<div>\n" + nested.String(),
		"fences that open and close":       strings.Repeat("```\n", n+1),
		"headings":                         strings.Repeat("# a\n## b\n", n),
		"a quote of many lazy lines":       strings.Repeat(">", 900) + " a\n" + strings.Repeat("a\n", n),
		"a paragraph under a rule":         strings.Repeat("a\n", n) + "---\n",
		"many lists":                       strings.Repeat("- a\n* b\n", n),
		"many frontmatter lines":           "---\n" + strings.Repeat("a: b: c\n", n) + "---\n",
		"a frontmatter of nested brackets": "---\na: " + strings.Repeat("[", n) + "\n---\n",
		"lines that a plus sign begins":    strings.Repeat("- "+strings.Repeat("a", 50)+"\n+ b\n", n/10) + strings.Repeat("+ b\n\n", n),
		"pluses in one paragraph":          strings.Repeat("a", 50) + "\n+ " + strings.Repeat("a", 50) + strings.Repeat("\n+ b", n),
		"lines with marks of their own":    strings.Repeat("✓ a\n", n),
		"lines with letters":               strings.Repeat("a. b\n", n),
		"afterthoughts of a step":          "1. a\n" + strings.Repeat("1b. c\n", n),
		"numbers in bullets":               strings.Repeat("- 1. a\n", n),
		"a blob of megabytes":              strings.Repeat("aB3+", n*10) + "\n\n- " + strings.Repeat("a/", n*10) + "\n",
		"metadata that never ends":         "# T\n---\n" + strings.Repeat("a: b\n", n),
		"comments at the top":              strings.Repeat("<!-- a\n", n),
		"tags that nothing closes":         strings.Repeat("a\n<col> b\n", n),
		"headings in tags":                 strings.Repeat("<x># a\n", n/10) + "</x>\n",
		"backslashes":                      strings.Repeat("\\\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, err := Parse([]byte(src))
			if err != nil {
				t.Fatal(err)
			}
			checkDocument(t, []byte(src), doc)
		})
	}
}

func TestHiddenCharactersAreNotedByCodePoint(t *testing.T) {
	t.Parallel()
	tagged := "run" + "\U000e0072\U000e0075\U000e006e"
	for name, c := range map[string]struct {
		src, note string
		line      int
	}{
		"tag characters":           {"a\n\n" + tagged, "3 invisible or control characters: U+E0072 U+E0075 U+E006E", 3},
		"a zero-width space":       {"# a\u200bb", "1 invisible or control characters: U+200B", 1},
		"a turned direction":       {"a\n- b\u202ec", "1 invisible or control characters: U+202E", 2},
		"in a fence too":           {"```\na\x1b[0m\n```", "1 invisible or control characters: U+001B", 2},
		"in the frontmatter too":   {"---\nname: a\u2060b\n---\n", "1 invisible or control characters: U+2060", 2},
		"a mark in mid-file":       {"a\n\ufeffb", "1 invisible or control characters: U+FEFF", 2},
		"more than five":           {strings.Repeat("\u200b", 7), "7 invisible or control characters: U+200B U+200B U+200B U+200B U+200B ...", 1},
		"a row of form selectors":  {"😀\ufe0f\ufe01\ufe02", "2 invisible or control characters: U+FE01 U+FE02", 1},
		"a flag of tag characters": {"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "", 0},
		"a family of emoji":        {"👩\u200d👩\u200d👧 and 👩🏽\u200d💻", "", 0},
		"a byte order mark":        {"\ufeff# a", "", 0},
		"CRLF":                     {"a\r\nb\r\n", "", 0},
		"accents and wide letters": {"e\u0301 中文 ｆｕｌｌ", "", 0},
	} {
		doc, err := Parse([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		want := []Note(nil)
		if c.note != "" {
			want = []Note{{Hidden, c.line, c.note}}
		}
		if diff := cmp.Diff(want, doc.Notes); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
		for _, b := range doc.Blocks {
			if strings.ContainsAny(b.Text, "\u200b\u202e\u2060\ufeff\U000e0072") {
				t.Errorf("%s: %q holds a hidden character", name, b.Text)
			}
		}
	}
}

// A file says the same however its lines end and whatever blanks trail.
func TestLineEndsAndTrailingBlanksSayNothing(t *testing.T) {
	t.Parallel()
	const src = "---\nname: x\ndescription: |\n  a\n  b\n---\n\n# T\n\nIntro\nmore:\n\n- a\n  b\n\n  c\n1. d\n\n> e\n> f\n\n| a | b |\n|---|---|\n| c | d |\n\n<rule>\ng\n</rule>\n"
	want := dump(t, []byte(src))
	for name, other := range map[string]string{
		"CRLF":              strings.ReplaceAll(src, "\n", "\r\n"),
		"trailing blanks":   strings.ReplaceAll(src, "\n", "  \n"),
		"trailing tabs":     strings.ReplaceAll(src, "\n", "\t\n"),
		"a byte order mark": "\ufeff" + src,
	} {
		if diff := cmp.Diff(want, dump(t, []byte(other))); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestFrontmatterForms(t *testing.T) {
	t.Parallel()
	const noted = "invalid"
	for name, c := range map[string]struct{ src, description, note string }{
		"plain":                              {"---\ndescription: a b\n---\n", "a b", ""},
		"quoted, with escapes":               {"---\ndescription: \"a \\\"b\\\" \\u00e9\"\n---\n", `a "b" é`, ""},
		"single quotes":                      {"---\ndescription: 'it''s: so'\n---\n", "it's: so", ""},
		"folded":                             {"---\ndescription: >-\n  a\n  b\n\n  c\nname: x\n---\n", "a b c", ""},
		"literal":                            {"---\ndescription: |\n  a\n  b\n---\n", "a b", ""},
		"on the next line":                   {"---\ndescription:\n  a\n  b\n---\n", "a b", ""},
		"several plain lines":                {"---\ndescription: a\n  b\n---\n", "a b", ""},
		"a list":                             {"---\ndescription: [a, b]\n---\n", "a, b", ""},
		"a list of lines":                    {"---\ndescription:\n- a\n- b\n---\n", "a, b", ""},
		"a number is text":                   {"---\ndescription: 0123\n---\n", "0123", ""},
		"a truth value is text":              {"---\ndescription: yes\n---\n", "yes", ""},
		"null":                               {"---\ndescription: ~\n---\n", "", ""},
		"empty":                              {"---\ndescription:\n---\n", "", ""},
		"a map is left alone":                {"---\ndescription: {a: b}\n---\n", "", ""},
		"a comment":                          {"---\n# c\ndescription: a # d\n---\n", "a", ""},
		"trailing blanks after the rules":    {"--- \t\ndescription: a\n---  \n", "a", ""},
		"blank lines before":                 {"\n \n---\ndescription: a\n---\n", "a", ""},
		"three dots at the end":              {"---\ndescription: a\n...\n", "a", ""},
		"CRLF":                               {"---\r\ndescription: >\r\n  a\r\n  b\r\n---\r\n", "a b", ""},
		"a byte order mark":                  {"\ufeff---\ndescription: a\n---\n", "a", ""},
		"a key twice":                        {"---\ndescription: a\ndescription: b\n---\n", "a", "a frontmatter key stands twice; the first one counts"},
		"a colon in a plain value":           {"---\nname: x\ndescription: use: when asked\n---\n", "use: when asked", noted},
		"a colon and quotes inside":          {"---\ndescription: use: say \"go\"\n---\n", `use: say "go"`, noted},
		"quotes around, and a stray colon":   {"---\nbad: a: b\ndescription: \"a b\"\n---\n", "a b", noted},
		"a flattened block":                  {"---\nbad: a: b\ndescription: |- text\n---\n", "text", noted},
		"more than thirty is no block":       {"---\nbad: a: b\ndescription: >30 days\n---\n", ">30 days", noted},
		"a block in bad YAML":                {"---\nbad: a: b\ndescription: >\n  a\n  # c\n\n  b\n---\n", "a b", noted},
		"a list in bad YAML":                 {"---\nbad: a: b\ndescription:\n  - a\n  - b\n---\n", "a, b", noted},
		"a key twice in bad YAML":            {"---\nbad: a: b\ndescription: a\ndescription: b\n---\n", "a", noted},
		"a tab for indent":                   {"---\ndescription: a\nother:\n\t- b\n---\n", "a", noted},
		"never closed":                       {"---\ndescription: a\n\ntext\n", "", "the frontmatter is never closed; it was read as text. Close it with ---"},
		"a rule far below does not close it": {"---\nname: a\n\n# T\n\ntext\n\n---\n", "", "the frontmatter is never closed; it was read as text. Close it with ---"},
		"a comment in it that looks like a heading": {"---\nname: a\n\n# T\ndescription: b\n---\n", "b", ""},
		"a heading before it":                       {"# T\n\n---\nname: a\ndescription: b\n---\n", "b", ""},
		"a comment before it":                       {"<!-- c\nd -->\n---\nname: a\ndescription: b\n---\n", "b", "an HTML comment with text; it was not indexed"},
		"a heading before it, a blank line in it":   {"# T\n---\nname: a\n\ndescription: b\n---\n", "b", ""},
		"a block below the title":                   {"---\n" + "description: b\n" + strings.Repeat("# c\n", 50) + "---\n# T\n---\nowner: z\n---\n", "b", "a block of metadata below the title; it was not indexed"},
		"a text before it":                          {"text\n\n---\nname: a\ndescription: b\n---\n", "", ""},
		"the first fence is missing":                {"name: a\ndescription: b\n---\n\ntext\n", "b", ""},
		"and so is the second":                      {"name: a\ndescription: b\n\ntext\n", "", ""},
		"the whole file in a code fence":            {"```markdown\n---\nname: a\ndescription: b\n---\ntext\n```\n", "b", ""},
		"an example in a code fence":                {"```markdown\n---\nname: a\ndescription: b\n---\n```\n\ntext\n", "", ""},
		"an example under the title":                {"# T\n\n```\n---\nname: a\ndescription: b\n---\n```\n", "", ""},
		"no keys between rules":                     {"---\njust text\n---\n", "", ""},
		"an empty one":                              {"---\n---\ntext\n", "", ""},
		"an anchor and its alias":                   {"---\nother: &x a\ndescription: *x\n---\n", "a", ""},
		"an alias to a list":                        {"---\nother: &x [a]\ndescription: *x\n---\n", "", ""},
		"an alias in a list":                        {"---\nother: &x a\ndescription: [*x, b]\n---\n", "a, b", ""},
		"relative links go from it as well":         {"---\ndescription: see [a](b.md)\n---\n", "see a", ""},
	} {
		src := []byte(c.src)
		doc, err := Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		checkDocument(t, src, doc)
		if doc.Description != c.description {
			t.Errorf("%s: description %q, want %q", name, doc.Description, c.description)
		}
		switch {
		case c.note == "" && len(doc.Notes) > 0:
			t.Errorf("%s: notes %+v", name, doc.Notes)
		case c.note == noted && (len(doc.Notes) != 1 || !strings.Contains(doc.Notes[0].Text, "not valid YAML")):
			t.Errorf("%s: notes %+v, want one of invalid YAML", name, doc.Notes)
		case c.note != "" && c.note != noted && (len(doc.Notes) != 1 || doc.Notes[0].Text != c.note):
			t.Errorf("%s: notes %+v, want %q", name, doc.Notes, c.note)
		}
	}
}

// Law 8: a parser's own error text quotes its input, and a note never does.
func TestNotesDoNotQuoteTheFile(t *testing.T) {
	t.Parallel()
	const word = "wanderlust"
	src := fmt.Sprintf("---\nname: %[1]s: %[1]s\n%[1]s: [\n---\n<!-- %[1]s -->\n%[1]s\u200b\n```%[1]s\n%[1]s\xff\n", word)
	doc, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Notes) < 4 {
		t.Errorf("only %d notes", len(doc.Notes))
	}
	for _, n := range doc.Notes {
		if strings.Contains(n.Text, word) {
			t.Errorf("the note quotes the file: %q", n.Text)
		}
	}
}
