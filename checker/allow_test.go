package checker

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// someDay is the day of these tests.
const someDay = Date(739_000)

// ruleFor is a rule for the one finding of a report.
func ruleFor(t *testing.T, r Report) Allow {
	t.Helper()
	if len(r.Secrets) == 0 {
		t.Fatalf("nothing was found: %s", r.Plain())
	}
	f := r.Secrets[0]
	return Allow{Rule: f.Rule, Path: f.File, Fingerprint: f.Fingerprint, Reason: "from the vendor's page", Until: someDay + 60, Line: 7}
}

// under checks a change on that day, under rules.
func under(t *testing.T, base, head *Side, rules ...Allow) Report {
	t.Helper()
	r, err := Check(context.Background(), Input{Base: base, Head: *head, Scanner: testScanner(), Policy: Policy{Allow: rules}, Today: someDay})
	if err != nil {
		t.Fatalf("Check: %v", err)
	}
	return r
}

func TestWhatARuleCovers(t *testing.T) {
	t.Parallel()
	token := newMint(80).token()
	head := two().with(alphaMain, alpha+"- use "+token+"\n").built()
	right := ruleFor(t, compare(t, two().side(), head.side()))
	change := func(f func(*Allow)) Allow {
		a := right
		f(&a)
		return a
	}
	for name, c := range map[string]struct {
		rule    Allow
		today   Date
		allowed bool
	}{
		"the finding":                      {right, someDay, true},
		"a folder above it":                {change(func(a *Allow) { a.Path = "skills/alpha" }), someDay, true},
		"a folder's name":                  {change(func(a *Allow) { a.Path = "alpha/" }), someDay, true},
		"a pattern":                        {change(func(a *Allow) { a.Path = "skills/**/*.md" }), someDay, true},
		"every file, one fingerprint":      {change(func(a *Allow) { a.Path = "**" }), someDay, true},
		"every file, another fingerprint":  {change(func(a *Allow) { a.Path, a.Fingerprint = "**", strings.Repeat("0", 32) }), someDay, false},
		"every file, no fingerprint":       {change(func(a *Allow) { a.Path, a.Fingerprint = "**", "" }), someDay, false},
		"another rule":                     {change(func(a *Allow) { a.Rule = "jwt" }), someDay, false},
		"a rule's name in capitals":        {change(func(a *Allow) { a.Rule = strings.ToUpper(a.Rule) }), someDay, false},
		"a fingerprint in capitals":        {change(func(a *Allow) { a.Fingerprint = strings.ToUpper(a.Fingerprint) }), someDay, false},
		"a piece of the fingerprint":       {change(func(a *Allow) { a.Fingerprint = a.Fingerprint[:8] }), someDay, false},
		"another file":                     {change(func(a *Allow) { a.Path = betaMain }), someDay, false},
		"a file of that name at the root":  {change(func(a *Allow) { a.Path = "/SKILL.md" }), someDay, false},
		"no file":                          {change(func(a *Allow) { a.Path = "" }), someDay, false},
		"on its last day":                  {change(func(a *Allow) { a.Until = someDay }), someDay, true},
		"on the day after":                 {change(func(a *Allow) { a.Until = someDay - 1 }), someDay, false},
		"without an end":                   {change(func(a *Allow) { a.Until = 0 }), someDay, false},
		"on no day":                        {right, 0, false},
		"in the card, of its skill's file": {change(func(a *Allow) { a.Path = alphaCard }), someDay, false},
	} {
		r, err := Check(t.Context(), Input{Base: two().side(), Head: *head.side(), Scanner: testScanner(), Policy: Policy{Allow: []Allow{c.rule}}, Today: c.today})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Failed() == c.allowed || (len(r.Secrets) == 0) != c.allowed {
			t.Errorf("%s: %s", name, r.Plain())
		}
		told := strings.Contains(strings.Join(r.Notes, "\n"), alphaMain+":20: a secret (github-pat) that the policy allows until "+c.rule.Until.String())
		if told != c.allowed {
			t.Errorf("%s: the notes are %q", name, r.Notes)
		}
		if strings.Contains(r.Output().Text, token) != c.allowed { // the text shows what may be shown, and nothing else
			t.Errorf("%s: shown is %v", name, !c.allowed)
		}
	}
}

