package checker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/checker/suite"
)

// A slot is a text of a report that came from the repository, and where from.
type slot struct {
	text *string
	from string
	file string // that the text stands in; "" for what is no part of a file, such as its name
}

// A Line is a line that goes out.
type Line struct {
	Text string
	From string // what stands for a value that is taken out
	File string // that the line was read from, "" for none
}

// WithholdLines takes found values out of lines in place, but for those that a
// rule lets pass in the line's own file. On an error the lines must not be shown.
func (g *Gate) WithholdLines(ctx context.Context, lines []Line) error {
	slots := make([]slot, len(lines))
	for i := range lines {
		slots[i] = slot{&lines[i].Text, lines[i].From, lines[i].File}
	}
	return g.withhold(ctx, slots)
}

// withhold takes found values out of slots, wherever they were found. Where some may pass in one file, all
// that may pass nowhere goes first, out of all slots at once, since a piece of a
// value may stand in another slot; then each file loses what is not allowed there.
func (g *Gate) withhold(ctx context.Context, slots []slot) error {
	if err := scanPaths(ctx, g.Scanner, slots); err != nil {
		return err
	}
	known := map[string][]secret.Known{}
	apart := map[string][]slot{} // by file; under no name those in which nothing may pass
	var anywhere []secret.Known
	for _, sl := range slots {
		if _, seen := known[sl.file]; !seen && sl.file != "" {
			known[sl.file] = g.known(sl.file)
			anywhere = append(anywhere, known[sl.file]...)
		}
		name := sl.file
		if len(known[name]) == 0 {
			name = ""
		}
		apart[name] = append(apart[name], sl)
	}
	if len(anywhere) > 0 {
		if err := withholdAll(ctx, g.Except(anywhere...), slots); err != nil {
			return err
		}
	}
	for _, file := range slices.Sorted(maps.Keys(apart)) {
		s := g.Scanner
		if len(known[file]) > 0 {
			s = g.Except(known[file]...)
		}
		if err := withholdAll(ctx, s, apart[file]); err != nil {
			return err
		}
	}
	return nil
}

// withholdAll takes found values out of slots, as many at once as make a chunk.
func withholdAll(ctx context.Context, s Scanner, slots []slot) error {
	for len(slots) > 0 {
		n := chunk(len(slots), func(i int) int { return len(*slots[i].text) })
		if err := withholdSlots(ctx, s, slots[:n]); err != nil {
			return err
		}
		slots = slots[n:]
	}
	return nil
}

// scanPaths scans what names files once more, part by part, so that a value in a
// folder's name is remembered.
func scanPaths(ctx context.Context, s Scanner, slots []slot) error {
	var paths []string
	for _, sl := range slots {
		if sl.file == "" && strings.Contains(*sl.text, "/") {
			paths = append(paths, *sl.text)
		}
	}
	_, err := scanNames(ctx, s, unique(paths))
	return err
}

// Where a slot's text comes from, if it is no line of a file.
const (
	fromName = "file name"
	fromNote = "note"
)

// between stands on a line of its own between two texts that are scanned
// together: no run of a token goes on over it. The label of a heading may reach
// past it, which withholds too much and not too little.
const between = "\u00a7"

// withholdSlots scans texts together, and writes back those that changed.
func withholdSlots(ctx context.Context, s Scanner, slots []slot) error {
	lines := make([]string, len(slots))
	for i, sl := range slots {
		lines[i] = strings.ReplaceAll(*sl.text, "\n", " ")
	}
	before := strings.Join(lines, "\n"+between+"\n")
	after, err := s.Withhold(ctx, before, func(line int) string { return slots[min(max(line-1, 0)/2, len(slots)-1)].from })
	if err != nil {
		return fmt.Errorf("scan the report on its way out: %w", err)
	}
	if after == before {
		return nil
	}
	clean := strings.Split(after, "\n")
	for i := 1; i < len(clean); i += 2 {
		if clean[i] != between && len(slots) > 1 { // what was taken out goes from one text into another
			return withholdEach(ctx, s, slots)
		}
	}
	for i, sl := range slots {
		if text := clean[2*i]; text != lines[i] {
			*sl.text = text
		}
	}
	return nil
}

// withholdEach scans texts one by one, so that none takes its neighbour with it.
func withholdEach(ctx context.Context, s Scanner, slots []slot) error {
	for _, sl := range slots {
		if err := withholdSlots(ctx, s, []slot{sl}); err != nil {
			return err
		}
	}
	return nil
}

// slots lists the report's texts.
func (r *Report) slots() []slot {
	var out []slot
	for i := range r.Notes {
		out = append(out, slot{&r.Notes[i], fromNote, ""})
	}
	for i := range r.Secrets {
		out = append(out, slot{&r.Secrets[i].File, fromName, ""})
	}
	for i := range r.References {
		ref := &r.References[i]
		out = append(out, slot{&ref.Text, "reference", ref.File}, slot{&ref.File, fromName, ""})
	}
	for i := range r.Questions {
		out = append(out, r.Questions[i].slots()...)
	}
	for _, cards := range [][]CardReport{r.Cards, r.Updated} {
		for i := range cards {
			out = append(out, cards[i].slots()...)
		}
	}
	return out
}

// slots are the question's words and the names of the files that answer. What is expected may
// name files that nothing else names.
func (q *Question) slots() []slot {
	out := []slot{{&q.ID, "question", suite.File}, {&q.Question, "question", suite.File}, {&q.Expected, "question", ""}}
	for _, p := range []*Place{q.Before, q.After} {
		if p != nil {
			out = append(out, slot{&p.File, fromName, ""})
		}
	}
	return out
}

func (cr *CardReport) slots() []slot {
	out := []slot{{&cr.Card, fromName, ""}, {&cr.Skill, fromName, ""}, {&cr.Reason, "reason", ""}, {&cr.from, fromName, ""}}
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
	from, file := card, card
	if len(f.Places) > 0 {
		file = f.Places[0].File
		from = fmt.Sprintf("%s:%d", file, f.Places[0].Line)
	}
	out := []slot{{&f.Text, from, file}, {&f.file, fromName, ""}}
	for i := range f.Context {
		out = append(out, slot{&f.Context[i], from, file})
	}
	for i := range f.Places {
		out = append(out, slot{&f.Places[i].File, fromName, ""})
	}
	return out
}
