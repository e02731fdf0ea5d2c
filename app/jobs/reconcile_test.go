package jobs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// 2A-8: a delivery that was dropped altogether, in every kind that changes what a pull request's run should be.
func TestWhatNoEventToldIsFound(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		_, seen := w.open("seen", w.stale())
		w.open("moved", docs("before"))
		w.commit("release", docs("of the release"), w.main)
		turned, retargeted := w.open("turned", docs("t"))
		back, reopened := w.open("back", docs("b"))
		closed, _ := w.open("closed", docs("c"))
		w.settled()
		check(t, w.repo.Close(back))
		w.settled()
		before := w.only(seen)

		_, opened := w.open("opened", docs("o"))
		head := w.commit("moved", w.stale())
		check(t, w.repo.Retarget(turned, "release"))
		check(t, w.repo.Reopen(back))
		check(t, w.repo.Close(closed))
		w.hub.Lose()
		w.rounds()
		w.idleQueue()

		w.want(opened, "success", "No cards affected")
		w.want(head, "failure", "1 card stale")
		w.only(reopened)
		w.only(retargeted)
		if p := must(w.store.Pull(t.Context(), w.repo.ID(), int64(turned)))(t); p.Generation != 2 {
			t.Errorf("a pull request with another base is of generation %d, want 2", p.Generation)
		}
		if p := must(w.store.Pull(t.Context(), w.repo.ID(), int64(closed)))(t); !p.Closed {
			t.Error("a pull request that was closed is still taken for open")
		}
		if p := must(w.store.Pull(t.Context(), w.repo.ID(), int64(back)))(t); p.Closed {
			t.Error("a pull request that was opened again is still taken for closed")
		}
		if after := w.only(seen); after.Updates != before.Updates {
			t.Errorf("a run that was right was written %d times", after.Updates-before.Updates)
		}
	})
}

// A verdict that was kept and never said is said: the job that would have was lost.
func TestAVerdictThatWasNeverPublishedIsPublished(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.hub.Fail(fakehub.Fault{Path: "*/check-runs*", Status: 503, Times: -1})
	_, head := w.open("topic", w.stale())
	w.deliver()
	w.await("the verdict", func() bool { return w.count("verdicts") == 1 })
	w.stop()
	_ = must(w.store.DB().Exec(`DELETE FROM river_job`))(t)
	w.hub.Heal()
	w.restart()
	w.none(head)
	w.rounds()
	w.idleQueue()
	w.want(head, "failure", "1 card stale")
	if n := w.count("river_job WHERE kind = 'evaluate'"); n != 0 {
		t.Errorf("%d evaluations for a verdict that was there", n)
	}
}

// With a new database the runs that are there are taken over: one request for each head, once.
func TestRunsOfALostDatabaseAreAdopted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	before := w.only(head)
	for _, table := range []string{"pulls", "verdicts", "effects", "deliveries", "rounds", "duties", "river_job"} {
		_ = must(w.store.DB().Exec(`DELETE FROM ` + table))(t)
	}
	w.rounds()
	w.idleQueue()
	if after := w.only(head); after.Updates != before.Updates {
		t.Error("a run that was right was written again")
	}
	w.later()
	w.hub.ForgetRequests()
	w.rounds()
	for _, r := range w.hub.Requests() {
		if strings.HasSuffix(r.Path, "/check-runs") {
			t.Errorf("asked again: %s", r.Path)
		}
	}
}

// A whole installation is looked through within its budget: at a tenth the rounds stop, and go on there.
func TestRoundsStopAtTheLastTenthAndGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	const repositories = 30
	for i := range repositories {
		r := must(w.hub.AddRepo("ada", fmt.Sprint("more-", i), fakehub.RepoOptions{}))(t)
		_ = must(r.Commit("main", docs("x"), "first"))(t)
	}
	w.hub.Lose()
	w.hub.SetBudget(50)
	w.rounds()
	left := w.count("rounds WHERE looked_at = 0 AND repository > 0")
	if left == 0 || left > repositories {
		t.Fatalf("%d of %d repositories were left for later", left, repositories+1)
	}
	installation := w.hub.Installation("ada")
	if n := w.count("rounds WHERE looked_at = 0 AND due_at <= $1", w.store.Now().UnixMilli()); n != 0 {
		t.Errorf("%d rounds are due although the budget is used up", n)
	}
	w.hub.SetBudget(5000)
	w.runner.cfg.GitHub.Forget(installation)
	_ = must(w.store.DB().Exec(`UPDATE rounds SET due_at = 0 WHERE looked_at = 0`))(t)
	if n := w.rounds(); n != left {
		t.Errorf("%d rounds, want the %d that were left", n, left)
	}
	if n := w.count("rounds WHERE looked_at = 0"); n != 0 {
		t.Errorf("%d repositories were never looked at", n)
	}
}
