package config

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/google/go-cmp/cmp"
)

const (
	someprint  = "0123456789abcdef0123456789abcdef"
	otherprint = "11111111111111111111111111111111"
)

// salted is a policy with a salt and a list of allow rules, from line 4 on.
func salted(rules string) string {
	return "policy:\n  salt: " + salt + "\n  allow:\n" + rules
}

// aRule is a rule as people write it; changes replace pieces of it.
func aRule(changes ...string) string {
	rule := "    - rule: github-pat\n      path: docs/a.md\n      fingerprint: " + someprint + "\n      reason: an example\n      until: 2031-12-31\n"
	return strings.NewReplacer(changes...).Replace(rule)
}

func TestAllowRules(t *testing.T) {
	t.Parallel()
	right := checker.Allow{Rule: "github-pat", Path: "docs/a.md", Fingerprint: someprint, Reason: "an example", Until: checker.DateOf(2031, 12, 31), Line: 4}
	with := func(f func(*checker.Allow)) []checker.Allow {
		a := right
		f(&a)
		return []checker.Allow{a}
	}
	second := right
	second.Path, second.Line = "docs/b.md", 9
	for name, c := range map[string]struct {
		text string
		want []checker.Allow
	}{
		"a rule":                           {salted(aRule()), []checker.Allow{right}},
		"two paths of one value":           {salted(aRule() + aRule("a.md", "b.md")), []checker.Allow{right, second}},
		"none":                             {"policy: {allow: }\n", nil},
		"an empty list":                    {"policy: {allow: []}\n", nil},
		"in one line":                      {"policy: {salt: " + salt + ", allow: [{rule: github-pat, path: docs/a.md, fingerprint: " + someprint + ", reason: an example, until: 2031-12-31}]}\n", with(func(a *checker.Allow) { a.Line = 1 })},
		"a fingerprint in capitals":        {salted(aRule(someprint, strings.ToUpper(someprint))), []checker.Allow{right}},
		"a fingerprint of digits":          {salted(aRule(someprint, otherprint)), with(func(a *checker.Allow) { a.Fingerprint = otherprint })},
		"a fingerprint like a float":       {salted(aRule(someprint, otherprint[:28]+"e111")), with(func(a *checker.Allow) { a.Fingerprint = otherprint[:28] + "e111" })},
		"a date in quotes":                 {salted(aRule("2031-12-31", "'2031-12-31'")), []checker.Allow{right}},
		"every file":                       {salted(aRule("docs/a.md", "'**'")), with(func(a *checker.Allow) { a.Path = "**" })},
		"before the other parts of policy": {"policy:\n  allow:\n" + aRule() + "  block: [stale]\n  salt: " + salt + "\n", with(func(a *checker.Allow) { a.Line = 3 })},
		"a reason over two lines, as YAML": {salted(aRule("an example", "an\n        example")), []checker.Allow{right}},
		"a day in the past, for the check": {salted(aRule("2031", "2001")), with(func(a *checker.Allow) { a.Until = checker.DateOf(2001, 12, 31) })},
	} {
		got, err := Parse([]byte(c.text))
		if diff := cmp.Diff(c.want, got.Policy.Allow); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
		if strings.Contains(c.text, "block") && (got.Policy.AllowStale || !got.Policy.AllowSecrets) {
			t.Errorf("%s: the rest of the policy is lost: %+v", name, got.Policy)
		}
	}
}

