package jobs

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/checker"
)

// 2A-9: an evaluation of an old head that is slow says nothing any more.
func TestAnOldHeadThatIsOvertakenIsNotPublished(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		_, old := w.open("topic", w.stale())
		gate := make(chan struct{})
		w.hub.Fail(fakehub.Fault{Path: "*/git/trees/" + old, Hold: gate, Times: -1})
		first := w.deliver()
		w.await("the first evaluation", func() bool { return w.count("river_job WHERE state = 'running'") > 0 })
		head := w.commit("topic", docs("mended later"))
		w.deliver()
		w.await("the run on the new head", func() bool { return len(w.hub.CheckRuns(w.repo, head)) == 1 })
		close(gate)
		w.settled()
		w.none(old)
		w.want(head, "failure", "1 card stale")
		w.wantState(first, store.Done)
	})
}

// 2A-7: the event may be faster than the API.
func TestAHeadThatTheAPIDoesNotKnowYetIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, old := w.open("topic", w.stale())
	w.hub.Lose()
	head := w.commit("topic", docs("x"))
	check(t, w.repo.LagPull(number, 2))
	w.settled()
	w.none(old)
	w.want(head, "failure", "1 card stale")
}

// An event that was lost must not keep a pull request waiting for its head.
func TestAHeadWhoseEventWasLostIsBelieved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	_, old := w.open("topic", w.stale())
	w.deliver()
	head := w.commit("topic", docs("x"))
	w.hub.Lose()
	w.start()
	w.settled()
	w.none(old)
	w.want(head, "failure", "1 card stale")
}

// 2A-65: closed while the work waits or runs is silence, and opened again one look.
func TestAClosedPullRequestIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	waiting, head := w.open("waiting", w.stale())
	w.deliver()
	check(t, w.repo.Close(waiting))
	w.deliver()
	unheard, other := w.open("unheard", docs("x"))
	w.deliver()
	check(t, w.repo.Close(unheard))
	w.hub.Lose() // GitHub says closed, no event does
	w.start()
	w.settled()
	w.none(head)
	w.none(other)
	if n := w.count("deliveries WHERE state <> 'done'"); n != 0 {
		t.Errorf("%d deliveries are not done", n)
	}
	check(t, w.repo.Reopen(waiting))
	w.settled()
	w.want(head, "failure", "1 card stale")
}

// A pull request that GitHub called closed a moment ago may be open again.
func TestOneThatWasOpenedAgainIsNotClosedByAnOldLook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	number, head := w.open("topic", w.stale())
	w.deliver()
	old := evaluateArgs{Installation: w.hub.Installation("ada"), Repository: w.repo.ID(), Pull: number, Generation: 1}
	check(t, w.repo.Ready(number, false))
	w.deliver()
	check(t, w.runner.foundClosed(t.Context(), old, head))
	if p := must(w.store.Pull(t.Context(), w.repo.ID(), int64(number)))(t); p.Closed {
		t.Error("it was closed")
	}
}

// A verdict that was overtaken between its row and GitHub is not said.
func TestTheFenceRightBeforePublishing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	number, head := w.open("topic", w.stale())
	w.deliver()
	a := evaluateArgs{Installation: w.hub.Installation("ada"), Repository: w.repo.ID(), Pull: number, Generation: 1}
	out := outcome{Conclusion: checker.Failure, Output: checker.Output{Title: "old", Summary: "old"}}
	if err := w.runner.keep(t.Context(), a, finding{out: out, head: head}); err != errHandedOn {
		t.Fatal(err)
	}
	p := publishArgs{Installation: a.Installation, Repository: a.Repository, Head: head}
	if out := must(w.runner.merged(t.Context(), p))(t); out == nil || out.Output.Title != "old" {
		t.Fatalf("merged: %+v", out)
	}
	check(t, w.repo.Ready(number, false)) // a newer generation on the same head
	w.deliver()
	check(t, w.runner.publishHead(t.Context(), p))
	w.none(head)
	a.Generation = 1
	if err := w.runner.keep(t.Context(), a, finding{out: out, head: head}); err != nil {
		t.Errorf("an old verdict was kept: %v", err)
	}
}

// The same, where it is overtaken after publishing began.
func TestTheFenceWhilePublishing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	number, head := w.open("topic", w.stale())
	w.deliver()
	a := evaluateArgs{Installation: w.hub.Installation("ada"), Repository: w.repo.ID(), Pull: number, Generation: 1}
	out := outcome{Conclusion: checker.Failure, Output: checker.Output{Title: "old", Summary: "old"}}
	if err := w.runner.keep(t.Context(), a, finding{out: out, head: head}); err != errHandedOn {
		t.Fatal(err)
	}
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Path: "/app/installations/*", Hold: gate}) // its first request needs a token
	done := make(chan error, 1)
	go func() {
		done <- w.runner.publishHead(context.WithoutCancel(t.Context()), publishArgs{Installation: a.Installation, Repository: a.Repository, Head: head})
	}()
	w.commit("topic", docs("a newer head"))
	w.deliver()
	close(gate)
	check(t, <-done)
	w.none(head)
}

