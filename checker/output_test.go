package checker

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

// nasties are what names and texts hold at worst (2A-52, 2A-55).
func nasties() []string {
	return []string{
		"plain", "a|b", `a\|b`, `a\\|b|`, "`", "``` x", "`|`", "line\nbreak", "cr\rlf\r\n", "</details>", "<img src=x onerror=y>",
		"-->", "<!--", "@octocat", "@org/team", "#1", "org/repo#1", "fixes #2", "https://example.com", "www.example.com",
		"![i](x)", "[l](x)", "**b**", "# h", "\u202ertl", "\u2066iso", "\u200b", "日本語", "👩‍👩‍👧", "|", `\`, "", " ", "[withheld: x]",
		"| a | b |", "\x1b[31m", strings.Repeat("`", 300), strings.Repeat("é", 200), "bad \xff utf8", "~~~", "```\n```",
	}
}

// anyReport draws reports with such texts in every place.
func anyReport(t *rapid.T, most int) Report {
	word := rapid.SampledFrom(nasties())
	join := func(label string) string {
		return word.Draw(t, label) + " " + word.Draw(t, label)
	}
	fact := func() Fact {
		f := Fact{Section: card.Setup, Context: []string{join("context")}, Text: join("text"), file: join("file"), Places: []Place{}}
		if rapid.Bool().Draw(t, "placed") {
			f.Places = append(f.Places, Place{File: join("place"), Line: rapid.IntRange(1, 9).Draw(t, "line"), End: 9})
		}
		return f
	}
	anyCard := func(state drift.State) CardReport {
		c := newCardReport(join("card"), join("skill"), state, "A plain reason. Run: cardkeeper build")
		for range rapid.IntRange(0, 3).Draw(t, "facts") {
			c.Added = append(c.Added, fact())
			c.Removed = append(c.Removed, fact())
			c.Changed = append(c.Changed, Pair{fact(), fact()})
			c.Moved = append(c.Moved, Pair{fact(), fact()})
		}
		if rapid.Bool().Draw(t, "moved") {
			c.from = join("from")
		}
		return c
	}
	r := newReport()
	r.Title, r.folder = "1 card stale", word.Draw(t, "folder")
	state := rapid.SampledFrom([]drift.State{drift.Stale, drift.Missing, drift.Orphan, drift.Newer, drift.Older})
	for range rapid.IntRange(0, most).Draw(t, "cards") {
		r.Cards = append(r.Cards, anyCard(state.Draw(t, "state")))
		r.Updated = append(r.Updated, anyCard(drift.Fresh))
	}
	for range rapid.IntRange(0, most).Draw(t, "secrets") {
		r.Secrets = append(r.Secrets, Finding{Rule: "github-pat", Tier: secret.Block, File: join("secret"), Line: 3, End: 4, Fingerprint: strings.Repeat("0", 32)})
		r.Notes = append(r.Notes, join("note"))
	}
	return r
}

// rendered is Markdown as GitHub reads it.
func rendered(source string) ast.Node {
	return goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader([]byte(source)))
}

// alive lists what a page must not hold: HTML, links, images, and words outside
// code that GitHub would turn into a mention or a reference.
func alive(source string) []string {
	var out []string
	_ = ast.Walk(rendered(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock, *ast.RawHTML, *ast.Link, *ast.AutoLink, *ast.Image:
			out = append(out, n.Kind().String())
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if s := string(n.Value([]byte(source))); strings.ContainsAny(s, "@#<>[]") || strings.Contains(s, "www.") || strings.Contains(s, "://") {
				out = append(out, fmt.Sprintf("text %q", s))
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

// cells returns the number of cells of each row of each table.
func cells(source string) (tables [][]int) {
	_ = ast.Walk(rendered(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if table, ok := n.(*extast.Table); ok && entering {
			var rows []int
			for row := table.FirstChild(); row != nil; row = row.NextSibling() {
				rows = append(rows, row.ChildCount())
			}
			tables = append(tables, rows)
		}
		return ast.WalkContinue, nil
	})
	return tables
}

// splitCells counts the cells of a line as GitHub's own parser does: a pipe ends a
// cell unless a backslash stands before it that is not itself escaped. The
// renderer here is kinder.
func splitCells(line string) int {
	n, escaped := 0, false
	for _, c := range line {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '|':
			n++
		}
	}
	return n - 1
}

// No text of a repository is alive in the page, and no table loses a cell (2A-52, 2A-55).
func TestNothingIsAliveInThePage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport(t, 3)
		o := r.Output()
		for _, page := range []string{o.Summary, o.Text} {
			if !utf8.ValidString(page) {
				t.Fatal("the page is no UTF-8")
			}
			if found := alive(page); len(found) > 0 {
				t.Fatalf("alive: %v\n%s", found, page)
			}
			if strings.ContainsAny(page, "\u202e\u2066\u200b\x1b\r") {
				t.Fatal("a character that shows nothing, or steers, is in the page")
			}
		}
		want := [][]int{}
		if n := len(r.Secrets); n > 0 {
			want = append(want, same(n+1, 3))
		}
		if n := len(r.Cards) + len(r.Updated); n > 0 {
			want = append(want, same(n+1, 7))
		}
		if got := cells(o.Summary); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("tables have rows of %v cells, want %v\n%s", got, want, o.Summary)
		}
		for line := range strings.Lines(o.Summary) {
			if n := splitCells(line); strings.HasPrefix(line, "|") && n != 3 && n != 7 {
				t.Fatalf("a row of %d cells: %s", n, line)
			}
		}
		if n := strings.Count(o.Text, "\n### ") + strings.Count(o.Text[:min(4, len(o.Text))], "### "); n < len(r.Cards) {
			t.Fatalf("%d headings for %d cards\n%s", n, len(r.Cards), o.Text)
		}
		for line := range strings.Lines(r.Plain()) {
			if strings.ContainsAny(line, "\u202e\x1b\r") {
				t.Fatalf("a line for the terminal steers it: %q", line)
			}
		}
	})
}

