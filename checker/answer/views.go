package answer

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// What Markdown and HTML write into a text and a page does not show.
var (
	// tag is a tag or comment of HTML. What is no tag for GitHub may be taken for one: the text
	// as it is written is looked at as well.
	tag = regexp.MustCompile(`(?s)<!--.*?-->|</?[A-Za-z][^<>]*>|<![A-Za-z][^<>]*>|<\?[^<>]*>`)
	// target is where a link or an image leads, behind its text.
	target = regexp.MustCompile(`\]\((?:[^()\\]|\\.|\([^()]*\))*\)|\]\[[^\[\]]*\]`)
	// footnote is a number that leads to a note.
	footnote = regexp.MustCompile(`\[\^[^\[\]\s]+\]`)
	// escape is a mark that is meant as itself.
	escape = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
	// marks are those of emphasis, code, links and images.
	marks = strings.NewReplacer("*", "", "`", "", "~", "", "![", "", "[", "", "]", "")
)

// views are a text as it is written and as a page shows it: without tags and the targets of
// links, with entities read and the marks of emphasis left out. Where two ways to read it
// differ, as where a letter looks like another, both are views.
func views(text string) []string {
	out := []string{text}
	add := func(view string) {
		if !slices.Contains(out, view) {
			out = append(out, view)
		}
	}
	for _, bare := range unlike(text, tag.ReplaceAllString(text, ""), untagged(text)) {
		for _, read := range unlike(bare, footnote.ReplaceAllString(target.ReplaceAllString(bare, "]"), ""), footnote.ReplaceAllString(target.ReplaceAllString(untargeted(bare), "]"), "")) {
			add(marks.Replace(html.UnescapeString(read)))
			add(marks.Replace(html.UnescapeString(escape.ReplaceAllString(read, "$1"))))
		}
	}
	for _, view := range out {
		add(latin(view))
	}
	return out
}

// unlike are texts, neighbours that are equal once.
func unlike(texts ...string) []string { return slices.Compact(texts) }

// looks are the Latin letters that other letters look like, by these.
var looks = sync.OnceValue(func() map[rune]rune {
	out := map[rune]rune{}
	for _, line := range lines("looks.txt") {
		latin, others, _ := strings.Cut(line, " ")
		for _, c := range others {
			out[c] = rune(latin[0])
		}
	}
	return out
})

// latin is a text with the letters that look like Latin ones written as these.
func latin(text string) string {
	like := looks()
	return strings.Map(func(c rune) rune {
		if l, known := like[c]; known {
			return l
		}
		return c
	}, text)
}

// unseen reports whether a page shows nothing for c: characters that steer, join or part
// others, and such as only say how the one before looks.
func unseen(c rune) bool {
	return unicode.In(c, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
