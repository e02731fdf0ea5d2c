package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

// Says is what is wrong in a sentence, or what is right. It quotes nothing of the file
// and nothing of a skill.
func (o Outcome) Says() string {
	text := "right"
	switch o.Why {
	case Refused:
		text = "refused, though an answer is expected" + o.stands()
	case Answered:
		text = "answered, though it must be refused"
	case Missed:
		text = "the expected fact is not among the hits" + o.stands()
		if o.All {
			text = "not every expected fact is among the hits" + o.stands()
		}
	case Gone:
		text = o.gone()
	case Withheld:
		text = o.withheld()
	case Unasked:
		text = "not asked: " + o.Silent.Error()
	}
	if o.Wording > 0 {
		text = fmt.Sprintf("asked as in item %d of also: %s", o.Wording, text)
	}
	if o.Why != Gone && len(o.Missing) > 0 {
		text += fmt.Sprintf("; item %d of expect names no fact%s", o.Missing[0], o.anyMore())
	}
	return text
}

func (o Outcome) gone() string {
	switch {
	case len(o.Expect) > 1 && o.All:
		return "not every expected fact is there" + o.anyMore()
	case o.once:
		return "no fact is as expected any more"
	}
	return "no such fact"
}

func (o Outcome) anyMore() string {
	if o.once {
		return " any more"
	}
	return ""
}

func (o Outcome) withheld() string {
	switch {
	case o.Answer.Withheld:
		return "withheld: a marker stands where the value would, so that the answer keeps it back"
	case o.Answer.Answered:
		return "withheld: an expected fact is left out of the answer; it stands beside a secret, a withheld value or a name that no answer may hold"
	}
	return "withheld: what would answer stands beside a secret, a withheld value or a name that no answer may hold"
}

// stands is where the expected fact came.
func (o Outcome) stands() string {
	switch {
	case o.Rank == 0:
		return "; its own text shares no word with the question"
	case o.Rank > answer.Shortlist:
		return fmt.Sprintf("; it came behind the first %d", answer.Shortlist)
	}
	return fmt.Sprintf("; it came %s of what was looked at, with %.2f, and an answer needs %.2f", ordinal(o.Rank), o.Best, answer.Floor/10_000.0)
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}

// mostWanted is how many expected facts are told: the line of the file has them all.
const mostWanted = 3

// Wants says what is expected, in the words of the file, which must be scanned before they
// are shown.
func (o Outcome) Wants() string {
	if o.Refuse {
		return "a refusal"
	}
	var parts []string
	for _, n := range o.wanted() {
		text := o.Expect[n].says()
		if len(o.Absent) > 0 && len(o.Absent) < len(o.Expect) && slices.Contains(o.Absent, n+1) {
			text += " (missing)"
		}
		parts = append(parts, text)
	}
	joint := " or "
	if o.All {
		joint = " and "
	}
	text := strings.Join(parts, joint)
	if left := len(o.Expect) - mostWanted; left > 0 {
		text += fmt.Sprintf("%s%d more", joint, left)
	}
	for _, n := range o.Near {
		text += "; " + n.says()
	}
	return text
}

// wanted are the numbers of the references that are told: those first that are missing.
func (o Outcome) wanted() (out []int) {
	for n := range o.Expect {
		out = append(out, n)
	}
	here := func(n int) int {
		if slices.Contains(o.Absent, n+1) || slices.Contains(o.Missing, n+1) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b int) int { return here(a) - here(b) })
	return out[:min(mostWanted, len(out))]
}

// says is a reference in words.
func (r Reference) says() string {
	text := "a fact"
	if r.Text != "" {
		text = `"` + oneLine(r.Text) + `"`
	}
	if r.Under != "" {
		text += ` under "` + oneLine(r.Under) + `"`
	}
	if r.File != "" {
		text += " in " + oneLine(r.File)
	}
	if r.Skill != "" {
		text += " in " + oneLine(r.Skill)
	}
	if r.Section != "" {
		text += ", " + r.Section
	}
	return text
}

// Came says what came instead, by its place.
func (o Outcome) Came() string {
	a := o.Answer
	switch {
	case o.Silent != nil:
		return "nothing: it was not asked"
	case len(a.Hits) == 0:
		return "a refusal"
	}
	text := a.Hits[0].Fact.Places()[0].String()
	if more := len(a.Hits) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if a.Withheld {
		text = "withheld, citing " + text
	}
	return text
}
