package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker"
)

const configFile = checker.ConfigFile

// configText is a configuration with comments, a salt and, maybe, rules.
func configText(rules ...string) string {
	text := "# ours\npolicy:   # what blocks\n  block: [stale, secrets]\n  salt: 000102030405060708090a0b0c0d0e0f   # random\n"
	if len(rules) > 0 {
		text += "  allow:\n" + strings.Join(rules, "")
	}
	return text + "# what the cards are\nshape:\n  cards: cards\n"
}

// aRule is a rule in a configuration, with days from today for its end.
func aRule(path, fingerprint string, days int) string {
	a := checker.Allow{Rule: "github-pat", Path: path, Fingerprint: fingerprint, Reason: "an example", Until: today() + checker.Date(days)}
	return "    " + strings.Join(a.YAML(), "\n    ") + "\n"
}

// printOf is the fingerprint of a token under the salt of configText.
func printOf(t *testing.T, value string) string {
	t.Helper()
	s := folder(t, map[string]string{configFile: configText(), "x.md": value + "\n"})
	return scanJSON(t, s.expect(exitFound, "scan", "--format", "json", s.path("x.md"))).Findings[0].Fingerprint
}

// leaky is a repository with a token in one skill, and its configuration.
func leaky(t *testing.T, value string, rules ...string) sandbox {
	t.Helper()
	return repository(t, map[string]string{alphaMain: alpha + "3. log in with " + value + "\n", betaMain: beta, configFile: configText(rules...)})
}

// From the finding to a green check: the rule is added behind the reason, and
// the card is written.
func TestAllow(t *testing.T) {
	t.Parallel()
	value := token(60)
	s := leaky(t, value)
	o := s.expect(exitFound, "build")
	unspoken(t, value, o.all())
	print := printOf(t, value)
	want(t, s.expect(exitFound, "check").stdout, "fingerprint "+print, "    - rule: github-pat\n      path: '"+alphaMain+"'\n      fingerprint: "+print)
	o = s.expect(exitOK, "allow", strings.ToUpper(print), "--reason", "from the vendor's page")
	until := (today() + 90).String()
	want(t, o.stdout, "added at "+configFile+":6: github-pat in "+alphaMain+", until "+until, "counts once it stands there")
	rule := "    - rule: github-pat\n      path: '" + alphaMain + "'\n      fingerprint: " + print + "\n      reason: 'from the vendor''s page'\n      until: " + until + "\n"
	if got := s.read(configFile); got != configText(rule) {
		t.Errorf("the configuration is\n%s", got)
	}
	s.expect(exitOK, "build")
	want(t, s.read(alphaCard), value)
	o = s.expect(exitOK, "check")
	want(t, o.stdout, "note: "+alphaMain+":16: a secret (github-pat) that the policy allows until "+until+": from the vendor's page", "success")
	want(t, s.expect(exitOK, "show", "alpha").stdout, value)
	want(t, s.expect(exitOK, "ask", "what do I log in with?").stdout, value)
	o = s.run("allow", print, "--reason", "again")
	want(t, o.stderr, "allowed already, until "+until+", at "+configFile+":6")
	if o.code != exitUsage {
		t.Errorf("exit %d", o.code)
	}
	later := (today() + 300).String()
	o = s.expect(exitOK, "allow", print, "--reason", "looked at again", "--until", later)
	want(t, o.stdout, "added at "+configFile+":6: github-pat in "+alphaMain+", until "+later)
	want(t, s.expect(exitOK, "allow", "--list").stdout, later+" (300 days left), used: looked at again")
	if got := s.read(configFile); strings.Count(got, print) != 1 {
		t.Errorf("a renewed rule stands twice:\n%s", got)
	}
}

