package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/checker"
)

// token makes a value that looks like a working one; none stands in the source.
func token(seed uint64) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	r := rand.New(rand.NewPCG(seed, 5))
	b := make([]byte, 36)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return "ghp" + "_" + string(b)
}

// unspoken fails where eight characters in a row of a token stand in anything
// that was written: at GitHub, in the log, in the database (law 8).
func (w *world) unspoken(token string, heads ...string) {
	w.t.Helper()
	all := w.log.String()
	for _, head := range heads {
		all += string(must(json.Marshal(w.hub.CheckRuns(w.repo, head)))(w.t))
	}
	rows := must(w.store.DB().Query(`SELECT report FROM verdicts`))(w.t)
	defer rows.Close()
	for rows.Next() {
		var report []byte
		check(w.t, rows.Scan(&report))
		all += string(report)
	}
	check(w.t, rows.Err())
	for i := 0; i+8 <= len(token); i++ {
		if strings.Contains(all, token[i:i+8]) {
			w.t.Error("a piece of the token was written")
			return
		}
	}
}

// leaky is a change of one skill that holds a value, with the cards that belong to it.
func (w *world) leaky(value string) map[string]fakehub.File {
	return w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait one minute or use "+value)})
}

// says fails where a summary lacks a part.
func says(t *testing.T, run fakehub.CheckRun, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(run.Summary, p) {
			t.Errorf("the summary lacks %q:\n%s", p, run.Summary)
		}
	}
}

const leakLine = mail + ":23`; it is out of the tip, but stays in the history and in refs/pull: rotate it"

// A secret that came and went blocks nothing, is told with its commit, and the
// one run that the verdict made says so.
func TestALeakThatIsOutOfTheTipIsWarnedOf(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		value := token(1)
		leak := w.commit("topic", w.leaky(value), w.main)
		head := w.commit("topic", w.fresh(nil))
		must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
		guid := w.settled()
		run := w.want(head, "success", ", 1 secret in its commits")
		says(t, run, "**A commit of this change held a secret.**", "commit `"+leak[:7]+"` held a secret", leakLine, "Looked at 2 of 2 commits.\n")
		if run.Updates != 1 || len(run.Annotations) != 0 {
			t.Errorf("%d changes of the run, %d annotations", run.Updates, len(run.Annotations))
		}
		w.wantState(guid, store.Done)
		w.unspoken(value, head)
		// After a force push that drops both, the earlier run alone warns of it.
		other := w.commit("topic", docs("x"), w.main)
		w.settled()
		says(t, w.want(other, "success", "No cards affected"), "Looked at 1 of 1 commit.\n")
		says(t, w.only(head), "held a secret")
	})
}

// A secret that the tip still holds is no second finding; it gets its commit, and
// the annotations stay, so that no other run is made.
func TestALeakInTheTipGetsItsCommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	value := token(2)
	w.commit("topic", docs("x"), w.main)
	leak := w.commit("topic", w.leaky(value))
	head := w.commit("topic", docs("y"))
	must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	run := w.want(head, "failure", "1 secret found")
	says(t, run, "| secret | where | tier | commit |", mail+":23` | block | `"+leak[:7]+"` |", "Looked at 3 of 3 commits.\n")
	if strings.Contains(run.Summary, "held a secret") || strings.Contains(run.Title, "in its commits") {
		t.Errorf("told twice: %s\n%s", run.Title, run.Summary)
	}
	if len(run.Annotations) != 1 || run.Updates != 1 {
		t.Errorf("%d annotations after %d changes", len(run.Annotations), run.Updates)
	}
	w.unspoken(value, head)
}

// A single commit is looked at where something was found in it.
func TestALeakOfASingleCommitGetsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.leaky(token(14)))
	w.settled()
	says(t, w.want(head, "failure", "1 secret found"), mail+":23` | block | `"+head[:7]+"` |", "Looked at 1 of 1 commit.\n")
}

// Commits are judged under the same policy as the head: that of the base's tip.
func TestCommitsAreFoundUnderTheBasesSalt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	leak := w.commit("topic", w.leaky(token(15)), w.main)
	head := w.commit("topic", docs("x"))
	w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  salt: " + strings.Repeat("5a", 16) + "\n")})
	must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	says(t, w.want(head, "failure", "1 secret found"), "| block | `"+leak[:7]+"` |")
}

