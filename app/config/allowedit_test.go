package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func none(checker.Allow) bool { return false }

// anAllow is a rule whose fingerprint is a number.
func anAllow(n int) checker.Allow {
	return checker.Allow{Rule: "jwt", Path: "a.md", Fingerprint: fmt.Sprintf("%032x", n), Reason: "it's one", Until: checker.DateOf(2031, 1, 2)}
}

// written is what a rule looks like at an indentation.
func written(a checker.Allow, indent string) string {
	return indent + strings.Join(a.YAML(), "\n"+indent) + "\n"
}

// A rule goes behind the others, and every other byte stays.
func TestARuleIsAdded(t *testing.T) {
	t.Parallel()
	head := "# ours\npolicy:   # what blocks\n    block: [stale,\n        secrets]\n    # random\n    salt: " + salt + "\n"
	shape := "\n# what the cards are\nshape:\n  cards: cards\n"
	for name, c := range map[string]struct{ before, indent, after string }{
		"at the end of policy":            {head, "      ", "    allow:\n"},
		"without a line end":              {strings.TrimSuffix(head, "\n"), "      ", "\n    allow:\n"},
		"behind other rules":              {head + "    allow:\n" + written(anAllow(1), "      "), "      ", ""},
		"behind rules at the key's place": {head + "    allow:   # why\n" + written(anAllow(1), "    ") + "      # of the first\n", "    ", ""},
		"behind a reason of two lines":    {head + "    allow:\n" + strings.Replace(written(anAllow(1), "      "), "'it''s one'", "it's\n            one", 1), "      ", ""},
		"into an empty list":              {head + "    allow:\n", "      ", ""},
	} {
		for what, tail := range map[string]string{"": "", " before another part": shape} {
			if !strings.HasSuffix(c.before, "\n") && tail != "" {
				continue
			}
			got, err := EditAllow([]byte(c.before+tail), none, anAllow(2))
			if diff := cmp.Diff(c.before+c.after+written(anAllow(2), c.indent)+tail, string(got)); err != nil || diff != "" {
				t.Errorf("%s%s: %v\n%s", name, what, err, diff)
			}
		}
	}
	got, err := EditAllow([]byte("policy:\r\n  salt: "+salt+"\r\nask: {who: read}\r\n"), none, anAllow(2))
	want := "policy:\r\n  salt: " + salt + "\r\n" + strings.ReplaceAll("  allow:\n"+written(anAllow(2), "    "), "\n", "\r\n") + "ask: {who: read}\r\n"
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("other line ends: %v\n%s", err, diff)
	}
	got, err = EditAllow([]byte(head+"    allow: []  # none yet\n"+shape), none, anAllow(2))
	if diff := cmp.Diff(head+"    allow:  # none yet\n"+written(anAllow(2), "      ")+shape, string(got)); err != nil || diff != "" {
		t.Errorf("brackets without a rule: %v\n%s", err, diff)
	}
}

