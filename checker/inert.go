package checker

import (
	"strings"
	"unicode"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// visible escapes what would not be seen, or would end a line.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf):
			return '\ufffd'
		}
		return r
	}, s)
}

// inert writes any text so that nothing in it is alive in GitHub's Markdown: as
// a code span whose fence is longer than any run of backticks inside.
func inert(s string) string {
	if s = visible(s); s == "" {
		s = " "
	}
	return card.CodeSpan(s)
}

// cell is inert inside a table, where a pipe ends the cell even in code. A
// backslash before it would undo the backslash that keeps the pipe, so that one
// is shown as its look-alike.
func cell(s string) string {
	for strings.Contains(s, `\|`) {
		s = strings.ReplaceAll(s, `\|`, "\u2216|")
	}
	return strings.ReplaceAll(inert(s), "|", `\|`)
}

// fenced puts lines into a code block that no line of them can close.
func fenced(language string, lines []string) string {
	longest := 2
	for _, l := range lines {
		longest = max(longest, card.LongestRun(l))
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + strings.Join(lines, "\n") + "\n" + fence + "\n"
}

// named is a file's name at the start of a line: inside a workflow, a line that
// begins with two colons would be a command.
func named(file string) string {
	if file = visible(file); strings.HasPrefix(file, "::") {
		return "./" + file
	}
	return file
}
