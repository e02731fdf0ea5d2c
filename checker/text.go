package checker

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/drift"
)

// text is the card-level diff, entry by entry. It is cut between cards, or within
// the first where that alone is too long, and says how much is left out.
func (r Report) text() string {
	patch := r.patchText()
	room := MaxField - 200 - len(patch) // less the sentence about what is left out
	var b strings.Builder
	b.WriteString(r.questionText(room / 3)) // the rest is for the cards
	cards := slices.Concat(r.Cards, r.Updated)
	for i, c := range cards {
		part, whole := c.text(room - b.Len())
		if part == "" || !whole && i > 0 {
			fmt.Fprintf(&b, "\n%s left out here; the command line tells all: `cardkeeper check`\n", count(len(cards)-i, "card"))
			break
		}
		b.WriteString(part)
	}
	return b.String() + patch
}

// text renders one card in at most room bytes, and says whether that is all of
// it; "" where not even its head fits.
func (c CardReport) text(room int) (out string, whole bool) {
	head := fmt.Sprintf("### %s %s\n\n%s\n\n", inert(c.Card), c.State, c.Reason)
	if c.from != "" {
		head = fmt.Sprintf("### %s %s\n\n%s from %s\n\n", inert(c.Card), c.State, c.Reason, inert(c.from))
	}
	lines := c.lines()
	for n := len(lines); n >= 0; n = n * 3 / 4 {
		out := head
		if n > 0 {
			out += fenced("diff", lines[:n])
		}
		if n < len(lines) {
			out += fmt.Sprintf("\n%s left out here\n", count(len(lines)-n, "line"))
		}
		if len(out)+1 <= room {
			return out + "\n", n == len(lines)
		}
		if n == 0 {
			break
		}
	}
	return "", false
}

// lines are the card's differences in the form of a diff.
func (c CardReport) lines() []string {
	w := &diffWriter{}
	for _, f := range c.Removed {
		w.line(f, "- "+visible(f.Text)+at(f))
	}
	for _, p := range c.Changed {
		w.line(p.New, "! "+visible(drift.Marked(p.Old.Text, p.New.Text))+at(p.New))
	}
	for _, f := range c.Added {
		w.line(f, "+ "+visible(f.Text)+at(f))
	}
	for _, p := range c.Moved {
		w.line(p.New, fmt.Sprintf("> %s%s, moved from %s", visible(p.New.Text), at(p.New), where(p.Old)))
	}
	w.renumbered(c.Renumbered)
	return w.out
}

// renumbered tells steps that only changed their number: by a count where
// another line says why they did, and otherwise one by one.
func (w *diffWriter) renumbered(pairs []Pair) {
	if len(pairs) == 0 {
		return
	}
	if len(w.out) == 0 {
		for _, p := range pairs {
			w.line(p.New, fmt.Sprintf("# %s -> %s %s%s", number(p.Old), number(p.New), visible(p.New.Text), at(p.New)))
		}
		return
	}
	w.out = append(w.out, fmt.Sprintf("# %d renumbered", len(pairs)))
}

// number is a step's number; what stands under a step has none of its own.
func number(f Fact) string {
	if f.Ordinal == 0 {
		return "·"
	}
	return strconv.Itoa(f.Ordinal)
}

// A diffWriter prints a hunk heading whenever the context changes.
type diffWriter struct {
	last string
	out  []string
}

func (w *diffWriter) line(f Fact, text string) {
	if h := where(f); h != w.last {
		w.out = append(w.out, "@@ "+h+" @@")
		w.last = h
	}
	w.out = append(w.out, text)
}

// where names a fact's section, file and context.
func where(f Fact) string {
	parts := append([]string{string(f.Section), f.file}, f.Context...)
	return visible(strings.Join(parts, " › "))
}

// at names a fact's first place.
func at(f Fact) string {
	if len(f.Places) == 0 {
		return "  (" + f.Note + ")"
	}
	p := f.Places[0]
	rev := ""
	if p.Rev != "" {
		rev = " at the " + p.Rev
	}
	return fmt.Sprintf("  (%s:%d%s)", visible(p.File), p.Line, rev)
}

// Plain is the report for a terminal.
func (r Report) Plain() string {
	var b strings.Builder
	for _, c := range r.Cards {
		fmt.Fprintf(&b, "%s: %s. %s\n", visible(c.Card), c.State, visible(c.Reason))
		for _, line := range c.lines() {
			b.WriteString("  " + line + "\n")
		}
	}
	for _, f := range r.Secrets {
		fmt.Fprintf(&b, "%s:%d: %s\n", named(f.File), f.Line, f.plain())
	}
	if r.Unlooked != "" {
		fmt.Fprintf(&b, "%s. %s\n", cannotLook, r.Unlooked)
	}
	b.WriteString(PlainOffer(r.Secrets, r.policy, r.unsalted, r.today, maxListed))
	b.WriteString(r.History.plain())
	b.WriteString(r.plainQuestions())
	for _, ref := range r.References {
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", named(ref.File), ref.Line, visible(ref.Text), ref.says())
	}
	for _, n := range r.Notes {
		b.WriteString("note: " + visible(n) + "\n")
	}
	fmt.Fprintf(&b, "%s: %s (%s, %s, %s)\n", r.Conclusion, r.Title,
		count(r.Scanned.Files, "file"), count(r.Scanned.Facts, "fact"), count(r.Scanned.Skills, "skill"))
	return b.String()
}

// from names the commit that brought a secret, where it is known.
func from(commit string) string {
	if commit == "" {
		return ""
	}
	return ", from commit " + short(commit)
}
