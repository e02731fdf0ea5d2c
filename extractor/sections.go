package extractor

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

//go:embed cues.tsv
var cueTable string

// A cue places a statement by its own words.
type cue struct {
	section card.Section
	words   *regexp.Regexp
}

var cues = sync.OnceValue(func() []cue {
	var out []cue
	for line := range strings.SplitSeq(strings.TrimSpace(cueTable), "\n") {
		if section, words, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			out = append(out, cue{card.Section(section), regexp.MustCompile(`(?i)` + words)})
		}
	}
	return out
})

// A verdict is where a heading path puts what stands under it.
type verdict struct {
	section card.Section
	reason  card.Reason
	drop    bool
	weak    bool // refusals for lines that bind, and otherwise what stands above
}

// placer decides sections for one file.
type placer struct {
	shape   Shape
	main    bool // the file is SKILL.md
	verdict map[string]verdict
}

// byHeading asks the headings from the nearest outwards. The title of SKILL.md
// is not asked, or a skill called "Docker setup" would be all setup; that of
// another file is, last. What the table says is right far more often than a
// keyword (one placement in 55 wrong, against one in 8), so a keyword in a near heading gives
// way to a heading of the table further out, unless it forbids or tells of trouble.
func (p *placer) byHeading(context []markdown.Element, text string) verdict {
	var nearest verdict
	for _, e := range slices.Backward(context) {
		if e.Role != markdown.Heading && e.Role != markdown.Label || p.main && e.Level == 1 {
			continue
		}
		v := p.asked(e)
		if v.weak && nearest.section == "" && binds.MatchString(text) {
			v = verdict{section: card.Refusals, reason: card.ByRule}
		}
		switch {
		case nearest.section == "" && (v.drop || v.reason == card.ByHeading):
			return v
		case nearest.section == "":
			nearest = v
		case v.reason == card.ByHeading && e.Level != 1 && (v.firm() || !nearest.firm()):
			return v
		}
	}
	return nearest
}

// asked looks a heading up, once for each of its words. A title and a lone bold
// line are no choice of section as a heading is: of them, a keyword says too
// little, but that a bold line forbids or tells of trouble it says well enough.
func (p *placer) asked(e markdown.Element) verdict {
	v, seen := p.verdict[e.Text]
	if !seen {
		v = p.ask(e.Text)
		p.verdict[e.Text] = v
	}
	if v.reason == card.ByRule && (e.Level == 1 || e.Role == markdown.Label && !v.firm()) {
		return verdict{}
	}
	return v
}

// firm reports whether the section holds for all that stands below its heading.
func (v verdict) firm() bool {
	return v.section == card.Refusals || v.section == card.Troubleshooting
}

// ask looks one heading up: the repository's own words first.
func (p *placer) ask(heading string) verdict {
	h, step := normalHeading(heading)
	if own, ok := p.shape.Vocabulary[h]; ok {
		return verdict{section: own, reason: card.ByHeading}
	}
	if step {
		return verdict{section: card.Commands, reason: card.ByRule}
	}
	reason := card.ByHeading
	s, known := table()[h]
	if !known {
		s, reason = byRule(h), card.ByRule
	}
	switch s {
	case "", neutral:
		return verdict{weak: !known && weak.MatchString(h)}
	case dropped:
		return verdict{drop: true}
	}
	return verdict{section: card.Section(s), reason: reason, weak: !known && weak.MatchString(h)}
}

// place decides for a block: by kind, heading, cue, default, in that order.
func (p *placer) place(b markdown.Block, kind card.Kind) verdict {
	if kind == card.Field {
		return verdict{section: fieldSection(b.Context[0].Text), reason: card.ByKind}
	}
	v := p.byHeading(b.Context, b.Text)
	switch {
	case v.drop:
		return v
	case kind == card.Command && v.section != card.Setup && v.section != card.Troubleshooting:
		return verdict{section: card.Commands, reason: card.ByKind}
	case v.section != "":
		return v
	case kind == card.Step: // a sequence stays together, whatever its steps say
		return verdict{section: card.Commands, reason: card.ByCue}
	case kind == card.Example:
		return verdict{section: card.Architecture, reason: card.ByDefault}
	}
	if isIntro(b, kind) {
		return verdict{section: card.Architecture, reason: card.ByDefault}
	}
	said := quotation.ReplaceAllString(b.Text, "")
	for _, c := range cues() {
		if c.words.MatchString(said) {
			return verdict{section: c.section, reason: card.ByCue}
		}
	}
	return verdict{section: card.Architecture, reason: card.ByDefault}
}

// quotation is what somebody is quoted with: its words say nothing about the statement.
var quotation = regexp.MustCompile(`"[^"]*"|“[^”]*”`)

// isIntro reports whether a paragraph stands before the first heading of its
// file, where people say what the whole is about.
func isIntro(b markdown.Block, kind card.Kind) bool {
	return (kind == card.Paragraph || kind == card.Quote) && !slices.ContainsFunc(b.Context, func(e markdown.Element) bool {
		return e.Role != markdown.Heading || e.Level != 1
	})
}

// fieldSection is the section of a frontmatter field, or "" for fields that are
// no facts: names, versions and what other tools keep there.
func fieldSection(key string) card.Section {
	switch key {
	case "description", "when_to_use":
		return card.Architecture
	case "compatibility", "requires":
		return card.Setup
	case "argument-hint":
		return card.Commands
	case "allowed-tools":
		return card.Refusals // what is not listed is not allowed
	}
	return ""
}
