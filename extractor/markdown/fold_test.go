package markdown

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// nasty draws texts of the pieces that rules of the fold look at, in any order.
func nasty() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			" ", "  ", "\n", "\r\n", "\r", "\t", "\\", "\\\n", "  \n", "`", "``", "` `", "\\`", "\\\\`", "[", "]", "(", ")", "![", "](", "](x)", "](https://a.b)",
			"<!--", "-->", "<!-- c -->", "a", "word", "中", "文", "한", "、", "ｱ", "😀", "✅", "\ufe0f", "\u200d", "\u200b", "\ufeff", "\u202e",
			"\U0001f3f4", "\U000e0067", "\U000e007f", "\U000e0101", "\u00a0", "\u0085", "\u2028", "\v", "\x1b", "\xff", "é", "e\u0301", "**", "<b>", "|", "\\|",
		}),
		rapid.StringMatching(`[ -~]{1,5}`),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 14).Draw(t, "pieces"), "")
	})
}

func TestFoldIsIdempotent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := nasty().Draw(t, "s")
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Fatalf("Fold(%q) = %q, and again %q", s, once, twice)
		}
		checkOneLine(t, once)
	})
}

func TestFoldCodeIsIdempotent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := nasty().Draw(t, "s")
		once := FoldCode(s)
		if twice := FoldCode(once); twice != once {
			t.Fatalf("FoldCode(%q) = %q, and again %q", s, once, twice)
		}
		checkOneLine(t, once)
	})
}

// checkOneLine holds what a card needs of a text: one line, no blank at its
// ends, nothing that a reader does not see.
func checkOneLine(t *rapid.T, s string) {
	if strings.ContainsAny(s, "\r\n") || strings.TrimSpace(s) != s {
		t.Fatalf("%q is not one trimmed line", s)
	}
	if Visible(s) != s {
		t.Fatalf("%q holds hidden characters", s)
	}
}

// Where lines break, and with what blanks around, says nothing.
func TestFoldIgnoresWraps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(
			rapid.StringMatching("[a-z.,:*_]{1,6}"),
			rapid.SampledFrom([]string{"`a b`", "中文", "안녕", "✅", "❌", "[a](b.md)", "[a](https://b.c)", "\\*", "a|b"}),
		)
		words := rapid.SliceOfN(word, 1, 8).Draw(t, "words")
		one, other := words[0], words[0]
		for i, w := range words[1:] {
			gap := rapid.SampledFrom([]string{" ", "  ", "\n", "\r\n", " \n  ", "  \n", "\\\n", "\n\t"}).Draw(t, "gap")
			if strings.ContainsAny(gap, "\n") && endsWide(words[i]) && startsWide(w) {
				gap = " " // between two wide characters a break is no blank
			}
			one, other = one+" "+w, other+gap+w
		}
		if a, b := Fold(one), Fold(other); a != b {
			t.Fatalf("%q folds to %q, %q to %q", one, a, other, b)
		}
	})
}

func TestFoldRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"a soft break is a space":                        {"one\ntwo", "one two"},
		"the blanks around a break belong to it":         {"one  \n   two", "one two"},
		"a backslash that breaks the line goes":          {"one\\\ntwo", "one two"},
		"an escaped backslash at the end stays":          {`one\\` + "\ntwo", `one\\ two`},
		"a backslash on the last line stays":             {`C:\`, `C:\`},
		"CRLF is a break":                                {"one\r\ntwo", "one two"},
		"a lone CR is a break, in code too":              {"`one\rtwo`", "`one two`"},
		"no blank between wide characters":               {"中文\n字符", "中文字符"},
		"a blank between wide and narrow":                {"中文\nabc\n字", "中文 abc 字"},
		"a blank between Hangul syllables":               {"안녕\n하세요", "안녕 하세요"},
		"a blank between emoji":                          {"ok ✅\n❌ bad", "ok ✅ ❌ bad"},
		"a hidden character does not hide the width":     {"中\u200b\n文", "中文"},
		"runs of white space are one":                    {"a \t  b\u00a0\u3000c", "a b c"},
		"white space in a code span stays":               {"a  `b  c`  d", "a `b  c` d"},
		"a break in a code span is one space":            {"`a\n  b`", "`a b`"},
		"an escaped backtick opens no span":              {"\\`a  b`", "\\`a b`"},
		"a span after an escaped backslash":              {"\\\\`a  b`", "\\\\`a  b`"},
		"a backtick without its pair opens nothing":      {"``a  b`", "``a b`"},
		"a relative target goes, its text stays":         {"see [the *guide*](docs/a.md \"t\") now", "see the *guide* now"},
		"an anchor is relative":                          {"[a](#b)", "a"},
		"an absolute target stays":                       {"[a](https://x.y/z) <mailto:a@b.c> [m](mailto:a@b.c)", "[a](https://x.y/z) <mailto:a@b.c> [m](mailto:a@b.c)"},
		"a drive letter is no scheme":                    {`[a](C:\x)`, "a"},
		"an image goes":                                  {"a ![alt](https://x.y/i.png) b", "a b"},
		"a badge goes with its link":                     {"[![alt](i.png)](https://x.y)", ""},
		"an image in a link leaves the rest of its text": {"[![alt](i.png) docs](https://x.y)", "[docs](https://x.y)"},
		"a link in a code span is code":                  {"`[a](b.md)`", "`[a](b.md)`"},
		"an escaped bracket is none":                     {`\[a](b.md)`, `\[a](b.md)`},
		"brackets in a link's text":                      {"[a [b] `]` c](d.md)", "a [b] `]` c"},
		"parentheses in a target":                        {"[a](b(c).md)d", "ad"},
		"a reference link stays":                         {"[a][b] and [c]", "[a][b] and [c]"},
		"a link without its end stays":                   {"[a](b.md", "[a](b.md"},
		"links nested too deeply stay":                   {strings.Repeat("[", 99) + "a" + strings.Repeat("](b)", 99), strings.Repeat("[", 99) + "a" + strings.Repeat("](b)", 99)},
		"an HTML comment goes":                           {"a <!-- b\nc --> d", "a d"},
		"a comment without its end stays":                {"a <!-- b", "a <!-- b"},
		"a comment in a code span is code":               {"`<!-- a -->`", "`<!-- a -->`"},
		"emphasis, escapes and tags stay":                {"**a** _b_ \\* <b>c</b> &amp; ~~d~~", "**a** _b_ \\* <b>c</b> &amp; ~~d~~"},
		"an escaped pipe stays":                          {`| a \| b |`, `| a \| b |`},
		"zero-width characters go":                       {"a\u200bb\ufeffc", "abc"},
		"direction marks go":                             {"a\u202eb\u2066c", "abc"},
		"tag characters go":                              {"a\U000e0068\U000e0069b", "ab"},
		"control characters go, a form feed is a blank":  {"a\x1b[31m\x08b\fc", "a[31mb c"},
		"a line separator is a blank, in code too":       {"`a\u2028b`", "`a b`"},
		"a flag of tag characters stays":                 {"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"},
		"a flag without its end goes but for the flag":   {"\U0001f3f4\U000e0067\U000e0062", "\U0001f3f4"},
		"joined emoji stay":                              {"👩🏽\u200d💻 🏳️\u200d🌈", "👩🏽\u200d💻 🏳️\u200d🌈"},
		"a joiner between letters goes":                  {"a\u200db", "ab"},
		"a form selector after a symbol stays":           {"⚠️ 1️⃣ ℹ️", "⚠️ 1️⃣ ℹ️"},
		"form selectors in a row carry text and go":      {"😀\ufe0f\U000e0101\U000e0102a\ufe0f", "😀\ufe0fa"},
		"bytes that are no text stay as they are":        {"a\xffb", "a\xffb"},
		"nothing": {" \n\t", ""},
	} {
		if got := Fold(c.in); got != c.want {
			t.Errorf("%s:\nFold(%q)\n got %q\nwant %q", name, c.in, got, c.want)
		}
	}
}

func TestFoldCodeRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"a continuation is one space":           {"run \\\n    --flag", "run --flag"},
		"an escaped backslash is none":          {`echo \\` + "\nnext", `echo \\ next`},
		"blanks inside stay":                    {`echo "a  b"`, `echo "a  b"`},
		"a link is code here":                   {`echo "[a](b)"`, `echo "[a](b)"`},
		"a tab is a blank":                      {"a\tb", "a b"},
		"CRLF":                                  {"a\r\nb\r\n", "a b"},
		"hidden characters go":                  {"r\u200bm \u202e-rf", "rm -rf"},
		"a backslash before nothing more stays": {`cd C:\`, `cd C:\`},
	} {
		if got := FoldCode(c.in); got != c.want {
			t.Errorf("%s: FoldCode(%q) = %q, want %q", name, c.in, got, c.want)
		}
	}
}

// Every character of the categories that show nothing is removed, wherever the
// tables of this Go version put it.
func TestNoFormatCharacterPasses(t *testing.T) {
	t.Parallel()
	for _, table := range []*unicode.RangeTable{unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point} {
		for _, r := range table.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				checkGone(t, c)
			}
		}
		for _, r := range table.R32 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				checkGone(t, c)
			}
		}
	}
}

func checkGone(t *testing.T, r rune) {
	t.Helper()
	if got := Fold("a" + string(r) + "b"); got != "ab" && got != "a b" {
		t.Errorf("U+%04X passes: %q", r, got)
	}
}
