package jobs

import (
	"context"
	"database/sql"
	"net/http"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
)

func TestAPushToTheDefaultBranchIsAnsweredForWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	head := w.commit("main", docs("x"))
	w.settled()
	w.want(head, "success", "All 2 cards fresh")
	head = w.commit("main", w.stale())
	guid := w.settled()
	w.want(head, "failure", "1 card stale")
	w.wantState(guid, store.Done)
}

// 2A-21, 2A-22: a merge group answers for what it changes, on its own commit.
func TestAMergeGroupAnswersForItsOwnChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	good, _ := w.open("good", docs("x"))
	bad, _ := w.open("bad", w.stale())
	w.settled()
	group := must(w.repo.MergeGroup(good))(t)
	w.settled()
	w.want(group, "success", "No cards affected")
	group = must(w.repo.MergeGroup(bad))(t)
	w.settled()
	w.want(group, "failure", "1 card stale")
	// What the base holds stale already is no fault of the group.
	must(w.repo.Merge(bad, "ada"))(t)
	w.settled()
	group = must(w.repo.MergeGroup(good))(t)
	w.settled()
	w.want(group, "success", "No cards affected")
}

// 2A-21: a group that was given up gets no run, whatever was under way.
func TestAMergeGroupThatWasGivenUpIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", w.stale())
	w.settled()
	group := must(w.repo.MergeGroup(number))(t)
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Path: "*/git/trees/" + group, Hold: gate})
	w.deliver()
	w.await("the evaluation", func() bool { return w.count("river_job WHERE state = 'running'") > 0 })
	check(t, w.repo.LeaveGroup(number, group))
	w.deliver()
	close(gate)
	w.settled()
	w.none(group)
}

func TestACommitThatCannotBeCheckedSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	head := w.commit("main", docs("x"))
	w.hub.Fail(fakehub.Fault{Path: "*/git/trees/*", Status: 500, Times: -1})
	guid := w.settled()
	w.want(head, "failure", "Could not check")
	w.wantState(guid, store.Failed)
	w.hub.Heal()
	check(t, w.hub.Repeat(guid))
	w.settled()
	w.want(head, "success", "All 2 cards fresh")
}

// 2A-15: whoever presses Re-run sees that it began, and then the new result.
func TestARunIsRunAgainOnRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	first := w.want(head, "failure", "1 card stale")
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Path: "*/git/trees/" + head, Hold: gate})
	check(t, w.repo.Rerequest(first.ID, "mallory"))
	w.deliver()
	w.await("the run in progress", func() bool {
		runs := w.hub.CheckRuns(w.repo, head)
		return len(runs) == 2 && runs[1].Status == "in_progress"
	})
	close(gate)
	w.settled()
	runs := w.hub.CheckRuns(w.repo, head)
	if len(runs) != 2 || runs[1].Conclusion != "failure" || runs[1].Status != "completed" {
		t.Errorf("runs: %+v", runs)
	}
	for _, r := range w.hub.Requests() {
		if strings.HasSuffix(r.Path, "/rerequest") {
			t.Error("the App asked GitHub to run again, which would loop")
		}
	}
}

// 2A-18: a fork's pull request that our database does not know is found by its head.
func TestAForksUnknownPullRequestIsRunAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("eve:topic", w.stale())
	w.settled()
	w.want(head, "failure", "1 card stale")
	check(t, w.store.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		return w.store.ForgetRepositoryTx(ctx, tx, w.repo.ID())
	}))
	check(t, w.repo.RerequestAll(head, "mallory"))
	guid := w.settled()
	w.wantState(guid, store.Done)
	runs := w.hub.CheckRuns(w.repo, head)
	if last := runs[len(runs)-1]; len(runs) != 2 || last.Conclusion != "failure" {
		t.Errorf("%d runs, the last says %s", len(runs), last.Conclusion)
	}
}

func TestACommitThatIsNoHeadIsRunAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", docs("x"))
	head := w.commit("main", w.stale())
	w.settled()
	run := w.want(head, "failure", "1 card stale")
	check(t, w.repo.Rerequest(run.ID, "ada"))
	guid := w.settled()
	w.want(head, "failure", "1 card stale")
	w.wantState(guid, store.Done)
	// A merge group on a base that is stale already stays green.
	group := must(w.repo.MergeGroup(number))(t)
	w.settled()
	run = w.want(group, "success", "No cards affected")
	check(t, w.repo.Rerequest(run.ID, "ada"))
	w.settled()
	w.want(group, "success", "No cards affected")
}

// A button that we do not show is nothing to act on, and no work stays open.
func TestADeliveryThatWantsNoJobIsDone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.hub.Suspend("ada", true)
	guid := w.settled()
	w.wantState(guid, store.Done)
	w.hub.Suspend("ada", false)
	w.wantState(w.settled(), store.Done)
}

// 2A-31: a repository that was renamed meanwhile is found by its id.
func TestARenamedRepositoryGetsItsRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	_, head := w.open("topic", w.stale())
	w.deliver()
	check(t, w.repo.Rename("talents"))
	w.hub.Lose()
	w.start()
	w.settled()
	w.want(head, "failure", "1 card stale")
}

// GitHub answers 401 while its clocks or our token are off; the run comes late, not never.
func TestABrokenConnectionIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.hub.Fail(
		fakehub.Fault{Method: http.MethodGet, Path: "*/pulls/1", Drop: true},
		fakehub.Fault{Method: http.MethodGet, Path: "*/compare/*", Status: 200, Body: "<html>"},
		fakehub.Fault{Method: http.MethodGet, Path: "*/git/trees/*", Status: 503},
	)
	w.settled()
	w.want(head, "failure", "1 card stale")
}