// One commit in which the check found nothing needs no other look, and costs none.
func TestOneCleanCommitCostsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	run := w.want(head, "failure", "1 card stale")
	says(t, run, "Looked at 1 of 1 commit.\n")
	if n := w.count("river_job WHERE kind IN ('history', 'verdict')"); n != 0 || run.Updates != 0 {
		t.Errorf("%d jobs and %d changes of the run", n, run.Updates)
	}
	if n := w.hub.Counts()["GET /repos/{owner}/{repo}/compare/{basehead...}"]; n != 1 {
		t.Errorf("%d comparisons", n)
	}
}

// What came in from the base's branch is not the change's (its own resolution of
// a conflict is).
func TestTheBasesOwnLeakIsNotTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	theirs, ours := token(3), token(4)
	first := w.commit("topic", map[string]fakehub.File{backup: fakehub.Text(w.text(backup, "Takes and restores", "Takes, keeps and restores"))}, w.main)
	w.main = w.commit("main", w.leaky(theirs))
	merged := w.leaky(theirs)
	merged[backup] = fakehub.Text(w.text(backup, "Takes and restores", "Takes, with "+ours+", and restores"))
	merge := w.commit("topic", merged, first, w.main)
	head := w.commit("topic", w.leaky(theirs))
	must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	run := w.want(head, "success", ", 1 secret in its commits")
	says(t, run, "commit `"+merge[:7]+"` held a secret", backup+":", "Looked at 3 of 3 commits.\n")
	if strings.Contains(run.Summary, mail+":") {
		t.Errorf("the base's leak is told:\n%s", run.Summary)
	}
	w.unspoken(theirs, head)
	w.unspoken(ours, head)
}

// The cost follows the change: three folders and one file for each commit, each
// once, beside what any verdict reads.
func TestWhatALookAtCommitsCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	for i := range 4 {
		edits := w.fresh(map[string]string{mail: w.text(mail, "wait one minute", fmt.Sprintf("wait %d minutes", i+2))})
		if i == 0 {
			w.commit("topic", edits, w.main)
		} else {
			w.commit("topic", edits)
		}
	}
	must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	counts := func() map[string]int { return w.hub.Counts() }
	w.deliver()
	w.await("the verdict", func() bool { return w.count("river_job WHERE kind = 'history'") > 0 })
	w.await("the end of all jobs", func() bool { return w.count("river_job WHERE finalized_at IS NULL") == 0 })
	const trees, blobs, compare = "GET /repos/{owner}/{repo}/git/trees/{sha...}", "GET /repos/{owner}/{repo}/git/blobs/{sha}", "GET /repos/{owner}/{repo}/compare/{basehead...}"
	// The two sides, each with all below it and once for both jobs. Of the three states
	// between there are the root, skills and skills/mail, and cards and cards/skills.
	if n := counts()[trees]; n != 2+3*5 {
		t.Errorf("%d trees, want %d", n, 2+3*5)
	}
	if n := counts()[compare]; n != 2 {
		t.Errorf("%d comparisons, want 2", n)
	}
	t.Logf("%d blobs, %d requests in all", counts()[blobs], len(w.hub.Requests()))
	if n := len(w.hub.Requests()); n > 70 {
		t.Errorf("%d requests", n)
	}
}

// Sixty commits: the newest fifty, and it says so.
func TestTheNewestOfManyCommits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	old, value := token(5), token(6)
	w.commit("topic", w.leaky(old), w.main)
	w.commit("topic", w.fresh(nil))
	for i := range 56 {
		w.commit("topic", docs(fmt.Sprint(i)))
	}
	leak := w.commit("topic", w.leaky(value))
	head := w.commit("topic", w.fresh(nil), leak)
	must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	run := w.want(head, "success", ", 1 secret in its commits")
	says(t, run, "Looked at the newest 50 of 60 commits.\n", "commit `"+leak[:7]+"` held a secret")
	if n := strings.Count(run.Summary, "held a secret ("); n != 1 {
		t.Errorf("%d secrets are told, want 1:\n%s", n, run.Summary)
	}
	w.unspoken(old, head)
	w.unspoken(value, head)
}

