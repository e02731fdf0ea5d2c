package answer

import (
	"fmt"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// mostReply is the longest answer, in bytes of Markdown: five of them and what stands
// around them still fit a comment of GitHub's, 65,536 characters, with their ends.
const mostReply = 12_000

// Markdown renders the answer for a GitHub comment. The link function returns
// the address of a place, or "" for none. Quoted text is inert: it mentions
// nobody, refers to nothing, loads no image and cannot end its quotation. A
// refusal is one line, with the detail folded away. An answer that gets too long
// for a comment ends between two hits, with the number of those left out.
func Markdown(a Answer, link func(card.Place) string) string {
	var b strings.Builder
	if a.Refusal != nil {
		writeRefusal(&b, *a.Refusal)
		return b.String()
	}
	if a.Withheld {
		b.WriteString("**" + strings.Replace(keptBack, ":", ":**", 1) + "\n\n")
	}
	if before := a.before(code); before != "" {
		b.WriteString(strings.ReplaceAll(before, "\n", "\n\n"))
	}
	if left := a.leaves(); left != "" {
		b.WriteString("**" + left + "**\n\n")
	}
	for i, h := range a.Hits {
		var one strings.Builder
		if i > 0 {
			one.WriteByte('\n')
		}
		writeHit(&one, i+1, h, link)
		if left := len(a.Hits) - i; i > 0 && b.Len()+one.Len() > mostReply {
			fmt.Fprintf(&b, "\n%s, too many for one comment. `cardkeeper ask` prints all.\n", count(left, "more hit"))
			break
		}
		b.WriteString(one.String())
	}
	return b.String()
}

// writeHit writes the place, then context and text as one quotation.
func writeHit(b *strings.Builder, n int, h Hit, link func(card.Place) string) {
	e, at := h.Fact.Entry(), h.Fact.Places()[0]
	where := code(at.String())
	if link != nil {
		if url := link(at); url != "" {
			where = "[" + where + "](" + address(url) + ")"
		}
	}
	fmt.Fprintf(b, "**%d.** %s in %s, %s", n, where, code(h.Skill), e.Section)
	if h.New {
		b.WriteString(", **new in this pull request**")
	}
	if h.Taught {
		fmt.Fprintf(b, ", found %s, line %d", throughSuite, h.Lesson)
	}
	b.WriteByte('\n')
	if len(e.Context) > 0 {
		var steps []string
		for _, c := range shortened(e.Context.Texts()) {
			steps = append(steps, inert(c))
		}
		fmt.Fprintf(b, "> %s\n>\n", strings.Join(steps, " › "))
	}
	fmt.Fprintf(b, "> %s\n", quoted(e))
	if len(h.Also) > 0 {
		var also []string
		for _, s := range h.Also[:min(mostTerms, len(h.Also))] {
			also = append(also, code(s))
		}
		fmt.Fprintf(b, "\nThe same in %s: %s\n", count(len(h.Also), "other skill"), strings.Join(also, ", "))
	}
}

// quoted is the fact's text inside a quotation; what is code in the source is
// code here, a block where it has several lines.
func quoted(e card.Entry) string {
	text := cut(e.Text, mostQuoted)
	switch e.Kind {
	case card.Code, card.Command, card.Flag, card.Env, card.Subcommand, card.Function:
		if strings.Contains(strings.TrimSpace(text), "\n") {
			return block(text)
		}
		return code(text)
	}
	return inert(text)
}

// block returns the lines of text as a fenced block of a quotation. Every line
// carries the quotation's mark and the fence is longer than any run of
// backticks inside, so no line can end either.
func block(text string) string {
	fence := strings.Repeat("`", max(3, card.LongestRun(text)+1))
	var b strings.Builder
	b.WriteString(fence + "\n")
	for line := range strings.Lines(text) {
		b.WriteString("> " + shown(line) + "\n")
	}
	b.WriteString("> " + fence)
	return b.String()
}

// writeRefusal names the terms as code, since they are the asker's words.
func writeRefusal(b *strings.Builder, r Refusal) {
	fmt.Fprintf(b, "**%s** %s\n\n<details><summary>What was looked through</summary>\n\n%s\n\n", r.says(), r.Why, r.searched())
	for _, t := range r.Terms[:min(mostTerms, len(r.Terms))] {
		fmt.Fprintf(b, "- %s: %s", code(t.Term), count(t.Facts, "fact"))
		if t.ReadAs != "" {
			fmt.Fprintf(b, " (read as %s)", code(t.ReadAs))
		} else {
			b.WriteString(t.standing())
		}
		b.WriteByte('\n')
	}
	if left := len(r.Terms) - mostTerms; left > 0 {
		fmt.Fprintf(b, "- and %d more\n", left)
	}
	b.WriteString("\n</details>\n")
}

// address returns a URL that cannot end the link it stands in: all but the
// plain characters of an address are percent-encoded.
func address(url string) string {
	var b strings.Builder
	for i := range len(url) {
		c := url[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			strings.IndexByte("-._~:/?#@!$&+,;=%", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
