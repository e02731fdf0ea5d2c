package secret

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"

	"github.com/cardkeeper/cardkeeper/checker/secret/search"
)

// A sieve finds what the rules of a configuration match, in a text and in what
// is encoded in it. It does what gitleaks' detector does, rule for rule, and a test
// holds it to that; the detector runs each rule over the whole text where any of
// the rule's keywords stands anywhere, which takes most of a scan.
type sieve struct {
	rules []config.Rule
	allow []*config.Allowlist
	set   *search.Set
}

// A match is what a rule matched, before it is judged.
type match struct {
	rule       string
	text       string // without line breaks at its ends
	from, to   int    // the bytes of it that are the value
	start, end int    // the bytes of the text that the match stems from
	decoded    bool
}

func newSieve(cfg config.Config) (*sieve, error) {
	s := &sieve{allow: cfg.Allowlists}
	var patterns []search.Pattern
	for _, id := range sortedRules(cfg) {
		rule := cfg.Rules[id]
		if rule.Regex == nil || rule.Path != nil || rule.SkipReport || len(rule.RequiredRules) > 0 {
			return nil, fmt.Errorf("%w: rule %s is of a kind that is not looked for", ErrFewRules, id)
		}
		s.rules = append(s.rules, rule)
		patterns = append(patterns, search.Pattern{Expression: rule.Regex, Keywords: rule.Keywords})
	}
	set, err := search.New(patterns)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFewRules, err)
	}
	s.set = set
	return s, nil
}

func sortedRules(cfg config.Config) []string {
	ids := make([]string, 0, len(cfg.Rules))
	for id := range cfg.Rules {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// find returns the matches of all rules but those that skip names, in a text and
// in what it reads as when it is decoded, to decodeDepth. Decoded layers give what
// touches a decoded run.
func (s *sieve) find(ctx context.Context, text string, skip func(rule string) bool) ([]match, error) {
	query := search.Query{}
	if skip != nil {
		query.Skip = func(i int) bool { return skip(s.rules[i].RuleID) }
	}
	var out []match
	l := &layer{text: text}
	for depth := 0; l != nil; depth++ {
		query.Text, query.Touching = l.text, l.spans()
		found, err := s.set.Find(ctx, query)
		if err != nil {
			return nil, err
		}
		here := &lines{layer: l}
		for _, f := range found {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if m, ok := s.match(&s.rules[f.Pattern], here, span{f.Start, f.End}); ok {
				out = append(out, m)
			}
		}
		if depth == decodeDepth {
			break
		}
		l = l.decode()
	}
	return out, nil
}

// match takes the value out of what a rule's expression matched, and drops what
// the rule or the configuration allows.
func (s *sieve) match(rule *config.Rule, l *lines, at span) (match, bool) {
	m := match{rule: rule.RuleID, text: strings.Trim(l.text[at.start:at.end], "\n"), decoded: l.below != nil}
	m.from, m.to = value(rule, m.text)
	if e := bits(m.text[m.from:m.to]); rule.Entropy != 0 && e <= rule.Entropy {
		return m, false
	}
	if m.decoded {
		whole := l.origin(at)
		m.start, m.end = whole.start, whole.end
	} else {
		at.end = at.start + len(m.text) // as the detector counts; for the line only
		m.start = at.start
		for m.start < len(l.text) && l.text[m.start] == '\n' {
			m.start++
		}
		m.end = m.start + len(m.text)
	}
	return m, !l.allowed(s.allow, m, at) && !l.allowed(rule.Allowlists, m, at)
}

// value says which bytes of a match are the secret: the rule's group, or the first
// group that is not empty, or all.
func value(rule *config.Rule, text string) (from, to int) {
	at := rule.Regex.FindStringSubmatchIndex(text)
	if len(at) < 4 {
		return 0, len(text)
	}
	if g := 2 * rule.SecretGroup; g > 0 {
		if g >= len(at) || at[g] < 0 {
			return 0, 0
		}
		return at[g], at[g+1]
	}
	for g := 2; g < len(at); g += 2 {
		if at[g] >= 0 && at[g] < at[g+1] {
			return at[g], at[g+1]
		}
	}
	return 0, len(text)
}

// bits is Shannon's entropy of the characters, per byte, as gitleaks counts it.
func bits(value string) (sum float64) {
	counts := map[rune]int{}
	var order []rune // so that rounding is the same each time
	for _, r := range value {
		if counts[r] == 0 {
			order = append(order, r)
		}
		counts[r]++
	}
	for _, r := range order {
		p := float64(counts[r]) * (1 / float64(len(value)))
		sum -= p * math.Log2(p)
	}
	return sum
}
