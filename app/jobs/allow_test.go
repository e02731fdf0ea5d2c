package jobs

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/checker"
)

const saltedConfig = "policy:\n  block: [stale, secrets]\n  salt: 000102030405060708090a0b0c0d0e0f\n"

// docToken looks like a working token; none stands in the source.
func docToken() string { return "gh" + "p_" + strings.Repeat("q7Xw2Zk9Vt4B", 3) }

// offered is the block of rules in a check's summary.
var offered = regexp.MustCompile("(?s)```yaml\n(  allow:\n.*?)```")

// newRuled is a world whose base has a salt, and one pull request that documents a token.
func newRuled(t *testing.T) (w *world, number int, head string) {
	w = newWorld(t, options{})
	w.main = w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text(saltedConfig)})
	w.hub.Lose()
	number, head = w.open("topic", w.fresh(documented(w)))
	w.settled()
	return w, number, head
}

// documented are the fixture's files under that configuration, with the token in one.
func documented(w *world) map[string]string {
	w.t.Helper()
	return map[string]string{
		checker.ConfigFile: saltedConfig,
		mail:               w.text(mail, "- Do not write a rule", "- Do not paste "+docToken()+" into a mailbox rule.\n- Do not write a rule"),
	}
}

// The rule that the check offers, merged with a reason, turns the same head green.
func TestAMergedRuleTurnsTheCheckGreen(t *testing.T) {
	t.Parallel()
	w, number, head := newRuled(t)
	run := w.want(head, "failure", "1 secret found")
	m := offered.FindStringSubmatch(run.Summary)
	if m == nil || !strings.Contains(m[1], "path: '"+mail+"'") || !strings.Contains(m[1], "until: "+(config.Day(time.Now()) + checker.AllowDays).String()[:4]) {
		t.Fatalf("no rule is offered: %s", run.Summary)
	}
	if all := run.Title + run.Summary + run.Text; strings.Contains(all, docToken()[4:12]) {
		t.Error("the token is shown")
	}
	must(w.repo.Comment(number, "mallory", "/ask What should I not paste into a mailbox rule?"))(t)
	w.settled()
	if got := w.replies(number); len(got) != 1 || strings.Contains(got[0], docToken()[4:12]) {
		t.Fatalf("replies: %q", got)
	}
	merged := saltedConfig + strings.Replace(m[1], checker.NoReason, "an example from the vendor", 1)
	w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text(merged)})
	w.hub.Lose()
	check(t, w.repo.Rerequest(run.ID, "mallory"))
	w.settled()
	runs := w.hub.CheckRuns(w.repo, head)
	if run = runs[len(runs)-1]; run.Conclusion != "success" || run.Title != "1 card updated, all fresh" {
		t.Fatalf("run again: %s %q\n%s", run.Conclusion, run.Title, run.Summary)
	}
	if !strings.Contains(run.Summary, mail+":19: a secret (github-pat) that the policy allows until") || !strings.Contains(run.Text, docToken()) {
		t.Errorf("summary: %s\ntext: %s", run.Summary, run.Text)
	}
	must(w.repo.Comment(number, "mallory", "/ask What should I not paste into a mailbox rule?"))(t)
	w.settled()
	if got := w.replies(number); len(got) != 2 || !strings.Contains(got[1], "Do not paste `"+docToken()+"`") {
		t.Errorf("replies: %q", got)
	}
}

// Law 7: a pull request that adds secret and rule together fails, and is told why
// the rule does not help yet; nor is the value shown in an answer.
func TestARuleOfTheHeadCountsForNothing(t *testing.T) {
	t.Parallel()
	w, _, head := newRuled(t)
	m := offered.FindStringSubmatch(w.only(head).Summary)
	if m == nil {
		t.Fatal("no rule is offered")
	}
	files := documented(w)
	files[checker.ConfigFile] = saltedConfig + strings.Replace(m[1], checker.NoReason, "trust me", 1)
	number, head := w.open("sly", w.fresh(files))
	w.settled()
	run := w.want(head, "failure", "1 secret found")
	if !strings.Contains(run.Summary, "the rule counts once it stands on the base") {
		t.Errorf("summary: %s", run.Summary)
	}
	must(w.repo.Comment(number, "mallory", "/ask What should I not paste into a mailbox rule?"))(t)
	w.settled()
	if got := w.replies(number); len(got) != 1 || strings.Contains(got[0], docToken()[4:12]) {
		t.Errorf("replies: %q", got)
	}
}

// The day is that of the store's clock.
func TestARuleEndsByTheStoresClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	w.store.Now = func() time.Time { return time.Date(2031, 5, 4, 23, 59, 0, 0, time.UTC) }
	w.start()
	w.main = w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text(saltedConfig)})
	w.hub.Lose()
	_, head := w.open("first", w.fresh(documented(w)))
	w.settled()
	m := offered.FindStringSubmatch(w.want(head, "failure", "1 secret found").Summary)
	if m == nil || !strings.Contains(m[1], "until: 2031-08-02\n") {
		t.Fatalf("offered: %q", m)
	}
	for until, want := range map[string]string{"2031-05-04": "success", "2031-05-03": "failure"} {
		rule := strings.Replace(strings.Replace(m[1], checker.NoReason, "an example", 1), "2031-08-02", until, 1)
		w.main = w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text(saltedConfig + rule)})
		w.hub.Lose()
		files := documented(w)
		files[checker.ConfigFile] = saltedConfig + rule
		_, head := w.open("until-"+until, w.fresh(files))
		w.settled()
		run := w.want(head, want, "")
		if over := strings.Contains(run.Summary, "ended on 2031-05-03"); over != (want == "failure") {
			t.Errorf("until %s: %s", until, run.Summary)
		}
	}
}

// A base branch that is gone leaves the commit that the pull request names, and
// one that cannot be looked up no verdict (law 13).
func TestABaseBranchThatIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.hub.Fail(fakehub.Fault{Path: "*/branches/*", Status: 404, Times: -1})
	_, head := w.open("topic", w.stale())
	w.settled()
	w.want(head, "failure", "1 card stale")
	w.hub.Heal()
	w.hub.Fail(fakehub.Fault{Path: "*/branches/*", Status: 500, Times: -1})
	_, head = w.open("other", docs("x"))
	w.settled()
	w.want(head, "failure", "Could not check")
}