func TestAllowRefuses(t *testing.T) {
	t.Parallel()
	value := token(61)
	s := leaky(t, value)
	print, secret := printOf(t, value), token(62)
	before := s.snapshot()
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no fingerprint":            {[]string{"--reason", "x"}, "0 arguments given"},
		"a short fingerprint":       {[]string{print[:31], "--reason", "x"}, "FINGERPRINT has 32 hex digits"},
		"an unknown fingerprint":    {[]string{strings.Repeat("0", 32), "--reason", "x"}, "no file has this fingerprint"},
		"no reason":                 {[]string{print}, "--reason must say"},
		"an empty reason":           {[]string{print, "--reason", " "}, "--reason must say"},
		"the reason to fill in":     {[]string{print, "--reason", checker.NoReason}, "--reason must say"},
		"a reason of two lines":     {[]string{print, "--reason", "a\nuntil: 2099-01-01"}, "--reason must say"},
		"a reason with a secret":    {[]string{print, "--reason", "it is " + secret}, "looks like a secret itself"},
		"an end that is over":       {[]string{print, "--reason", "x", "--until", (today() - 1).String()}, "this day is over"},
		"an end beyond a year":      {[]string{print, "--reason", "x", "--until", (today() + 367).String()}, "the last day that may be given is " + (today() + 366).String()},
		"an end that is no day":     {[]string{print, "--reason", "x", "--until", "2031-02-30"}, "YYYY-MM-DD"},
		"a path that matches not":   {[]string{print, "--reason", "x", "--path", betaMain}, "stands in no file that this matches"},
		"a malformed path":          {[]string{print, "--reason", "x", "--path", "[a"}, "stands in no file that this matches"},
		"a list and a prune":        {[]string{"--list", "--prune"}, "not both"},
		"a list of one fingerprint": {[]string{print, "--list"}, "1 argument given"},
	} {
		o := s.run(append([]string{"allow"}, c.args...)...)
		if o.code != exitUsage || o.stdout != "" || !strings.Contains(o.stderr, c.says) {
			t.Errorf("%s: exit %d, %q, %q", name, o.code, o.stdout, o.stderr)
		}
		unspoken(t, secret, o.all())
		unspoken(t, value, o.all())
	}
	for name, c := range map[string]struct{ text, says string }{
		"faults":               {"policy: {blok: []}\n", configFile + ":1: unknown key"},
		"no salt":              {"policy: {block: []}\n", "salt: "},
		"a policy in one line": {"policy: {salt: 000102030405060708090a0b0c0d0e0f}\n", "- rule: github-pat\n      path: '" + alphaMain},
	} {
		s.write(configFile, c.text)
		o := s.run("allow", print, "--reason", "an example")
		if o.code != exitUsage || !strings.Contains(o.stderr, c.says) || s.read(configFile) != c.text {
			t.Errorf("%s: exit %d, %q", name, o.code, o.stderr)
		}
	}
	s.write(configFile, configText())
	if len(s.snapshot()) != len(before) || s.read(configFile) != before[configFile] {
		t.Error("a refused command left something behind")
	}
	s.remove(configFile)
	if o := s.run("allow", print, "--reason", "an example"); o.code != exitUsage {
		t.Errorf("without a configuration: exit %d, %q", o.code, o.stderr)
	}
}

// A value in two files needs two rules, of which --path picks one.
func TestAllowInTwoFiles(t *testing.T) {
	t.Parallel()
	value := token(63)
	print := printOf(t, value)
	s := leaky(t, value)
	s.write(betaMain, beta+"- nor "+value+"\n- nor "+value+" twice\n")
	s.expect(exitOK, "allow", print, "--reason", "an example", "--path", "skills/b*", "--until", today().String())
	o := s.expect(exitFound, "build")
	want(t, o.stdout, "1 card written")
	want(t, o.stderr, alphaMain+":16: secret (github-pat)")
	if strings.Contains(o.stderr, betaMain) || s.has(alphaCard) || !s.has(betaCard) {
		t.Errorf("the wrong card was written: %s", o.stderr)
	}
	unspoken(t, value, o.all())
	o = s.run("ask", "what do I log in with?") // what another file may hold is no answer from this one
	unspoken(t, value, o.all())
	unspoken(t, value, s.expect(exitOK, "show", "alpha").all())
	want(t, s.expect(exitOK, "show", "beta").stdout, value)
	o = s.expect(exitOK, "allow", print, "--reason", "an example")
	if n := strings.Count(o.stdout, "added at"); n != 1 {
		t.Errorf("%d rules: %s", n, o.stdout)
	}
	s.expect(exitOK, "build")
	s.expect(exitOK, "check")
	both := leaky(t, value)
	both.write(betaMain, beta+"- nor "+value+"\n")
	if o := both.expect(exitOK, "allow", print, "--reason", "an example"); strings.Count(o.stdout, "added at") != 2 {
		t.Errorf("for both at once: %s", o.stdout)
	}
	both.expect(exitOK, "build")
}

