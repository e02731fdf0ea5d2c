package extractor

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

//go:embed rules.tsv
var ruleTable string

// A rule places headings that the table does not hold.
type rule struct {
	section string // or dropped
	words   *regexp.Regexp
}

var rules = sync.OnceValue(func() []rule {
	var out []rule
	for line := range strings.SplitSeq(strings.TrimSpace(ruleTable), "\n") {
		if section, words, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			out = append(out, rule{section, regexp.MustCompile(words)})
		}
	}
	return out
})

// byRule returns what the first matching rule says of a normal heading, or "".
func byRule(heading string) string {
	for _, r := range rules() {
		if r.words.MatchString(heading) {
			return r.section
		}
	}
	return ""
}

// Words of weak make a heading one of refusals only for lines that forbid
// or bind: as plain keywords they place "type safety" and "risk review" wrong. Those of binds tell such a line.
var (
	weak  = regexp.MustCompile(`\b(?:safety|unsafe|security|privacy|compliance|secrets?|escalat\w*|approvals?|consent|threats?|destructive|dangerous|risks?|polic(?:y|ies)|ethic\w*|must-haves?)\b|安全|风险`)
	binds = regexp.MustCompile(`(?i)\b(?:not|never|no|don't|can't|won't|must|always|without|refuse)\b|(?:^|[^-])\bonly\b|不|禁|必须`)
)
