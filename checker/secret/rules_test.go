package secret

import (
	"errors"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/config"
)

// Fault: the third configuration loaded with [extend] has no rules and reports
// no error (2A-62 for the general case: nothing looked at is not clean).
func TestRulesStayCompleteHoweverOftenTheyAreLoaded(t *testing.T) {
	for i := range 5 {
		cfg, err := loadRules()
		if err != nil {
			t.Fatal(err)
		}
		if len(cfg.Rules) < minDefaultRules || len(cfg.Keywords) < minDefaultRules {
			t.Fatalf("load %d: %d rules, %d keywords", i+1, len(cfg.Rules), len(cfg.Keywords))
		}
	}
}

func TestRuleFilesThatAreRefused(t *testing.T) {
	head, _, _ := strings.Cut(config.DefaultConfig, "[[rules]]")
	broken := "\n[[rules]]\nid = \"x\"\nregex = '''('''\nkeywords = [\"x\"]\n"
	tests := map[string]struct{ defaults, own string }{
		"no rules at all":                     {head, ""},
		"an empty file":                       {"", ""},
		"extend in place of rules":            {"[extend]\nuseDefault = true\n", ""},
		"an expression that does not compile": {config.DefaultConfig, broken}, // the library panics
		"not TOML":                            {config.DefaultConfig, "rules = ["},
		"one of our rules hides a default one": {config.DefaultConfig,
			"[[rules]]\nid = \"github-pat\"\nregex = '''x'''\nkeywords = [\"x\"]\n"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := buildRules(tc.defaults, tc.own); !errors.Is(err, ErrFewRules) {
				t.Errorf("got %v, want ErrFewRules", err)
			}
		})
	}
}

func TestMendedRules(t *testing.T) {
	t.Parallel()
	cfg, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Allowlists) != 1 || len(cfg.Allowlists[0].Regexes) < 10 || len(cfg.Allowlists[0].StopWords) == 0 {
		t.Fatal("the global allow list was not read; the mending below would be void")
	}
	for _, list := range cfg.Allowlists {
		if len(list.Paths) > 0 {
			t.Error("a global allow list names paths")
		}
		for value, want := range map[string]bool{"false": true, "NULL": true, "xfalsex": false, "truest": false, "%S": false, "%s": true} {
			if got := list.RegexAllowed(value); got != want {
				t.Errorf("allowed(%q) = %v, want %v", value, got, want)
			}
		}
	}
	for id, rule := range cfg.Rules {
		if rule.Tags != nil || rule.Path != nil {
			t.Errorf("rule %s has tags or a path", id)
		}
		for _, k := range rule.Keywords {
			if _, ok := cfg.Keywords[k]; !ok || k != strings.ToLower(k) {
				t.Errorf("rule %s never runs: keyword %q is not looked for", id, k)
			}
		}
	}
	for _, id := range []string{"jwt-base64", "microsoft-teams-webhook"} {
		if rule, ok := cfg.Rules[id]; !ok || rule.Regex.NumSubexp() != 0 {
			t.Errorf("rule %s: still takes a part for the value, or is gone", id)
		}
	}
	if _, ok := cfg.Rules[genericRule]; ok || len(cfg.Rules) < minDefaultRules {
		t.Error("the default rule for labels is there beside our own reading of them")
	}
	for _, id := range []string{"azure-ad-client-secret", "curl-auth-user", "stripe-access-token", "gcp-api-key"} {
		if re := cfg.Rules[id].Regex.String(); !strings.Contains(re, "|*") {
			t.Errorf("rule %s: its end does not fit Markdown", id)
		}
	}
	if rule, ok := cfg.Rules["sentry-org-token"]; !ok || rule.Regex.NumSubexp() != 1 {
		t.Error("rule sentry-org-token: takes the byte after the token, or is gone")
	}
}
