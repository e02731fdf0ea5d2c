package secret

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Known is a value that somebody looked at, by what its finding says of it.
type Known struct{ Rule, Fingerprint string }

// Except returns a scanner with the same rules that lets known values pass: Scan
// does not find them and Withhold leaves them, wherever in a text they stand.
// Fingerprints are those of this scanner's salt.
//
// What another rule found is let through with them only where it is the same
// secret, with no more than a label around it. Where it goes on past the value,
// as a token with a password behind it, it becomes a finding of its own.
func (s *Scanner) Except(known ...Known) *Scanner {
	other := *s
	other.passing = maps.Clone(s.passing)
	if other.passing == nil {
		other.passing = make(map[Known]bool, len(known))
	}
	for _, k := range known {
		other.passing[k] = true
	}
	return &other
}

// except takes the known values out of hits, which are sorted.
func (s *Scanner) except(ctx context.Context, hits []hit) ([]hit, error) {
	if len(s.passing) == 0 || len(hits) == 0 {
		return hits, nil
	}
	rules := map[string]bool{} // a fingerprint is dear; most findings are of other rules
	for k := range s.passing {
		rules[k.Rule] = true
	}
	prints := newPrinter(ctx, s.opts.Salt)
	passes := func(m merged) bool {
		return rules[m.rule] && s.passing[Known{m.rule, prints.of(m.rule, m.value)}]
	}
	var out []hit
	for chain := range chains(hits) {
		if ctx.Err() != nil {
			return nil, s.unscanned(ctx)
		}
		out = append(out, exceptChain(ctx, slices.Clone(chain), passes)...)
	}
	if ctx.Err() != nil {
		return nil, s.unscanned(ctx)
	}
	return out, nil
}

// exceptChain takes what passes out of hits that touch. Without it others may be
// findings in their own right, so it looks again until nothing passes.
func exceptChain(ctx context.Context, chain []hit, passes func(merged) bool) []hit {
	for {
		var known []hit
		for _, m := range mergeGroup(ctx, slices.Clone(chain)) {
			if passes(m) {
				known = append(known, m.hit)
			}
		}
		if len(known) == 0 {
			return chain
		}
		chain = slices.DeleteFunc(chain, func(h hit) bool {
			return slices.ContainsFunc(known, func(k hit) bool { return k.start < h.end && h.start < k.end && sameSecret(k.value, h.value) })
		})
	}
}

// labelRoom is how many letters and digits may stand around a known value that
// another rule took for part of the secret: as many as "Bearer" has. One more
// could be a short password.
const labelRoom = 6

// sameSecret reports whether a value is a known one, a piece of it, or it with a label.
func sameSecret(known, value string) bool {
	if strings.Contains(known, value) {
		return true
	}
	before, after, found := strings.Cut(value, known)
	if !found {
		return false
	}
	rest := 0
	for _, part := range []string{before, after} {
		for i := 0; i < len(part); i++ {
			if alphanumeric(part[i]) || part[i] >= 0x80 {
				rest++
			}
		}
	}
	return rest <= labelRoom
}

// names are the rules that a scanner has, by their names.
var names = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	set, err := loadRules()
	if err != nil {
		return out // then no scanner can be made either
	}
	for name := range set.Rules {
		out[name] = true
	}
	for name := range set.labels.Rules {
		out[name] = true
	}
	for _, name := range byName() {
		out[name] = true
	}
	return out
})

// Knows reports whether findings can be of a rule with that name.
func Knows(rule string) bool { return names()[rule] }
