package answer

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// What Markdown and HTML write into a text and a page does not show.
var (
	// tag is a tag or comment of HTML. What is no tag for GitHub may be taken for one: the text
	// as it is written is looked at as well.
	tag = regexp.MustCompile(`(?s)<!--.*?-->|</?[A-Za-z][^<>]*>|<![A-Za-z][^<>]*>|<\?[^<>]*>`)
	// target is where a link or an image leads, behind its text.
	target = regexp.MustCompile(`\]\((?:[^()\\]|\\.|\([^()]*\))*\)|\]\[[^\[\]]*\]`)
	// escape is a mark that is meant as itself.
	escape = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
	// marks are those of emphasis, code, links and images.
	marks = strings.NewReplacer("*", "", "`", "", "~", "", "![", "", "[", "", "]", "")
)

// views are a text as it is written and as a page shows it: without tags and the targets of
// links, with entities read and the marks of emphasis left out. Where two ways to read it
// differ, both are views.
func views(text string) []string {
	out := []string{text}
	add := func(view string) {
		if !slices.Contains(out, view) {
			out = append(out, view)
		}
	}
	for _, bare := range []string{text, tag.ReplaceAllString(text, "")} {
		for _, read := range []string{bare, target.ReplaceAllString(bare, "]")} {
			add(marks.Replace(html.UnescapeString(read)))
			add(marks.Replace(html.UnescapeString(escape.ReplaceAllString(read, "$1"))))
		}
	}
	return out
}

// unseen reports whether a page shows nothing for c: characters that steer, join or part
// others, and such as only say how the one before looks.
func unseen(c rune) bool {
	return unicode.In(c, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