// twoCommits opens a pull request whose history has to be read, and returns the
// root tree of its first commit, which only that reads.
func (w *world) twoCommits(value string) (number int, head, tree string) {
	w.t.Helper()
	first := w.commit("topic", w.leaky(value), w.main)
	head = w.commit("topic", w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait ten minutes")}))
	number = must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(w.t)
	return number, head, strings.TrimSpace(git(w, "rev-parse", first+"^{tree}"))
}

// A trouble of GitHub in the middle is waited out, and one that stays changes
// nothing but a sentence.
func TestWhereCommitsCannotBeReadTheVerdictStays(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault fakehub.Fault
		times int
		says  string
		not   string
	}{
		"a 500 that passes":           {fakehub.Fault{Status: 500}, 2, "held a secret (", "could not be looked at"},
		"a 500 that stays":            {fakehub.Fault{Status: 500}, -1, "the commits could not be looked at. GitHub did not answer as it should", "held a secret ("},
		"a 404":                       {fakehub.Fault{Status: 404, Body: `{"message":"Not Found"}`}, -1, "the commits could not be looked at. ", "held a secret ("},
		"a connection that breaks":    {fakehub.Fault{Drop: true}, 2, "held a secret (", "could not be looked at"},
		"a limit that has to be kept": {fakehub.Fault{Status: 429, Header: http.Header{"Retry-After": {"1"}}, Body: `{}`}, 2, "held a secret (", "could not be looked at"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{})
			value := token(7)
			_, head, tree := w.twoCommits(value)
			tc.fault.Path, tc.fault.Times = "*/git/trees/"+tree, tc.times
			w.hub.Fail(tc.fault)
			guid := w.settled()
			run := w.want(head, "success", "1 card updated, all fresh")
			says(t, run, tc.says)
			if strings.Contains(run.Summary, tc.not) {
				t.Errorf("says %q:\n%s", tc.not, run.Summary)
			}
			w.wantState(guid, store.Done)
			w.unspoken(value, head)
		})
	}
}

// The verdict is posted first; a process that ends between it and the commits
// loses neither, and nothing is said twice.
func TestAStopBetweenVerdictAndHistory(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		value := token(8)
		_, head, tree := w.twoCommits(value)
		gate := make(chan struct{})
		w.hub.Fail(fakehub.Fault{Path: "*/git/trees/" + tree, Hold: gate})
		w.deliver()
		check(t, w.runner.Start(t.Context()))
		w.await("the look at commits", func() bool { return w.count("river_job WHERE kind = 'history' AND state = 'running'") > 0 })
		if run := w.want(head, "success", "1 card updated, all fresh"); run.Updates != 0 || strings.Contains(run.Summary, "commits") {
			t.Errorf("%d changes before the commits were read:\n%s", run.Updates, run.Summary)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		check(t, w.runner.Stop(ended))
		close(gate)
		w.want(head, "success", "1 card updated, all fresh")
		w.runner = must(New(w.runner.cfg))(t)
		w.start()
		w.settled()
		run := w.want(head, "success", ", 1 secret in its commits")
		says(t, run, "Looked at 2 of 2 commits.\n")
		if run.Updates != 1 || strings.Count(run.Summary, "Looked at 2 of 2 commits.") != 1 {
			t.Errorf("%d changes of the run:\n%s", run.Updates, run.Summary)
		}
	})
}

// The same with a process that is killed, and a job that runs again after its
// work was done: it asks GitHub for nothing.
func TestAHistoryThatIsThereIsNotReadAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, head, _ := w.twoCommits(token(9))
	w.settled()
	before := len(w.hub.Requests())
	a := historyArgs{w.hub.Installation("ada"), w.repo.ID(), number, 1}
	check(t, w.runner.addHistory(t.Context(), a, false))
	if n := len(w.hub.Requests()) - before; n != 0 || w.count("river_job WHERE finalized_at IS NULL") != 0 {
		t.Errorf("%d requests", n)
	}
	w.want(head, "success", ", 1 secret in its commits")
}

