package checker

import (
	"fmt"

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

// An Annotation is a message at lines of a file of the head. It quotes nothing.
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

// annotations places secrets first, then the lines that made a card stale.
func (r Report) annotations() []Annotation {
	var out []Annotation
	for _, f := range r.Secrets {
		a := Annotation{
			File: f.File, Line: f.Line, End: f.End, Level: Error, Title: "Secret: " + f.Rule,
			Message: "This looks like a secret. Rotate it first, then remove it from the file. Fingerprint: " + f.Fingerprint,
		}
		if f.Tier == secret.Warn {
			a.Level = Warning
		}
		out = append(out, a)
	}
	for _, c := range r.Cards {
		out = append(out, c.annotations()...)
	}
	return out[:min(len(out), maxAnnotations)]
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
	if c.State == drift.Stale {
		for _, p := range c.Changed {
			point(p.New, "These words are not yet on")
		}
		for _, f := range c.Added {
			point(f, "This is not yet on")
		}
		for _, p := range c.Moved {
			point(p.New, "This stands elsewhere on")
		}
	}
	if len(out) == 0 && c.State != drift.Missing {
		out = append(out, Annotation{c.Card, 1, 1, Error, "Card: " + string(c.State), c.Reason})
	}
	if c.State == drift.Missing && len(c.Added) > 0 && len(c.Added[0].Places) > 0 {
		out = append(out, Annotation{c.Added[0].Places[0].File, 1, 1, Error, "Missing card", c.Reason})
	}
	return out
}
