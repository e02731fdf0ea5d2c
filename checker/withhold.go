package checker

import (
	"context"
	"fmt"
	"strings"
)

// A slot is a text of a report that came from the repository, and where from.
type slot struct {
	text *string
	from string
}

// withhold takes found values out of every text of the report, quoted deleted
// lines and file names among them. On an error the report must not be shown.
func (r *Report) withhold(ctx context.Context, s Scanner) error {
	slots := r.slots()
	for len(slots) > 0 {
		n := chunk(len(slots), func(i int) int { return len(*slots[i].text) })
		if err := withholdSlots(ctx, s, slots[:n]); err != nil {
			return err
		}
		slots = slots[n:]
	}
	return nil
}

// withholdSlots scans texts together, one a line, and writes back those that changed.
func withholdSlots(ctx context.Context, s Scanner, slots []slot) error {
	lines := make([]string, len(slots))
	for i, sl := range slots {
		lines[i] = strings.ReplaceAll(*sl.text, "\n", " ")
	}
	before := strings.Join(lines, "\n")
	after, err := s.Withhold(ctx, before, func(line int) string { return slots[min(max(line, 1), len(slots))-1].from })
	if err != nil {
		return fmt.Errorf("scan the report on its way out: %w", err)
	}
	if after == before {
		return nil
	}
	for i, text := range strings.Split(after, "\n") {
		if text != lines[i] {
			*slots[i].text = text
		}
	}
	return nil
}

// slots lists the report's texts.
func (r *Report) slots() []slot {
	var out []slot
	for i := range r.Notes {
		out = append(out, slot{&r.Notes[i], "note"})
	}
	for i := range r.Secrets {
		out = append(out, slot{&r.Secrets[i].File, "file name"})
	}
	for i := range r.References {
		out = append(out, slot{&r.References[i].File, "file name"}, slot{&r.References[i].Text, "reference"})
	}
	for i := range r.Questions {
		out = append(out, slot{&r.Questions[i].Question, "question"})
	}
	for _, cards := range [][]CardReport{r.Cards, r.Updated} {
		for i := range cards {
			out = append(out, cards[i].slots()...)
		}
	}
	return out
}

func (cr *CardReport) slots() []slot {
	out := []slot{{&cr.Card, "file name"}, {&cr.Skill, "file name"}, {&cr.Reason, "reason"}, {&cr.from, "file name"}}
	for _, facts := range [][]Fact{cr.Added, cr.Removed} {
		for i := range facts {
			out = append(out, facts[i].slots(cr.Card)...)
		}
	}
	for _, pairs := range [][]Pair{cr.Changed, cr.Moved, cr.Renumbered} {
		for i := range pairs {
			out = append(out, pairs[i].Old.slots(cr.Card)...)
			out = append(out, pairs[i].New.slots(cr.Card)...)
		}
	}
	return out
}

func (f *Fact) slots(card string) []slot {
	from := card
	if len(f.Places) > 0 {
		from = fmt.Sprintf("%s:%d", f.Places[0].File, f.Places[0].Line)
	}
	out := []slot{{&f.Text, from}, {&f.file, "file name"}}
	for i := range f.Context {
		out = append(out, slot{&f.Context[i], from})
	}
	for i := range f.Places {
		out = append(out, slot{&f.Places[i].File, "file name"})
	}
	return out
}
