package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/checker/answer"
	"go.yaml.in/yaml/v3"
)

// Answers are what a policy says about answers beside who may ask. They count from
// the base alone, like all of the policy (law 7).
type Answers struct {
	answer.Rules
	PerPerson     int  // questions an hour of one person; 0 leaves it to the operator
	PerRepository int  // of all together
	Unread        bool // there may be names that no answer may hold, in a file with faults
}

const (
	// maxMarkers and maxNames bound what each answer is compared with: both lists are
	// written by hand.
	maxMarkers = 50
	maxNames   = 500
	// minMarker keeps one stray character from being a marker; maxMarker is a line.
	minMarker = 2
	maxMarker = 64
	// maxPerHour is beyond what GitHub's own limits let an App answer.
	maxPerHour = 100_000

	neverKey = "never"
)

// Asking is what an operator says about questions. A repository's policy can set
// lower limits, and none that are higher: the work is the operator's.
type Asking struct {
	PerPerson     int // questions that are answered in an hour, of one person in one repository
	PerRepository int // of all persons in it
	GapDays       int // how long a question without an answer is kept; 0 keeps none
}

const (
	// defaultPerPerson is six comments of five questions, or one question in two
	// minutes all through the hour: more than one who reads the answers asks.
	defaultPerPerson = 30
	// defaultPerRepository costs 2,000 requests where each question is a comment of
	// its own: most of the 5,000 that GitHub gives an hour stay with the checks.
	defaultPerRepository = 200
	// defaultGapDays is a quarter: a question that nobody repeats in that is none.
	defaultGapDays = 90
	maxGapDays     = 730
)

func defaultAsking() Asking {
	return Asking{defaultPerPerson, defaultPerRepository, defaultGapDays}
}

func (r *reader) ask(n *yaml.Node, c *Config) {
	r.keys(n, map[string]func(*yaml.Node){
		"who": func(n *yaml.Node) {
			var ok bool
			c.Ask, ok = r.text(n)
			if ok && !slices.Contains([]string{"read", "triage", "write", "admin"}, c.Ask) {
				r.fault(n, "who must be one of: read, triage, write, admin")
			}
		},
		"per_person":     func(n *yaml.Node) { c.Answers.PerPerson = r.number(n, 1, maxPerHour) },
		"per_repository": func(n *yaml.Node) { c.Answers.PerRepository = r.number(n, 1, maxPerHour) },
		"markers":        func(n *yaml.Node) { c.Answers.Markers = r.markers(n) },
		neverKey:         func(n *yaml.Node) { c.Answers.Never = r.names(n) },
	})
}

// markers reads a list in the place of the usual one; an empty one is none.
func (r *reader) markers(n *yaml.Node) []string {
	out := []string{}
	for item, marker := range r.list(n) {
		at := len(out) + 1
		marker = strings.TrimSpace(marker)
		if length := utf8.RuneCountInString(marker); length < minMarker || length > maxMarker || strings.Contains(marker, "\n") {
			r.fault(item, fmt.Sprintf("markers, item %d: a marker is %d to %d characters on one line", at, minMarker, maxMarker))
		}
		out = append(out, marker)
	}
	if len(out) > maxMarkers {
		r.fault(n, fmt.Sprintf("markers takes %d at most", maxMarkers))
	}
	return out
}

func (r *reader) names(n *yaml.Node) (out []string) {
	for item, name := range r.list(n) {
		at := len(out) + 1
		if length := answer.NameLength(name); length < answer.MinName || length > answer.MaxName {
			r.fault(item, fmt.Sprintf("never, item %d: a name has %d to %d letters and digits; a shorter one stands in every text", at, answer.MinName, answer.MaxName))
		}
		out = append(out, name)
	}
	if len(out) > maxNames {
		r.fault(n, fmt.Sprintf("never takes %d names at most", maxNames))
	}
	return out
}
