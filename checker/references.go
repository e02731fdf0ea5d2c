package checker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A Reference is something that a skill's Markdown names and that is not there.
type Reference struct {
	File string                  `json:"file"`
	Line int                     `json:"line"`
	Kind extractor.ReferenceKind `json:"kind"`
	Text string                  `json:"text"` // as the Markdown has it
}

// references reports the dead references that the change brings. What the base
// holds too is no fault of the change.
func (c *check) references() {
	if c.in.NoReferences {
		return
	}
	for _, t := range c.touched {
		if t.head == nil {
			continue
		}
		old, allowed := map[string]bool{}, map[string]bool{}
		if t.base != nil {
			old, allowed = keys(t.base.Dead), keys(t.base.OptOuts)
		}
		for _, d := range t.head.Dead {
			switch {
			case old[d.Key()], d.OptOut && (c.in.Base == nil || allowed[d.Key()]):
				continue
			case d.OptOut:
				c.note("%s:%d: the comment that asks to ignore a reference counts once it stands on the base", d.File, d.Line)
			}
			c.report.References = append(c.report.References, Reference{d.File, d.Line, d.Kind, d.Target})
		}
	}
	slices.SortFunc(c.report.References, func(a, b Reference) int {
		return cmp.Or(card.Natural(a.File, b.File), strings.Compare(a.File, b.File), a.Line-b.Line,
			strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Text, b.Text))
	})
}

func keys(refs []extractor.Reference) map[string]bool {
	out := make(map[string]bool, len(refs))
	for _, r := range refs {
		out[r.Key()] = true
	}
	return out
}

// says tells what is wrong with a reference.
func (r Reference) says() string {
	switch r.Kind {
	case extractor.LinkReference:
		return "the link leads to nothing"
	case extractor.AnchorReference:
		return "the file has no such heading"
	case extractor.FlagReference:
		return "the script declares no such flag"
	}
	return "the skill has no such file"
}

// mendReferences is what a person does about dead references.
const mendReferences = "Some references lead nowhere: mend the text, or add what it names. " +
	"Where the text is right, put `<!-- cardkeeper: ignore-reference -->` on the line or the one above; it counts once it stands on the base."

func (r Report) referenceList() listing {
	l := listing{head: "| dead reference | where | why |\n|---|---|---|\n", noun: "reference", most: maxListed}
	for _, ref := range r.References {
		l.rows = append(l.rows, fmt.Sprintf("| %s | %s | %s |\n", cell(ref.Text), cell(fmt.Sprintf("%s:%d", ref.File, ref.Line)), ref.says()))
	}
	return l
}

func (r Reference) annotation() Annotation {
	return Annotation{
		File: r.File, Line: r.Line, End: r.Line, Level: Error, Title: "Dead reference: " + string(r.Kind),
		Message: fmt.Sprintf("%s: %s", r.Text, r.says()),
	}
}
