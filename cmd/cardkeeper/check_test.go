package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

func TestCheckExitCodes(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.expect(exitOK, "check")
	s.expect(exitOK, "check", "--base", "HEAD")
	s.write("README.md", "x")
	want(t, s.expect(exitOK, "check", "--base", "HEAD").stdout, "No cards affected")
	s.write(alphaMain, strings.Replace(alpha, "# Alpha\n", "# Alpha\n\n\n", 1))
	want(t, s.expect(exitOK, "check", "--base", "HEAD").stdout, "No answer changes")
	s.write(alphaMain, strings.Replace(alpha, "install git", "install jj", 1))
	want(t, s.expect(exitFound, "check", "--base", "HEAD").stdout, "[-git-] {+jj+}", "1 card stale")
	s.expect(exitFound, "check")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	if code := run(ended, []string{"check", "--root", s.dir}, &out, &out); code != exitFailed {
		t.Errorf("interrupted: exit %d: %s", code, &out)
	}
}

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	git, plain := built(t), folder(t, two())
	faulty := folder(t, map[string]string{"a/SKILL.md": beta, ".github/cardkeeper/config.yml": "policy: {QQQ: 1}\nshape: {cards: /QQQ}\n"})
	collide := repository(t, map[string]string{"a/SKILL.md": beta, "A/SKILL.md": beta})
	for name, c := range map[string]struct {
		in   sandbox
		args []string
		says string
	}{
		"an unknown revision":               {git, []string{"check", "--base", "nowhere"}, "revision"},
		"a revision that looks like a flag": {git, []string{"check", "--base", "--output=x"}, "revision"},
		"an empty revision of spaces":       {git, []string{"check", "--base", " "}, "revision"},
		"a base outside git":                {plain, []string{"check", "--base", "HEAD"}, "git"},
		"an unknown format":                 {git, []string{"check", "--format", "xml"}, "--format knows"},
		"an unknown format of ask":          {git, []string{"ask", "--format", "xml", "q"}, "--format knows"},
		"an unknown format of scan":         {git, []string{"scan", "--format", "xml", "."}, "--format knows"},
		"an unknown flag":                   {git, []string{"check", "--nope"}, "unknown flag"},
		"an argument too many":              {git, []string{"check", "x"}, "--help"},
		"no question":                       {git, []string{"ask"}, "--help"},
		"two questions":                     {git, []string{"ask", "a", "b"}, "--help"},
		"a question beside a batch":         {git, []string{"ask", "--batch", "x", "a"}, "--help"},
		"a batch that is not there":         {git, []string{"ask", "--batch", "nowhere.jsonl"}, "--batch"},
		"nothing to scan":                   {git, []string{"scan"}, "--help"},
		"a path that is not there":          {git, []string{"scan", "nowhere"}, "path"},
		"no skill to show":                  {git, []string{"show"}, "--help"},
		"a skill that is not there":         {git, []string{"show", "nope"}, "no skill of that name"},
		"a faulty configuration":            {faulty, []string{"check"}, "config.yml:1: unknown key"},
		"all faults of it":                  {faulty, []string{"build"}, "config.yml:2: cards must name"},
		"a faulty configuration for scan":   {faulty, []string{"scan", "."}, "config.yml:1: unknown key"},
		"a faulty configuration for init":   {faulty, []string{"init"}, "config.yml:1: unknown key"},
		"two skills of one card":            {collide, []string{"build"}, "share one card"},
		"a batch of something else":         {plain, []string{"ask", "--batch", plain.path(alphaMain)}, ":1: not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := c.in.run(c.args...)
			if o.code != exitUsage || o.stdout != "" {
				t.Errorf("exit %d, stdout %q, stderr %q", o.code, o.stdout, o.stderr)
			}
			want(t, o.stderr, c.says)
			if strings.Contains(o.stderr, "QQQ") || strings.Count(o.stderr, "cardkeeper: ") != 1 {
				t.Errorf("stderr: %q", o.stderr)
			}
		})
	}
	for _, args := range [][]string{{"nope"}, {"check", "--root", "/nowhere/at/all"}, {"init", "--root", "/nowhere/at/all"}, {"--nope"}} {
		if o := execute(t, args...); o.code != exitUsage || o.stdout != "" {
			t.Errorf("%v: exit %d, %q", args, o.code, o.stderr)
		}
	}
	if o := execute(t); o.code != exitOK || !strings.Contains(o.stdout, "Available Commands") {
		t.Errorf("no arguments: exit %d, %q", o.code, o.stdout)
	}
}

