package card

import (
	"regexp"
	"strings"
)

// CodeSpan wraps text in a Markdown code span that its own backticks cannot
// end: the fence is longer than any run of them inside, and a blank on both
// sides keeps backticks at the ends apart.
func CodeSpan(text string) string {
	fence := strings.Repeat("`", LongestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// LongestRun is the length of the longest run of backticks in a text.
func LongestRun(text string) int {
	run, longest := 0, 0
	for _, c := range text {
		run++
		if c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

var stepNumber = regexp.MustCompile(`^\d+\. `)

// Unnumbered is the text of a context element without the number with which a
// step is named in the context of what stands under it.
func Unnumbered(text string) string { return stepNumber.ReplaceAllString(text, "") }
