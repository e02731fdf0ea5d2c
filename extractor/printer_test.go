package extractor

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// A printer writes a document as Markdown. Whatever it chooses says nothing
// (law 3): markers, wraps, blank lines, trailing blanks, padding, line ends,
// the order of siblings that no number orders, of paragraphs within their context.
type printer struct {
	*rand.Rand
}

func printed(r *rand.Rand, d *node, name string) string {
	p := printer{r}
	lines := append(p.frontmatter(d, name), p.blank()...)
	lines = append(lines, "# "+name, "")
	for _, k := range p.shuffled(d.kids) {
		lines = append(lines, p.section(k, 2)...)
	}
	return p.finish(lines)
}

// finish chooses trailing blanks and line ends. A blank after a backslash
// would say something to a shell.
func (p printer) finish(lines []string) string {
	end, trailing := p.pick("\n", "\n", "\r\n"), p.pick("", "", " ", "  ", "\t")
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l)
		if !strings.HasSuffix(l, `\`) && p.IntN(3) == 0 {
			b.WriteString(trailing)
		}
		b.WriteString(end)
	}
	return p.pick("", "", "\ufeff") + b.String()
}

func (p printer) pick(of ...string) string { return of[p.IntN(len(of))] }

func (p printer) blank() []string { return []string{"", "", ""}[:1+p.IntN(3)] }

func (p printer) shuffled(kids []*node) []*node {
	out := append([]*node(nil), kids...)
	p.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func (p printer) frontmatter(d *node, name string) []string {
	text := strings.Split(strings.Join(d.text, p.pick(" ", "\n")), "\n")
	out := []string{"---", "name: " + name}
	switch p.IntN(3) {
	case 0:
		out = append(out, "description: '"+strings.Join(p.lineOf(d.text), "")+"'")
	case 1:
		out = append(append(out, "description: >"+p.pick("", "-")), indent(text, "  ")...)
	default:
		out = append(append(out, "description: |"), indent(text, "    ")...)
	}
	return append(out, "---")
}

func (p printer) section(n *node, level int) []string {
	text := strings.Join(p.lineOf(n.text), "")
	out := []string{strings.Repeat("#", level) + p.pick(" ", "  ") + text + p.pick("", "", " ##")}
	if level == 2 && p.IntN(4) == 0 && utf8.RuneCountInString(text) < 70 {
		out = []string{text, p.pick("---", "-------")}
	}
	out = append(out, p.blank()...)
	var free, labels, below []*node
	for _, k := range n.kids {
		switch k.kind {
		case section:
			below = append(below, k)
		case labelled:
			labels = append(labels, k)
		default:
			free = append(free, k)
		}
	}
	out = append(out, p.blocks(free)...)
	for _, k := range p.shuffled(labels) {
		out = append(append(out, "**"+plain(k.text)+"**"), p.blank()...)
		out = append(out, p.blocks(k.kids)...)
	}
	for _, k := range p.shuffled(below) {
		out = append(out, p.section(k, level+1)...)
	}
	return out
}

// plain joins the words of a label, in which emphasis would end it.
func plain(words []string) string { return strings.ReplaceAll(strings.Join(words, " "), "*", "") }

// blocks prints blocks in any order, with something between two lists: next to
// each other they are one.
func (p printer) blocks(kids []*node) []string {
	var out []string
	before := (*node)(nil)
	for _, k := range p.shuffled(kids) {
		if before != nil && endsInList(before) && isList(k) {
			out = append(append(out, "<!-- -->"), p.blank()...)
		}
		out = append(append(out, p.block(k)...), p.blank()...)
		before = k
	}
	return out
}

func isList(n *node) bool { return n.kind == bullets || n.kind == steps || n.kind == tasks }

func endsInList(n *node) bool { return isList(n) || n.kind == lead && isList(n.kids[0]) }

func (p printer) block(n *node) []string {
	switch n.kind {
	case paragraph:
		return p.wrap(n.text)
	case lead:
		out := p.wrap(append(append([]string(nil), n.text[:len(n.text)-1]...), n.text[len(n.text)-1]+":"))
		if p.IntN(2) == 0 || n.kids[0].kind == grid {
			out = append(out, p.blank()...)
		}
		return append(out, p.block(n.kids[0])...)
	case tag:
		inside := p.blocks(n.kids)
		if p.IntN(2) == 0 {
			inside = append(p.blank(), inside...)
		}
		for p.IntN(2) == 0 && inside[len(inside)-1] == "" {
			inside = inside[:len(inside)-1]
		}
		out := append([]string{"<" + n.text[0] + ">"}, inside...)
		return append(out, "</"+n.text[0]+">")
	case quote:
		return indent(p.blocks(n.kids), p.pick("> ", "> ", ">"))
	case grid:
		return p.table(n)
	case shell, program:
		return p.fence(n)
	}
	return p.list(n)
}

func (p printer) list(n *node) []string {
	kids := n.kids
	if n.kind != steps {
		kids = p.shuffled(kids)
	}
	mark, delim, counted, gap := p.pick("-", "*", "+"), p.pick(".", ")"), p.IntN(2) == 0, p.pick(" ", " ", "  ", "   ")
	var out []string
	for i, k := range kids {
		m := mark + gap
		if n.kind == steps {
			m = "1" + delim + gap
			if counted {
				m = string(rune('1'+i)) + delim + gap
			}
		}
		body := p.wrap(k.text)
		for j := 1; j < len(body); j++ {
			if p.IntN(6) > 0 { // else lazy
				body[j] = strings.Repeat(" ", len(m)) + body[j]
			}
		}
		body[0] = m + body[0]
		if len(k.kids) > 0 {
			body = append(body, p.blank()...)
			body = append(body, indent(p.blocks(k.kids), strings.Repeat(" ", len(m)))...)
		}
		if p.IntN(3) == 0 {
			body = append(body, "")
		}
		out = append(out, body...)
	}
	return out
}

func (p printer) table(n *node) []string {
	line := func(cells []string) string {
		var b strings.Builder
		for _, c := range cells {
			b.WriteString("|" + p.pick(" ", "   ", "") + c + p.pick(" ", "  ", ""))
		}
		return b.String() + "|"
	}
	out := []string{line(n.text), p.pick("|---|---|", "| :-- | --: |", "|-|:-:|")}
	for _, k := range p.shuffled(n.kids) {
		out = append(out, line(k.text))
	}
	return out
}

func (p printer) fence(n *node) []string {
	mark := p.pick("```", "~~~", "`````")
	out := []string{mark + p.pick("", " ") + "bash"}
	if n.kind == program {
		out[0] = mark + n.text[0]
	}
	for _, k := range n.kids {
		if len(k.note) > 0 {
			out = append(out, "# "+strings.Join(k.note, " "))
		}
		sep := " "
		if k.kind == command1 && p.IntN(4) == 0 {
			sep = " \\\n  "
		}
		out = append(out, strings.Split(strings.Join(k.text, sep), "\n")...)
		if n.kind == shell && len(k.note) > 0 || p.IntN(9) == 0 && n.kind == shell {
			out = append(out, "")
		}
	}
	return append(out, mark)
}

// lineOf returns words and the blanks between: none between two wide ones.
func (p printer) lineOf(words []string) []string {
	out := []string{words[0]}
	for i, w := range words[1:] {
		if !wide(words[i], w) {
			out = append(out, " ")
		}
		out = append(out, w)
	}
	return out
}

// wrap breaks words into lines anywhere.
func (p printer) wrap(words []string) []string {
	every := 1 + p.IntN(12)
	lines := []string{words[0]}
	for i, w := range words[1:] {
		last := &lines[len(lines)-1]
		switch {
		case i >= 1 && p.IntN(every+2) == 0:
			if *last += p.pick("", "", "  ", `\`); wide(words[i], w) {
				*last = strings.TrimRight(*last, `\ `)
			}
			lines = append(lines, w)
		case wide(words[i], w):
			*last += w
		default:
			*last += p.pick(" ", " ", "  ") + w
		}
	}
	return lines
}

func wide(before, after string) bool {
	return strings.HasSuffix(before, "文") && len(after) > 2 && after[0] >= 0xe4
}

func indent(lines []string, by string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if by == ">" && strings.HasPrefix(l, " ") {
			l = " " + l // the first blank would belong to the mark
		}
		if out[i] = by + l; strings.TrimSpace(by) == "" && l == "" {
			out[i] = ""
		}
	}
	return out
}