func same(n, value int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = value
	}
	return out
}

// A test that the test sees what is alive.
func TestAliveIsNoticed(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"<img src=x>", "a <b>b</b>", "[x](y)", "![x](y)", "https://example.com", "hi @octocat", "see #1", "<div>\n\nx"} {
		if len(alive(page)) == 0 {
			t.Errorf("%q is taken for harmless", page)
		}
	}
	if n := splitCells("| a\\\\|b |\n"); n != 2 {
		t.Errorf("an escaped backslash before a pipe: %d cells", n)
	}
}

// Both fields keep within GitHub's bytes, whatever is to tell, and say how much
// is left out (2A-10, 2A-12).
func TestFieldsKeepWithinTheirBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := newReport()
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		name := func(most int) string {
			return strings.Repeat(rapid.SampledFrom([]string{"👩‍👩‍👧", "`", "|", "é", "a/"}).Draw(t, "letter"), 1+rng.IntN(most))
		}
		for range rapid.SampledFrom([]int{0, 1, 1, 60, 60, 60, 3000}).Draw(t, "cards") {
			c := newCardReport("cards/"+name(40)+".md", "x", drift.Stale, "A reason. Run: cardkeeper build")
			for range rng.IntN(4) {
				c.Added = append(c.Added, Fact{Text: name(30), Context: []string{name(20)}, Places: []Place{{File: "a", Line: 1, End: 1}}})
			}
			r.Cards = append(r.Cards, c)
		}
		if len(r.Cards) > 0 && rapid.Bool().Draw(t, "a long first card") {
			for range 5000 {
				r.Cards[0].Added = append(r.Cards[0].Added, Fact{Text: name(30)})
			}
		}
		for range rapid.SampledFrom([]int{0, 1, 500}).Draw(t, "secrets") {
			r.Secrets = append(r.Secrets, Finding{Rule: "jwt", Tier: secret.Block, File: name(800), Line: 1, End: 1, Fingerprint: strings.Repeat("0", 32)})
			r.Notes = append(r.Notes, name(800))
		}
		o := r.Output()
		for what, page := range map[string]string{"summary": o.Summary, "text": o.Text} {
			if len(page) > MaxField {
				t.Fatalf("the %s has %d bytes", what, len(page))
			}
			if strings.Count(page, "```")%2 != 0 && !strings.Contains(page, "````") {
				t.Fatalf("the %s ends within a code block", what)
			}
		}
		if before, _, cut := strings.Cut(o.Text, "lines left out here"); cut && strings.Count(before, "### ") > 1 {
			t.Fatal("a card behind the first is cut within")
		}
		told := strings.Count(o.Text, "### ")
		if left := leftOut(o.Text, "card"); told+left != len(r.Cards) {
			t.Fatalf("%d cards told and %d left out of %d", told, left, len(r.Cards))
		}
		rows := 0
		for _, table := range cells(o.Summary) {
			if len(table) > 0 && table[0] == 7 {
				rows = len(table) - 1
			}
		}
		if left := leftOut(o.Summary, "card"); rows+left != len(r.Cards) {
			t.Fatalf("%d rows and %d left out of %d cards", rows, left, len(r.Cards))
		}
		if !strings.Contains(o.Summary, "Looked at") {
			t.Fatal("the summary does not say what was looked at")
		}
	})
}