// A rule that ended blocks again, is renewed in place of the old one, and pruned.
func TestRulesThatEnded(t *testing.T) {
	t.Parallel()
	value := token(64)
	print := printOf(t, value)
	other := strings.Repeat("1", 32)
	s := leaky(t, value, aRule(alphaMain, print, -1), "    # of the second\n", aRule("gone.md", other, -20), aRule("more.md", other, 10))
	ended := (today() - 1).String()
	want(t, s.expect(exitFound, "build").stderr, "Its card was not written, since the rule that allowed it ended on "+ended)
	want(t, s.expect(exitFound, "check").stdout, "the rule that allowed this secret (github-pat) ended on "+ended)
	o := s.expect(exitOK, "allow", "--list")
	want(t, o.stdout,
		configFile+":6: github-pat in "+alphaMain+", "+print+", until "+ended+" (ended 1 day ago), used: an example\n",
		configFile+":12: github-pat in gone.md, "+other+", until "+(today()-20).String()+" (ended 20 days ago), unused: an example\n",
		configFile+":17: github-pat in more.md, "+other+", until "+(today()+10).String()+" (10 days left), unused: an example\n")
	s.expect(exitOK, "allow", print, "--reason", "still an example")
	text := s.read(configFile)
	if strings.Count(text, print) != 1 || !strings.Contains(text, "still an example") || !strings.Contains(text, "    # of the second\n") {
		t.Errorf("the rule was not renewed:\n%s", text)
	}
	s.expect(exitOK, "build")
	o = s.expect(exitOK, "allow", "--prune")
	want(t, o.stdout, "removed: github-pat in gone.md, which ended on "+(today()-20).String())
	if got := s.read(configFile); strings.Contains(got, "gone.md") || !strings.Contains(got, "more.md") || !strings.Contains(got, print) || !strings.Contains(got, "# of the second") {
		t.Errorf("the configuration is\n%s", got)
	}
	before := s.read(configFile)
	want(t, s.expect(exitOK, "allow", "--prune").stdout, "no allow rule is over")
	if s.read(configFile) != before {
		t.Error("a prune of nothing changes the file")
	}
	want(t, leaky(t, value).expect(exitOK, "allow", "--list").stdout, "no allow rules")
	want(t, s.expect(exitOK, "allow", "--list").stdout, "(90 days left), used: still an example")
}

// Law 7: with a base, the base's rules count, and what the folder brings is told.
func TestTheFoldersRulesCountOnceTheyAreOnTheBase(t *testing.T) {
	t.Parallel()
	value := token(65)
	s := repository(t, map[string]string{alphaMain: alpha, betaMain: beta, configFile: configText()})
	s.expect(exitOK, "build")
	s.commit()
	s.write(alphaMain, alpha+"3. log in with "+value+"\n")
	s.expect(exitOK, "allow", printOf(t, value), "--reason", "an example")
	s.expect(exitOK, "build")
	s.expect(exitOK, "check")
	o := s.expect(exitFound, "check", "--base", "main")
	want(t, o.stdout, "this change brings an allow rule for this secret (github-pat); the rule counts once it stands on the base")
	unspoken(t, value, o.all())
	text := s.read(configFile)
	s.git("stash", "-q", "-u")
	s.write(configFile, text)
	s.commit()
	s.git("stash", "pop", "-q")
	o = s.expect(exitOK, "check", "--base", "main")
	want(t, o.stdout, "that the policy allows until")
}

// The change that brings the configuration is told fingerprints that hold under it.
func TestTheSaltOfTheFirstConfiguration(t *testing.T) {
	t.Parallel()
	value := token(66)
	s := repository(t, map[string]string{"README.md": "x\n"})
	s.write(configFile, configText())
	s.write(alphaMain, alpha+"3. "+value+"\n")
	want(t, s.expect(exitFound, "check", "--base", "main").stdout, "fingerprint: "+printOf(t, value))
	s.write(configFile, "policy: {block: [secrets]}\n")
	o := s.expect(exitFound, "check", "--base", "main")
	want(t, o.stdout, "needs a salt first")
	if strings.Contains(o.stdout, "- rule:") {
		t.Errorf("a rule that could not hold is offered: %s", o.stdout)
	}
}

// init on a repository with findings: what is clean is written, everything is
// listed once, and reviewed rules let build write the rest.
func TestInitListsFindings(t *testing.T) {
	t.Parallel()
	value, named := token(67), token(68)
	s := repository(t, map[string]string{
		alphaMain: alpha + "3. log in with " + value + "\n", betaMain: beta, "skills/c/SKILL.md": beta,
		"skills/c/" + named + ".md": "- text\n", "skills/d/SKILL.md": "# D\n\n- token=" + uuid() + "\n",
	})
	o := s.expect(exitFound, "init")
	unspoken(t, value, o.all())
	unspoken(t, named, o.all())
	want(t, o.stdout, "2 cards written", "3 findings:\n", "  "+alphaMain+":16: github-pat (block) ", ".md:1: github-pat (block) ", "skills/d/SKILL.md:3: labelled-token (warn) ",
		"rotate it first", "  allow:\n    # "+alphaMain+":16\n    - rule: github-pat\n", "Next:")
	if s.has(alphaCard) || !s.has(betaCard) || !s.has("cards/skills/d.md") || strings.Contains(s.read(configFile), "allow:") {
		t.Error("the wrong cards were written, or the rules were taken over unseen")
	}
	block := o.stdout[strings.Index(o.stdout, "  allow:\n"):]
	block = block[:strings.Index(block, "\n\n")+1]
	text := s.read(configFile)
	pasted := strings.Replace(text, "# What the cards are", block+"# What the cards are", 1)
	s.write(configFile, pasted)
	o = s.expect(exitUsage, "build")
	want(t, o.stderr, "why this is no secret")
	s.write(configFile, strings.ReplaceAll(pasted, checker.NoReason, "reviewed: an example"))
	want(t, s.expect(exitOK, "build").stdout, "2 cards written")
	s.expect(exitOK, "check")
	bare := repository(t, map[string]string{alphaMain: alpha + "3. " + value + "\n", configFile: "policy: {block: []}\n"})
	o = bare.expect(exitFound, "init")
	want(t, o.stdout, "1 finding:\n", "needs a salt first")
}

