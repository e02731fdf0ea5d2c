package jobs

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/checker"
)

// refreshing is a world whose default branch's policy says what is done about stale cards.
func refreshing(t *testing.T, mode string, o options) *world {
	w := newWorld(t, o)
	w.main = w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  refresh: " + mode + "\n")})
	w.hub.Lose()
	return w
}

// wrote counts the requests that wrote to the repository's objects and pull requests.
func (w *world) wrote() (n int) {
	for _, r := range w.hub.Requests() {
		if r.Method != "GET" && (strings.Contains(r.Path, "/git/") || strings.HasSuffix(r.Path, "/pulls")) {
			n++
		}
	}
	return n
}

func TestARefreshCommitsToTheDefaultBranch(t *testing.T) {
	t.Parallel()
	w := refreshing(t, "commit", options{})
	head := w.commit("main", w.stale())
	w.rest()
	tip := w.tip("main")
	if got := w.changed(head, tip); len(got) != 1 || !strings.HasSuffix(got[0], "M\t"+mailCard) {
		t.Errorf("the commit changes %q", got)
	}
	w.want(tip, "success", "All 2 cards fresh")
	if n := w.git("rev-list", "--count", head+".."+tip); n != "1" {
		t.Errorf("%s commits, want 1: our own push begins nothing", n)
	}
}

func TestARefreshIsOffAsARule(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	head := w.commit("main", w.stale())
	w.rest()
	w.want(head, "failure", "1 card stale")
	if w.tip("main") != head || w.wrote() != 0 {
		t.Error("the App wrote unasked")
	}
}

// One pull request, whatever is pushed: it is found again by its branch, moved
// forward, and holds nothing but cards. One that is merged makes room for the next.
func TestARefreshByOnePullRequest(t *testing.T) {
	t.Parallel()
	w := refreshing(t, "pull_request", options{})
	w.commit("main", w.stale())
	w.rest()
	first := w.tip(refreshBranch)
	edits := map[string]fakehub.File{backup: fakehub.Text(w.text(backup, "10 GB", "20 GB"))}
	tip := w.commit("main", edits)
	w.rest()
	second := w.tip(refreshBranch)
	if first == second || w.git("merge-base", first, second) != first {
		t.Errorf("the branch went from %s to %s", first, second)
	}
	if got := w.changed(tip, second); len(got) != 2 || !strings.HasSuffix(got[0], "cards/skills/backup.md") || !strings.HasSuffix(got[1], mailCard) {
		t.Errorf("the pull request changes %q", got)
	}
	pulls := w.hub.Pulls(w.repo)
	if len(pulls) != 1 || pulls[0] != "open main<-"+refreshBranch {
		t.Fatalf("pull requests: %q", pulls)
	}
	w.want(second, "success", "all fresh")
	merged := must(w.repo.Merge(1, "ada"))(t)
	w.rest()
	w.want(merged, "success", "All 2 cards fresh")
	w.commit("main", w.stale2())
	w.rest()
	if pulls := w.hub.Pulls(w.repo); len(pulls) != 2 || pulls[1] != "open main<-"+refreshBranch {
		t.Errorf("pull requests: %q", pulls)
	}
}

// stale2 is another change of a skill whose card is not rebuilt.
func (w *world) stale2() map[string]fakehub.File {
	return map[string]fakehub.File{mail: fakehub.Text(w.text(mail, "wait one minute", "wait an hour"))}
}

// A default branch that lets nobody push is refreshed by a pull request.
func TestARefreshOfAProtectedBranch(t *testing.T) {
	t.Parallel()
	w := refreshing(t, "commit", options{})
	w.hub.Fail(fakehub.Fault{Method: "PATCH", Path: "*/git/refs/heads*main", Status: 422, Times: -1,
		Body: `{"message":"Repository rule violations found\n\nChanges must be made through a pull request."}`})
	head := w.commit("main", w.stale())
	w.rest()
	if w.tip("main") != head {
		t.Error("the default branch moved")
	}
	if pulls := w.hub.Pulls(w.repo); len(pulls) != 1 || pulls[0] != "open main<-"+refreshBranch {
		t.Errorf("pull requests: %q", pulls)
	}
}

// Where the owner has not accepted it, the run says so and nothing is written.
func TestARefreshThatIsNotAllowed(t *testing.T) {
	t.Parallel()
	w := refreshing(t, "pull_request", options{permissions: map[string]string{
		"metadata": "read", "contents": "read", "checks": "write", "pull_requests": "write", "issues": "read", "merge_queues": "read"}})
	head := w.commit("main", w.stale())
	w.rest()
	if run := w.want(head, "failure", "1 card stale"); !strings.HasPrefix(run.Summary, cannotOpen) || w.wrote() != 0 {
		t.Errorf("the summary begins %.200q", run.Summary)
	}
}

// Nothing is done twice where connections break after the work was done.
func TestAKilledRefreshIsFoundAgain(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"*/git/trees", "*/git/commits", "*/git/refs", "*/pulls"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := refreshing(t, "pull_request", options{})
			w.hub.Fail(fakehub.Fault{Method: "POST", Path: path, Drop: true})
			head := w.commit("main", w.stale())
			w.rest()
			if pulls := w.hub.Pulls(w.repo); len(pulls) != 1 {
				t.Errorf("pull requests: %q", pulls)
			}
			if n := w.git("rev-list", "--count", head+"..refs/heads/"+refreshBranch); n != "1" {
				t.Errorf("%s commits, want 1", n)
			}
		})
	}
}

