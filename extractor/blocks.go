package extractor

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/ident"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// markdown reads one Markdown file.
func (r *reader) markdown(file string, src []byte) {
	doc, err := markdown.Parse(src)
	if err != nil {
		r.note(Damaged, file, 0, err.Error())
		return
	}
	for _, n := range doc.Notes {
		kind := Damaged
		if n.Kind == markdown.Hidden {
			kind = Hidden
		}
		r.note(kind, file, n.Line, n.Text)
	}
	for _, b := range doc.Blocks {
		r.learn(b)
	}
	main := file == r.files.Main
	if main && len(bytes.TrimSpace(src)) == 0 {
		r.note(Damaged, file, 0, "the file is empty, so nothing is documented")
	}
	if main && doc.Name != "" {
		r.title = doc.Name
	}
	if main {
		r.about = doc.Description
	}
	r.page(file, src, doc)
	p := &placer{shape: r.shape, main: main, verdict: map[string]verdict{}}
	for i, b := range doc.Blocks {
		r.block(file, p, b, i)
	}
}

// learn keeps the words of a block, which tell what the skill's Markdown names.
func (r *reader) learn(b markdown.Block) {
	for _, w := range word.FindAllString(b.Text, -1) {
		r.words[w] = true
	}
	for _, l := range b.Code {
		for _, w := range word.FindAllString(l.Text, -1) {
			r.words[w] = true
		}
	}
}

// block makes facts of one block. The index tells lists of one context apart
// until [number] does so by what they say.
func (r *reader) block(file string, p *placer, b markdown.Block, index int) {
	kind := kindOf(b)
	v := p.place(b, kind)
	if v.drop {
		r.stats.LeftOut++
		return
	}
	if v.section == "" {
		return // a frontmatter field that is no fact
	}
	e := card.Entry{
		Section: v.section, File: r.relative(file), Context: contextOf(b.Context),
		Kind: kind, Ordinal: b.Ordinal, Text: b.Text,
	}
	place := card.Place{File: file, First: b.First, Last: b.Last}
	switch kind {
	case card.Example, card.Command:
		r.code(file, e, v.reason, b, index)
	case card.Step:
		e.List = b.List
		r.ground(&r.facts, e, v.reason, place)
	default:
		e.Ordinal = 0
		r.ground(&r.facts, e, v.reason, place)
	}
}

func kindOf(b markdown.Block) card.Kind {
	switch b.Kind {
	case markdown.Item:
		return card.Bullet
	case markdown.Step:
		return card.Step
	case markdown.Task:
		return card.Task
	case markdown.Row:
		return card.Row
	case markdown.Quote:
		return card.Quote
	case markdown.Field:
		return card.Field
	case markdown.Fence:
		if isShell(b.Info) {
			return card.Command
		}
		return card.Example
	}
	return card.Paragraph
}

func contextOf(context []markdown.Element) card.Context {
	roles := map[markdown.Role]card.Role{
		markdown.Heading: card.Heading, markdown.Label: card.Label, markdown.Tag: card.Tag, markdown.Lead: card.Lead,
		markdown.Parent: card.Item, markdown.Columns: card.Columns, markdown.Key: card.Key,
	}
	var out card.Context
	for _, e := range context {
		out = append(out, card.Element{Role: roles[e.Role], Text: clip(e.Text)})
	}
	return fold(out)
}

// code makes facts of a fence: command lines of a shell, an example of
// anything else. The lines of an example are facts for questions only.
func (r *reader) code(file string, e card.Entry, why card.Reason, b markdown.Block, index int) {
	lines := b.Code
	if e.Kind == card.Command {
		if lines = r.commands(file, e, why, b, index); len(lines) == 0 {
			return
		}
		e.Kind = card.Example
	}
	e.Ordinal, e.Text = 0, exampleText(b.Info, lines)
	r.ground(&r.facts, e, why, card.Place{File: file, First: lines[0].Line, Last: lines[len(lines)-1].Line})
	r.quotable(file, e, why, lines)
}

// commands makes facts of a shell fence's command lines and returns the lines
// that are none. A comment above commands is their lead-in; together they are
// also one fact for questions.
func (r *reader) commands(file string, e card.Entry, why card.Reason, b markdown.Block, index int) []markdown.CodeLine {
	found, rest := commandLines(b)
	for i, c := range found {
		if markdown.HasBlob(c.text) {
			r.note(Damaged, file, c.first, "a run of 200 or more base64 characters; the command that holds it was not indexed")
			continue
		}
		step := e
		step.Text, step.Ordinal, step.List = c.text, i+1, index+1
		if c.comment != "" {
			step.Context = append(append(card.Context{}, e.Context...), card.Element{Role: card.Comment, Text: c.comment})
		}
		r.ground(&r.facts, step, why, card.Place{File: file, First: c.first, Last: c.last})
	}
	for _, run := range commented(b.Code, found) {
		r.quotable(file, e, why, run)
	}
	return rest
}

// quotable keeps code lines as facts for questions, which quote them with
// their numbers; the card holds them by other means.
func (r *reader) quotable(file string, e card.Entry, why card.Reason, lines []markdown.CodeLine) {
	for _, part := range codeParts(lines) {
		if markdown.HasBlob(part.text) {
			continue // the card has its digest
		}
		c := e
		c.Kind, c.Text, c.List, c.Ordinal = card.Code, part.text, 0, 0
		r.ground(&r.rest, c, why, card.Place{File: file, First: part.first, Last: part.last})
	}
}

// exampleText is what a card says of a code block: language, identifiers, digest.
func exampleText(info string, lines []markdown.CodeLine) string {
	source := dedent(lines)
	parts := []string{"code"}
	if info != "" {
		parts[0] = markdown.Fold(info)
	}
	if names := ident.Fence(info, []byte(source)); len(names) > 0 {
		parts = append(parts, "`"+strings.Join(names, "`, `")+"`")
	}
	return strings.Join(append(parts, fmt.Sprintf("sha256 %s", digest(source))), " · ")
}
