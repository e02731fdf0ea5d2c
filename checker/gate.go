package checker

import (
	"context"
	"slices"

	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// A Gate is a scanner under a policy. By itself it is the scanner, as if there
// were no allow rules; where a text is known to stand in a file, [ScanFile],
// [ScanFacts], [ScanText] and [Gate.WithholdLines] apply the rules for that file
// and no others. So a value that one file may hold is found wherever else it turns up.
type Gate struct {
	Scanner
	rules []Allow // those that hold on the day
	past  []Allow // those that are over
	// sources gives the files of the skill whose card a file is; nil for any other
	// file. What a skill's file may hold its card may hold.
	sources func(file string) []string
}

var _ Scanner = (*Gate)(nil)

// NewGate puts the allow rules that hold on a day before a scanner, whose
// fingerprints must be those of the configuration that the rules stand in.
func NewGate(s Scanner, rules []Allow, today Date) *Gate {
	g := &Gate{Scanner: s, sources: func(string) []string { return nil }}
	for _, a := range rules {
		if a.Over(today) {
			g.past = append(g.past, a)
		} else {
			g.rules = append(g.rules, a)
		}
	}
	return g
}

// Cards tells the gate which files are cards, and of which sources.
func (g *Gate) Cards(sources func(file string) []string) { g.sources = sources }

// Covers reports whether a rule covers a finding, or the sources of the card that
// it stands in. No rule covers a withheld value.
func (g *Gate) Covers(a Allow, f Finding) bool {
	if a.Rule != f.Rule || a.Fingerprint != f.Fingerprint || f.Withheld() {
		return false // most rules speak of other values: no path need be matched
	}
	return a.Covers(f) || slices.ContainsFunc(g.sources(f.File), func(file string) bool {
		return a.covers(f.Rule, f.Fingerprint, file)
	})
}

// allows returns the rule that lets a finding pass, or nil.
func (g *Gate) allows(f Finding) *Allow { return g.best(g.rules, f) }

// Ended returns the rule that would let a finding pass and is over, or nil.
func (g *Gate) Ended(f Finding) *Allow { return g.best(g.past, f) }

// best returns the rule that ends last of those that cover a finding.
func (g *Gate) best(rules []Allow, f Finding) (best *Allow) {
	for i := range rules {
		if a := &rules[i]; (best == nil || a.Until > best.Until) && g.Covers(*a, f) {
			best = a
		}
	}
	return best
}

// known are the values that may pass in a file.
func (g *Gate) known(file string) []secret.Known {
	var out []secret.Known
	for _, a := range g.rules {
		if g.Covers(a, Finding{Rule: a.Rule, Fingerprint: a.Fingerprint, File: file}) {
			out = append(out, secret.Known{Rule: a.Rule, Fingerprint: a.Fingerprint})
		}
	}
	return out
}

// maxLayers is how many times a text is scanned anew without what may pass: one
// value may hide another, which may hide a third. What is found after that does not pass.
const maxLayers = 5

// ScanText scans a text of a file. Where the scanner is a [Gate], findings that
// its rules let pass there carry the rule, and what they hid is found as well.
func ScanText(ctx context.Context, s Scanner, file, text string) ([]Finding, error) {
	found, err := s.Scan(ctx, text)
	if err != nil {
		return nil, err
	}
	g, ok := s.(*Gate)
	if !ok || len(g.rules) == 0 {
		return findings(found, file), nil
	}
	var passed []Finding
	var known []secret.Known
	for range maxLayers {
		before := len(known)
		for _, f := range found {
			p := finding(f, file, f.First, f.Last)
			if p.Allow = g.allows(p); p.Allow != nil {
				passed = append(passed, p)
				known = append(known, secret.Known{Rule: f.Rule, Fingerprint: f.Fingerprint})
			}
		}
		if len(known) == before {
			break
		}
		if found, err = g.Except(known...).Scan(ctx, text); err != nil {
			return nil, err
		}
	}
	return append(passed, findings(found, file)...), nil
}

func findings(found []secret.Finding, file string) []Finding {
	out := make([]Finding, 0, len(found))
	for _, f := range found {
		out = append(out, finding(f, file, f.First, f.Last))
	}
	return out
}

// standing drops the findings that a rule lets pass.
func standing(found []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.Allow != nil })
}
