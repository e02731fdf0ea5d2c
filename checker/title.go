package checker

import (
	"fmt"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/drift"
)

// title is the verdict in a line.
func (c *check) title() string {
	r := &c.report
	var parts []string
	if r.Unlooked != "" {
		parts = append(parts, "could not look for withheld values")
	}
	if n := r.leaks(); n > 0 {
		parts = append(parts, count(n, "secret")+" found")
	}
	if n := r.withheldValues(); n > 0 {
		parts = append(parts, count(n, "withheld value")+" found")
	}
	if len(c.head.skills) == 0 {
		parts = append(parts, "no skill found")
	}
	if c.head.clash != nil {
		parts = append(parts, "two skills would share one card")
	}
	for _, s := range []drift.State{drift.Newer, drift.Stale, drift.Missing, drift.Orphan, drift.Older} {
		if n := r.in(s); n > 0 {
			parts = append(parts, count(n, "card")+" "+stateWord(s))
		}
	}
	if n := c.hidden(); n > 0 {
		parts = append(parts, count(n, "skill")+" hidden by the changed configuration")
	}
	dead := ""
	if n := len(r.References); n > 0 {
		dead = ", " + count(n, "dead reference")
	}
	lost, blocks := r.questionsTitle()
	switch {
	case lost != "" && blocks:
		parts = append(parts, lost)
	case lost != "":
		dead += ", " + lost
	}
	if len(parts) == 0 {
		return c.allWell() + dead
	}
	s := strings.Join(parts, ", ")
	return strings.ToUpper(s[:1]) + s[1:] + dead
}

func (c *check) allWell() string {
	switch n := len(c.report.Updated); {
	case c.base == nil:
		return "All " + count(len(c.head.skills), "card") + " fresh"
	case n > 0:
		return count(n, "card") + " updated, all fresh"
	case len(c.touched) > 0:
		return "No answer changes: " + count(len(c.touched), "card") + " fresh as before"
	}
	return "No cards affected"
}

func (c *check) hidden() int {
	n := 0
	for _, t := range c.touched {
		if t.head == nil && c.asBase[t.path].Main != "" {
			n++
		}
	}
	return n
}

func (r Report) in(s drift.State) int {
	n := 0
	for _, c := range r.Cards {
		if c.State == s {
			n++
		}
	}
	return n
}

func stateWord(s drift.State) string {
	switch s {
	case drift.Orphan:
		return "without a skill"
	case drift.Older, drift.Newer:
		return "of an " + strings.Replace(string(s), "newer edition", "edition newer than this cardkeeper", 1)
	}
	return string(s)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
