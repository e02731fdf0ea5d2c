package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// paragraph reads a paragraph: a label, a lead-in, or text of its own.
func (w *walker) paragraph(n ast.Node) {
	w.frame.lead = nil
	if isDefinitions(w.raw(n)) {
		return
	}
	w.pieces(n, func(p piece) {
		parts := p.statements()
		for i, part := range parts {
			before := w.frame.lead
			if b := part.block(w.prose()); i == 0 && len(parts) > 1 && isLabel(b.Text) {
				w.frame.lead = &Element{Role: Label, Text: b.Text, Line: b.First}
				continue
			}
			w.piece(part.block(w.prose()), part.end && introduces(n.NextSibling()) || i == 0 && len(parts) > 1)
			if i > 0 && i == len(parts)-1 && w.frame.lead == before {
				w.frame.lead = nil // it introduced the parts
			}
		}
	})
}

func (w *walker) piece(b Block, introduces bool) {
	if w.isBlob(b.Text, b.First) {
		return
	}
	switch lead, alone := leadIn(b.Text); {
	case isLabel(b.Text):
		w.settle()
		w.frame.open(Element{Role: Label, Text: b.Text, Line: b.First})
		w.frame.idle = &b
	case lead != "" && introduces:
		if !alone {
			w.emit(b)
		}
		w.frame.lead = &Element{Role: Lead, Text: lead, Line: b.Last}
	default:
		w.emit(b)
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
	for {
		switch n := next.(type) {
		case *ast.List, *ast.FencedCodeBlock, *ast.CodeBlock, *tableNode, *ast.Blockquote:
			return true
		case *ast.HTMLBlock:
			if n.HTMLBlockType != ast.HTMLBlockType2 {
				return false
			}
			next = n.NextSibling() // a comment, which nobody sees
		default:
			return false
		}
	}
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

// fence reads a code block, without blank lines at its ends. The closing fence would stand after its last line.
func (w *walker) fence(n ast.Node, info *ast.Text) {
	b := Block{Kind: Fence}
	lines, at := w.lines(n)
	for i, l := range lines {
		if len(b.Code) > 0 || strings.TrimSpace(l) != "" {
			b.Code = append(b.Code, CodeLine{l, at[i]})
		}
	}
	for len(b.Code) > 0 && strings.TrimSpace(b.Code[len(b.Code)-1].Text) == "" {
		b.Code = b.Code[:len(b.Code)-1]
	}
	if len(b.Code) == 0 {
		return
	}
	b.First, b.Last = b.Code[0].Line, b.Code[len(b.Code)-1].Line
	if info != nil {
		if words := strings.Fields(string(info.Segment.Value(w.src))); len(words) > 0 {
			b.Info = strings.ToLower(strings.Trim(words[0], "{}."))
		}
	}
	w.emit(b)
	if end := n.Lines().At(len(lines) - 1).Stop; n.Kind() == ast.KindFencedCodeBlock && len(bytes.TrimSpace(w.src[end:])) == 0 {
		w.doc.note(Damaged, max(1, at[0]-1), "a code fence that is never closed; all after it was read as code%s", lost(lines))
	}
}

// lost says how many headings an open fence may have swallowed.
func lost(lines []string) string {
	n := 0
	for _, l := range lines {
		if atxLine.MatchString(l) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; lines in it that look like headings: %d", n)
}
