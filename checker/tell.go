package checker

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Table is where a summary lists its secrets. It is kept with an [Output], so
// that what the commits tell can be put there later.
type Table struct {
	Rows []Finding `json:"rows,omitempty"` // the first ones
	More int       `json:"more,omitempty"` // how many have no row
	// From and To are its first byte and the one after its last, both counted from
	// the end of the summary: what is put above it moves neither.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
	Room int `json:"room,omitempty"` // for it, in bytes
}

const (
	// listRoom is what is kept free in every summary for the findings of commits
	// and what is said of them, in bytes: some twenty.
	listRoom = 9 << 10
	// columnRoom is for the column of commits: a head and maxListed short ids.
	columnRoom  = 1 << 10
	historyRoom = listRoom + columnRoom
)

// nothingToDo is what a summary begins with where it wants nothing of a person.
const nothingToDo = "Nothing to do.\n\n"

// rotate is what it begins with instead where a commit held a secret.
const rotate = "**A commit of this change held a secret.** It is out of the tip, so it blocks nothing, but it stays in the history: rotate it.\n\n"

// WithHistory is the report with what its commits held. Conclusion, cards and
// annotations stay as they are.
func (r Report) WithHistory(h History) Report {
	r.Secrets = slices.Clone(r.Secrets)
	for i := range r.Secrets {
		r.Secrets[i].Commit = h.Brought[r.Secrets[i].Fingerprint]
	}
	h.Brought = nil // it is said at each secret
	r.Title += h.title()
	r.History = &h
	return r
}

// WithHistory is the output with what the commits held, as [Report.WithHistory]
// would have given it. It is for outputs that were kept, and may not be applied twice.
func (o Output) WithHistory(h History) Output {
	o.Title += h.title()
	return o.place(h)
}

// place puts what the commits held into the summary.
func (o Output) place(h History) Output {
	from, to := max(len(o.Summary)-o.Table.From, 0), max(len(o.Summary)-o.Table.To, 0)
	before, after := o.Summary[:min(from, to)], o.Summary[to:]
	if start, quiet := strings.CutSuffix(before, nothingToDo); quiet && len(h.Findings) > 0 {
		before = start + rotate
	}
	rows := slices.Clone(o.Table.Rows)
	for i := range rows {
		rows[i].Commit = h.Brought[rows[i].Fingerprint]
	}
	o.Table.Rows = rows
	o.Summary = before + o.Table.String() + h.summary() + after
	o.Table.To = len(after)
	o.Table.From = len(o.Summary) - len(before)
	return o
}

// String is the table in Markdown, "" where there is nothing to list.
func (t Table) String() string {
	l := listing{head: "| secret | where | tier |\n|---|---|---|\n", noun: "secret", most: maxListed, more: t.More}
	room, commits := t.Room, slices.ContainsFunc(t.Rows, func(f Finding) bool { return f.Commit != "" })
	if commits {
		l.head = "| secret | where | tier | commit |\n|---|---|---|---|\n"
		room += columnRoom
	}
	for _, f := range t.Rows {
		row := fmt.Sprintf("| %s | %s | %s |", cell(f.Rule), cell(fmt.Sprintf("%s:%d", f.File, f.Line)), f.Tier)
		switch {
		case f.Commit != "":
			row += " " + cell(short(f.Commit)) + " |"
		case commits:
			row += " |"
		}
		l.rows = append(l.rows, row+"\n")
	}
	return l.fit(room)
}

// title is what a title says of the commits.
func (h *History) title() string {
	if h == nil || len(h.Findings) == 0 {
		return ""
	}
	return ", " + count(len(h.Findings), "secret") + " in its commits"
}

// looked says how many commits were looked at, "" where there was none.
func (h *History) looked() string {
	switch {
	case h.Commits == 0:
		return ""
	case h.Looked == MaxCommits && h.Commits > MaxCommits:
		return fmt.Sprintf("Looked at the newest %d of %d commits", h.Looked, h.Commits)
	}
	return fmt.Sprintf("Looked at %d of %s", h.Looked, count(h.Commits, "commit"))
}

// summary lists what the commits held, in at most listRoom bytes.
func (h *History) summary() string {
	if h == nil {
		return ""
	}
	tail := ""
	if s := h.looked(); s != "" {
		tail = s + ".\n\n"
	}
	missed := listing{head: "Not looked at in the commits:\n\n", noun: "thing", most: maxMissed + 1}
	for _, m := range h.Missed {
		missed.rows = append(missed.rows, "- "+inert(m)+"\n")
	}
	tail = missed.fit(listRoom/3) + tail
	l := listing{noun: "secret in commits", most: maxListed}
	for _, f := range h.Findings {
		l.rows = append(l.rows, fmt.Sprintf("- commit %s held a secret (%s, %s) at %s; it is out of the tip, but stays in the history and in refs/pull: rotate it\n",
			inert(short(f.Commit)), inert(f.Rule), f.Tier, inert(fmt.Sprintf("%s:%d", f.File, f.Line))))
	}
	return l.fit(listRoom-len(tail)) + tail
}

// plain is the same for a terminal.
func (h *History) plain() string {
	if h == nil {
		return ""
	}
	var b strings.Builder
	for _, f := range h.Findings {
		fmt.Fprintf(&b, "%s. Fingerprint %s\n", f.Says(), f.Fingerprint)
	}
	for _, m := range h.Missed {
		b.WriteString("not looked at in the commits: " + visible(m) + "\n")
	}
	if s := h.looked(); s != "" {
		b.WriteString(s + "\n")
	}
	return b.String()
}

// Annotation is the finding at its line, for those that keep places of all
// commits. It is none of the report's: the head has no such line. A file whose
// name is withheld has no place.
func (f PastFinding) Annotation() (a Annotation, placed bool) {
	return Annotation{f.File, f.Line, f.Line, Warning, "Secret in a commit: " + f.Rule, f.Says()}, !strings.Contains(f.File, withheldMark)
}

// Says is the finding in one sentence.
func (f PastFinding) Says() string {
	return fmt.Sprintf("commit %s held a secret (%s, %s) at %s:%d; it is out of the tip, but stays in the history and in refs/pull: rotate it",
		short(f.Commit), f.Rule, f.Tier, visible(f.File), f.Line)
}

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }
