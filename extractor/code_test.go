package extractor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/google/go-cmp/cmp"
)

// of lists the entries of some kinds, with their context and lines.
func of(s Skill, kinds ...card.Kind) string {
	var b strings.Builder
	for _, f := range append(append([]card.Fact{}, s.Facts...), s.Rest...) {
		e := f.Entry()
		for _, k := range kinds {
			if e.Kind == k {
				p := f.Places()[0]
				fmt.Fprintf(&b, "%d-%d %d/%d %q %q\n", p.First, p.Last, e.List, e.Ordinal, e.Context.Texts(), e.Text)
			}
		}
	}
	return b.String()
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"a line is a command":                         {"```sh\na\nb\n```\n", "2-2 0/1 [] \"a\"\n3-3 0/2 [] \"b\"\n"},
		"a continuation belongs to it":                {"```bash\na \\\n  --b \\\n  c\nd\n```\n", "2-4 0/1 [] \"a --b c\"\n5-5 0/2 [] \"d\"\n"},
		"a comment introduces all up to a blank line": {"```sh\n# first\n# and more\na\nb\n```\n", "4-4 0/1 [\"first and more\"] \"a\"\n5-5 0/2 [\"first and more\"] \"b\"\n"},
		"a blank line parts the two":                  {"```sh\n# about all\n\na\n```\n", "4-4 0/1 [] \"a\"\n"},
		"a session keeps what is typed":               {"```console\n$ a\nprinted\n$ b \\\n  c\nprinted\n```\n", "2-2 0/1 [] \"a\"\n4-5 0/2 [] \"b c\"\n"},
		"PowerShell's prompt":                         {"```powershell\nPS C:\\x> a -B\n```\n", "2-2 0/1 [] \"a -B\"\n"},
		"a loop over lines is code":                   {"```sh\nfor i in 1 2; do\n  a $i\ndone\nb\n```\n", "5-5 0/1 [] \"b\"\n"},
		"an operator goes on in the next line":        {"```sh\na |\n  b &&\n  c\n```\n", "2-4 0/1 [] \"a | b && c\"\n"},
		"what does not parse is read by line": {"```sh\na <name> (\nb \\\n  c\n```\n",
			"2-2 0/1 [] \"a <name> (\"\n3-4 0/2 [] \"b c\"\n"},
		"an empty here-document":        {"```sh\ncat <<X\nX\na\n```\n", "4-4 0/1 [] \"a\"\n"},
		"a here-document in a pipeline": {"```sh\ncat <<X | b\nno $c\nX\na\n```\n", "5-5 0/1 [] \"a\"\n"},
		"a here-document is code":       {"```sh\ncat <<X\n# no comment\nX\na\n```\n", "5-5 0/1 [] \"a\"\n"},
		"two fences of one context are two lists": {"```sh\nb\n```\n\n```sh\na\n```\n",
			"6-6 0/1 [] \"a\"\n2-2 1/1 [] \"b\"\n"},
		"equal fences are one":      {"```sh\na\n```\n\n```bash\na\n```\n", "2-2 0/1 [] \"a\"\n"},
		"hidden characters go":      {"```sh\na\u200b \u202eb\n```\n", "2-2 0/1 [] \"a b\"\n"},
		"other languages have none": {"```python\na\n```\n\n    b\n", ""},
		"in a quote in an item":     {"- > ```sh\n  > a\n  > ```\n", "2-2 0/1 [] \"a\"\n"},
		"nothing but a comment":     {"```sh\n# a\n```\n", ""},
	} {
		if diff := cmp.Diff(c.want, of(skill(t, c.src), card.Command)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// The digest sees what code says and nothing of how it is set.
func TestExampleDigest(t *testing.T) {
	t.Parallel()
	base := "```python\ndef a():\n    b()\n```\n"
	want := of(skill(t, base), card.Example)
	if !strings.Contains(want, "python · ") || !strings.Contains(want, "sha256 ") {
		t.Fatalf("got %s", want)
	}
	text := func(s string) string { return s[strings.Index(s, `[`):] }
	for name, c := range map[string]struct {
		src  string
		same bool
	}{
		"indented as a whole":     {"```python\n  def a():\n      b()\n```\n", true},
		"trailing blanks":         {"```python\ndef a():  \n    b()\t\n```\n", true},
		"blank lines around":      {"```python\n\ndef a():\n    b()\n\n```\n", true},
		"CRLF":                    {strings.ReplaceAll(base, "\n", "\r\n"), true},
		"another fence":           {"~~~~ python title=x\ndef a():\n    b()\n~~~~\n", true},
		"another word":            {"```python\ndef a():\n    c()\n```\n", false},
		"another inner indent":    {"```python\ndef a():\n  b()\n```\n", false},
		"another language":        {"```ruby\ndef a():\n    b()\n```\n", false},
		"a blank line in between": {"```python\ndef a():\n\n    b()\n```\n", false},
	} {
		got := of(skill(t, c.src), card.Example)
		if (text(got) == text(want)) != c.same {
			t.Errorf("%s: got %s, base %s", name, got, want)
		}
	}
}

// Code is never on a card; its lines are facts for questions, in parts that
// can be quoted, each with the lines it says.
func TestCodeParts(t *testing.T) {
	t.Parallel()
	s := skill(t, "```js\n// one\na()\nb()\n\n// two\nc()\n// three\nd(`\u202ex`)\n1\n2\n3\n4\n5\n6\n7\n8\n```\n")
	want := `2-4 0/0 [] "// one\na()\nb()"
6-7 0/0 [] "// two\nc()"
8-15 0/0 [] "// three\nd(` + "`x`" + `)\n1\n2\n3\n4\n5\n6"
16-17 0/0 [] "7\n8"
`
	if diff := cmp.Diff(want, of(s, card.Code)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, e := range s.Card.Entries {
		if e.Kind == card.Code {
			t.Errorf("code on the card: %q", e.Text)
		}
	}
}

// Lines of a shell fence that are no commands do not grow together where the
// commands between them were taken out.
func TestCodePartsDoNotJoinOverGaps(t *testing.T) {
	t.Parallel()
	s := skill(t, "```console\nbefore\n$ a\nafter\nmore\n```\n")
	want := "2-2 0/0 [] \"before\"\n4-5 0/0 [] \"after\\nmore\"\n"
	if got := of(s, card.Code); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Several sequences in one context have canonical numbers: what they say
// decides, not where they stand.
func TestSequencesHaveCanonicalNumbers(t *testing.T) {
	t.Parallel()
	one := "1. b\n2. c\n"
	two := "1. a\n2. z\n"
	for name, src := range map[string]string{
		"in order":          two + "\ntext\n\n" + one,
		"the other way":     one + "\ntext\n\n" + two,
		"one of them twice": one + "\ntext\n\n" + two + "\nmore\n\n" + one,
	} {
		var got []string
		for _, e := range skill(t, src).Card.Entries {
			if e.Kind == card.Step {
				got = append(got, fmt.Sprintf("%d/%d %s", e.List, e.Ordinal, e.Text))
			}
		}
		if diff := cmp.Diff([]string{"0/1 a", "0/2 z", "1/1 b", "1/2 c"}, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestDamageIsNotedAndTheRestIsRead(t *testing.T) {
	t.Parallel()
	s := one(t, tree(
		"s/SKILL.md", "---\na: b: c\n---\n- x\u200by\n",
		"s/big.md", strings.Repeat("- a line of a dump\n", 5<<20/19),
		"s/binary.md", "a\x00b", "s/fine.md", "- fine\n"))
	var got []string
	for _, n := range s.Notes {
		got = append(got, n.String()[:12]+" "+string(n.Kind))
	}
	want := []string{"s/SKILL.md:4 hidden", "s/SKILL.md:1 damaged", "s/big.md: th damaged", "s/binary.md: damaged"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(s.Card.Entries) != 2 {
		t.Errorf("%d entries", len(s.Card.Entries))
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	for want, fsys := range map[string]map[string]string{
		"mail":              {"skills/mail/SKILL.md": "---\nname: mail\n---\n"},
		"post (mail)":       {"skills/mail/SKILL.md": "---\nname: post\n---\n"},
		"other":             {"other/SKILL.md": "# A heading\n"},
		"root name":         {"SKILL.md": "---\nname: root name\n---\n"},
		"Skill at the root": {"SKILL.md": "# A heading\n"},
		"42 (x)":            {"x/SKILL.md": "---\nname: 42\n---\n"},
	} {
		for file, text := range fsys {
			if got := one(t, tree(file, text)).Card.Title; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}