// A newer head, or the end of the pull request, makes the work moot (2A-9, 2A-65).
func TestAHistoryThatIsOvertakenChangesNothing(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(*world, int){
		"by a push":          func(w *world, _ int) { w.commit("topic", docs("x")); w.deliver() },
		"by a push unheard":  func(w *world, _ int) { w.commit("topic", docs("x")); w.hub.Lose() },
		"by a close":         func(w *world, n int) { check(w.t, w.repo.Close(n)); w.deliver() },
		"by a close unheard": func(w *world, n int) { check(w.t, w.repo.Close(n)); w.hub.Lose() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{})
			number, head, _ := w.twoCommits(token(10))
			gate := make(chan struct{})
			// The second look at the pull request is that of the history.
			w.hub.Fail(fakehub.Fault{Path: "*/check-runs", Method: http.MethodPost, Hold: gate})
			w.deliver()
			w.await("the publication", func() bool { return w.count("river_job WHERE kind = 'verdict' AND state = 'running'") > 0 })
			move(w, number)
			close(gate)
			w.settled()
			for _, run := range w.hub.CheckRuns(w.repo, head) {
				if strings.Contains(run.Summary+run.Title, "commits") {
					t.Errorf("told on the old head: %s\n%s", run.Title, run.Summary)
				}
			}
		})
	}
}

// An answer that comes too late for its verdict is dropped with it.
func TestAHistoryOfAnOlderVerdictIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, head, tree := w.twoCommits(token(11))
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Path: "*/git/trees/" + tree, Hold: gate})
	w.deliver()
	w.await("the look at commits", func() bool { return w.count("river_job WHERE kind = 'history' AND state = 'running'") > 0 })
	check(t, w.repo.Ready(number, false)) // another generation on the same head
	w.deliver()
	close(gate)
	w.settled()
	run := w.want(head, "success", ", 1 secret in its commits") // by the newer one's own look
	if strings.Count(run.Summary, "held a secret (") != 1 {
		t.Errorf("summary:\n%s", run.Summary)
	}
}

// Two pull requests on one head have their own commits.
func TestTwoPullRequestsHaveTheirOwnCommits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head, _ := w.twoCommits(token(12))
	w.commit("behind", docs("x"), w.main)
	must(w.repo.OpenPull("topic", "behind", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	run := w.want(head, "success", "#1 of #1, #2")
	says(t, run, "#1: success", "#2: success", "held a secret (", "Looked at 2 of 2 commits.\n")
}

// More than is read at once: what is far from any skill is left out first, then the
// oldest commits, and each is said.
func TestALookAtCommitsIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	value := token(13)
	edits := w.leaky(value)
	for i := range maxLevels {
		edits[fmt.Sprintf("far/f%03d/x.txt", i)] = fakehub.Text(fmt.Sprint(i))
	}
	leak := w.commit("topic", edits, w.main)
	clean := w.fresh(nil)
	clean["far"] = fakehub.Removed()
	head := w.commit("topic", clean)
	must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	w.hub.ForgetRequests()
	w.settled()
	runs := w.hub.CheckRuns(w.repo, head)
	says(t, runs[len(runs)-1], "commit `"+leak[:7]+"` held a secret", "folders without a skill on either side", "Looked at 2 of 2 commits.\n")
	if n := w.hub.Counts()["GET /repos/{owner}/{repo}/git/trees/{sha...}"]; n > 40 {
		t.Errorf("%d trees were asked for", n)
	}
	many := map[string]fakehub.File{}
	for i := range maxBlobs + 1 {
		many[fmt.Sprintf("skills/mail/references/r%03d.md", i)] = fakehub.Text(fmt.Sprintf("- statement %d\n", i))
	}
	w.commit("large", many, w.main)
	leak = w.commit("large", map[string]fakehub.File{"skills/mail/references": fakehub.Removed(), mail: w.leaky(value)[mail]})
	head = w.commit("large", w.fresh(nil))
	must(w.repo.OpenPull("large", "main", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	runs = w.hub.CheckRuns(w.repo, head)
	says(t, runs[len(runs)-1], "commit `"+leak[:7]+"` held a secret", "the oldest 1 of these commits", "Looked at 2 of 3 commits.\n")
}
