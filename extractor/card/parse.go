package card

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// What [Parse] and [EditionOf] say of bytes that are no card of this edition.
// A *[SyntaxError] is wrapped beside the first.
var (
	ErrSyntax   = errors.New("not a card as cardkeeper writes it")
	ErrConflict = errors.New("the card holds conflict markers")
	ErrEdition  = errors.New("the card is of another edition")
)

// A SyntaxError names the first line that Render would not have written. It
// never quotes the line.
type SyntaxError struct {
	Line int // from 1
	Want string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: expected %s", e.Line, e.Want) }

// EditionOf reads the edition from a card's first line. Bytes without a marker
// fail with [ErrSyntax], conflict markers anywhere with [ErrConflict].
func EditionOf(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) || bytes.HasPrefix(line, []byte(">>>>>>> ")) {
			return 0, ErrConflict
		}
	}
	first, _, _ := strings.Cut(string(b), "\n")
	number, ok := strings.CutPrefix(strings.TrimRight(first, "\r"), marker)
	number, ends := strings.CutSuffix(number, " -->")
	n, err := strconv.Atoi(number)
	if !ok || !ends || err != nil || n < 1 {
		return 0, fmt.Errorf("%w: %w", ErrSyntax, &SyntaxError{1, "the marker line with the edition"})
	}
	return n, nil
}

// Parse reads what [Render] wrote: Parse(Render(c)) equals c. It accepts no
// other bytes, so a card that was edited by hand either parses to what it now says or
// fails with [ErrSyntax] and the line. Line ends may be CRLF.
func Parse(b []byte) (Card, error) {
	edition, err := EditionOf(b)
	if err != nil {
		return Card{}, err
	}
	if edition != Edition {
		return Card{}, fmt.Errorf("%w: it has %d, this build writes %d", ErrEdition, edition, Edition)
	}
	p := &parser{lines: strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n"), at: 1}
	c := p.card()
	if p.err == nil {
		p.err = sameLines(p.lines, Render(c))
	}
	if p.err != nil {
		return Card{}, fmt.Errorf("%w: %w", ErrSyntax, p.err)
	}
	return c, nil
}

// sameLines holds the grammar strict: what was read must render to the lines it was read from.
func sameLines(got []string, want []byte) error {
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			return &SyntaxError{i + 1, "the line that the card's entries render to"}
		}
	}
	return nil
}

// A parser reads lines top-down. The first fault stays in err, and every
// reader returns at once when it is set.
type parser struct {
	lines []string
	at    int
	err   error
}

func (p *parser) fail(want string) {
	if p.err == nil {
		p.err = &SyntaxError{p.at + 1, want}
	}
}

func (p *parser) peek() string {
	if p.at < len(p.lines) {
		return p.lines[p.at]
	}
	return ""
}

func (p *parser) done() bool {
	return p.at >= len(p.lines) || p.at == len(p.lines)-1 && p.lines[p.at] == ""
}

// take reads one line that starts with prefix and returns the rest of it.
func (p *parser) take(prefix, want string) string {
	rest, ok := strings.CutPrefix(p.peek(), prefix)
	if p.done() || !ok {
		p.fail(want)
		return ""
	}
	p.at++
	return rest
}

// blank reads one empty line.
func (p *parser) blank() {
	if p.take("", "an empty line") != "" {
		p.at--
		p.fail("an empty line")
	}
}

func (p *parser) card() Card {
	c := Card{Title: p.take("# ", "the title")}
	p.blank()
	c.Path = p.folder()
	p.blank()
	if strings.HasPrefix(p.peek(), "> ") {
		c.Description = p.take("> ", "the description")
		p.blank()
	}
	for i, s := range Sections() {
		if i > 0 {
			p.blank()
		}
		want := "## " + strings.ToUpper(string(s[:1])) + string(s[1:])
		if p.take(want, "the heading of section "+string(s)) != "" {
			p.fail("the heading of section " + string(s))
		}
		p.blank()
		c.Entries = append(c.Entries, p.section(s)...)
	}
	if p.err == nil && !p.done() {
		p.fail("the end of the card")
	}
	return c
}

func (p *parser) folder() string {
	line := p.take("[`", "the link to the skill's folder")
	at := strings.LastIndex(line, "](/")
	if at < 0 || !strings.HasSuffix(line, ")") {
		p.fail("the link to the skill's folder")
		return ""
	}
	folder, err := url.PathUnescape(line[at+len("](/") : len(line)-1])
	if err != nil {
		p.fail("the link to the skill's folder")
	}
	if folder == "" {
		return "."
	}
	return folder
}

var (
	groupLine = regexp.MustCompile(`^### (.*) \[↗\]\([^()\s]*\)$`)
	blockLine = regexp.MustCompile(`^\*([A-Z][a-z ]*)(?:, list (\d+))?\*$`)
	trailLine = regexp.MustCompile(`^\*([a-z ]+)\* (.*)$`)
	stepLine  = regexp.MustCompile(`^(\d+)\. (.*)$`)
)

// section reads the groups of one section, up to the next section or the end.
func (p *parser) section(s Section) []Entry {
	if p.peek() == nothing {
		p.at++
		return nil
	}
	var out []Entry
	for p.err == nil {
		m := groupLine.FindStringSubmatch(p.peek())
		if m == nil {
			p.fail("a group, or the words that nothing is documented")
			return nil
		}
		p.at++
		out = append(out, p.group(groupBase(s, m[1]))...)
		if p.done() || p.at+1 < len(p.lines) && strings.HasPrefix(p.lines[p.at+1], "## ") {
			return out
		}
		p.blank()
	}
	return out
}

// groupBase reads a group's title: the file, then headings and labels.
func groupBase(s Section, title string) Entry {
	e := Entry{Section: s}
	for i, part := range strings.Split(title, arrow) {
		for j, text := range strings.Split(part, labelArrow) {
			text = unescapeArrow(text)
			switch {
			case i == 0 && j == 0:
				e.File = text
			case j == 0:
				e.Context = append(e.Context, Element{Heading, text})
			default:
				e.Context = append(e.Context, Element{Label, text})
			}
		}
	}
	return e
}

// group reads the blocks under one title.
func (p *parser) group(base Entry) []Entry {
	var out []Entry
	for p.err == nil && !p.done() && p.at+1 < len(p.lines) && blockLine.MatchString(p.lines[p.at+1]) {
		p.blank()
		out = append(out, p.block(base)...)
	}
	if len(out) == 0 {
		p.fail("a block of entries")
	}
	return out
}