// uuid is one made at run time: a label before it makes a warning.
func uuid() string {
	digits := strings.Repeat("9c3e7a1f5b2d8064", 2)
	return fmt.Sprintf("%s-%s-4%s-a%s-%s", digits[:8], digits[8:12], digits[12:15], digits[15:18], digits[18:30])
}

// scan tells what is there, and marks what the policy lets pass.
func TestScanMarksWhatIsAllowed(t *testing.T) {
	t.Parallel()
	value := token(69)
	print := printOf(t, value)
	s := leaky(t, value, aRule(alphaMain, print, 30))
	s.expect(exitOK, "build")
	mark := " (allowed until " + (today() + 30).String() + ")"
	o := s.expect(exitOK, "scan", s.dir)
	want(t, o.stdout, alphaMain+":16: github-pat (block) "+print+mark, alphaCard+":", "2 findings")
	if n := strings.Count(o.stdout, mark); n != 2 {
		t.Errorf("%d marks, want one for the file and one for its card:\n%s", n, o.stdout)
	}
	o = s.expect(exitOK, "scan", "--format", "json", s.path(alphaMain))
	want(t, o.stdout, `"fingerprint":"`+print+`","allowed":true}`)
	s.write(betaMain, beta+"- "+value+"\n")
	o = s.expect(exitFound, "scan", "--format", "json", s.path(betaMain))
	if strings.Contains(o.stdout, "allowed") {
		t.Errorf("another file is let through: %s", o.stdout)
	}
	o = s.expect(exitFound, "scan", s.dir)
	want(t, o.stdout, "3 findings", betaMain+":6: github-pat (block) "+print+"\n")
	outside := folder(t, map[string]string{alphaMain: value + "\n"})
	if o := s.expect(exitFound, "scan", outside.path(alphaMain)); strings.Contains(o.stdout, "allowed") {
		t.Errorf("a file of another folder is let through: %s", o.stdout)
	}
	s.write(configFile, configText(aRule(alphaMain, print, -1)))
	if o := s.expect(exitFound, "scan", s.path(alphaMain)); strings.Contains(o.stdout, "allowed") {
		t.Errorf("a rule that is over lets it through: %s", o.stdout)
	}
}

// What is written is written whole, and not through a link.
func TestAllowFollowsNoLink(t *testing.T) {
	t.Parallel()
	value := token(59)
	s := folder(t, map[string]string{alphaMain: alpha + "3. " + value + "\n", configFile: configText(), "elsewhere.yml": configText()})
	s.remove(configFile)
	if err := os.Symlink("../../elsewhere.yml", s.path(configFile)); err != nil {
		t.Skip("SKIP: this system makes no symbolic links")
	}
	s.run("allow", printOf(t, value), "--reason", "an example")
	if s.read("elsewhere.yml") != configText() {
		t.Error("the file behind the link was written")
	}
}

// A script is no part of an index, and scan looks at it all the same: what stands
// there gets a rule, is used, and lets scan pass; a check says nothing of it.
func TestAllowOfAScript(t *testing.T) {
	t.Parallel()
	value := token(67)
	s := leaky(t, token(66))
	s.write("tools/deploy.sh", "#!/bin/sh\nlogin --token "+value+"\n")
	print := printOf(t, value)
	want(t, s.expect(exitFound, "scan", s.path("tools")).stdout, print, "cardkeeper allow FINGERPRINT")
	s.expect(exitOK, "allow", print, "--reason", "a test account")
	want(t, s.expect(exitOK, "allow", "--list").stdout, "tools/deploy.sh", "used: a test account")
	want(t, s.expect(exitOK, "scan", s.path("tools")).stdout, "allowed until")
	if o := s.run("check"); strings.Contains(o.all(), "covers nothing") {
		t.Errorf("check would have the rule removed: %s", o.all())
	}
}