// A value that one file may hold is a secret wherever else it turns up, also in
// the same skill and beside it in one report.
func TestAnAllowedValueStaysASecretElsewhere(t *testing.T) {
	t.Parallel()
	token := newMint(81).token()
	leak := "- use " + token + "\n"
	base := two().with(alphaMain, alpha+leak).built()
	rule := ruleFor(t, compare(t, nil, base.side()))
	for name, c := range map[string]struct {
		head   repo
		at     string
		denied string // what the text must not show the value beside
	}{
		"another skill":              {base.with(betaMain, beta+"- beta has "+token+"\n").built(), betaMain + ":6 block", "beta has gh"},
		"another file of the skill":  {base.with("skills/alpha/more.md", "- more has "+token+"\n").built(), "skills/alpha/more.md:1 block", "more has gh"},
		"a comment of another file":  {base.with("skills/alpha/more.md", "- text\n\n<!-- "+token+" -->\n").built(), "skills/alpha/more.md:3 block", "<!-- gh"},
		"the name of a file":         {base.with("skills/alpha/"+token+".md", "- text\n").built(), ".md:1 block", ".md gh"},
		"another skill and the same": {base.with(betaMain, beta+"- beta has "+token+"\n", alphaMain, alpha+"- alpha has "+token+"\n").built(), betaMain + ":6 block", "beta has gh"},
	} {
		r := under(t, base.side(), c.head.side(), rule)
		if !r.Failed() || !strings.Contains(leaksOf(r), c.at) || strings.Contains(leaksOf(r), ";") {
			t.Errorf("%s: found %q, want %q", name, leaksOf(r), c.at)
		}
		if all := everything(r); strings.Contains(all, c.denied) {
			t.Errorf("%s: the value is shown where it is not allowed", name)
		}
	}
	both := base.with(betaMain, beta+"- beta has "+token+"\n", alphaMain, alpha+"- alpha has "+token+"\n").built()
	if text := under(t, base.side(), both.side(), rule).Output().Text; !strings.Contains(text, "alpha has "+token) || !strings.Contains(text, "beta has [withheld") {
		t.Errorf("the text is\n%s", text)
	}
}

// Two files with one value need two rules, and each lets pass its own.
func TestOneValueInTwoFiles(t *testing.T) {
	t.Parallel()
	token := newMint(82).token()
	head := two().with(alphaMain, alpha+"- use "+token+"\n", betaMain, beta+"- use "+token+"\n- again "+token+"\n").built()
	first := compare(t, two().side(), head.side())
	if leaksOf(first) != alphaMain+":20 block; "+betaMain+":6 block; "+betaMain+":7 block" {
		t.Fatalf("found %q", leaksOf(first))
	}
	lines, left := RuleLines(first.Secrets, false, someDay, maxListed)
	if text := strings.Join(lines, "\n"); strings.Count(text, "- rule: ") != 2 || left != 0 || !strings.Contains(text, "# "+betaMain+":6 and 1 place more") {
		t.Errorf("the rules are\n%s", text)
	}
	a := ruleFor(t, first)
	b := a
	b.Path = betaMain
	if r := under(t, two().side(), head.side(), a); leaksOf(r) != betaMain+":6 block; "+betaMain+":7 block" {
		t.Errorf("with a rule for one: %q", leaksOf(r))
	}
	r := under(t, two().side(), head.side(), a, b)
	if r.Failed() || !strings.Contains(strings.Join(r.Notes, "\n"), betaMain+":6 (and 1 time more): a secret") {
		t.Errorf("with both: %s", r.Plain())
	}
}

// Law 7: what a change brings along for itself counts for nothing.
func TestTheHeadsOwnRuleCountsForNothing(t *testing.T) {
	t.Parallel()
	head := two().with(alphaMain, alpha+"- use "+newMint(83).token()+"\n").built()
	rule := ruleFor(t, compare(t, two().side(), head.side()))
	in := Input{Base: two().side(), Head: *head.side(), Scanner: testScanner(), HeadAllow: []Allow{rule}, Today: someDay}
	r, err := Check(t.Context(), in)
	if err != nil || !r.Failed() || r.leaks() != 1 {
		t.Fatalf("%v: %s", err, r.Plain())
	}
	const says = "brings an allow rule for this secret (github-pat); the rule counts once it stands on the base"
	if !strings.Contains(r.Output().Summary, says) {
		t.Errorf("the summary does not say so: %s", r.Output().Summary)
	}
	rule.Fingerprint = strings.Repeat("0", 32)
	in.HeadAllow = []Allow{rule}
	if r, err = Check(t.Context(), in); err != nil || !r.Failed() || strings.Contains(r.Plain(), says) {
		t.Errorf("a rule for something else: %v: %s", err, r.Plain())
	}
}

