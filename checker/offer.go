package checker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// An offer is an allow rule to be looked at, with the places that it is for.
type offer struct {
	rule Allow
	at   []string
}

// offers are the rules that would let pass what blocks, each once.
func offers(found []Finding, today Date) []offer {
	var out []offer
	for _, f := range found {
		a, ok := Offer(f, today)
		if !ok || f.Tier != secret.Block {
			continue
		}
		place := fmt.Sprintf("%s:%d", f.File, f.Line)
		if i := slices.IndexFunc(out, func(o offer) bool { return o.rule == a }); i >= 0 {
			out[i].at = append(out[i].at, place)
			continue
		}
		out = append(out, offer{a, []string{place}})
	}
	return out
}

// lines are the rule as YAML below policy, after a comment that names the first place.
func (o offer) lines() []string {
	out := []string{"# " + visible(o.at[0])}
	if n := len(o.at) - 1; n > 0 {
		out[0] += fmt.Sprintf(" and %s more", count(n, "place"))
	}
	out = append(out, o.rule.YAML()...)
	for i := range out {
		out[i] = "    " + out[i]
	}
	return out
}

// RuleLines are the allow rules that would let pass what blocks among findings, as
// YAML that can stand under policy once each has its reason; more is told to stand
// there already. At most so many rules are written, and the rest is counted.
func RuleLines(found []Finding, more bool, today Date, most int) (lines []string, left int) {
	all := offers(found, today)
	if len(all) > 0 && !more {
		lines = []string{"  allow:"}
	}
	for i, o := range all {
		if i == most {
			return lines, len(all) - most
		}
		lines = append(lines, o.lines()...)
	}
	return lines, 0
}

const (
	// pasteRule is said above rules. Whoever reads it was told to rotate and remove first.
	pasteRule = "Only what is no secret, such as an example from a vendor's documentation, may be allowed. Write the reason, and put the rule %s, or run: `cardkeeper allow FINGERPRINT --reason TEXT`. A rule in a pull request counts once it stands on the base."
	saltFirst = "What is no secret can be allowed by a rule of the policy, which needs a salt first: put `salt:` with 32 random hexadecimal digits under `policy:` in `" + ConfigFile + "`, and check again."
)

// advice is what stands above the rules.
func advice(p Policy, unsalted bool) string {
	if unsalted {
		return saltFirst
	}
	where := "under `policy:` in `" + ConfigFile + "`"
	if len(p.Allow) > 0 {
		where = "at the end of `allow:` in `" + ConfigFile + "`"
	}
	return fmt.Sprintf(pasteRule, where)
}

// ruleOffer writes the rules as Markdown, as many as take at most room bytes, and
// says how many are left out: nothing for no rules.
func (r Report) ruleOffer(room int) string {
	for most := maxListed; most > 0; most = most * 3 / 4 {
		lines, left := RuleLines(r.Secrets, len(r.policy.Allow) > 0, r.today, most)
		if len(lines) == 0 {
			return ""
		}
		out := advice(r.policy, r.unsalted) + "\n\n"
		if !r.unsalted {
			out += fenced("yaml", lines) + "\n"
		}
		if left > 0 && !r.unsalted {
			out += count(left, "allow rule") + " left out here; the command line tells more: `cardkeeper check`\n\n"
		}
		if len(out) <= room {
			return out
		}
	}
	return ""
}

// PlainOffer writes for a terminal how what blocks among findings could be
// allowed, with at most so many rules: nothing where nothing blocks.
func PlainOffer(found []Finding, p Policy, unsalted bool, today Date, most int) string {
	lines, left := RuleLines(found, len(p.Allow) > 0, today, most)
	if len(lines) == 0 {
		return ""
	}
	out := strings.ReplaceAll(strings.ReplaceAll(advice(p, unsalted), "`", ""), ". ", ".\n") + "\n"
	if unsalted {
		return out
	}
	out += strings.Join(lines, "\n") + "\n"
	if left > 0 {
		out += "    # " + count(left, "more rule") + "\n"
	}
	return out
}