// A branch that a person has pushed to is that person's.
func TestAPersonsWorkOnTheRefreshStays(t *testing.T) {
	t.Parallel()
	w := refreshing(t, "pull_request", options{})
	w.commit("main", w.stale())
	w.rest()
	theirs := w.commit(refreshBranch, docs("mine"))
	w.commit("main", maps.Clone(w.stale2()))
	w.rest()
	if got := w.tip(refreshBranch); got != theirs {
		t.Errorf("the branch is at %s, want %s", got, theirs)
	}
}

// A burst ends in one commit upon the newest tip, or in one pull request to it,
// whatever order the work came in.
func TestABurstOfPushesIsRefreshedOnce(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"commit", "pull_request"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			w := refreshing(t, mode, options{pace: 300 * time.Millisecond})
			tip := w.commit("main", w.stale())
			w.deliver()
			for n := range 10 {
				tip = w.commit("main", docs(fmt.Sprint("push ", n)))
				w.deliver()
			}
			w.rest()
			branch := map[string]string{"commit": "main", "pull_request": refreshBranch}[mode]
			if got := w.git("rev-list", "--parents", "-n1", w.tip(branch)); got != w.tip(branch)+" "+tip {
				t.Errorf("the commit and its parents: %s, want one upon %s", got, tip)
			}
			if n := w.git("rev-list", "--count", "--grep=Cardkeeper-Key", "--all"); n != "1" {
				t.Errorf("%s commits of ours, want 1", n)
			}
			w.want(w.tip(branch), "success", "fresh")
		})
	}
}

// 2A-42: a card that was committed with CRLF and is else right is no reason for a
// commit, which the next push from the same machine would undo; beside another one
// it stays as it is.
func TestARefreshLeavesLineEndingsAlone(t *testing.T) {
	t.Parallel()
	w := refreshing(t, "commit", options{})
	const backupCard = "cards/skills/backup.md"
	crlf := strings.ReplaceAll(w.show(w.main, backupCard), "\n", "\r\n")
	head := w.commit("main", map[string]fakehub.File{backupCard: fakehub.Text(crlf)})
	w.rest()
	if run := w.want(head, "failure", "1 card stale"); w.tip("main") != head || !strings.Contains(run.Text+run.Summary, "ine endings") {
		t.Errorf("the App wrote %d times\n%s\n%s", w.wrote(), run.Summary, run.Text)
	}
	head = w.commit("main", w.stale())
	w.rest()
	if got := w.changed(head, w.tip("main")); len(got) != 1 || !strings.HasSuffix(got[0], "M\t"+mailCard) {
		t.Errorf("the commit changes %q", got)
	}
	w.commit("main", map[string]fakehub.File{backup: fakehub.Text(w.text(backup, "10 GB", "20 GB"))})
	w.rest()
	if got := w.show(w.tip("main"), backupCard); strings.Contains(got, "\r") || !strings.Contains(got, "20 GB") {
		t.Errorf("a card whose skill changed is\n%q", got)
	}
}

// A finding on the default branch holds up its own skill alone, which the run names.
func TestARefreshBesideASecret(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"commit", "pull_request"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			w := refreshing(t, mode, options{})
			value := token(7)
			edits := w.stale()
			edits[backup] = fakehub.Text(w.text(backup, "10 GB.", "10 GB with "+value+"."))
			head := w.commit("main", edits)
			w.rest()
			branch := map[string]string{"commit": "main", "pull_request": refreshBranch}[mode]
			if got := w.changed(head, w.tip(branch)); len(got) != 1 || !strings.HasSuffix(got[0], "M\t"+mailCard) {
				t.Errorf("the commit changes %q", got)
			}
			if run := w.want(head, "failure", "1 secret found"); !strings.Contains(run.Summary, "cards/skills/backup.md is not rebuilt") {
				t.Errorf("the summary does not name what was left:\n%s", run.Summary)
			}
			for _, r := range w.hub.Requests() {
				if strings.Contains(string(r.Body), value[8:20]) {
					t.Errorf("%s %s holds the secret", r.Method, r.Path)
				}
			}
			again := w.commit("main", docs("more"))
			w.rest()
			if mode == "commit" && w.tip("main") != again {
				t.Error("a commit although nothing was left to write")
			}
		})
	}
}

// A word that is none of the modes is a fault with its place, on the default branch
// and in the change that brings it, and nothing is refreshed.
func TestAModeThatIsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	config := map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  block: [stale]\n  refresh: always\n")}
	_, topic := w.open("topic", config)
	edits := w.stale()
	maps.Copy(edits, config)
	head := w.commit("main", edits)
	w.rest()
	for _, at := range []string{topic, head} {
		run := w.want(at, "failure", "faults")
		if len(run.Annotations) != 1 || run.Annotations[0].Path != checker.ConfigFile || run.Annotations[0].StartLine != 3 ||
			!strings.Contains(run.Annotations[0].Message, "off, commit, pull_request") {
			t.Errorf("the annotations: %+v", run.Annotations)
		}
	}
	if w.wrote() != 0 {
		t.Error("the App wrote")
	}
}