// Only the revision's own tree is needed, not the history between.
func TestBaseInAShallowClone(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write(alphaMain, alpha+"3. more\n")
	s.commit()
	clone := sandbox{t, t.TempDir()}
	clone.git("clone", "-q", "--depth", "1", "--no-local", "file://"+s.dir, ".")
	if n := clone.git("rev-list", "--count", "HEAD"); n != "1" {
		t.Fatalf("the clone has %s commits", n)
	}
	clone.git("fetch", "-q", "--depth", "1", "origin", "main")
	want(t, clone.expect(exitOK, "check", "--base", "HEAD").stdout, "No cards affected")
	clone.write(betaMain, beta+"- more\n")
	want(t, clone.expect(exitFound, "check", "--base", "HEAD").stdout, betaCard+": stale")
	if o := clone.run("check", "--base", "HEAD~1"); o.code != exitUsage {
		t.Errorf("a commit that the clone lacks: exit %d, %s", o.code, o.stderr)
	}
}

// Policy comes from the base and shape from the head (law 7).
func TestPolicyComesFromTheBase(t *testing.T) {
	t.Parallel()
	s := built(t)
	const file = ".github/cardkeeper/config.yml"
	s.write(file, "policy: {block: []}\n")
	s.write(alphaMain, alpha+"3. "+token(5)+"\n")
	s.expect(exitFound, "check", "--base", "HEAD")
	s.commit()
	s.write(betaMain, beta+"- more\n")
	s.expect(exitOK, "check", "--base", "HEAD")
	s.write(file, "policy: {block: [stale, secrets]}\n")
	s.expect(exitOK, "check", "--base", "HEAD")
	s.expect(exitFound, "check")
}

// A base whose configuration has faults does not stop the change that mends it,
// and makes nothing easier.
func TestAFaultyBase(t *testing.T) {
	t.Parallel()
	s := built(t)
	const file = ".github/cardkeeper/config.yml"
	s.write(file, "policy: {nope: 1, block: []}\n")
	s.commit()
	s.expect(exitUsage, "check", "--base", "HEAD")
	s.write(file, "policy: {block: []}\n")
	s.expect(exitOK, "check", "--base", "HEAD")
	s.write(alphaMain, alpha+"3. more\n")
	s.expect(exitFound, "check", "--base", "HEAD")
}

func hostile(t *testing.T) (sandbox, []string) {
	s := built(t)
	values := []string{token(6), token(7), token(8), token(9)}
	s.write(alphaMain, strings.Replace(alpha, "install git", "install "+values[0], 1))
	s.write(betaCard, strings.Replace(s.read(betaCard), "never", values[1], 1))
	s.write("skills/alpha/"+values[2]+".md", "- 100%\n")
	s.write("cards/a, b: 100% "+values[3]+".md", s.read(alphaCard))
	s.write("skills/odd, name: 100% :: #1/SKILL.md", beta)
	return s, values
}

// Every format is what its readers parse, and shows no piece of a secret (law 8).
func TestFormats(t *testing.T) {
	t.Parallel()
	s, values := hostile(t)
	outputs := map[string]string{}
	for _, format := range []string{"text", "json", "markdown", "github", "sarif"} {
		o := s.expect(exitFound, "check", "--base", "HEAD", "--format", format)
		for _, v := range values {
			unspoken(t, v, o.all())
		}
		outputs[format] = o.stdout
		if again := s.run("check", "--base", "HEAD", "--format", format); again.stdout != o.stdout {
			t.Errorf("%s: two runs differ", format)
		}
	}
	var report struct {
		Conclusion string
		Cards      []struct{ Card, State string }
		Secrets    []struct{ Rule, Tier, Fingerprint string }
		Scanned    map[string]int
	}
	if err := json.Unmarshal([]byte(outputs["json"]), &report); err != nil || report.Conclusion != "failure" || len(report.Cards) < 3 || len(report.Secrets) < 3 || report.Scanned["skills"] != 3 {
		t.Errorf("json: %v, %+v", err, report)
	}
	want(t, outputs["markdown"], "# `", "| card | state |", "```diff")
	for line := range strings.Lines(outputs["github"]) {
		head, _, command := strings.Cut(line, "::")
		if !command || head != "" {
			continue
		}
		properties, _, _ := strings.Cut(line[2:], "::")
		if !strings.HasPrefix(properties, "error file=") && !strings.HasPrefix(properties, "warning file=") || strings.Count(properties, ",") != 3 {
			t.Errorf("a workflow command that Actions would misread: %q", line)
		}
	}
	want(t, outputs["github"], "file=skills/odd%2C name%3A 100%25 %3A%3A #1/SKILL.md,line=1,endLine=1,")
	sarif(t, outputs["sarif"])
}

