package checker

import (
	"fmt"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/drift"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// A Level is how an annotation shows.
type Level string

// The levels, as GitHub names them.
const (
	Notice  Level = "notice"
	Warning Level = "warning"
	Error   Level = "failure"
)

// An Annotation is a message at lines of a file of the head. It quotes nothing
// but the name of a dead reference and the words of a question.
type Annotation struct {
	File    string
	Line    int // from 1
	End     int // not before Line
	Level   Level
	Title   string
	Message string
}

// maxAnnotations is how many a report has at most: three requests' worth. A
// reader who has mended so many runs the check again.
const maxAnnotations = 150

// annotations places secrets first, then the lines that made a card stale, then dead references. A file
// whose name is withheld has no place to show; the summary tells of it.
func (r Report) annotations() []Annotation {
	var out []Annotation
	add := func(blocks bool, all ...Annotation) {
		for _, a := range all {
			if !blocks {
				a.Level = Warning
			}
			a.Message = visible(a.Message)
			if len(out) < maxAnnotations && !strings.Contains(a.File, withheldMark) {
				out = append(out, a)
			}
		}
	}
	for _, f := range r.Secrets {
		add(f.Tier == secret.Block && !r.policy.AllowSecrets, Annotation{
			File: f.File, Line: f.Line, End: f.End, Level: Error, Title: f.label(),
			Message: f.says() + " Fingerprint: " + f.Fingerprint,
		})
	}
	add(true, r.blindAnnotation()...)
	for _, c := range r.Cards {
		add(c.blocks(r.policy), c.annotations()...)
	}
	for _, q := range r.Questions {
		add(r.policy.BlockQuestions, r.annotation(q)...)
	}
	for _, ref := range r.References {
		add(r.policy.BlockReferences, ref.annotation())
	}
	return out
}

// withheldMark is how the scanner's mark for a value that was taken out begins.
const withheldMark = "[withheld: "

// onlyRenumbered is how many renumbered steps are pointed at: where another
// line says why they moved, none.
func onlyRenumbered(others []Annotation) int {
	if len(others) > 0 {
		return 0
	}
	return maxAnnotations
}

// annotations point at the lines that the card lacks; a card that has no line
// of its own to show is annotated itself.
func (c CardReport) annotations() []Annotation {
	var out []Annotation
	point := func(f Fact, what string) {
		if len(f.Places) > 0 {
			p := f.Places[0]
			out = append(out, Annotation{p.File, p.Line, p.End, Error, "Stale card", fmt.Sprintf("%s %s. Run: cardkeeper build", what, c.Card)})
		}
	}
	switch c.State {
	case drift.Stale:
		for _, p := range c.Changed {
			point(p.New, "These words are not yet on")
		}
		for _, f := range c.Added {
			point(f, "This is not yet on")
		}
		for _, p := range c.Moved {
			point(p.New, "This stands elsewhere on")
		}
		for _, p := range c.Renumbered[:min(len(c.Renumbered), onlyRenumbered(out))] {
			point(p.New, "This has another number on")
		}
	case drift.Missing: // the card is no file of the head
		if len(c.Added) > 0 && len(c.Added[0].Places) > 0 {
			out = append(out, Annotation{c.Added[0].Places[0].File, 1, 1, Error, "Missing card", c.Reason})
		}
		return out
	}
	if len(out) == 0 {
		out = append(out, Annotation{c.Card, 1, 1, Error, "Card: " + string(c.State), c.Reason})
	}
	return out
}
