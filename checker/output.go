package checker

import (
	"fmt"
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
}

// Output renders the report.
func (r Report) Output() Output {
	return Output{Title: r.Title, Summary: r.summary(), Text: r.text(), Annotations: r.annotations()}
}

// Markdown is the report as one page.
func (r Report) Markdown() string {
	return "# " + inert(r.Title) + "\n\n" + r.summary() + "\n" + r.text()
}

// summary says what to do next and lists the cards.
func (r Report) summary() string {
	var b strings.Builder
	for _, step := range r.steps() {
		b.WriteString(step + "\n\n")
	}
	r.secretTable(&b)
	table := r.cardTable()
	notes := r.noteList()
	more := "\nMore cards than fit here changed; the command line shows all: `cardkeeper check`\n"
	room := MaxField - b.Len() - len(more) - scannedRoom
	kept, left := fit(table, room)
	b.WriteString(kept)
	if left > 0 {
		b.WriteString(more)
	}
	kept, _ = fit(notes, room-len(kept))
	b.WriteString(kept)
	fmt.Fprintf(&b, "\nLooked at %d files (%d bytes) and %d facts in %d skills.\n", r.Scanned.Files, r.Scanned.Bytes, r.Scanned.Facts, r.Scanned.Skills)
	return b.String()
}

// scannedRoom is what the last line of a summary takes at most: four numbers of 20 digits and its words.
const scannedRoom = 160

// steps says what a person does next.
func (r Report) steps() []string {
	var out []string
	if r.leaks() > 0 {
		out = append(out, "**A secret was found.** Rotate it first: from the moment it was pushed it counts as known. Then remove it from the file and push again.")
	}
	if r.in(drift.Newer) > 0 {
		out = append(out, "**Could not check everything:** a card was made by a newer cardkeeper. Upgrade this one.")
	}
	if len(r.Cards) > r.in(drift.Newer) {
		out = append(out, "Rebuild the cards and commit them with the change:\n\n```sh\ncardkeeper build\ngit add cards\n```")
	}
	if len(out) == 0 {
		out = append(out, "Nothing to do.")
	}
	return out
}

func (r Report) secretTable(b *strings.Builder) {
	if len(r.Secrets) == 0 {
		return
	}
	b.WriteString("| secret | where | |\n|---|---|---|\n")
	for i, f := range r.Secrets {
		if i == maxListed {
			fmt.Fprintf(b, "| ... | %d more | |\n", len(r.Secrets)-i)
			break
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(f.Rule), cell(fmt.Sprintf("%s:%d", f.File, f.Line)), f.Tier)
	}
	b.WriteString("\n")
}

// maxListed bounds a list of findings: who has more starts with these.
const maxListed = 50

// cardTable returns the table of cards, a line each, heading first.
func (r Report) cardTable() []string {
	if len(r.Cards)+len(r.Updated) == 0 {
		return nil
	}
	out := []string{"| card | state | added | changed | removed | moved | renumbered |\n|---|---|---|---|---|---|---|\n"}
	for _, c := range append(append([]CardReport{}, r.Cards...), r.Updated...) {
		state := string(c.State)
		if c.State == drift.Fresh {
			state = "fresh: " + c.Reason
		}
		out = append(out, fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d |\n", cell(c.Card), state,
			len(c.Added), len(c.Changed), len(c.Removed), len(c.Moved), len(c.Renumbered)))
	}
	return out
}

func (r Report) noteList() []string {
	if len(r.Notes) == 0 {
		return nil
	}
	out := []string{"\nNotes:\n\n"}
	for i, n := range r.Notes {
		if i == maxListed {
			return append(out, fmt.Sprintf("- %d more\n", len(r.Notes)-i))
		}
		out = append(out, "- "+inert(n)+"\n")
	}
	return out
}

// fit joins as many parts as take at most room bytes, and says how many are left out.
func fit(parts []string, room int) (string, int) {
	var b strings.Builder
	for i, p := range parts {
		if b.Len()+len(p) > room {
			return b.String(), len(parts) - i
		}
		b.WriteString(p)
	}
	return b.String(), 0
}