// What is over blocks again and says so, and its value is withheld again.
func TestARuleThatIsOver(t *testing.T) {
	t.Parallel()
	token := newMint(84).token()
	head := two().with(alphaMain, alpha+"- use "+token+"\n").built()
	rule := ruleFor(t, compare(t, two().side(), head.side()))
	rule.Until = someDay - 1
	ended := "the rule that allowed this secret (github-pat) ended on " + rule.Until.String()
	for name, base := range map[string]*Side{"with a base": two().side(), "without one": nil} {
		r := under(t, base, head.side(), rule)
		if !r.Failed() || r.leaks() != 1 || !strings.Contains(r.Plain(), ended) {
			t.Errorf("%s: %s", name, r.Plain())
		}
		unspoken(t, token, everything(r))
	}
	// What the base holds is no fault of the change, rule or not.
	r := under(t, head.side(), head.with(alphaMain, head[alphaMain]+"- more\n").built().side(), rule)
	if r.Failed() || !strings.Contains(r.Plain(), ended) {
		t.Errorf("held by the base: %s", r.Plain())
	}
}

func TestNotesOnRules(t *testing.T) {
	t.Parallel()
	head := two().with(alphaMain, alpha+"- use "+newMint(85).token()+"\n").built()
	right := ruleFor(t, compare(t, nil, head.side()))
	until := func(d Date) Allow {
		a := right
		a.Until = d
		return a
	}
	unused, gone := until(someDay+60), until(someDay-3)
	unused.Fingerprint, gone.Fingerprint = strings.Repeat("0", 32), strings.Repeat("1", 32)
	at := ConfigFile + ":7: the allow rule for github-pat in " + alphaMain
	for name, c := range map[string]struct {
		rule Allow
		want string // "" for no note that names the rule
	}{
		"one that holds for long":    {until(someDay + 15), ""},
		"one that ends in two weeks": {until(someDay + 14), at + " ends on " + (someDay + 14).String() + ", for 14 more days"},
		"one that ends tomorrow":     {until(someDay + 1), at + " ends on " + (someDay + 1).String() + ", for 1 more day"},
		"one that ends today":        {until(someDay), at + " ends on " + someDay.String() + ", which is today"},
		"one that covers nothing":    {unused, at + " covers nothing that the check looks at"},
		"one that is over":           {gone, at + " ended on " + gone.Until.String() + ". Remove it: cardkeeper allow --prune"},
		"one for more than a year":   {until(someDay + 367), at + " ends in more than a year"},
		"one for just a year":        {until(someDay + 366), ""},
	} {
		notes := strings.Join(under(t, nil, head.side(), c.rule).Notes, "\n")
		if c.want != "" && !strings.Contains(notes, c.want) || c.want == "" && strings.Contains(notes, "the allow rule for") {
			t.Errorf("%s: want %q among\n%s", name, c.want, notes)
		}
		if change := under(t, two().side(), two().with("README.md", "x").side(), c.rule).Notes; len(change) > 0 {
			t.Errorf("%s: a change that has nothing to do with it is told %q", name, change)
		}
	}
}

// A reason is a person's text: inert, on one line, and scanned (law 8).
func TestAReasonIsData(t *testing.T) {
	t.Parallel()
	token := newMint(86).token()
	head := two().with(alphaMain, alpha+"- use "+newMint(87).token()+"\n").built()
	rule := ruleFor(t, compare(t, nil, head.side()))
	rule.Reason = "see <img src=x> @octocat [l](x) and " + token
	r := under(t, nil, head.side(), rule)
	if r.Failed() {
		t.Fatal(r.Plain())
	}
	unspoken(t, token, everything(r))
	if found := alive(r.Output().Summary); len(found) > 0 {
		t.Errorf("alive: %v", found)
	}
}

