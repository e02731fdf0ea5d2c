package extractor

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed headings.tsv
var headingTable string

// What the table says of a heading besides a section.
const (
	neutral = "neutral"
	dropped = "drop"
)

// table is the built-in vocabulary: normal heading to section, neutral or drop.
var table = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(headingTable), "\n") {
		heading, section, ok := strings.Cut(line, "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if !ok {
			panic(fmt.Sprintf("headings.tsv: no section in %q", line)) // unreachable: a test reads the table
		}
		out[heading] = section
	}
	return out
})

var (
	linkMark  = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	tagSpan   = regexp.MustCompile(`<[^>]+>`)
	numbering = regexp.MustCompile(`^(?:\(?\d+(?:\.\d+)*[.):]?\)?|[ivx]{1,4}[.)]|[a-z][.)])\s+`)
	stepMark  = regexp.MustCompile(`^(?:step|phase|stage)(?:\s*#?\s*\d+(?:\.\d+)*[a-z]?|\s+#?(?:[a-z]|[ivx]{1,4}))(?:\s*/\s*\d+)?(?:\s*[:.)—–-]+\s*|\s*$)`)
	optional  = regexp.MustCompile(`\s*\((?:optional|required|recommended|mandatory|critical|important|brief|advanced|quick)\)$`)
)

// edges are the marks that stand around a heading's words.
const edges = " :：.-—–*_|!`~"

// NormalHeading reduces a heading to what the vocabulary compares: markup,
// emoji, numbering, a step's number and a final colon off; lower case.
func NormalHeading(text string) string {
	h, _ := normalHeading(text)
	return h
}

// normalHeading also reports whether the heading is a numbered step.
func normalHeading(text string) (string, bool) {
	h := linkMark.ReplaceAllString(text, "$1")
	h = tagSpan.ReplaceAllString(h, "")
	h = strings.Map(func(r rune) rune {
		if r == '*' || r == '`' || unicode.Is(unicode.So, r) || unicode.Is(unicode.Cf, r) || r == '\ufe0f' || r == '\u20e3' {
			return -1
		}
		return r
	}, h)
	h = strings.ToLower(norm.NFKC.String(h))
	h = strings.Join(strings.Fields(strings.ReplaceAll(strings.ReplaceAll(h, "’", "'"), "&", "and")), " ")
	h = strings.Trim(h, edges)
	for {
		cut := strings.Trim(numbering.ReplaceAllString(h, ""), edges)
		if cut == h {
			break
		}
		h = cut
	}
	step := stepMark.FindString(h)
	h = strings.Trim(optional.ReplaceAllString(strings.TrimPrefix(h, step), ""), edges)
	return h, step != ""
}
