package answer

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// hostile are texts that mean something to GitHub, to Markdown or to a terminal.
var hostile = []string{
	"ask @octocat and @org/team", "closes #12, owner/repo#7 and GH-31", "see JIRA-5 or ABC1-99",
	"![pixel](https://evil.example/p.png)", "[click](javascript:alert(1))", "https://github.com/o/r/issues/3",
	"www.example.com/x", "mail me@example.com", "<img src=x onerror=y>", "</details></blockquote><h1>hi", "<!-- open",
	"&lt;b&gt; &#64;octocat", "commit da39a3ee5e6b4b0d3255bfef95601890afd80709 broke it", "see deadbee",
	"`code` and ``a ` b`` and ` alone", "```", "`a`@octocat`b`", "$x$ and $`y`$", ":tada: it", "a | b | c",
	"# not a heading", "- no item", "1. no item", "2) nor this", "> no quote", "--- ", "***", "=== ", "**bold** _soft_ ~~gone~~",
	"\\@octocat \\` \\", "tail `", "two\n\n# blocks\n- x", "\u202eabc\u202c \x1b[31mred", "[^1] and [x]: http://e.example",
	"*[abbr]: x", "7`a`@octocat`b`www.example.com/x", "'`me@example.com`'", "+ no", "   indented", "    code", "@", "#", "", "|", "’s “fine” — really… 50% (yes)!",
}

func TestQuotedTextIsInert(t *testing.T) {
	t.Parallel()
	for _, s := range hostile {
		checkInert(t, s)
	}
}

func TestAnyTextIsInert(t *testing.T) {
	t.Parallel()
	part := rapid.OneOf(rapid.SampledFrom(hostile), rapid.String(), rapid.SampledFrom([]string{"`", "``", " ", "\n", "@a", "#1", "*", "](", "<", "http://", "-", "7"}))
	rapid.Check(t, func(r *rapid.T) {
		checkInert(r, strings.Join(rapid.SliceOfN(part, 1, 6).Draw(r, "parts"), ""))
	})
}

// checkInert renders s as a quotation and reads it as GitHub would: one quoted
// paragraph of plain words and code spans, no words lost.
func checkInert(t rapid.TB, s string) {
	t.Helper()
	source := []byte("> " + inert(s) + "\n")
	read := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	unescape := strings.NewReplacer(`\*`, "*", `\.`, ".", `\)`, ")", `\-`, "-")
	var plain, all strings.Builder
	walk := func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Document, *ast.Blockquote, *ast.Paragraph:
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				all.Write(c.(*ast.Text).Value(source))
			}
			plain.WriteByte(' ')
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			value := unescape.Replace(string(n.Value(source)))
			plain.WriteString(value)
			all.WriteString(value)
		default:
			t.Errorf("%q gives a %s:\n%s", s, n.Kind(), source)
		}
		return ast.WalkContinue, nil
	}
	if err := ast.Walk(read, walk); err != nil {
		t.Fatal(err)
	}
	for _, alive := range []string{"@", "#", "://", "www.", "<", "&", "$", "_", "~", "[", "]", "\\", "\x1b"} {
		if strings.Contains(plain.String(), alive) {
			t.Errorf("%q leaves %q outside code:\n%s", s, alive, source)
		}
	}
	if got, want := letters(all.String()), letters(visible(s)); got != want {
		t.Errorf("%q reads as %q", want, got)
	}
}