// What stands behind or beside a value that may pass is found all the same.
func TestWhatAnAllowedValueHides(t *testing.T) {
	t.Parallel()
	m := newMint(88)
	token, other := m.token(), m.token()
	rule := ruleFor(t, compare(t, nil, two().with(alphaMain, alpha+"- use "+token+"\n").side()))
	behind := "curl -u " + token + ":Pq7!" + other[10:22] + " https://x.acme.dev"
	for name, c := range map[string]struct{ text, want, hidden string }{
		"a second token on the line": {"- use " + token + " or " + other + "\n", "github-pat", other},
		"a password behind it":       {"```sh\n" + behind + "\n```\n", "curl-user", other[10:22]},
	} {
		r := under(t, two().side(), two().with(alphaMain, alpha+c.text).built().side(), rule)
		if r.leaks() == 0 || r.Secrets[0].Rule != c.want || !r.Failed() {
			t.Errorf("%s: %s", name, r.Plain())
		}
		if !strings.Contains(strings.Join(r.Notes, "\n"), "that the policy allows") {
			t.Errorf("%s: nothing is said of the first: %q", name, r.Notes)
		}
		unspoken(t, c.hidden, everything(r))
	}
	// A piece of what may not pass is withheld wherever it stands, in files with rules and without.
	pieces := two().with(alphaMain, alpha+"- use "+token+" or "+other+"\n", betaMain, beta+"- begins with "+other[6:22]+"\n", "skills/alpha/"+other[8:24]+".md", "- text\n").built()
	r := under(t, two().side(), pieces.side(), rule)
	if leaksOf(r) != alphaMain+":20 block" || !strings.Contains(r.Output().Text, "use "+token) {
		t.Errorf("found %q in\n%s", leaksOf(r), r.Output().Text)
	}
	unspoken(t, other, r.Output().Text)
}

// What the policy withholds no rule lets pass, and none is offered for it.
func TestNoRuleAllowsAWithheldValue(t *testing.T) {
	t.Parallel()
	token := newMint(92).token()
	s := watching(t, "Quiet Heron")
	head := two().with(alphaMain, alpha+"- use "+token+" of quiet heron\n").built()
	check := func(rules ...Allow) Report {
		r, err := Check(t.Context(), Input{Base: two().side(), Head: *head.side(), Scanner: s, Policy: Policy{Allow: rules}, Today: someDay})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := check()
	var rules []Allow
	for _, f := range first.Secrets {
		rules = append(rules, Allow{Rule: f.Rule, Path: "**", Fingerprint: f.Fingerprint, Reason: "x", Until: someDay})
	}
	if len(rules) != 2 || strings.Count(first.Plain(), "- rule: ") != 1 {
		t.Fatalf("%d findings: %s", len(rules), first.Plain())
	}
	r := check(rules...)
	if !r.Failed() || r.withheldValues() != 1 || r.leaks() != 0 || !strings.Contains(r.Output().Text, "use "+token+" of [withheld: ") {
		t.Errorf("%s\n%s", r.Plain(), r.Output().Text)
	}
	unnamed(t, r)
}

// The card of a skill may hold what its files may hold, also when it is not what
// the files give.
func TestACardHoldsWhatItsSkillMayHold(t *testing.T) {
	t.Parallel()
	token := newMint(89).token()
	base := two().with(alphaMain, alpha+"- use "+token+"\n").built()
	rule := ruleFor(t, compare(t, nil, base.side()))
	edited := base.with(alphaCard, strings.Replace(base[alphaCard], "install git", "install jj", 1))
	r := under(t, base.side(), edited.side(), rule)
	if leaksOf(r) != "" || states(r) != alphaCard+" stale" {
		t.Errorf("its own card: %s", r.Plain())
	}
	foreign := base.with(betaCard, strings.Replace(base[betaCard], "never", token, 1))
	r = under(t, base.side(), foreign.side(), rule)
	if !strings.Contains(leaksOf(r), betaCard) {
		t.Errorf("another skill's card: %s", r.Plain())
	}
}

func TestFindingsAreAllOfTheFolder(t *testing.T) {
	t.Parallel()
	m := newMint(91)
	token, other := m.token(), m.token()
	head := two().with(alphaMain, alpha+"- use "+token+"\n", "skills/beta/"+other+".md", "- text\n").built()
	rule := ruleFor(t, compare(t, nil, head.side()))
	in := Input{Head: *head.side(), Scanner: testScanner(), Policy: Policy{Allow: []Allow{rule}}, Today: someDay}
	found, err := Findings(t.Context(), in)
	if err != nil || len(found) != 2 || found[0].Allow == nil || *found[0].Allow != rule || found[0].Leaks() || found[1].Allow != nil || !found[1].Leaks() {
		t.Errorf("%v, %+v", err, found)
	}
	in.Scanner = lazyScanner{testScanner()}
	if _, err := Findings(t.Context(), in); !errors.Is(err, secret.ErrNotScanned) {
		t.Errorf("a scan without an end: %v", err)
	}
	broken := head.files()
	broken.failAt = 5
	in.Head.Files = broken
	if _, err := Findings(t.Context(), in); !errors.Is(err, errBroken) {
		t.Errorf("a broken disk: %v", err)
	}
}
