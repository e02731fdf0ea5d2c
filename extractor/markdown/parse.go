package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// MaxBytes is the size up to which a file is read: 4 MiB. The largest Markdown
// file that people wrote, of 110,000 measured, has 1.1 MB; above that stand
// dumps that no card can show.
const MaxBytes = 4 << 20

// What [Parse] says of a file that it does not read at all.
var (
	ErrTooLarge = errors.New("the file is larger than 4 MiB and was not indexed; split it or move it out of the skill")
	ErrBinary   = errors.New("the file is not text and was not indexed; give it another extension than .md")
)

// Parse reads a Markdown file. Damage inside the file becomes a note and the
// rest is read; only a file that cannot be read at all fails, with
// [ErrTooLarge] or [ErrBinary].
func Parse(src []byte) (Document, error) {
	if len(src) > MaxBytes {
		return Document{}, ErrTooLarge
	}
	if bytes.IndexByte(src, 0) >= 0 {
		return Document{}, ErrBinary
	}
	var doc Document
	body := doc.clean(src)
	lines := strings.Split(body, "\n")
	doc.Notes = append(doc.Notes, noteHidden(lines)...)
	if open, shut, ok := frontmatterSpan(lines); ok {
		doc.frontmatter(lines, open, shut)
		body = strings.Repeat("\n", shut+1) + strings.Join(lines[shut+1:], "\n")
	}
	doc.read([]byte(body))
	return doc, nil
}

// clean returns valid UTF-8 with LF line ends and no byte order mark.
func (d *Document) clean(src []byte) string {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if !utf8.Valid(src) {
		d.note(Damaged, invalidLine(src), "invalid UTF-8 from here on; the bad bytes were replaced. Save the file as UTF-8")
		src = bytes.ToValidUTF8(src, []byte("\ufffd"))
	}
	return strings.ReplaceAll(string(src), "\r\n", "\n")
}

func invalidLine(src []byte) int {
	line := 1
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r == utf8.RuneError && n == 1 {
			return line
		}
		if r == '\n' {
			line++
		}
		src = src[n:]
	}
	return line // unreachable: called on invalid input only
}

func (d *Document) note(kind NoteKind, line int, format string, args ...any) {
	d.Notes = append(d.Notes, Note{kind, line, fmt.Sprintf(format, args...)})
}

func (d *Document) frontmatter(lines []string, open, shut int) {
	fields, notes := readFields(lines, open, shut)
	d.Notes = append(d.Notes, notes...)
	for _, f := range fields {
		switch f.key {
		case "name":
			d.Name = f.text
		case "description":
			d.Description = f.text
		}
		if f.text != "" {
			d.Blocks = append(d.Blocks, Block{
				Kind: Field, Text: f.text, First: f.first, Last: f.last,
				Context: []Element{{Role: Key, Text: f.key, Line: f.first}},
			})
		}
	}
}

// read parses a body and appends its blocks.
func (d *Document) read(body []byte) {
	w := &walker{doc: d, src: body, starts: lineStarts(body), frame: &frame{}}
	w.children(blocksOf(body))
}

// blocksOf parses the block structure. It leaves out the inline parsers, and
// the transformer that takes link definitions out of the text: a list item
// that begins with a bracketed word and a colon would vanish with them.
func blocksOf(body []byte) ast.Node {
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
	)
	return p.Parse(text.NewReader(body))
}

func lineStarts(b []byte) []int {
	starts := []int{0}
	for i, c := range b {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineAt returns the line, from 1, that holds the byte at pos.
func lineAt(starts []int, pos int) int {
	return sort.Search(len(starts), func(i int) bool { return starts[i] > pos })
}
