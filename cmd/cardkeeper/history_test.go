package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// branched is a repository with two skills on main and a branch begun there.
func branched(t *testing.T) sandbox {
	t.Helper()
	s := built(t)
	s.git("checkout", "-q", "-b", "topic")
	return s
}

// put commits one file and returns the commit.
func (s sandbox) put(name, text string) string {
	s.t.Helper()
	s.write(name, text)
	s.commit()
	return s.git("rev-parse", "HEAD")
}

// A pastReport is the part of the JSON form that commits have a part in.
type pastReport struct {
	Conclusion string
	Secrets    []struct{ File, Commit string }
	History    *struct {
		Commits, Looked int
		Findings        []struct {
			Commit, Rule, Tier, File, Fingerprint string
			Line                                  int
		}
		Missed []string
	}
}

// past checks against main and lists what the commits held, as "commit file:line".
func (s sandbox) past(code int, args ...string) (told []string, r pastReport) {
	s.t.Helper()
	o := s.expect(code, append([]string{"check", "--base", "main", "--format", "json"}, args...)...)
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
		s.t.Fatal(err)
	}
	if r.History == nil {
		return nil, r
	}
	for _, f := range r.History.Findings {
		told = append(told, fmt.Sprintf("%s %s:%d", f.Commit, f.File, f.Line))
	}
	return told, r
}