// Each fault of a rule is told at its line, all at once, and quotes nothing (law 8).
func TestFaultsOfAllowRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"no list":                    {salted("    QQQ\n"), []string{"4 expected a list of allow rules"}},
		"a map":                      {salted("    rule: QQQ\n"), []string{"4 expected a list of allow rules"}},
		"an alias":                   {"policy: {salt: " + salt + ", block: &a [stale], allow: *a}\n", []string{"1 expected a list of allow rules"}},
		"a word for a rule":          {salted("    - QQQ\n"), []string{"4 expected keys and values"}},
		"an empty rule":              {salted("    -\n"), []string{"4 an allow rule needs rule, path, fingerprint, reason and until; missing here: rule, path, fingerprint, reason, until"}},
		"a path alone":               {salted("    - path: QQQ\n"), []string{"4 an allow rule needs rule, path, fingerprint, reason and until; missing here: rule, fingerprint"}},
		"no end":                     {salted(aRule("      until: 2031-12-31\n", "")), []string{"4 this rule has no end"}},
		"no reason":                  {salted(aRule("      reason: an example\n", "")), []string{"4 an allow rule needs rule, path, fingerprint, reason and until; missing here: reason"}},
		"an empty reason":            {salted(aRule("an example", "''")), []string{"7 say in one line"}},
		"a reason that is missing":   {salted(aRule("an example", "")), []string{"7 a value is missing"}},
		"the reason as it was given": {salted(aRule("an example", "'"+checker.NoReason+"'")), []string{"7 say in one line"}},
		"a reason of several lines":  {salted(aRule("an example", "|\n        QQQ\n        QQQ")), []string{"7 say in one line"}},
		"a reason that is too long":  {salted(aRule("an example", strings.Repeat("QQQ", 101))), []string{"7 say in one line"}},
		"an unknown key":             {salted(aRule() + "      QQQ: 1\n"), []string{"9 unknown key; known here: fingerprint, path, reason, rule, until"}},
		"a key twice":                {salted(aRule() + "      path: QQQ\n"), []string{"9 the key stands twice"}},
		"an unknown rule":            {salted(aRule("github-pat", "QQQ")), []string{"4 no rule has this name"}},
		"a rule in capitals":         {salted(aRule("github-pat", "GITHUB-PAT")), []string{"4 no rule has this name"}},
		"a malformed path":           {salted(aRule("docs/a.md", "'[QQQ'")), []string{"5 path takes a file"}},
		"an empty path":              {salted(aRule("docs/a.md", "''")), []string{"5 path takes a file"}},
		"a path above the root":      {salted(aRule("docs/a.md", "../QQQ")), []string{"5 path takes a file"}},
		"a short fingerprint":        {salted(aRule(someprint, someprint[1:])), []string{"6 a fingerprint has 32 hex digits"}},
		"a fingerprint of letters":   {salted(aRule(someprint, strings.Repeat("Q", 32))), []string{"6 a fingerprint has 32 hex digits"}},
		"a day that is none":         {salted(aRule("12-31", "02-30")), []string{"8 until takes the last day"}},
		"a day as offered on no day": {salted(aRule("2031-12-31", checker.Date(0).String())), []string{"8 until takes the last day"}},
		"a day with a time":          {salted(aRule("2031-12-31", "2031-12-31T00:00:00Z")), []string{"8 until takes the last day"}},
		"never":                      {salted(aRule("2031-12-31", "QQQ")), []string{"8 until takes the last day"}},
		"the same twice":             {salted(aRule() + aRule("an example", "QQQ", "2031", "2032", someprint, strings.ToUpper(someprint))), []string{"9 the same rule, path and fingerprint stand here twice"}},
		"no salt":                    {"policy:\n  allow:\n" + aRule(), []string{"2 allow rules need policy.salt"}},
		"a bad salt":                 {"policy:\n  salt: QQQ\n  allow:\n" + aRule(), []string{"2 salt must be"}},
		"an alias in a rule":         {"policy: {salt: &QQQ " + salt + ", allow: [{rule: *QQQ, path: a, fingerprint: " + someprint + ", reason: x, until: 2031-12-31}]}\n", []string{"1 write the value here"}},
		"all of it at once": {salted(aRule("github-pat", "QQQ", someprint, "QQQ", "      until: 2031-12-31\n", "") + aRule("docs/a.md", "''", "2031-12-31", "QQQ")),
			[]string{"4 no rule has this name", "6 a fingerprint", "4 this rule has no end", "9 path takes", "12 until takes"}},
	} {
		got, err := Parse([]byte(c.text))
		var faults Faults
		if !errors.As(err, &faults) || len(got.Policy.Allow) > 0 {
			t.Errorf("%s: %v, %+v", name, err, got.Policy)
			continue
		}
		if strings.Contains(strings.ToUpper(err.Error()), "QQQ") {
			t.Errorf("%s: the file is quoted: %v", name, err)
		}
		if len(faults) != len(c.want) {
			t.Errorf("%s: %d faults, want %d:\n%v", name, len(faults), len(c.want), err)
			continue
		}
		for i, f := range faults {
			if one := fmt.Sprintf("%d %s", f.Line, f.Text); !strings.Contains(one, c.want[i]) {
				t.Errorf("%s: fault %d is %q, want %q", name, i, one, c.want[i])
			}
		}
	}
}

