package answer

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// Limits of a rendering, in characters and terms. The place is always shown
// whole, so that what is cut can be read at its source.
const (
	mostQuoted  = 1000
	mostContext = 160
	mostTerms   = 40
)

// Text renders the answer for a terminal. The link function says how a place is
// shown; nil shows file and line. Nothing that a fact or a question holds can
// steer the terminal.
func Text(a Answer, link func(card.Place) string) string {
	var b strings.Builder
	if r := a.Refusal; r != nil {
		fmt.Fprintf(&b, "%s %s\n%s\n", r.says(), r.Why, r.searched())
		for _, t := range r.Terms[:min(mostTerms, len(r.Terms))] {
			fmt.Fprintf(&b, "  %s: %s%s\n", visible(t.Term), count(t.Facts, "fact"), t.standing())
		}
		b.WriteString(more(len(r.Terms)))
		return b.String()
	}
	if a.Withheld {
		b.WriteString(keptBack + "\n")
	}
	if before := a.before(visible); before != "" {
		b.WriteString(before + "\n")
	}
	if left := a.leaves(); left != "" {
		b.WriteString(left + "\n")
	}
	for i, h := range a.Hits {
		if i > 0 {
			b.WriteByte('\n')
		}
		e, at := h.Fact.Entry(), h.Fact.Places()[0]
		where := at.String()
		if link != nil {
			where = link(at)
		}
		fmt.Fprintf(&b, "%d. %s  (%s, %s%s)\n", i+1, visible(where), visible(h.Skill), e.Section, h.novelty())
		if context := e.Context.Texts(); len(context) > 0 {
			fmt.Fprintf(&b, "   %s\n", visible(strings.Join(shortened(context), " › ")))
		}
		for line := range strings.Lines(cut(e.Text, mostQuoted)) {
			fmt.Fprintf(&b, "   %s\n", shown(line))
		}
		if len(h.Also) > 0 {
			fmt.Fprintf(&b, "   The same in: %s\n", visible(strings.Join(h.Also, ", ")))
		}
		if h.Wording != "" {
			fmt.Fprintf(&b, "   It fits the wording %q, and not the question itself.\n", cut(visible(h.Wording), mostContext))
		}
		if h.Taught {
			fmt.Fprintf(&b, "   Found %s, line %d: somebody wrote there that this answers.\n", throughSuite, h.Lesson)
		}
	}
	return b.String()
}

// keptBack opens an answer whose value the documents keep back.
const keptBack = "Withheld: the documents keep this back."

// leaves opens an answer of which something is left out that a reader would miss: what answers
// best, or a part of a list.
func (a Answer) leaves() string {
	switch n := len(a.LeftOut); {
	case a.Outdone:
		return "What answers best is withheld here."
	case a.List && n == 1:
		return "One item of this list is withheld here."
	case a.List && n > 1:
		return fmt.Sprintf("%d items of this list are withheld here.", n)
	}
	return ""
}

// throughSuite says of a hit that its own words would not have answered.
const throughSuite = "through the question suite"

// novelty marks a hit that the change brings.
func (h Hit) novelty() string {
	if h.New {
		return ", new in this change"
	}
	return ""
}

// says opens a refusal.
func (r Refusal) says() string {
	if r.Why == WhyWithheld {
		return "Withheld."
	}
	return "Not documented."
}

func (r Refusal) searched() string {
	if r.Why == WhyWithheld { // how well it would answer is told of nothing that may not be shown
		return fmt.Sprintf("Looked through %s on %s.", count(r.Facts, "fact"), count(r.Cards, "card"))
	}
	best := math.Floor(100*r.Best) / 100 // what is below the floor reads so
	return fmt.Sprintf("Looked through %s on %s. The best reached %.2f; an answer needs %.2f.",
		count(r.Facts, "fact"), count(r.Cards, "card"), best, r.Floor)
}

// standing says more of a term than how many facts hold it.
func (t Term) standing() string {
	switch {
	case t.ReadAs != "":
		return t.readAs()
	case !t.Known:
		return " (unknown here)"
	case t.Facts == 0:
		return " (in headings and names alone)"
	}
	return ""
}

func (t Term) readAs() string {
	if t.ReadAs == "" {
		return ""
	}
	return " (read as " + visible(t.ReadAs) + ")"
}

// count writes a number with its noun.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// more says how many terms a list leaves out.
func more(terms int) string {
	if terms <= mostTerms {
		return ""
	}
	return fmt.Sprintf("  and %d more\n", terms-mostTerms)
}

// shortened cuts each element of a context.
func shortened(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = cut(t, mostContext)
	}
	return out
}

// cut shortens text to at most n characters and shows that it did.
func cut(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i] + "…"
		}
		n--
	}
	return text
}

// visible returns text on one line, without blanks around it and without
// characters that steer a terminal or turn the reading direction.
func visible(text string) string { return strings.TrimSpace(shown(text)) }

// shown is visible for a line of code, whose indent is kept.
func shown(text string) string {
	clean := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsControl(c) || unicode.Is(unicode.Cf, c):
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, "�"))
	return strings.TrimRight(clean, " ")
}