func sarif(t *testing.T, text string) {
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID, Level string
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, EndLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 || !strings.Contains(log.Schema, "sarif") {
		t.Fatalf("sarif: %v, %+v", err, log)
	}
	run := log.Runs[0]
	known := map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		known[r.ID] = true
	}
	odd := false
	for _, r := range run.Results {
		at := r.Locations[0].PhysicalLocation
		if !known[r.RuleID] || r.Message.Text == "" || at.Region.StartLine < 1 || at.Region.EndLine < at.Region.StartLine || strings.ContainsAny(at.ArtifactLocation.URI, " #") {
			t.Errorf("sarif result: %+v", r)
		}
		odd = odd || strings.HasPrefix(at.ArtifactLocation.URI, "skills/odd,%20name:%20100%25")
	}
	if !odd || len(run.Results) < 3 {
		t.Errorf("sarif: %d results", len(run.Results))
	}
}

// A red job in Actions says why, also where no line of a file does.
func TestGitHubFormatWithoutALine(t *testing.T) {
	t.Parallel()
	s := repository(t, map[string]string{".github/cardkeeper/config.yml": ""})
	want(t, s.expect(exitFound, "check", "--format", "github").stdout, "::error title=cardkeeper::No skill found\n")
	want(t, built(t).expect(exitOK, "check", "--format", "github").stdout, "All 2 cards fresh")
	want(t, built(t).expect(exitOK, "check", "--format", "sarif").stdout, `"results": []`)
}

// Results stand on standard output alone, and hold no colours.
func TestResultsAreOnStandardOutput(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write("skills/untracked/SKILL.md", beta)
	for _, args := range [][]string{{"check"}, {"check", "--format", "json"}, {"show", "alpha"}, {"ask", "how do I install git"}, {"scan", s.dir}} {
		o := s.run(args...)
		if o.stdout == "" || strings.Contains(o.stdout, "untracked, but") || strings.Contains(o.all(), "\x1b") {
			t.Errorf("%v: stdout %q", args, o.stdout)
		}
	}
	want(t, s.run("check").stderr, `untracked, but counted: "skills/untracked/SKILL.md"`)
	for i := range 12 {
		s.write("skills/alpha/"+strings.Repeat("n", i+1), "x")
	}
	s.write("questions.jsonl", "x") // of no skill
	s.write("skills/alpha/node_modules/x.md", "x")
	want(t, s.run("check").stderr, `untracked, but counted: "skills/alpha/n", "skills/alpha/nn", "skills/alpha/nnn" and 10 more; git status lists them`)
}

func TestShow(t *testing.T) {
	t.Parallel()
	s := built(t)
	value := token(10)
	s.write(betaMain, beta+"- nor "+value+"\n")
	s.write("more/alpha/SKILL.md", beta)
	for _, name := range []string{"skills/alpha", "skills/alpha/", "skills/alpha/SKILL.md"} {
		want(t, s.expect(exitOK, "show", name).stdout, "SETUP", alphaMain+":9  install git", alphaMain+":14  1. run the first build", "Nothing documented.")
	}
	o := s.expect(exitOK, "show", "beta")
	unspoken(t, value, o.all())
	want(t, o.stdout, betaMain+":6  nor [withheld: ")
	want(t, s.expect(exitUsage, "show", "alpha").stderr, "more/alpha, skills/alpha")
}

// Error texts name files, and are scanned like everything else (law 8).
func TestErrorsShowNoSecret(t *testing.T) {
	t.Parallel()
	value := token(11)
	o := execute(t, "scan", value)
	if o.code != exitUsage {
		t.Errorf("exit %d", o.code)
	}
	unspoken(t, value, o.all())
	s := repository(t, map[string]string{value + "/a/SKILL.md": beta, value + "/A/SKILL.md": beta})
	for _, args := range [][]string{{"build"}, {"check"}, {"ask", "what"}, {"show", "a"}} {
		unspoken(t, value, s.run(args...).all())
	}
}

// Dead references warn, block by the base's policy, and are not looked for where the caller says so.
func TestCheckReferences(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write(alphaMain, alpha+"\nSee [the map](map.md).\n")
	s.expect(exitOK, "build")
	want(t, s.expect(exitOK, "check", "--base", "HEAD").stdout, "map.md: the link leads to nothing", "1 dead reference")
	want(t, s.expect(exitOK, "check", "--base", "HEAD", "--format", "github").stdout, "::warning file="+alphaMain, "title=Dead reference")
	if o := s.expect(exitOK, "check", "--no-references"); strings.Contains(o.stdout, "map.md") {
		t.Errorf("told all the same: %s", o.stdout)
	}
	s.write(".github/cardkeeper/config.yml", "policy: {block: [references]}\n")
	want(t, s.expect(exitFound, "check").stdout, "failure: ")
	s.expect(exitOK, "check", "--no-references")
}
