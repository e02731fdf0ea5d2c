package markdown

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// joinPluses undoes lists that a plus sign in prose began: a hard-wrapped line
// that happens to start with "+ " makes one. Its text goes back to the sentence before.
func joinPluses(n ast.Node, src []byte) {
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		if l, ok := c.(*ast.List); ok {
			if before := wrapped(l, src); before != nil {
				takeBack(before, l, src)
				n.RemoveChild(n, l)
				c = next
				continue
			}
		}
		joinPluses(c, src)
		c = next
	}
}

// wrapped returns the text that a list goes on with, or nil for a list that is
// meant: one of several items, after an empty line, after a sentence that has
// ended or announces it, or one that starts like a sentence.
func wrapped(l *ast.List, src []byte) ast.Node {
	if l.Marker != '+' || l.ChildCount() != 1 {
		return nil
	}
	own := l.FirstChild().FirstChild()
	before := textBefore(l)
	if own == nil || own.Kind() != ast.KindTextBlock || own.NextSibling() != nil || before == nil {
		return nil
	}
	last := before.Lines().At(before.Lines().Len() - 1)
	start := own.Lines().At(0)
	between := src[last.Start:start.Start]
	if bytes.Count(between, []byte("\n")) != 1 || !unfinished(string(src[last.Start:last.Stop])) {
		return nil
	}
	first, _ := decode(strings.TrimLeft(string(start.Value(src)), "*_`([\"'"))
	if unicode.IsUpper(first) {
		return nil
	}
	return before
}

// textBefore is the text that ends right before a list, in the block before it
// or in that block's last item.
func textBefore(l *ast.List) ast.Node {
	n := l.PreviousSibling()
	for n != nil && (n.Kind() == ast.KindList || n.Kind() == ast.KindListItem) {
		n = n.LastChild()
	}
	if n == nil || n.Kind() != ast.KindTextBlock && n.Kind() != ast.KindParagraph || n.Lines().Len() == 0 {
		return nil
	}
	return n
}

// shortestWrap is the length from which a line may have been wrapped, in bytes:
// nobody wraps prose at less than 40 columns.
const shortestWrap = 40

func unfinished(line string) bool {
	line = strings.TrimRight(line, " \t\n")
	bare := strings.TrimRight(line, "*_\"')]`")
	if len(line) < shortestWrap || bare == "" {
		return false
	}
	return !strings.HasSuffix(line, `\`) && !strings.ContainsAny(bare[len(bare)-1:], ".:!?;") &&
		!strings.ContainsFunc(bare[max(0, len(bare)-3):], func(r rune) bool { return strings.ContainsRune("。：！？；", r) })
}

// takeBack appends a list's text, mark included, to the text before it.
func takeBack(before ast.Node, l *ast.List, src []byte) {
	lines := l.FirstChild().FirstChild().Lines()
	for i := range lines.Len() {
		s := lines.At(i)
		if i == 0 {
			s = text.NewSegment(bytes.LastIndexByte(src[:s.Start], '+'), s.Stop)
		}
		before.Lines().Append(s)
	}
}