func holds[T any](t *testing.T, want, got T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// What came and went in real commits is told once, with the commit that brought
// it, in every format, and blocks nothing (law 8 for each).
func TestALeakThatCameAndWent(t *testing.T) {
	t.Parallel()
	s, value := branched(t), token(20)
	s.put("README.md", "x")
	leak := s.put(alphaMain, alpha+"3. use "+value+"\n")
	s.put(alphaMain, alpha)
	told, r := s.past(exitOK)
	holds(t, []string{leak + " " + alphaMain + ":16"}, told)
	if r.History.Commits != 3 || r.History.Looked != 3 || r.Conclusion != "success" || len(r.History.Findings[0].Fingerprint) != 32 {
		t.Errorf("%+v", r.History)
	}
	says := "commit " + leak[:7] + " held a secret (github-pat, block) at " + alphaMain + ":16; it is out of the tip, but stays in the history and in refs/pull: rotate it"
	for format, parts := range map[string][]string{
		"text":     {says, "Looked at 3 of 3 commits\n", "success: No cards affected, 1 secret in its commits"},
		"markdown": {"commit `" + leak[:7] + "` held a secret", "Looked at 3 of 3 commits."},
		"github":   {"::warning title=Secret in a commit%3A github-pat::" + says + "\n"},
		"sarif":    {`"ruleId": "secret-in-a-commit/github-pat"`, `"level": "warning"`, `"startLine": 16`, says},
		"json":     {leak},
	} {
		o := s.expect(exitOK, "check", "--base", "main", "--format", format)
		want(t, o.stdout, parts...)
		unspoken(t, value, o.all())
	}
	if o := s.expect(exitOK, "check", "--base", "main", "--no-history"); strings.Contains(o.all(), "commit") {
		t.Errorf("told all the same: %s", o.stdout)
	}
	if _, r := s.past(exitOK, "--no-history"); r.History != nil {
		t.Errorf("%+v", r.History)
	}
	if o := s.expect(exitOK, "check"); strings.Contains(o.all(), "commit") {
		t.Errorf("commits without a base: %s", o.stdout)
	}
}

func TestALeakThatIsStillThereGetsItsCommit(t *testing.T) {
	t.Parallel()
	s, value := branched(t), token(21)
	leak := s.put(alphaMain, alpha+"3. use "+value+"\n")
	s.git("mv", alphaMain, "skills/alpha/moved.md")
	s.put(alphaMain, alpha)
	told, r := s.past(exitFound)
	if told != nil || len(r.Secrets) != 1 || r.Secrets[0].Commit != leak || r.Secrets[0].File != "skills/alpha/moved.md" {
		t.Errorf("told %v, secrets %+v, want the commit %s", told, r.Secrets, leak)
	}
	want(t, s.expect(exitFound, "check", "--base", "main").stdout, "fingerprint ", ", from commit "+leak[:7]+". Rotate it")
	want(t, s.expect(exitFound, "check", "--base", "main", "--format", "markdown").stdout, "| secret | where | tier | commit |", "| `"+leak[:7]+"` |")
	// What is not committed yet has no commit, and what is out of the folder is out of the tip.
	s.write("skills/alpha/moved.md", "- or "+token(22)+"\n")
	told, r = s.past(exitFound)
	holds(t, []string{leak + " " + alphaMain + ":16"}, told)
	if len(r.Secrets) != 1 || r.Secrets[0].Commit != "" || r.History.Commits != 2 {
		t.Errorf("secrets %+v of %d commits", r.Secrets, r.History.Commits)
	}
	s.git("add", "-A")
	staged, _ := s.past(exitFound, "--staged")
	holds(t, told, staged)
}

// A merge answers for its own resolution, and not for what either parent has.
func TestMergesInTheHistory(t *testing.T) {
	t.Parallel()
	s, theirs, ours := branched(t), token(23), token(24)
	s.put(alphaMain, strings.Replace(alpha, "install git", "install git of ours", 1))
	s.git("checkout", "-q", "main")
	s.put(betaMain, beta+"- with "+theirs+"\n")
	s.put(alphaMain, strings.Replace(alpha, "install git", "install git of theirs", 1)+"3. and "+theirs+"\n")
	s.git("checkout", "-q", "topic")
	s.git("merge", "-q", "-s", "ours", "--no-commit", "main")
	s.write(betaMain, beta+"- with "+theirs+"\n")
	merge := s.put(alphaMain, strings.Replace(alpha, "install git", "install git with "+ours, 1)+"3. and "+theirs+"\n")
	s.put(alphaMain, strings.Replace(alpha, "install git", "install git of both", 1)+"3. and "+theirs+"\n")
	told, r := s.past(exitFound) // the card is stale, which is not the point
	holds(t, []string{merge + " " + alphaMain + ":9"}, told)
	if r.History.Commits != 3 || r.History.Looked != 3 {
		t.Errorf("%+v", r.History)
	}
	for _, format := range []string{"text", "json", "markdown"} {
		o := s.expect(exitFound, "check", "--base", "main", "--format", format)
		unspoken(t, theirs, o.all())
		unspoken(t, ours, o.all())
	}
}

func TestTheNewestFiftyCommits(t *testing.T) {
	t.Parallel()
	s, old, value := branched(t), token(25), token(26)
	s.put(alphaMain, alpha+"3. "+old+"\n")
	var leak string
	for i := range 59 {
		text := alpha
		if i == 30 {
			text += "3. " + value + "\n"
		}
		s.write("README.md", fmt.Sprint(i))
		if id := s.put(alphaMain, text); i == 30 {
			leak = id
		}
	}
	told, r := s.past(exitOK)
	holds(t, []string{leak + " " + alphaMain + ":16"}, told)
	if r.History.Commits != 60 || r.History.Looked != 50 {
		t.Errorf("%+v", r.History)
	}
	want(t, s.expect(exitOK, "check", "--base", "main").stdout, "Looked at the newest 50 of 60 commits\n")
}

// A clone that lacks the commits says so, and its verdict stays. One that is deep
// enough has them.
func TestHistoryInAShallowClone(t *testing.T) {
	t.Parallel()
	s := branched(t)
	leak := s.put(alphaMain, alpha+"3. "+token(27)+"\n")
	s.put(alphaMain, alpha)
	for depth, c := range map[int]struct{ looked, missed int }{1: {0, 1}, 3: {2, 0}} {
		clone := sandbox{t, t.TempDir()}
		clone.git("init", "-q", "-b", "other")
		clone.git("fetch", "-q", fmt.Sprint("--depth=", depth), "file://"+s.dir, "topic", "main")
		clone.git("branch", "-q", "main", s.git("rev-parse", "main"))
		clone.git("checkout", "-q", s.git("rev-parse", "topic"))
		told, r := clone.past(exitOK)
		if r.History.Looked != c.looked || len(r.History.Missed) != c.missed || (told != nil) != (c.looked > 0) {
			t.Errorf("depth %d: %v of %+v", depth, told, r.History)
		}
		if told != nil {
			holds(t, []string{leak + " " + alphaMain + ":16"}, told)
			continue
		}
		o := clone.expect(exitOK, "check", "--base", "main")
		want(t, o.stdout, "not looked at in the commits: the clone is shallow", "git fetch --unshallow", "success: No cards affected (")
	}
	tree, _ := s.past(exitOK)
	if len(tree) != 1 {
		t.Errorf("%v", tree)
	}
	o := s.expect(exitOK, "check", "--base", "main^{tree}")
	want(t, o.stdout, "the base or HEAD names no commit")
}

// Objects that are gone are a sentence, and an interruption is no verdict.
func TestAHistoryThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := branched(t)
	s.put(alphaMain, alpha+"3. "+token(28)+"\n")
	lost := s.git("rev-parse", "HEAD:skills")
	s.put(alphaMain, alpha)
	if err := os.Remove(filepath.Join(s.dir, ".git", "objects", lost[:2], lost[2:])); err != nil {
		t.Fatal(err)
	}
	told, r := s.past(exitOK)
	if told != nil || r.History.Looked != 0 || len(r.History.Missed) != 1 || !strings.Contains(r.History.Missed[0], "git could not read the commits") {
		t.Errorf("%v, %+v", told, r.History)
	}
}

// A folder of a larger repository has its own part of each commit.
func TestHistoryBelowTheTop(t *testing.T) {
	t.Parallel()
	top := repository(t, map[string]string{"README.md": "x", "team/" + alphaMain: alpha, "other/SKILL.md": beta})
	s := sandbox{t, top.path("team")}
	s.expect(exitOK, "build")
	top.commit()
	top.git("checkout", "-q", "-b", "topic")
	top.put("other/SKILL.md", beta+"- "+token(29)+"\n")
	leak := top.put("team/"+alphaMain, alpha+"3. "+token(30)+"\n")
	top.write("other/SKILL.md", beta)
	top.put("team/"+alphaMain, alpha)
	told, r := s.past(exitOK)
	holds(t, []string{leak + " " + alphaMain + ":16"}, told)
	if r.History.Commits != 3 {
		t.Errorf("%+v", r.History)
	}
}

func TestWhereNothingIsSwitchedOnNoCommitIsRead(t *testing.T) {
	t.Parallel()
	s := repository(t, two())
	s.git("checkout", "-q", "-b", "topic")
	s.put(alphaMain, alpha+"3. "+token(31)+"\n")
	if _, r := s.past(exitOK); r.History != nil {
		t.Errorf("%+v", r.History)
	}
}
