package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// paragraph reads a paragraph: a label, a lead-in, or text of its own.
func (w *walker) paragraph(n ast.Node) {
	raw := w.raw(n)
	first, last := w.span(n)
	if isDefinitions(raw) {
		return
	}
	text := Fold(raw)
	w.frame.lead = nil
	switch lead, alone := leadIn(text); {
	case text == "":
	case isLabel(text):
		w.frame.open(Element{Role: Label, Text: text, Line: first})
	case lead != "" && introduces(n.NextSibling()):
		if !alone {
			w.emit(Block{Kind: w.prose(), Text: text, First: first, Last: last})
		}
		w.frame.lead = &Element{Role: Lead, Text: lead, Line: last}
	default:
		w.emit(Block{Kind: w.prose(), Text: text, First: first, Last: last})
	}
}

// label is one bold span and nothing else but a colon. Longer ones are
// sentences: headings of the measured collections end well below 120 bytes.
var label = regexp.MustCompile(`^(?:\*\*[^*]{1,116}\*\*|__[^_]{1,116}__)[:：]?$`)

func isLabel(text string) bool { return label.MatchString(text) }

// definition is a link definition: a bracketed name and an address, without
// which it would be a word with an explanation.
var definition = regexp.MustCompile(`^ {0,3}\[[^\]]+\]: *<?(?:[A-Za-z][A-Za-z0-9+.-]+://|\.{0,2}/|#)\S*(?: +["'(].*)?$`)

func isDefinitions(raw string) bool {
	for line := range strings.SplitSeq(raw, "\n") {
		if !definition.MatchString(line) {
			return false
		}
	}
	return true
}

// introduces reports whether a block takes the sentence before it as its lead-in.
func introduces(next ast.Node) bool {
	switch next.(type) {
	case *ast.List, *ast.FencedCodeBlock, *ast.CodeBlock, *extast.Table, *ast.Blockquote:
		return true
	}
	return false
}

// sentenceEnd is where a sentence stops and another one starts.
var sentenceEnd = regexp.MustCompile(`[.!?][)"'*_]* +|[。！？]`)

// leadIn returns the last sentence of a text that ends in a colon, and whether
// it is the whole text; "" where the text does not end in one.
func leadIn(text string) (lead string, alone bool) {
	bare := strings.TrimRight(text, "*_ ")
	if !strings.HasSuffix(bare, ":") && !strings.HasSuffix(bare, "：") {
		return "", false
	}
	start := 0
	for _, m := range sentenceEnd.FindAllStringIndex(text, -1) {
		if m[1] < len(bare) && !abbreviated(text[:m[0]+1]) {
			start = m[1]
		}
	}
	return text[start:], start == 0
}

// abbreviated reports whether the full stop at the end belongs to a word.
func abbreviated(s string) bool {
	for _, a := range []string{"e.g.", "i.e.", "etc.", "vs.", "cf.", "approx."} {
		if strings.HasSuffix(strings.ToLower(s), a) {
			return true
		}
	}
	return false
}

// alert is the first line of GitHub's coloured quotes.
var alert = regexp.MustCompile(`^\[!([A-Za-z]+)\][ \t]*(?:\n|$)`)

// quote reads a block quote. The mark of an alert is context of all it holds.
func (w *walker) quote(n *ast.Blockquote) {
	f := &frame{outer: w.frame.context(), quote: true}
	w.inside(f, func() {
		first := n.FirstChild()
		if p, ok := first.(*ast.Paragraph); ok {
			if m := alert.FindString(w.raw(p)); m != "" {
				line, _ := w.span(p)
				f.path = append(f.path, Element{Role: Tag, Text: strings.ToUpper(strings.TrimSpace(m)), Line: line})
				p.Lines().SetSliced(1, p.Lines().Len())
			}
		}
		w.children(n)
	})
}

// table reads the rows. The header row is their context.
func (w *walker) table(n *extast.Table) {
	context := w.frame.context()
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		line := lineAt(w.starts, max(0, row.Pos()))
		end := len(w.src)
		if line < len(w.starts) {
			end = w.starts[line] - 1
		}
		text := Fold(string(w.src[max(0, row.Pos()):end]))
		if _, header := row.(*extast.TableHeader); header {
			context = append(context, Element{Role: Columns, Text: text, Line: w.line(row.Pos())})
			continue
		}
		w.emit(Block{Kind: Row, Text: text, Context: context, First: w.line(row.Pos()), Last: w.line(row.Pos())})
	}
}

// fence reads a code block, with the lines of its fences.
func (w *walker) fence(n ast.Node, info *ast.Text) {
	b := Block{Kind: Fence}
	segments := n.Lines()
	for i := range segments.Len() {
		s := segments.At(i)
		b.Code = append(b.Code, CodeLine{strings.TrimRight(string(s.Value(w.src)), "\n"), w.line(s.Start)})
	}
	if len(b.Code) == 0 {
		return
	}
	b.First, b.Last = b.Code[0].Line, b.Code[len(b.Code)-1].Line
	if info != nil {
		word, _, _ := strings.Cut(strings.TrimSpace(string(info.Segment.Value(w.src))), " ")
		b.Info = strings.ToLower(strings.Trim(word, "{}."))
	}
	w.emit(b)
}
