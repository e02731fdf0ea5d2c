package secret

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

// minDefaultRules is the least number of rules that gitleaks' own configuration
// may hold. Version 8.30.1 has 222; a patch may drop a few, but a loading fault
// gives none at all, without an error, and everything would then scan clean.
const minDefaultRules = 200

// ownRules are added to gitleaks' default ones, in the same form.
//
//go:embed rules.toml
var ownRules string

// genericRule is the default rule for values that only a label tells. It is left
// out: it takes UUIDs after "key" and misses passwords, and the library drops its
// match where another rule matched beside it, before anybody judged that one.
const genericRule = "generic-api-key"

// translating guards package variables that config.Translate reads.
var translating sync.Mutex

// captures are the groups of an expression that give a name or a number.
var captures = regexp.MustCompile(`\(\?P<\w+>|\((?:[^?]|\?P<)`)

// loadRules returns gitleaks' default rules, mended, with ours.
func loadRules() (ruleSet, error) {
	return buildRules(config.DefaultConfig, ownRules)
}

// A ruleSet is what the library runs.
type ruleSet struct {
	config.Config
	labels config.Config // our rules that go by a label or a shape
}

func buildRules(defaults, own string) (ruleSet, error) {
	base, err := decodeRules(defaults)
	if err != nil {
		return ruleSet{}, err
	}
	if len(base.Rules) < minDefaultRules {
		return ruleSet{}, fmt.Errorf("%w: %d of at least %d", ErrFewRules, len(base.Rules), minDefaultRules)
	}
	added, err := decodeRules(own)
	if err != nil {
		return ruleSet{}, err
	}
	mend(&base)
	base.Rules = append(base.Rules, added.Rules...)
	cfg, err := translate(&base)
	if err != nil {
		return ruleSet{}, err
	}
	if len(cfg.Rules) != len(base.Rules) {
		return ruleSet{}, fmt.Errorf("%w: %d of %d, two have one name", ErrFewRules, len(cfg.Rules), len(base.Rules))
	}
	for id, rule := range cfg.Rules {
		rule.Tags = nil // spare capacity here is a data race while scanning
		cfg.Rules[id] = rule
	}
	labels := split(&cfg, &added)
	return ruleSet{cfg, labels}, nil
}

// split moves those of our rules that have no form of their own to a
// configuration of theirs.
func split(cfg *config.Config, own *config.ViperConfig) config.Config {
	labels := *cfg
	labels.Rules, labels.Keywords = map[string]config.Rule{}, map[string]struct{}{}
	for _, rule := range own.Rules {
		if generality(rule.ID) == 0 {
			continue
		}
		labels.Rules[rule.ID] = cfg.Rules[rule.ID]
		for _, k := range rule.Keywords {
			labels.Keywords[k] = struct{}{}
		}
		delete(cfg.Rules, rule.ID)
	}
	return labels
}

// decodeRules reads a rule file without viper, whose state is global.
func decodeRules(text string) (config.ViperConfig, error) {
	var vc config.ViperConfig
	if err := toml.Unmarshal([]byte(text), &vc); err != nil {
		return vc, fmt.Errorf("%w: the rule file is not readable", ErrFewRules)
	}
	return vc, nil
}

// translate compiles the rules. The library panics on a bad expression.
func translate(vc *config.ViperConfig) (cfg config.Config, err error) {
	translating.Lock()
	defer translating.Unlock()
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("%w: an expression does not compile", ErrFewRules)
		}
	}()
	vc.Extend = config.Extend{} // its third use in one process gives no rules and no error
	cfg, err = vc.Translate()
	if err != nil {
		return config.Config{}, fmt.Errorf("%w: the rules do not hold together", ErrFewRules)
	}
	return cfg, nil
}

// mend closes the holes of the default configuration that cost nothing.
func mend(vc *config.ViperConfig) {
	//lint:ignore SA1019 the default configuration still uses the old form
	if all := vc.AllowList; all != nil {
		all.Paths = nil // a text has no path here, so none can excuse it
		for i, re := range all.Regexes {
			if re == `(?i)^true|false|null$` { // as written, any value that holds "false" is excused
				re = `(?i)^(?:true|false|null)$`
			}
			all.Regexes[i] = "(?:" + re + ")" // joined later: keeps (?i) to itself
		}
	}
	kept := vc.Rules[:0]
	for _, rule := range vc.Rules {
		if rule.Path != "" || rule.ID == genericRule {
			continue // bound to file names it could never match, so it is not counted either
		}
		lists := rule.Allowlists[:0]
		for _, allow := range rule.Allowlists {
			allow.StopWords = nil // one inside a random value would excuse it
			for i, re := range allow.Regexes {
				allow.Regexes[i] = "(?:" + re + ")"
			}
			if len(allow.Regexes) > 0 {
				lists = append(lists, allow)
			}
		}
		rule.Allowlists = lists
		rule.Regex = widen(rule.ID, wholeValue(rule.ID, rule.Regex))
		kept = append(kept, rule)
	}
	vc.Rules = kept
}

// wholeValue corrects the expressions whose first group is not the secret. The
// library takes that group for the value, so a fingerprint would be the same
// for all tokens, and most of the token would survive being withheld.
func wholeValue(rule, re string) string {
	switch rule {
	case "jwt-base64", "microsoft-teams-webhook":
		return captures.ReplaceAllStringFunc(re, func(group string) string {
			if strings.HasPrefix(group, "(?P<") {
				return "(?:"
			}
			return "(?:" + group[1:]
		})
	case "sentry-org-token": // its last, unnamed group takes the byte after the token
		const tail = `(?:[^a-zA-Z0-9+/]|\z)`
		if head, ok := strings.CutSuffix(re, tail); ok {
			return "(" + head + ")" + tail
		}
	case "aws-amazon-bedrock-api-key-short-lived": // the expression is the constant head alone
		return re + `[A-Za-z0-9+/=%_-]*`
	}
	return re
}