func TestRulesAreDropped(t *testing.T) {
	t.Parallel()
	head, tail := "policy:\n  salt: "+salt+"\n  allow:\n    # all were reviewed\n", "shape:\n  cards: x\n"
	rule := func(n int) string { return written(anAllow(n), "    ") }
	drop := func(n ...int) func(checker.Allow) bool {
		return func(a checker.Allow) bool {
			for _, i := range n {
				if a.Fingerprint == anAllow(i).Fingerprint {
					return true
				}
			}
			return false
		}
	}
	for name, c := range map[string]struct {
		drop []int
		want string
	}{
		"none":      {nil, rule(1) + "    # of the second\n" + rule(2) + rule(3)},
		"the first": {[]int{1}, "    # of the second\n" + rule(2) + rule(3)},
		"the last":  {[]int{3}, rule(1) + "    # of the second\n" + rule(2)},
		"two":       {[]int{1, 2}, "    # of the second\n" + rule(3)},
		"all":       {[]int{1, 2, 3}, "    # of the second\n"},
	} {
		text := head + rule(1) + "    # of the second\n" + rule(2) + rule(3) + tail
		got, err := EditAllow([]byte(text), drop(c.drop...))
		if diff := cmp.Diff(head+c.want+tail, string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
		if err != nil {
			continue
		}
		if again, err := EditAllow(got, none, anAllow(9)); err != nil || !strings.Contains(string(again), rule(9)) {
			t.Errorf("%s: nothing can be added any more: %v", name, err)
		}
	}
}

// What a program cannot edit stays as it is, and says so.
func TestWhatIsNotEdited(t *testing.T) {
	t.Parallel()
	one := anAllow(1)
	inline := fmt.Sprintf("{rule: jwt, path: a.md, fingerprint: '%s', reason: x, until: 2031-01-02}", one.Fingerprint)
	for name, text := range map[string]string{
		"a policy in one line":  "policy: {salt: " + salt + "}\n",
		"rules in one line":     "policy:\n  salt: " + salt + "\n  allow: [" + inline + "]\n",
		"all in one line":       "{policy: {salt: " + salt + "}}\n",
		"no salt":               "policy:\n  block: []\n",
		"a rule that is there":  "policy:\n  salt: " + salt + "\n  allow:\n" + written(anAllow(2), "    "),
		"brackets without salt": "policy:\n  allow: [ ]\n",
	} {
		if got, err := EditAllow([]byte(text), none, anAllow(2)); !errors.Is(err, ErrEdit) || got != nil {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	var faults Faults
	if got, err := EditAllow([]byte("policy: {QQQ: 1}\n"), none, anAllow(2)); !errors.As(err, &faults) || got != nil {
		t.Errorf("a file with faults: %v", err)
	}
	if got, err := EditAllow([]byte("# nothing\n"), none); err != nil || string(got) != "# nothing\n" {
		t.Errorf("nothing to do: %v\n%s", err, got)
	}
}

// Whatever is added and dropped in turn, the other lines stay in order and the
// rules are those that were asked for.
func TestEditsKeepEverythingElse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		comments := rapid.SampledFrom([]string{"", "# one\n", "\n\n", "   # deep\n", "  # at the keys\n"})
		text := comments.Draw(t, "before") + "policy:\n" + comments.Draw(t, "in") + "  salt: " + salt + "\n" + comments.Draw(t, "after") +
			rapid.SampledFrom([]string{"", "  allow:\n", "  block:\n    - stale\n    - secrets\n"}).Draw(t, "more") + comments.Draw(t, "end") + rapid.SampledFrom([]string{"", "shape:\n  cards: x\n", "ask: {who: read}\n# last"}).Draw(t, "tail")
		b := []byte(text)
		var have []int
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			n := rapid.IntRange(1, 5).Draw(t, "rule")
			kept := have[:0:0]
			for _, i := range have {
				if i != n {
					kept = append(kept, i)
				}
			}
			is := func(a checker.Allow) bool { return a.Fingerprint == anAllow(n).Fingerprint }
			var add []checker.Allow
			if have = kept; rapid.Bool().Draw(t, "add") {
				have, add = append(have, n), []checker.Allow{anAllow(n)}
			}
			var err error
			if b, err = EditAllow(b, is, add...); err != nil {
				t.Fatalf("%v\n%s", err, b)
			}
		}
		c, err := Parse(b)
		if err != nil || len(c.Policy.Allow) != len(have) {
			t.Fatalf("%v: %d rules, want %d", err, len(c.Policy.Allow), len(have))
		}
		rest := string(b)
		for _, n := range have {
			for _, indent := range []string{"    ", "  "} {
				rest = strings.Replace(rest, written(anAllow(n), indent), "", 1)
			}
		}
		strip := func(s string) string {
			return strings.TrimSpace(strings.Replace(strings.Replace(s, "  allow:\n", "", 1), "\n\n", "\n", -1))
		}
		if strip(rest) != strip(text) {
			t.Fatalf("the rest was\n%q\nand is\n%q", text, rest)
		}
	})
}

// The other list below policy is edited beside the rules, whichever stands first.
func TestBothListsAreEdited(t *testing.T) {
	t.Parallel()
	text := "policy:\n  withhold:\n  salt: " + salt + "\n  allow:\n" + written(anAllow(1), "    ")
	v, key := WithheldValue{Hash: secret.Hash{1}, Reason: "a name", Added: time.Date(2031, 1, 2, 0, 0, 0, 0, time.UTC)}, secret.Hash{2}
	b, err := AddWithheld([]byte(text), v, key)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = EditAllow(b, none, anAllow(2)); err != nil {
		t.Fatal(err)
	}
	if b, err = RemoveWithheld(b, v.Hash); err != nil {
		t.Fatal(err)
	}
	c, err := Parse(b)
	if err != nil || len(c.Policy.Allow) != 2 || len(c.Withheld.Values) != 0 || c.Withheld.Check != key {
		t.Errorf("%v\n%s", err, b)
	}
}