// letters drops what a rendering may add or swallow: blanks, backticks and escapes.
func letters(s string) string {
	return strings.NewReplacer(" ", "", "`", "", `\`, "").Replace(s)
}

func TestOrdinaryTextStaysReadable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Run `setup` once, before anything else.": "Run `setup` once, before anything else.",
		"It's fine (really): 50%!":                "It's fine (really): 50%!",
		"ask @octocat now":                        "ask `@octocat` now",
		"(`a`/`b`)":                               "(`a/b`)",
		"**bold** word":                           `\*\*bold\*\* word`,
		"1. first":                                `1\. first`,
		"see GH-12.":                              "see `GH-12.`",
		"a pre-commit hook":                       "a pre-commit hook",
		"``a ` b``":                               "``a ` b``",
	} {
		if got := inert(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestAnAnswerOfHostileFactsIsInert(t *testing.T) {
	t.Parallel()
	var facts []card.Fact
	for i, s := range hostile {
		if visible(s) != "" {
			facts = append(facts, fact(t, "s", i+1, "commands", "bullet", s, s+" zebra"))
		}
	}
	x := NewIndex([]Skill{{Path: "s", Name: "s", Facts: facts}})
	a := x.Ask("zebra")
	out := Markdown(a, func(card.Place) string { return "https://h.example/a b)](x)<y>" })
	if !a.Answered || strings.Contains(out, "](x)") || strings.Contains(out, "<y>") || !strings.Contains(out, "(https://h.example/a%20b%29%5D%28x%29%3Cy%3E)") {
		t.Errorf("link addresses end early:\n%s", out)
	}
	for _, r := range Text(a, nil) {
		if r == 0x1b || r == 0x202e {
			t.Fatal("a fact steers the terminal")
		}
	}
}

func TestARefusalIsShortAndFoldsItsDetail(t *testing.T) {
	t.Parallel()
	a := mailbox(t).Ask("</details> @octocat retry zzz`zzz")
	out := Markdown(a, nil)
	head, rest, folded := strings.Cut(out, "<details>")
	if !folded || strings.Count(head, "\n") > 2 || !strings.HasPrefix(head, "**Not documented.** ") {
		t.Errorf("the refusal is not one line:\n%s", out)
	}
	for _, want := range []string{"8 facts on 1 card", "0.14", "- `retry`: 0 facts"} {
		if !strings.Contains(rest, want) {
			t.Errorf("%q is not shown:\n%s", want, out)
		}
	}
	if strings.Count(out, "</details>") != 1 || strings.Contains(out, " @") {
		t.Errorf("the question is alive:\n%s", out)
	}
}

func TestTextShowsPlaceContextAndQuote(t *testing.T) {
	t.Parallel()
	want := "1. skills/mailbox/SKILL.md:2  (skills/mailbox, setup)\n   Mailbox rules › Setup\n   Run `setup` once before anything else; it writes the rule file.\n"
	if got := Text(mailbox(t).Ask("how do I set up the tool"), nil); got != want {
		t.Errorf("got\n%s", got)
	}
	want = "Not documented. No fact covers enough of the question.\nLooked through 8 facts on 1 card. The best reached 0.00; an answer needs 0.14.\n  sync: 0 facts (unknown here)\n  fail: 0 facts (unknown here)\n"
	if got := Text(mailbox(t).Ask("why does the sync fail"), nil); got != want {
		t.Errorf("got\n%s", got)
	}
	long := fact(t, "s", 1, "setup", "paragraph", strings.Repeat("h", 500), strings.Repeat("word ", 900)+"zebra")
	out := Markdown(NewIndex([]Skill{{Path: "s", Facts: []card.Fact{long}}}).Ask("zebra"), nil)
	if len(out) > mostQuoted+mostContext+200 || !strings.Contains(out, "…") {
		t.Errorf("a long quotation has %d bytes", len(out))
	}
}

func TestCodeOfSeveralLinesStaysInItsBlock(t *testing.T) {
	t.Parallel()
	e := fact(t, "s", 1, "commands", "code", "Top", "def zebra():\n    return \"@octocat\"\n```\n</details>\r# out\n> x").Entry()
	source := []byte("> " + quoted(e) + "\n")
	read := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	quote := read.FirstChild()
	if quote.NextSibling() != nil || quote.FirstChild().Kind() != ast.KindFencedCodeBlock || quote.FirstChild().NextSibling() != nil {
		t.Errorf("the block leaks:\n%s", source)
	}
	if !strings.Contains(string(source), ">     return") {
		t.Errorf("the indent is lost:\n%s", source)
	}
	if out := Text(Answer{Hits: []Hit{{Fact: fact(t, "s", 1, "commands", "code", "Top", "a:\n  b")}}}, nil); !strings.HasSuffix(out, "   a:\n     b\n") {
		t.Errorf("got\n%s", out)
	}
}