// leftOut reads how many of something a page says are left out.
func leftOut(page, noun string) int {
	n := 0
	for line := range strings.Lines(page) {
		var k int
		if i := strings.Index(line, " "+noun); i > 0 && strings.Contains(line, "left out here") {
			if _, err := fmt.Sscanf(line[:i], "%d", &k); err == nil {
				n += k
			}
		}
	}
	return n
}

// One bad annotation makes GitHub refuse all (2A-13), so none is bad.
func TestAnnotationsAreWellFormed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport(t, 100)
		all := r.Output().Annotations
		if len(all) > maxAnnotations {
			t.Fatalf("%d annotations", len(all))
		}
		for _, a := range all {
			if a.File == "" || a.Line < 1 || a.End < a.Line || a.Message == "" || len(a.Title) > 255 || a.Title == "" {
				t.Fatalf("bad: %+v", a)
			}
			if strings.Contains(a.File, withheldMark) {
				t.Fatalf("at a file that is not there: %+v", a)
			}
		}
	})
}

// Every annotation stands on a file of the head, at lines that it has.
func TestAnnotationsStandInTheHead(t *testing.T) {
	t.Parallel()
	base, head, _, _ := busy()
	token := newMint(40).token()
	head = head.with("skills/alpha/"+token+".md", "- text "+token+"\n").without(betaCard)
	r := compare(t, base.side(), head.side())
	all := r.Output().Annotations
	if len(all) < 5 {
		t.Fatalf("only %d annotations", len(all))
	}
	for _, a := range all {
		text, ok := head[a.File]
		if !ok || a.Line > bytes.Count([]byte(text), []byte("\n"))+1 {
			t.Errorf("not in the head: %+v", a)
		}
	}
}

func TestWhatToDoNext(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		report Report
		want   string
	}{
		"nothing":                        {newReport(), "Nothing to do."},
		"a stale card":                   {Report{Cards: []CardReport{{State: drift.Stale}}, folder: "index/cards"}, "cardkeeper build\ngit add -- index/cards\n"},
		"a folder that a shell would do": {Report{Cards: []CardReport{{State: drift.Stale}}, folder: "$(reboot)"}, "git add -- .\n"},
		"a newer card":                   {Report{Cards: []CardReport{{State: drift.Newer}}}, "Could not check everything"},
		"a secret":                       {Report{Secrets: []Finding{{Tier: secret.Block}}}, "Rotate it first"},
		"a secret and a stale card":      {Report{Secrets: []Finding{{Tier: secret.Block}}, Cards: []CardReport{{State: drift.Stale}}}, "is not written before the value is out.\n\nRebuild"},
	} {
		if got := c.report.Output().Summary; !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A list never takes more than its room, and accounts for each of its rows.
func TestAListKeepsToItsRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := listing{head: "head\n", noun: "card", most: rapid.IntRange(0, 3).Draw(t, "most")}
		for range rapid.IntRange(0, 9).Draw(t, "rows") {
			l.rows = append(l.rows, "- "+strings.Repeat("x", rapid.IntRange(0, 60).Draw(t, "row"))+"\n")
		}
		room := rapid.IntRange(-50, 400).Draw(t, "room")
		got := l.fit(room)
		if len(got) > max(room, 0) {
			t.Fatalf("%d bytes in a room of %d", len(got), room)
		}
		if got != "" && strings.Count(got, "- ")+leftOut(got, "card") != len(l.rows) {
			t.Fatalf("%d rows became:\n%s", len(l.rows), got)
		}
	})
}

// Two steps that changed places, and nothing else, are told one by one: a count would say neither which nor where.
func TestSwappedStepsAreTold(t *testing.T) {
	t.Parallel()
	step := func(ordinal, line int, text, rev string) Fact {
		return Fact{Section: "commands", Text: text, Ordinal: ordinal, Places: []Place{{"SKILL.md", line, line, rev}}, file: "SKILL.md"}
	}
	c := CardReport{Card: "cards/x.md", State: "stale", Renumbered: []Pair{
		{step(1, 3, "plan", "base"), step(2, 4, "plan", "")}, {step(2, 4, "apply", "base"), step(1, 3, "apply", "")},
	}}
	text := strings.Join(c.lines(), "\n")
	for _, want := range []string{"# 1 -> 2 plan  (SKILL.md:4)", "# 2 -> 1 apply  (SKILL.md:3)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
	if got := c.annotations(); len(got) != 2 || got[0].Line != 4 {
		t.Errorf("annotations: %+v", got)
	}
	c.Added = []Fact{step(1, 2, "read", "")}
	if text := strings.Join(c.lines(), "\n"); !strings.Contains(text, "# 2 renumbered") {
		t.Errorf("no count beside an added step in\n%s", text)
	}
}
