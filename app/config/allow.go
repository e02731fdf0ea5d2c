package config

import (
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"go.yaml.in/yaml/v3"
)

// allow reads the allow rules. Each says what, where, why and until when; what is
// missing is told together.
func (r *reader) allow(n *yaml.Node, c *Config) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.SequenceNode {
		r.fault(n, "expected a list of allow rules here")
		return
	}
	type identity struct{ rule, path, fingerprint string }
	seen := map[identity]bool{}
	for _, item := range n.Content {
		a, ok := r.allowRule(item)
		if !ok {
			continue
		}
		id := identity{a.Rule, a.Path, a.Fingerprint}
		if seen[id] {
			r.fault(item, "the same rule, path and fingerprint stand here twice; keep one of the two")
		}
		seen[id] = true
		c.Policy.Allow = append(c.Policy.Allow, a)
	}
}

// allowRule reads one allow rule, and reports whether it is without fault.
func (r *reader) allowRule(item *yaml.Node) (checker.Allow, bool) {
	a, before := checker.Allow{Line: item.Line}, len(r.faults)
	given := map[string]bool{}
	field := func(name string, into *string, valid func(string) bool, fault string) func(*yaml.Node) {
		return func(n *yaml.Node) {
			given[name] = true
			text, ok := r.text(n)
			if *into = text; ok && !valid(text) {
				r.fault(n, fault)
			}
		}
	}
	var until string
	r.keys(item, map[string]func(*yaml.Node){
		"rule": field("rule", &a.Rule, secret.Knows, "no rule has this name; take it from the finding"),
		"path": field("path", &a.Path, isPattern, "path takes a file, or a path with *, ?, [a-z] and **; this one is malformed"),
		"fingerprint": field("fingerprint", &a.Fingerprint, func(s string) bool {
			return checker.IsFingerprint(strings.ToLower(s))
		}, "a fingerprint has 32 hex digits; take it from the finding"),
		"reason": field("reason", &a.Reason, checker.IsReason, "say in one line of at most 300 characters why this is no secret"),
		"until": field("until", &until, func(s string) bool {
			_, err := checker.ParseDate(s)
			return err == nil
		}, "until takes the last day, written YYYY-MM-DD"),
	})
	a.Fingerprint = strings.ToLower(a.Fingerprint)
	if item.Kind == yaml.MappingNode || item.Tag == "!!null" {
		r.complete(item, given)
	}
	if len(r.faults) > before {
		return a, false
	}
	a.Until, _ = checker.ParseDate(until) // it was held to be one
	return a, true
}

// complete tells which parts a rule lacks.
func (r *reader) complete(item *yaml.Node, given map[string]bool) {
	var missing []string
	for _, name := range []string{"rule", "path", "fingerprint", "reason", "until"} {
		if !given[name] {
			missing = append(missing, name)
		}
	}
	switch {
	case len(missing) == 0:
	case missing[0] == "until":
		r.fault(item, "this rule has no end; give it until: YYYY-MM-DD, since an exception that never ends is forgotten")
	default:
		r.fault(item, "an allow rule needs rule, path, fingerprint, reason and until; missing here: "+strings.Join(missing, ", "))
	}
}

// salted tells of allow rules without a salt: fingerprints without one are the
// same everywhere, and change when the salt comes.
func (r *reader) salted(n *yaml.Node, c *Config) {
	if n == nil || n.Kind != yaml.MappingNode || len(c.Policy.Allow) == 0 {
		return
	}
	var at *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch n.Content[i].Value {
		case "salt":
			return
		case "allow":
			at = n.Content[i]
		}
	}
	r.fault(at, "allow rules need policy.salt: 32 random hex digits, which change all fingerprints; check again for the new ones")
}

// Day is the day of a moment, in UTC, which allow rules go by.
func Day(moment time.Time) checker.Date {
	year, month, day := moment.UTC().Date()
	return checker.DateOf(year, int(month), day)
}