// What a check offers is read as it was meant once the reason is written, and
// refused before, whatever the file's name holds.
func TestAnOfferedRuleIsRead(t *testing.T) {
	t.Parallel()
	today := checker.DateOf(2031, 1, 1)
	for _, file := range []string{"skills/a/SKILL.md", "SKILL.md", "a b/it's.md", "a: b/#c.md", "- a/- b.md", "a/[x]*?.md", "a/\u202e\nrule: x.md", "\"a\"/`b`.md", "null", "a/{b}.md", "a/%.md", "[withheld: file name]/a.md", "日本/語.md"} {
		found := []checker.Finding{{Rule: "github-pat", Tier: secret.Block, File: file, Line: 3, End: 3, Fingerprint: otherprint}}
		lines, _ := checker.RuleLines(found, false, today, 50)
		text := "policy:\n  salt: " + salt + "\n" + strings.Join(lines, "\n") + "\n"
		var faults Faults
		if _, err := Parse([]byte(text)); !errors.As(err, &faults) || len(faults) != 1 || !strings.Contains(faults[0].Text, "why this is no secret") {
			t.Errorf("%q: a rule without a reason gives %v\n%s", file, err, text)
		}
		want, _ := checker.Offer(found[0], today)
		want.Reason, want.Line = "it's an \"example\": #1", 5
		filled := strings.Replace(text, "'"+checker.NoReason+"'", want.YAML()[3][len("  reason: "):], 1)
		got, err := Parse([]byte(filled))
		if diff := cmp.Diff([]checker.Allow{want}, got.Policy.Allow); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s\n%s", file, err, diff, filled)
		}
	}
}

func TestADayIsThatOfUTC(t *testing.T) {
	t.Parallel()
	west := time.Date(2031, 1, 1, 23, 30, 0, 0, time.FixedZone("west", -3600))
	if got := Day(west).String(); got != "2031-01-02" {
		t.Errorf("the day is %s", got)
	}
}

func TestTheHeadsSaltIsForNone(t *testing.T) {
	t.Parallel()
	head := Config{Salt: []byte("head")}
	withheld := Config{Withheld: Withheld{Unread: true}}
	if got := string(Config{}.Salted(head).Salt); got != "head" {
		t.Errorf("without a salt of its own: %q", got)
	}
	if got := string(Config{Salt: []byte("base")}.Salted(head).Salt); got != "base" {
		t.Errorf("with one: %q", got)
	}
	if withheld.Salted(head).Salt != nil {
		t.Error("what is withheld could not be looked for any more")
	}
}

// The README's example is a configuration.
func TestTheReadmesExampleIsRead(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "```yaml\npolicy:")
	block, _, found := strings.Cut(rest, "```")
	block = regexp.MustCompile(`\b[0-9a-f]{4}\.\.\.`).ReplaceAllString(block, strings.Repeat("1", 64)) // hashes that are cut short
	c, err := Parse([]byte("policy:" + block))
	if !found || err != nil || len(c.Policy.Allow) != 1 || c.Salt == nil {
		t.Errorf("%v: %+v", err, c.Policy)
	}
}
