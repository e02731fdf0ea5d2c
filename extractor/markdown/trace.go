package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A Trace is what a document points at, and what in it can be pointed at. Code
// blocks point at nothing.
type Trace struct {
	Links    []Mark   // the targets of links, images, link definitions, href and src
	Spans    []Mark   // the texts of code spans
	Headings []Mark   // the texts of headings as written, in order
	Anchors  []string // the names that tags give to places
}

// A Mark is a text and the line where it stands.
type Mark struct {
	Text string
	Line int
}

// maxTarget bounds a link's target, in bytes: longer than any path. Without a bound
// the search for a target's end would grow with the square of the input.
const maxTarget = 2_000

var (
	// named is a place that a tag names, or a heading in the notation of other page makers.
	named = regexp.MustCompile(`(?i)(?:\b(?:id|name)\s*=\s*["']|\{#)([^"'{}\n]{1,200})["'}]`)
	// pointer is the start of a tag that points somewhere.
	pointer = regexp.MustCompile(`(?i)^<(?:a|img)\s[^<>]*?\b(?:href|src)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')`)
	// defined is a link definition. Without a path after it, it would be a word with an explanation.
	defined = regexp.MustCompile(`^ {0,3}\[[^\]^][^\]]*\]:[ \t]*<?([^\s<>]+(?:[/#]|\.[a-z]{2,4}\b)[^\s<>]*|#[^\s<>]+)>?(?:[ \t]+["'(].*)?$`)
)

// trace collects what the nodes below n point at.
func (w *walker) trace(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			lines, at := w.lines(c)
			if raw := strings.TrimSpace(strings.Join(lines, " ")); raw != "" {
				w.doc.Headings = append(w.doc.Headings, Mark{raw, at[0]})
			}
			w.traceLines(lines, at)
		case *ast.Paragraph, *ast.TextBlock:
			w.traceLines(w.lines(c))
		case *tableNode:
			w.traceLines([]string{w.value(c.header)}, []int{w.line(c.header.Start)})
			for _, row := range c.rows {
				w.traceLines([]string{w.value(row)}, []int{w.line(row.Start)})
			}
		case *ast.HTMLBlock:
			w.traceHTML(c)
		default:
			w.trace(c)
		}
	}
}

// traceHTML reads an HTML block: its text as a reader of the file takes it, unless it holds code.
func (w *walker) traceHTML(n *ast.HTMLBlock) {
	if n.HTMLBlockType == ast.HTMLBlockType1 {
		return
	}
	lines, at := w.htmlLines(n)
	for i, l := range lines {
		if fenceMark.MatchString(l) {
			lines[i] = ""
			lines, at = lines[:i], at[:i]
			break
		}
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "#") && strings.Contains(t, "# ") {
			w.doc.Headings = append(w.doc.Headings, Mark{strings.TrimLeft(t, "# "), at[i]})
		}
	}
	w.traceLines(lines, at)
}

// traceLines reads the lines of one block.
func (w *walker) traceLines(lines []string, at []int) {
	for i, l := range lines {
		if !strings.HasPrefix(strings.TrimLeft(l, " "), "[") {
			continue
		}
		if m := defined.FindStringSubmatch(l); m != nil {
			w.doc.Links = append(w.doc.Links, Mark{m[1], at[i]})
		}
	}
	t := tracer{s: strings.Join(lines, "\n"), at: at, to: &w.doc.Trace}
	t.comments = strings.Count(t.s, "-->")
	t.read()
}

// A tracer reads the inline Markdown of one block.
type tracer struct {
	s        string
	at       []int // the file's line of each line of s
	row      int   // the line of s at hand
	open     int   // brackets that are open
	comments int   // how many comments may still end
	to       *Trace
}

func (t *tracer) read() {
	for i := 0; i < len(t.s); {
		n := max(1, t.step(t.s[i:]))
		t.row += strings.Count(t.s[i:i+n], "\n")
		i += n
	}
}

// step reads what s starts with and returns its length.
func (t *tracer) step(s string) int {
	switch s[0] {
	case '\\':
		return min(2, len(s))
	case '`':
		n := spanLen(s)
		if inner := strings.Trim(s[:n], "`"); inner != "" {
			t.to.Spans = append(t.to.Spans, Mark{strings.TrimSpace(inner), t.line()})
		}
		return n
	case '<':
		return t.tag(s)
	case '[':
		t.open++
	case ']':
		if t.open == 0 {
			return 1
		}
		t.open--
		if target, ok := linkTarget(s[1:]); ok {
			t.to.Links = append(t.to.Links, Mark{target, t.line()})
			return 1
		}
	}
	return 1
}

func (t *tracer) line() int { return t.at[min(t.row, len(t.at)-1)] }

// tag passes over comments and notes where a tag points.
func (t *tracer) tag(s string) int {
	if strings.HasPrefix(s, "<!--") && t.comments > 0 {
		if n := commentLen(s); n > 0 {
			return n
		}
		t.comments = 0
	}
	m := pointer.FindStringSubmatch(s[:min(len(s), maxTarget)])
	if m != nil {
		t.to.Links = append(t.to.Links, Mark{m[1] + m[2], t.line()})
	}
	return 1
}

// linkTarget reads "(target)" or "(<target> "title")", which s starts with.
func linkTarget(s string) (string, bool) {
	if !strings.HasPrefix(s, "(") {
		return "", false
	}
	s = strings.TrimLeft(s[1:min(len(s), maxTarget)], " \t\n")
	target, rest := "", ""
	if inner, found := strings.CutPrefix(s, "<"); found {
		end := strings.IndexAny(inner, "<>\n")
		if end < 0 || inner[end] != '>' {
			return "", false
		}
		target, rest = inner[:end], inner[end+1:]
	} else {
		end := targetEnd(s)
		target, rest = s[:end], s[end:]
	}
	rest = strings.TrimLeft(rest, " \t\n")
	return target, rest != "" && (rest[0] == ')' || target != "" && strings.Contains(`"'(`, rest[:1]))
}

// targetEnd is where a bare target ends: at a blank, or at the bracket that closes
// the link. More than 32 brackets in one another end it too, as in CommonMark; it bounds the work.
func targetEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n':
			return i
		case '\\':
			i++
		case '(':
			if depth++; depth > 32 {
				return i
			}
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return len(s)
}

// anchorNames finds the places of a file that tags name.
func anchorNames(body string) []string {
	var out []string
	for _, m := range named.FindAllStringSubmatch(body, -1) {
		out = append(out, m[1])
	}
	return out
}
