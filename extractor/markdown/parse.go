package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
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
	lines := strings.Split(doc.clean(src), "\n")
	doc.Notes = append(doc.Notes, noteHidden(lines)...)
	doc.metadata(lines)
	doc.read([]byte(doc.shallow(strings.Join(lines, "\n"))))
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

// read parses a body and appends its blocks.
func (d *Document) read(body []byte) {
	closers := lastClosers(body, lineStarts(body))
	text, at := isolate(string(body), closers)
	src := []byte(text)
	w := &walker{doc: d, src: src, starts: lineStarts(src), at: at, frame: &frame{}, lists: new(int), closers: closers}
	root := blocksOf(src, closers)
	d.Anchors = anchorNames(string(body))
	w.trace(root)
	w.children(root)
	w.settle()
}

// blocksOf parses the block structure. It leaves out the inline parsers, and
// the transformer that takes link definitions out of the text: a list item
// that begins with a bracketed word and a colon would vanish with them.
func blocksOf(body []byte, closers map[string]int) ast.Node {
	p := parser.NewParser(
		parser.WithBlockParsers(blockParsers(closers)...),
		parser.WithParagraphTransformers(util.Prioritized(tables{}, 200)),
	)
	root := p.Parse(text.NewReader(body))
	joinPluses(root, body)
	return root
}

// maxPrefix bounds the quote marks, list marks and indent before a line's text,
// in bytes. The deepest of the measured files has 60; the parser's time grows
// with the square of it.
const maxPrefix = 1000

var prefix = regexp.MustCompile(`^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*`)

// shallow blanks out lines that are nested too deeply to be read.
func (d *Document) shallow(body string) string {
	var b strings.Builder
	start := 0
	for line := 1; start < len(body); line++ {
		end := strings.IndexByte(body[start:], '\n') + 1
		if end == 0 {
			end = len(body) - start
		}
		text := body[start : start+end]
		if len(text) > maxPrefix && len(prefix.FindString(text)) > maxPrefix {
			d.note(Damaged, line, "nested too deeply; this line was not indexed")
			text = text[len(strings.TrimRight(text, "\n")):]
		}
		b.WriteString(text)
		start += end
	}
	return b.String()
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
