package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// maxReread is how often HTML inside the Markdown inside HTML is read as a
// document of its own. People nest two; each level reads its text once more.
const maxReread = 6

// html reads an HTML block: comments are reported, what stands between tags is
// read as Markdown, and a tag that HTML does not know is context of what it wraps.
func (w *walker) html(n *ast.HTMLBlock) {
	lines, at := w.htmlLines(n)
	if len(lines) == 0 {
		return // unreachable: a block has its first line
	}
	if n.HTMLBlockType == ast.HTMLBlockType1 {
		w.script(lines, at)
		return
	}
	text := w.dropComments(strings.Join(lines, "\n"), at)
	var kept []string
	var keptAt []int
	flush := func() {
		w.reread(dedent(kept), keptAt)
		kept, keptAt = nil, nil
	}
	for i, line := range strings.Split(text, "\n") {
		rest, tags := splitTags(line)
		if len(tags) > 0 && strings.TrimSpace(rest) == "" {
			flush()
			w.tags(tags, at[i])
			continue
		}
		rest, closers := w.trimClosers(rest)
		kept, keptAt = append(kept, rest), append(keptAt, at[i])
		if len(closers) > 0 {
			flush()
			w.tags(closers, at[i])
		}
	}
	flush()
}

// htmlLines returns the block's lines and where each stands in the file.
func (w *walker) htmlLines(n *ast.HTMLBlock) (lines []string, at []int) {
	lines, at = w.lines(n)
	if n.HasClosure() {
		lines = append(lines, strings.TrimRight(string(n.ClosureLine.Value(w.src)), "\n"))
		at = append(at, w.line(n.ClosureLine.Start))
	}
	return lines, at
}

// dedent takes off the indent that all lines share: inside HTML it is layout,
// and would make code of them.
func dedent(lines []string) []string {
	shared := -1
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			indent := len(l) - len(strings.TrimLeft(l, " \t"))
			if shared < 0 || indent < shared {
				shared = indent
			}
		}
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l[min(len(l), max(0, shared)):]
	}
	return out
}

// script keeps the content of script, style and pre elements as code.
func (w *walker) script(lines []string, at []int) {
	b := Block{Kind: Fence, Info: "html"}
	for i, l := range lines {
		b.Code = append(b.Code, CodeLine{l, at[i]})
	}
	b.First, b.Last = at[0], at[len(at)-1]
	w.emit(b)
	w.frame.lead = nil
}

// dropComments blanks comments out, keeps the line count and notes those that say something.
func (w *walker) dropComments(s string, at []int) string {
	var b strings.Builder
	line := 0
	for {
		open := strings.Index(s, "<!--")
		if open < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:open])
		line += strings.Count(s[:open], "\n")
		inner, rest, _ := strings.Cut(s[open+len("<!--"):], "-->")
		if strings.TrimSpace(inner) != "" {
			w.doc.note(Hidden, at[min(line, len(at)-1)], "an HTML comment with text; it was not indexed")
		}
		breaks := strings.Count(inner, "\n")
		b.WriteString(strings.Repeat("\n", breaks))
		line += breaks
		s = rest
	}
}

// reread parses lines that an HTML block held, in the frame at hand.
func (w *walker) reread(lines []string, at []int) {
	if strings.TrimSpace(strings.Join(lines, "")) == "" {
		return
	}
	src := []byte(strings.Join(lines, "\n"))
	inner := &walker{
		doc: w.doc, src: src, starts: lineStarts(src), at: at,
		frame: w.frame, lists: w.lists, closers: w.closers, depth: w.depth + 1,
	}
	if inner.depth > maxReread {
		inner.plain(lines, at)
		return
	}
	for c := blocksOf(src, w.closers).FirstChild(); c != nil; c = c.NextSibling() {
		if h, ok := c.(*ast.HTMLBlock); ok {
			inner.plain(inner.htmlLines(h))
			continue
		}
		inner.node(c)
	}
}

// plain takes the lines of an HTML block inside an HTML block as prose.
func (w *walker) plain(lines []string, at []int) {
	for i, l := range lines {
		rest, _ := splitTags(l)
		if text := Fold(rest); !w.isBlob(text, at[i]) {
			w.emit(Block{Kind: w.prose(), Text: text, First: at[i], Last: at[i]})
		}
	}
}
