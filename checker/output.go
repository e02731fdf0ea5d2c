package checker

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/drift"
)

// MaxField is how long the summary and the text of a check run may be, in
// bytes. GitHub's reference speaks of characters; what it enforces is bytes.
const MaxField = 65535

// An Output is a report as a check run shows it.
type Output struct {
	Title       string
	Summary     string // Markdown, at most MaxField bytes
	Text        string // Markdown, at most MaxField bytes
	Annotations []Annotation

	Table Table // of secrets in Summary
}

// Output renders the report.
func (r Report) Output() Output {
	o := Output{Title: r.Title, Text: r.text(), Annotations: r.annotations()}
	if r.Conflict.Cards > 0 {
		o.Title += ", " + r.Conflict.title()
	}
	o.Summary, o.Table = r.summary()
	if r.History == nil {
		return o
	}
	h := *r.History
	h.Brought = map[string]string{}
	for _, f := range r.Secrets {
		h.Brought[f.Fingerprint] = f.Commit
	}
	return o.place(h)
}

// Markdown is the report as one page.
func (r Report) Markdown() string {
	o := r.Output()
	return "# " + inert(o.Title) + "\n\n" + o.Summary + "\n" + o.Text
}

// summary says what to do next and lists findings, cards and notes. Secrets and
// the rules for them come first, but leave a third of the room: the cards say what
// the change does. The room for what the commits held stays free.
func (r Report) summary() (string, Table) {
	var b strings.Builder
	for _, step := range r.steps() {
		b.WriteString(strings.TrimRight(step, "\n") + "\n\n")
	}
	room := MaxField - scannedRoom - historyRoom
	listed := slices.Clone(r.Secrets[:min(len(r.Secrets), maxListed)])
	for i := range listed {
		listed[i].Commit = ""
	}
	table := Table{Rows: listed, More: len(r.Secrets) - len(listed), Room: (room - b.Len()) / 2}
	table.From = b.Len()
	b.WriteString(table.String())
	table.To = b.Len()
	b.WriteString(r.ruleOffer((room - b.Len()) / 3))
	b.WriteString(r.cardTable().fit(room - b.Len()))
	b.WriteString(r.referenceList().fit(room - b.Len()))
	b.WriteString(r.noteList().fit(room - b.Len()))
	fmt.Fprintf(&b, "\nLooked at %s (%s) and %s in %s.\n", count(r.Scanned.Files, "file"), count(r.Scanned.Bytes, "byte"),
		count(r.Scanned.Facts, "fact"), count(r.Scanned.Skills, "skill"))
	table.From, table.To = b.Len()-table.From, b.Len()-table.To
	return b.String(), table
}

// scannedRoom is what the last line of a summary takes at most: four numbers of
// 20 digits and its words.
const scannedRoom = 160

// steps says what a person does next.
func (r Report) steps() []string {
	var out []string
	if r.leaks() > 0 {
		out = append(out, "**A secret was found.** Rotate it first: from the moment it was pushed it counts as known. Then remove it from the file and push again.")
	}
	if r.withheldValues() > 0 {
		out = append(out, "**A withheld value was found.** "+TakeOut+", and push again.")
	}
	if r.Unlooked != "" {
		out = append(out, "**"+cannotLook+".** "+r.Unlooked)
	}
	if r.in(drift.Newer) > 0 {
		out = append(out, "**Could not check everything:** a card was made by a newer cardkeeper. Upgrade this one.")
	}
	if conflict := r.Conflict.step(r.addable()); conflict != "" {
		out = append(out, conflict)
	}
	if len(r.Cards) > r.in(drift.Newer) && !r.Conflict.Merge {
		if r.Leaky() {
			out = append(out, unwritten)
		}
		out = append(out, r.remedy()+fenced("sh", []string{"cardkeeper build", "git add -- " + r.addable()}))
	}
	if len(r.References) > 0 {
		out = append(out, mendReferences)
	}
	out = append(out, r.questionSteps()...)
	if len(out) == 0 {
		out = append(out, nothingToDo)
	}
	return out
}

// unwritten is said above the command that writes cards, where it would not write all.
const unwritten = "The card of a skill that holds such a value is not written before the value is out."

// plainFolder is a name that needs no quotes in a shell.
var plainFolder = regexp.MustCompile(`^[A-Za-z0-9._/-]+$`)

// addable is what to give to git add: the cards folder, or everything where its
// name could do more in a shell than name it.
func (r Report) addable() string {
	if plainFolder.MatchString(r.folder) {
		return r.folder
	}
	return "."
}

// maxListed bounds a list of findings or notes: who has more starts with these.
const maxListed = 50

// cardTable returns the table of cards, a line each.
func (r Report) cardTable() listing {
	l := listing{head: "| card | state | added | changed | removed | moved | renumbered |\n|---|---|---|---|---|---|---|\n", noun: "card"}
	for _, c := range slices.Concat(r.Cards, r.Updated) {
		state := string(c.State)
		if c.State == drift.Fresh {
			state = "fresh: " + c.Reason
		}
		if c.from != "" {
			state += " from " + cell(c.from)
		}
		l.rows = append(l.rows, fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d |\n", cell(c.Card), state,
			len(c.Added), len(c.Changed), len(c.Removed), len(c.Moved), len(c.Renumbered)))
	}
	return l
}

func (r Report) noteList() listing {
	l := listing{head: "Notes:\n\n", noun: "note", most: maxListed}
	for _, n := range r.Notes {
		l.rows = append(l.rows, "- "+inert(n)+"\n")
	}
	return l
}

// A listing is a table or list that may have to be cut.
type listing struct {
	head, noun string
	rows       []string
	most       int // rows at most; 0 for no bound
	more       int // what has no row at all
}

// fit writes as many rows as take at most room bytes, and says how many are
// left out: nothing for no rows, or where not even that sentence fits.
func (l listing) fit(room int) string {
	if len(l.rows) == 0 {
		return ""
	}
	left := func(n int) string {
		if n == 0 {
			return "\n"
		}
		return fmt.Sprintf("\n%s left out here; the command line tells all: `cardkeeper check`\n\n", count(n, l.noun))
	}
	kept, size := 0, len(l.head)+len(left(len(l.rows)+l.more))
	for kept < len(l.rows) && (l.most == 0 || kept < l.most) && size+len(l.rows[kept]) <= room {
		size += len(l.rows[kept])
		kept++
	}
	out := l.head + strings.Join(l.rows[:kept], "") + left(len(l.rows)-kept+l.more)
	if kept == 0 {
		out = left(len(l.rows) + l.more)
	}
	if len(out) > room {
		return ""
	}
	return out
}
