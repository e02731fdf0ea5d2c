package extractor

import (
	"fmt"
	"math/rand/v2"
)

// A node is a part of a generated document: what it says, without any choice of how
// to write it. A printer makes those.
type node struct {
	kind kind
	text []string // words; of a table and its rows, a cell each
	note []string // of a command, the comment above it
	kids []*node
}

type kind int

const (
	document kind = iota // text: the description
	section
	labelled // a bold line and what stands under it
	paragraph
	bullets
	tasks
	steps
	item
	grid
	row
	quote
	shell
	command1
	program
	codeLine
	lead // a sentence with a colon, and the block that it introduces
	tag
)

// A maker makes documents in which no word stands twice, so that every edit of
// one changes what it says.
type maker struct {
	*rand.Rand
	words int
}

func (m *maker) word() string {
	m.words++
	if m.IntN(9) == 0 { // wide: written without blanks between
		return string([]rune{rune(0x4e00 + m.words%5000), rune(0x5e00 + m.words/5000), '文'})
	}
	w := fmt.Sprintf("%c%d%c", 'a'+m.IntN(26), m.words, 'a'+m.IntN(26))
	switch m.IntN(12) {
	case 0:
		return "`" + w + "`"
	case 1:
		return "**" + w + "**"
	case 2:
		return "[" + w + "](https://example.org/" + w + ")"
	case 3:
		return w + ","
	}
	return w
}

func (m *maker) phrase(most int) []string {
	out := []string{m.plainWord()}
	for range m.IntN(most) {
		out = append(out, m.word())
	}
	return append(out, m.plainWord())
}

// plainWord is a word that no rule of Markdown looks at.
func (m *maker) plainWord() string {
	m.words++
	return fmt.Sprintf("x%dy", m.words)
}

func (m *maker) document() *node {
	d := &node{kind: document}
	for range 2 + m.IntN(6) {
		d.text = append(d.text, m.plainWord())
	}
	for range 1 + m.IntN(3) {
		d.kids = append(d.kids, m.section(2))
	}
	return d
}

func (m *maker) section(depth int) *node {
	n := &node{kind: section, text: m.phrase(2)}
	if m.IntN(2) == 0 { // half of them mean a section of the card
		n.text = append([]string{[]string{"Setup", "Usage", "Troubleshooting", "Rules", "Notes"}[m.IntN(5)]}, n.text...)
	}
	for range 1 + m.IntN(3) {
		n.kids = append(n.kids, m.block(3))
	}
	for range m.IntN(3) / 2 {
		n.kids = append(n.kids, &node{kind: labelled, text: m.phrase(1), kids: []*node{m.block(2)}})
	}
	for range m.IntN(3) {
		if depth > 0 {
			n.kids = append(n.kids, m.section(depth-1))
		}
	}
	return n
}

// block makes something that may stand anywhere. Depth bounds what it holds.
func (m *maker) block(depth int) *node {
	if depth > 1 {
		switch m.IntN(8) {
		case 0:
			return &node{kind: lead, text: m.phrase(3), kids: []*node{m.introduced(depth - 1)}}
		case 1:
			return &node{kind: quote, kids: []*node{m.paragraph(), m.list(depth - 1)}}
		case 2:
			n := &node{kind: tag, text: []string{"rule-" + m.plainWord()}}
			for range 1 + m.IntN(2) {
				n.kids = append(n.kids, m.block(depth-1))
			}
			return n
		}
	}
	if m.IntN(3) == 0 {
		return m.paragraph()
	}
	return m.introduced(depth)
}

func (m *maker) paragraph() *node { return &node{kind: paragraph, text: m.phrase(9)} }

// introduced makes a block that a lead-in may stand before.
func (m *maker) introduced(depth int) *node {
	switch m.IntN(6) {
	case 0:
		n := &node{kind: grid, text: []string{m.word(), m.plainWord()}}
		for range 1 + m.IntN(4) {
			n.kids = append(n.kids, &node{kind: row, text: []string{m.word(), m.word() + ` \| ` + m.word()}})
		}
		return n
	case 1:
		n := &node{kind: shell}
		for range 1 + m.IntN(4) {
			n.kids = append(n.kids, m.command())
		}
		return n
	case 2:
		n := &node{kind: program, text: []string{"python"}}
		for range 1 + m.IntN(4) {
			n.kids = append(n.kids, &node{kind: codeLine, text: []string{m.plainWord() + "(" + m.plainWord() + ")"}})
		}
		return n
	}
	return m.list(depth)
}

func (m *maker) command() *node {
	c := &node{kind: command1, text: []string{m.plainWord(), "--" + m.plainWord(), m.plainWord()}}
	if m.IntN(3) == 0 {
		c.note = m.phrase(2)
	}
	return c
}

func (m *maker) list(depth int) *node {
	n := &node{kind: []kind{bullets, bullets, steps, tasks}[m.IntN(4)]}
	for range 1 + m.IntN(4) {
		n.kids = append(n.kids, m.item(n.kind, depth))
	}
	return n
}

func (m *maker) item(of kind, depth int) *node {
	it := &node{kind: item, text: m.phrase(7)}
	if of == tasks {
		it.text = append([]string{[]string{"[ ]", "[x]"}[m.IntN(2)]}, it.text...)
	}
	for range m.IntN(3) {
		if depth > 0 {
			it.kids = append(it.kids, m.block(depth-1))
		}
	}
	return it
}

// clone copies a document, so that an edit leaves the original alone.
func (n *node) clone() *node {
	out := &node{kind: n.kind, text: append([]string(nil), n.text...), note: append([]string(nil), n.note...)}
	for _, k := range n.kids {
		out.kids = append(out.kids, k.clone())
	}
	return out
}

// all lists a document's nodes, parents first, always in the same order.
func (n *node) all() []*node {
	out := []*node{n}
	for _, k := range n.kids {
		out = append(out, k.all()...)
	}
	return out
}
