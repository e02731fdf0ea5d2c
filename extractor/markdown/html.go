package markdown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// html reads an HTML block: comments are reported, what stands between tags is
// read as Markdown, and a tag that HTML does not know is context of what it wraps.
func (w *walker) html(n *ast.HTMLBlock) {
	lines, at := w.htmlLines(n)
	if n.HTMLBlockType == ast.HTMLBlockType1 {
		w.script(lines, at)
		return
	}
	text := w.dropComments(strings.Join(lines, "\n"), at)
	var kept []string
	var keptAt []int
	flush := func() {
		if len(kept) > 0 {
			w.reread(kept, keptAt)
		}
		kept, keptAt = nil, nil
	}
	for i, line := range strings.Split(text, "\n") {
		rest, tags := splitTags(line)
		if len(tags) > 0 && strings.TrimSpace(rest) == "" {
			flush()
			w.tags(tags, at[i])
			continue
		}
		kept, keptAt = append(kept, rest), append(keptAt, at[i])
	}
	flush()
}

// htmlLines returns the block's lines and where each stands in the file.
func (w *walker) htmlLines(n *ast.HTMLBlock) (lines []string, at []int) {
	add := func(start int, value []byte) {
		lines = append(lines, strings.TrimRight(string(value), "\n"))
		at = append(at, w.line(start))
	}
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		add(s.Start, s.Value(w.src))
	}
	if n.HasClosure() {
		add(n.ClosureLine.Start, n.ClosureLine.Value(w.src))
	}
	return lines, at
}

// script keeps the content of script, style and pre elements as code.
func (w *walker) script(lines []string, at []int) {
	b := Block{Kind: Fence, Info: "html"}
	for i, l := range lines {
		b.Code = append(b.Code, CodeLine{l, at[i]})
	}
	if len(lines) == 0 {
		return
	}
	b.First, b.Last = at[0], at[len(at)-1]
	w.emit(b)
	w.frame.lead = nil
}

// dropComments blanks comments out, keeps the line count and notes those that say something.
func (w *walker) dropComments(s string, at []int) string {
	var b strings.Builder
	for {
		open := strings.Index(s, "<!--")
		if open < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:open])
		line := at[min(strings.Count(b.String(), "\n"), len(at)-1)]
		inner, rest, _ := strings.Cut(s[open+len("<!--"):], "-->")
		if strings.TrimSpace(inner) != "" {
			w.doc.note(Hidden, line, "an HTML comment with text; it was not indexed")
		}
		b.WriteString(strings.Repeat("\n", strings.Count(inner, "\n")))
		s = rest
	}
}

// reread parses lines that an HTML block held, in the frame at hand.
func (w *walker) reread(lines []string, at []int) {
	if strings.TrimSpace(strings.Join(lines, "")) == "" {
		return
	}
	src := []byte(strings.Join(lines, "\n"))
	inner := &walker{doc: w.doc, src: src, starts: lineStarts(src), at: at, frame: w.frame, lists: w.lists}
	for c := blocksOf(src).FirstChild(); c != nil; c = c.NextSibling() {
		if h, ok := c.(*ast.HTMLBlock); ok {
			inner.plain(h)
			continue
		}
		inner.node(c)
	}
	w.lists = inner.lists
}

// plain takes the lines of an HTML block inside an HTML block as prose.
func (w *walker) plain(n *ast.HTMLBlock) {
	lines, at := w.htmlLines(n)
	for i, l := range lines {
		rest, _ := splitTags(l)
		w.emit(Block{Kind: w.prose(), Text: Fold(rest), First: at[i], Last: at[i]})
	}
}

var tagMark = regexp.MustCompile(`<(/?)([A-Za-z][A-Za-z0-9_:.-]*)((?:\s[^<>]*)?)(/?)>`)

// A tagUse is one tag as it stands in a line.
type tagUse struct {
	name   string
	closes bool
	void   bool
}

// splitTags parts a line into its text and its tags. Tags inside prose stay in the text: there they are
// placeholders as often as marks.
func splitTags(line string) (rest string, tags []tagUse) {
	for _, m := range tagMark.FindAllStringSubmatch(line, -1) {
		tags = append(tags, tagUse{m[2], m[1] != "", m[4] != "" || strings.HasSuffix(m[3], "/")})
	}
	bare := tagMark.ReplaceAllString(line, "")
	if strings.TrimSpace(bare) == "" || knownOnly(tags) {
		return bare, tags
	}
	return line, tags
}

// knownOnly reports whether all tags are HTML's, which a page never shows.
func knownOnly(tags []tagUse) bool {
	return len(tags) > 0 && !slices.ContainsFunc(tags, func(t tagUse) bool { return !isHTML(t.name) })
}

// tags opens and closes the XML-like tags of a line that holds nothing else. A
// tag that is never closed opens nothing.
func (w *walker) tags(tags []tagUse, line int) {
	w.frame.lead = nil
	for _, t := range tags {
		switch {
		case isHTML(t.name) || t.void:
		case t.closes:
			w.frame.closeTag(t.name)
		case strings.Contains(string(w.src), "</"+t.name+">"):
			w.frame.path = append(w.frame.path, Element{Role: Tag, Text: "<" + t.name + ">", Line: line})
		}
	}
}

func (f *frame) closeTag(name string) {
	for i := len(f.path) - 1; i >= 0; i-- {
		if f.path[i].Role == Tag && f.path[i].Text == "<"+name+">" {
			f.path = slices.Delete(f.path, i, i+1)
			return
		}
	}
}

// isHTML reports whether the page renders the tag as markup of its own.
func isHTML(name string) bool {
	_, found := slices.BinarySearch(htmlTags(), strings.ToLower(name))
	return found
}

func htmlTags() []string {
	return strings.Fields(`a abbr b blockquote body br caption center cite code col colgroup dd del details div dl dt
em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i iframe img ins kbd li link main mark
meta nav ol p picture pre q s samp section small source span strike strong style sub summary sup table tbody td
tfoot th thead tr tt u ul var video wbr`)
}
