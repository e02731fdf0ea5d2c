package command

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A Markdown library is the second opinion on what is text: random comments of the signs that matter are read by both.
//
// The comments hold no inline comments that close after a blank line, where the reading differs by choice, and no quote beside
// a backtick: a code span that begins in a quote and ends on a lazy line below it is followed by the library alone.
func TestGoldmarkFindsTheSameLines(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", "`", "``", "```", "~~~", "\n", "\n", "\n", "\n\n", "- ", "1. ", "2) ", "  ", "    ", " ", "# ", "\n<!--", "<!-- -->",
		"-->", "---", "\\", "<pre>", "</pre>", "\t", "> ", "/ask Q\n", "\n/ask Q\n", "\n  /ask Q\n"}
	random := rand.New(rand.NewPCG(5, 6))
	md := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	found := 0
	for range 30_000 {
		var b strings.Builder
		for i := range 3 + random.IntN(12) {
			b.WriteString(strings.ReplaceAll(pieces[random.IntN(len(pieces))], "Q", fmt.Sprint("q", i)))
		}
		body := b.String()
		if strings.Contains(body, "> ") && strings.Contains(body, "`") {
			continue
		}
		want, got := parsed(md, body), visible(body)
		for i := range got {
			got[i] = strings.TrimSpace(got[i])
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q (-goldmark +ours):\n%s", body, d)
		}
		found += len(got)
	}
	if found < 10_000 {
		t.Errorf("only %d lines were compared", found)
	}
}

// parsed is what the library takes for text, of the lines that begin with the command.
func parsed(md parser.Parser, body string) (lines []string) {
	doc := md.Parse(text.NewReader([]byte(body)))
	_ = ast.Walk(doc, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		t, ok := n.(*ast.Text)
		if !enter || !ok || n.Parent().Kind() == ast.KindCodeSpan || !strings.HasPrefix(body[t.Segment.Start:], name) {
			return ast.WalkContinue, nil
		}
		begin := strings.LastIndexByte(body[:t.Segment.Start], '\n') + 1
		if blanks := body[begin:t.Segment.Start]; len(blanks) <= 3 && strings.Trim(blanks, " ") == "" {
			line, _, _ := strings.Cut(body[begin:], "\n")
			lines = append(lines, strings.TrimSpace(line))
		}
		return ast.WalkContinue, nil
	})
	return lines
}
