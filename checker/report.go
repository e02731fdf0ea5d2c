package checker

import (
	"slices"

	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Conclusion is what a check ends with. There is no third one: what could not
// be checked is an error, which callers report as a failure.
type Conclusion string

// The conclusions.
const (
	Success Conclusion = "success"
	Failure Conclusion = "failure"
)

// A Report is the outcome of a check. Its JSON form is stable.
type Report struct {
	Conclusion Conclusion   `json:"conclusion"`
	Title      string       `json:"title"`
	Cards      []CardReport `json:"cards"` // the cards that are not fresh
	Secrets    []Finding    `json:"secrets"`
	References []Reference  `json:"references"`
	Questions  []Question   `json:"questions"`
	Notes      []string     `json:"notes"`
	Scanned    Scanned      `json:"scanned"`
	Asked      *Asked       `json:"asked,omitempty"`   // nil where no question was asked
	History    *History     `json:"history,omitempty"` // nil where it was not asked for

	// Updated are the fresh cards that the change brings, moves or removes: what
	// it does to the index. Not in the JSON form, whose cards are the faults.
	Updated []CardReport `json:"-"`

	// Mends are the cards that rebuilding would write or remove, where they were
	// asked for, by file. Remedy is how people are offered them.
	Mends  []Mend `json:"-"`
	Remedy Remedy `json:"-"`

	// Conflict is how the cards go together with those of the base branch, where somebody looked.
	Conflict Conflict `json:"-"`

	// Unlooked says why withheld values were not looked for, and what to do about it.
	Unlooked string `json:"unlooked,omitempty"`

	coming []string // notes on what counts later

	configured bool // the head has a configuration to point at

	policy   Policy // what blocks: what does not is annotated as a warning
	folder   string // of the cards
	today    Date
	unsalted bool
}

// Scanned says how much was looked at.
type Scanned struct {
	Files  int `json:"files"`
	Bytes  int `json:"bytes"`
	Skills int `json:"skills"` // all skills of the head, also those that were not read
	Facts  int `json:"facts"`
}

// A CardReport is what is to say of one card.
type CardReport struct {
	Card       string      `json:"card"`  // the card's file
	Skill      string      `json:"skill"` // the skill's folder
	State      drift.State `json:"state"`
	Reason     string      `json:"reason"`
	Added      []Fact      `json:"added"`
	Removed    []Fact      `json:"removed"`
	Changed    []Pair      `json:"changed"`
	Moved      []Pair      `json:"moved"`
	Renumbered []Pair      `json:"renumbered"`

	from string // the file of the card that this one was before its skill moved
}

// A Pair is one statement before and after.
type Pair struct {
	Old Fact `json:"old"`
	New Fact `json:"new"`
}

// A Fact is a statement as reports show it.
type Fact struct {
	Section card.Section `json:"section"`
	Context []string     `json:"context"`
	Text    string       `json:"text"`
	Ordinal int          `json:"ordinal,omitempty"` // of a step or command line
	Places  []Place      `json:"places"`
	Note    string       `json:"note,omitempty"`

	kind card.Kind
	file string // relative to the skill
}

// A Place is where a statement stands; Rev is "base" for a place at the merge base.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
	End  int    `json:"end"`
	Rev  string `json:"rev,omitempty"`
}

// A Finding is a secret that was found. It never holds the value.
type Finding struct {
	Rule        string      `json:"rule"`
	Tier        secret.Tier `json:"tier"`
	File        string      `json:"file"`
	Line        int         `json:"line"`
	End         int         `json:"end"`
	Fingerprint string      `json:"fingerprint"`
	Commit      string      `json:"commit,omitempty"` // that brought it, where the commits were looked at

	Allow *Allow `json:"-"` // the rule that lets it pass; nil for none
}

// Leaks reports whether the finding blocks where secrets do, and keeps its
// skill's card from being written.
func (f Finding) Leaks() bool { return f.Tier == secret.Block && f.Allow == nil }

// newReport returns a report whose lists are empty rather than null in JSON.
func newReport() Report {
	return Report{
		Conclusion: Success, Cards: []CardReport{}, Secrets: []Finding{},
		References: []Reference{}, Questions: []Question{}, Notes: []string{},
	}
}

// The notes on a statement of a card that stands in no source: of either side
// of a change, or, without a base to compare with, of the folder.
const (
	neverHeld = "no source at the base holds this"
	notHeld   = "no source holds this any more"
)

// factsOf turns statements into what a report shows. Places are at the base
// where rev says so; a statement without any gets a note.
func factsOf(all []drift.Statement, rev string) []Fact {
	out := make([]Fact, 0, len(all))
	for _, s := range all {
		out = append(out, factOf(s, rev))
	}
	return out
}

func factOf(s drift.Statement, rev string) Fact {
	f := Fact{
		Section: s.Entry.Section, Context: s.Entry.Context.Texts(), Text: s.Entry.Text, Ordinal: s.Entry.Ordinal,
		Places: make([]Place, 0, len(s.Places)), kind: s.Entry.Kind, file: s.Entry.File,
	}
	for _, p := range s.Places {
		f.Places = append(f.Places, Place{p.File, p.First, p.Last, rev})
	}
	if len(f.Places) == 0 {
		f.Note = neverHeld
	}
	return f
}

func pairsOf(all []drift.Pair, rev string) []Pair {
	out := make([]Pair, 0, len(all))
	for _, p := range all {
		pair := Pair{factOf(p.Old, rev), factOf(p.New, "")}
		if pair.Old.Text == pair.New.Text {
			pair.Old.Note = "" // the words stand in a source: those of the new one
		}
		out = append(out, pair)
	}
	return out
}

// blocks reports whether the card's state fails a check.
func (c CardReport) blocks(p Policy) bool {
	return c.State != drift.Fresh && (c.State == drift.Newer || !p.AllowStale)
}

// Enabled reports whether the check is switched on where the report was made.
func (r Report) Enabled() bool { return r.folder != "" }

// Failed reports whether the check failed.
func (r Report) Failed() bool { return r.Conclusion == Failure }

func (r *Report) sort() {
	byCard := func(a, b CardReport) int { return card.Natural(a.Card, b.Card) }
	slices.SortFunc(r.Cards, byCard)
	slices.SortFunc(r.Updated, byCard)
	slices.Sort(r.Notes)
	r.Notes = slices.Compact(r.Notes)
}
