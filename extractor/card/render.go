package card

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
)

const (
	marker  = "<!-- cardkeeper edition "
	nothing = "*Nothing documented.*"

	// What parts the texts of a group's title: a heading follows one arrow, a
	// lone bold line two. Arrows inside a text are escaped.
	arrow      = " › "
	labelArrow = " ›› "
)

// Render writes the card as Markdown that GitHub shows well and [Parse] reads
// back. The bytes depend on the card's path, title, description and set of
// entries and on nothing else; lines end in LF.
func Render(c Card) []byte {
	c = New(c.Path, c.Title, c.Description, c.Entries)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%d -->\n# %s\n\n[%s](%s)\n", marker, Edition, c.Title, CodeSpan(c.Path), link(c.Path, ""))
	if c.Description != "" {
		fmt.Fprintf(&b, "\n> %s\n", c.Description)
	}
	for _, s := range Sections() {
		fmt.Fprintf(&b, "\n## %s\n", strings.ToUpper(string(s[:1]))+string(s[1:]))
		entries := c.In(s)
		if len(entries) == 0 {
			fmt.Fprintf(&b, "\n%s\n", nothing)
		}
		renderSection(&b, c.Path, entries)
	}
	return b.Bytes()
}

// renderSection prints entries that stand in canonical order: a heading for each file
// and heading path, a block for each further context and kind.
func renderSection(b *bytes.Buffer, folder string, entries []Entry) {
	lastHead, lastBlock := "", ""
	for _, e := range entries {
		path, trail := splitContext(e.Context)
		if head := groupHead(folder, e.File, path); head != lastHead {
			fmt.Fprintf(b, "\n%s\n", head)
			lastHead, lastBlock = head, ""
		}
		if block := blockHead(e, trail); block != lastBlock {
			fmt.Fprintf(b, "\n%s\n", block)
			lastBlock = block
		}
		fmt.Fprintf(b, "%s%s\n", bulletOf(e), bodyOf(e))
	}
}

// splitContext parts a context into the leading headings and labels, which a
// group's title shows, and the rest.
func splitContext(c Context) (path, trail Context) {
	n := 0
	for n < len(c) && (c[n].Role == Heading || c[n].Role == Label) {
		n++
	}
	return c[:n], c[n:]
}

func groupHead(folder, file string, path Context) string {
	var b strings.Builder
	b.WriteString("### " + escapeArrow(file))
	anchor := ""
	for _, e := range path {
		if e.Role == Label {
			b.WriteString(labelArrow)
		} else {
			b.WriteString(arrow)
			anchor = Anchor(e.Text)
		}
		b.WriteString(escapeArrow(e.Text))
	}
	target := file
	if folder != "." {
		target = folder + "/" + file
	}
	fmt.Fprintf(&b, " [↗](%s)", link(target, anchor))
	return b.String()
}

// blockHead is the title of a block and its context, a paragraph each. Every
// block has one, so that nothing in a text can be taken for structure.
func blockHead(e Entry, trail Context) string {
	var b strings.Builder
	b.WriteString("*" + kindTitle(e.Kind))
	if e.List > 0 {
		fmt.Fprintf(&b, ", list %d", e.List+1)
	}
	b.WriteString("*\n")
	for _, el := range trail {
		for _, n := range roleNames() {
			if n.role == el.Role {
				fmt.Fprintf(&b, "\n*%s* %s\n", n.word, el.Text)
			}
		}
	}
	return b.String()
}

func bulletOf(e Entry) string {
	if e.Kind.Sequential() {
		return fmt.Sprintf("%d. ", e.Ordinal)
	}
	return "- "
}

func bodyOf(e Entry) string {
	if e.Kind.quoted() {
		return CodeSpan(e.Text)
	}
	return e.Text
}

// link is the address of a file of the repository as seen from any of its
// pages: GitHub resolves a leading slash against the repository's root.
func link(file, anchor string) string {
	u := url.URL{Path: "/" + strings.TrimPrefix(file, "./")}
	if file == "." {
		u.Path = "/"
	}
	escaped := strings.NewReplacer("(", "%28", ")", "%29").Replace(u.EscapedPath())
	if anchor != "" {
		escaped += "#" + url.PathEscape(anchor)
	}
	return escaped
}
