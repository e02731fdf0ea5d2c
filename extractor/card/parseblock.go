package card

import (
	"slices"
	"strconv"
	"strings"
)

// block reads a block's title, its further context and its entries.
func (p *parser) block(base Entry) []Entry {
	m := blockLine.FindStringSubmatch(p.peek())
	kind, ok := kindOf(m[1])
	if !ok {
		p.fail("the title of a block")
		return nil
	}
	base.Kind = kind
	if m[2] != "" {
		number, err := strconv.Atoi(m[2])
		if err != nil || number < 2 {
			p.fail("a list number from 2")
			return nil
		}
		base.List = number - 1
	}
	p.at++
	p.blank()
	base.Context = append(slices.Clone(base.Context), p.trail()...)
	return p.entries(base)
}

// trail reads the paragraphs that give a block's further context.
func (p *parser) trail() Context {
	var out Context
	for p.err == nil {
		m := trailLine.FindStringSubmatch(p.peek())
		if m == nil {
			return out
		}
		i := slices.IndexFunc(roleNames(), func(n roleName) bool { return n.word == m[1] })
		if i < 0 {
			p.fail("a word that introduces context")
			return nil
		}
		out = append(out, Element{roleNames()[i].role, m[2]})
		p.at++
		p.blank()
	}
	return out
}

// entries reads list items up to the next empty line.
func (p *parser) entries(base Entry) []Entry {
	var out []Entry
	for p.err == nil && !p.done() && p.peek() != "" {
		e := base
		e.Context = slices.Clone(base.Context)
		text, ok := strings.CutPrefix(p.peek(), "- ")
		if base.Kind.Sequential() {
			var m []string
			if m = stepLine.FindStringSubmatch(p.peek()); m != nil {
				text = m[2]
				e.Ordinal, _ = strconv.Atoi(m[1]) // digits only; a number too large stays 0 and fails to re-render
			}
			ok = m != nil
		}
		if ok && base.Kind.quoted() {
			text, ok = uncode(text)
		}
		if !ok {
			p.fail("an entry of the block's kind")
			return nil
		}
		e.Text = text
		out = append(out, e)
		p.at++
	}
	if len(out) == 0 {
		p.fail("an entry")
	}
	return out
}

// uncode is the inverse of [CodeSpan].
func uncode(s string) (string, bool) {
	inner := strings.TrimLeft(s, "`")
	fence := s[:len(s)-len(inner)]
	inner, ok := strings.CutSuffix(inner, fence)
	if !ok || fence == "" {
		return "", false
	}
	if len(inner) > 2 && inner[0] == ' ' && inner[len(inner)-1] == ' ' {
		inner = inner[1 : len(inner)-1]
	}
	return inner, true
}