// What changes while a run is published is published after it.
func TestAVerdictThatChangesMeanwhileIsSaidToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	number, head := w.open("topic", w.stale())
	w.deliver()
	a := evaluateArgs{Installation: w.hub.Installation("ada"), Repository: w.repo.ID(), Pull: number, Generation: 1}
	keep := func(title string) {
		out := outcome{Conclusion: checker.Failure, Output: checker.Output{Title: title, Summary: title}}
		if err := w.runner.keep(t.Context(), a, finding{out: out, head: head}); err != errHandedOn {
			t.Fatal(err)
		}
	}
	keep("first")
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/check-runs", Hold: gate})
	done := make(chan error, 1)
	go func() {
		done <- w.runner.publishHead(context.WithoutCancel(t.Context()), publishArgs{Installation: a.Installation, Repository: a.Repository, Head: head})
	}()
	w.await("the list of runs", func() bool { return w.hub.Counts()["GET /repos/{owner}/{repo}/commits/{ref...}/check-runs"] > 0 })
	keep("second")
	close(gate)
	check(t, <-done)
	w.want(head, "failure", "second")
}

// 2A-17: the worst of two pull requests on one head counts, both are named, and
// closing one is heard.
func TestTwoPullRequestsOnOneHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	first, head := w.open("behind", w.stale())
	w.settled()
	w.want(head, "failure", "1 card stale")
	w.commit("lenient", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  block: []\n")}, w.main)
	must(w.repo.OpenPull("behind", "lenient", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	run := w.want(head, "failure", "#1 of #1, #2") // the same run, with other words
	if !strings.Contains(run.Summary, "#1: failure") || !strings.Contains(run.Summary, "#2: success") {
		t.Errorf("summary: %s", run.Summary)
	}
	check(t, w.repo.Close(first))
	w.settled()
	// What were faults are warnings now, and GitHub takes no annotation back: a new run.
	runs := w.hub.CheckRuns(w.repo, head)
	if last := runs[len(runs)-1]; last.Conclusion != "success" || strings.Contains(last.Title, "#") {
		t.Errorf("after closing: %s %q", last.Conclusion, last.Title)
	}
}

// Green is not said of a head while another pull request on it is looked at; red is.
func TestGreenWaitsForTheOtherPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	number, head := w.open("topic", docs("x"))
	w.commit("other", docs("y"), w.main)
	must(w.repo.OpenPull("topic", "other", "mallory", fakehub.PullOptions{}))(t)
	w.deliver()
	a := evaluateArgs{Installation: w.hub.Installation("ada"), Repository: w.repo.ID(), Pull: number, Generation: 1}
	for conclusion, said := range map[checker.Conclusion]bool{checker.Success: false, checker.Failure: true} {
		if err := w.runner.keep(t.Context(), a, finding{out: outcome{Conclusion: conclusion}, head: head}); err != errHandedOn {
			t.Fatal(err)
		}
		if out := must(w.runner.merged(t.Context(), publishArgs{Repository: a.Repository, Head: head}))(t); (out != nil) != said {
			t.Errorf("%s is said: %v, want %v", conclusion, out != nil, said)
		}
	}
}

// 2A-4: twenty deliveries of one event at once are one job and one run.
func TestTwentyDeliveriesOfOneEvent(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		_, head := w.open("topic", w.stale())
		copies := w.intercept()
		var wait sync.WaitGroup
		statuses := make(chan int, 20)
		for range 20 {
			wait.Go(func() { statuses <- copies(t) })
		}
		wait.Wait()
		close(statuses)
		got := map[int]int{}
		for s := range statuses {
			got[s]++
		}
		if got[http.StatusAccepted] != 1 || got[http.StatusOK] != 19 {
			t.Errorf("statuses: %v", got)
		}
		w.settled()
		w.want(head, "failure", "1 card stale")
		if n := w.count("river_job WHERE kind = 'evaluate'"); n != 1 {
			t.Errorf("%d evaluations", n)
		}
	})
}

// intercept takes the one pending delivery and returns a way to send copies of it.
func (w *world) intercept() func(*testing.T) int {
	w.t.Helper()
	var header http.Header
	var body []byte
	target := w.target
	catch := serveFunc(w.t, func(_ http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		body, _ = io.ReadAll(r.Body)
	})
	w.hub.SetTarget(catch)
	must(w.hub.Deliver(w.t.Context()))(w.t)
	w.hub.SetTarget(target)
	return func(t *testing.T) int {
		r := must(http.NewRequest(http.MethodPost, target, bytes.NewReader(body)))(t)
		r.Header = header.Clone()
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
}

// Law 12: the row is there before the answer is.
func TestTheRowIsCommittedBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		w.open("topic", w.stale())
		seen := 0
		w.onAnswer = func(status int) {
			if status == http.StatusAccepted {
				seen = w.count("deliveries d JOIN pulls p ON p.number = d.pull JOIN river_job j ON j.id = p.job WHERE d.state = 'accepted'")
			}
		}
		w.deliver()
		if seen != 1 {
			t.Errorf("%d rows when 202 was written, want 1", seen)
		}
	})
}

// 2A-16: the run was made and nobody heard of it.
func TestARunWhoseAnswerWasLostIsAdopted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/check-runs", Drop: true})
	w.settled()
	if run := w.want(head, "failure", "1 card stale"); len(run.Annotations) != 1 {
		t.Errorf("annotations: %+v", run.Annotations)
	}
}

// 2A-13: GitHub does not say which annotation it refuses.
func TestRefusedAnnotationsStandInTheSummary(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/check-runs", Status: 422,
		Body: `{"message":"Validation Failed","errors":[{"resource":"CheckRun","code":"invalid","field":"annotations"}]}`})
	w.settled()
	run := w.want(head, "failure", "1 card stale")
	if len(run.Annotations) != 0 || !strings.Contains(run.Summary, mail+"` line 23") {
		t.Errorf("annotations %v, summary: %s", run.Annotations, run.Summary)
	}
}
