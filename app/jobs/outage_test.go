package jobs

import (
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// down is a GitHub that answers 500 to everything, for ever.
func down() fakehub.Fault { return fakehub.Fault{Path: "*", Status: 500, Times: -1} }

// 2A-3: while GitHub is down the attempts run out; the failing run is published
// when it is back, the delivery has failed, and sending it again mends all.
func TestAnOutageEndsInAFailingRunAndARedeliveryMendsIt(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		_, head := w.open("topic", w.stale())
		w.hub.Fail(down())
		guid := w.deliver()
		w.await("the last attempt", func() bool { return w.state(guid) == store.Failed })
		w.none(head)
		w.hub.Heal()
		w.settled()
		run := w.want(head, "failure", "Could not check")
		if !strings.Contains(run.Summary, "GitHub did not answer") {
			t.Errorf("summary: %s", run.Summary)
		}
		w.wantState(guid, store.Failed)
		check(t, w.hub.Repeat(guid))
		w.settled()
		if again := w.want(head, "failure", "1 card stale"); again.ID != run.ID {
			t.Error("there is a second run")
		}
		w.wantState(guid, store.Done)
		before := len(w.hub.Requests())
		check(t, w.hub.Repeat(guid))
		w.settled()
		if len(w.hub.Requests()) != before {
			t.Error("a third delivery, after success, was worked on")
		}
	})
}

// A delivery that is sent again replaces its own first job, and is not done by that.
func TestARedeliveryDoesNotEndItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	w.open("topic", w.stale())
	guid := w.deliver()
	check(t, w.runner.finish(t.Context(), guid, false))
	check(t, w.hub.Repeat(guid))
	w.deliver()
	w.wantState(guid, store.Accepted)
}

// A verdict that cannot be published to the last must not pass for done work.
func TestWhereNothingCanBePublishedTheDeliveryFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/check-runs", Status: 502, Times: -1})
	guid := w.settled()
	w.none(head)
	w.wantState(guid, store.Failed)
	w.hub.Heal()
	check(t, w.hub.Repeat(guid))
	w.settled()
	w.want(head, "failure", "1 card stale")
}

// 2A-62, law 13: what the tree lists and GitHub does not have is never green, and the check says how much it read.
func TestAMissingBlobIsNeverGreen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	_, head := w.open("topic", w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait ten minutes")}))
	w.hub.Fail(fakehub.Fault{Path: "*/git/blobs/" + blob(w, head, mail), Status: 404, Body: `{"message":"Not Found"}`, Times: -1})
	w.hub.ForgetRequests()
	guid := w.settled()
	run := w.want(head, "failure", "Could not check")
	got := regexp.MustCompile(`could not be read from GitHub\. (\d+) of (\d+) files were read\.`).FindStringSubmatch(run.Summary)
	if got == nil {
		t.Fatalf("summary: %s", run.Summary)
	}
	read, wanted := must(strconv.Atoi(got[1]))(t), must(strconv.Atoi(got[2]))(t)
	if read < 1 || wanted != read+1 {
		t.Errorf("%d of %d files were read, want all but one", read, wanted)
	}
	w.wantState(guid, store.Failed)
}

// blob is the id of a file at a commit, as git itself says.
func blob(w *world, commit, file string) string {
	w.t.Helper()
	return strings.TrimSpace(git(w, "rev-parse", commit+":"+file))
}

func git(w *world, args ...string) string {
	w.t.Helper()
	out := must(exec.Command("git", append([]string{"--git-dir", w.repo.GitDir()}, args...)...).Output())(w.t)
	return string(out)
}

// Law 13: a scanner that does not get to the end is a failure, at once: it would
// not get there the next time either.
func TestAScannerThatDoesNotFinishIsNeverGreen(t *testing.T) {
	t.Parallel()
	scanner := must(secret.New(secret.Options{Deadline: time.Nanosecond}))(t)
	w := newWorld(t, options{scanner: scanner})
	number, head := w.open("topic", w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait ten minutes")}))
	guid := w.settled()
	run := w.want(head, "failure", "Could not check")
	if !strings.Contains(run.Summary, "could not be scanned") {
		t.Errorf("summary: %s", run.Summary)
	}
	w.wantState(guid, store.Done)
	must(w.repo.Comment(number, "mallory", "/ask What does mailrules apply do?"))(t)
	w.settled()
	if got := w.replies(number); len(got) != 1 || !strings.Contains(got[0], "Could not answer. A text could not be scanned") {
		t.Errorf("replies: %q", got)
	}
}

// 2A-28: a limit puts the work off and uses up no attempt.
func TestARateLimitPutsTheWorkOff(t *testing.T) {
	t.Parallel()
	reset := fakehub.Fault{Status: 403, Body: `{"message":"API rate limit exceeded"}`, Header: http.Header{
		"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {fmt.Sprint(time.Now().Unix())},
	}}
	for name, fault := range map[string]fakehub.Fault{"403 with a reset": reset, "429 with retry-after": fakehub.SecondaryLimit(429, time.Second)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{})
			_, head := w.open("topic", w.stale())
			fault.Times = 2
			fault.Path = "/repositories/*"
			w.hub.Fail(fault)
			guid := w.settled()
			w.want(head, "failure", "1 card stale")
			w.wantState(guid, store.Done)
			if n := w.count("river_job WHERE attempt <> 1"); n != 0 {
				t.Errorf("%d jobs used up an attempt", n)
			}
			if !strings.Contains(w.log.String(), "Job snoozed") {
				t.Error("nothing was put off")
			}
		})
	}
}

// 2A-30: what is archived or gone ends at once, without a run, and
// leaves the way open for a redelivery.
func TestWhatIsOverEndsAtOnce(t *testing.T) {
	t.Parallel()
	tests := []struct {
		sentence string
		end      func(*world)
	}{
		{"the repository is gone", func(w *world) {
			w.hub.Fail(fakehub.Fault{Path: "/repositories/*", Status: 404, Body: `{"message":"Not Found"}`, Times: -1})
		}},
		{"the repository is archived", func(w *world) { w.repo.Archive() }},
	}
	for _, tc := range tests {
		t.Run(tc.sentence, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{idle: true})
			_, head := w.open("topic", w.stale())
			guid := w.deliver()
			tc.end(w)
			w.start()
			w.settled()
			w.none(head)
			w.wantState(guid, store.Failed)
			if n := w.count("river_job WHERE state = 'retryable' OR attempt > 1"); n != 0 {
				t.Errorf("%d jobs were tried again", n)
			}
		})
	}
}

// 2A-29: a job that finds its installation gone looks for the new one once, and goes on there with all that is
// kept, though no event told.
func TestAnAppThatWasInstalledAnewIsFoundAgain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		number, head := w.open("topic", w.stale())
		must(w.repo.Comment(number, "mallory", "/ask What does mailrules apply refuse?"))(t)
		guid := w.deliver()
		old := w.hub.Installation("ada")
		id := w.hub.Reinstall("ada")
		w.hub.Lose()
		w.hub.ForgetRequests()
		w.start()
		w.settled()
		w.want(head, "failure", "1 card stale")
		w.wantState(guid, store.Done)
		if n := len(w.replies(number)); n != 1 {
			t.Errorf("%d replies, want 1", n)
		}
		if n := w.count("deliveries WHERE state <> 'done'"); n != 0 {
			t.Errorf("%d deliveries are not done", n)
		}
		for _, table := range []string{"pulls", "verdicts", "effects", "deliveries"} {
			if left, moved := w.count(table+" WHERE installation = $1", old), w.count(table+" WHERE installation = $1", id); left != 0 || moved == 0 {
				t.Errorf("%s: %d rows of the old installation, %d of the new", table, left, moved)
			}
		}
		if n := w.count("rounds WHERE installation = $1 AND repository = 0", id); n != 1 {
			t.Error("nobody looks what else is in the new installation")
		}
		if n := w.hub.Counts()["GET /repos/{owner}/{repo}/installation"]; n < 1 || n > 2 { // the memory of it is dropped with the move
			t.Errorf("looked up %d times", n)
		}
	})
}

// 2A-29: where the App is gone for good, the work ends without a word, and without a second try.
func TestWorkForWhoUninstalledTheAppIsDropped(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		_, head := w.open("topic", w.stale())
		guid := w.deliver()
		w.hub.Uninstall("ada")
		w.hub.Lose()
		w.start()
		w.settled()
		w.none(head)
		w.wantState(guid, store.Done)
		if n := w.count("river_job WHERE state <> 'completed' OR attempt > 1"); n != 0 {
			t.Errorf("%d jobs failed or were tried again", n)
		}
		if n := w.hub.Counts()["GET /repos/{owner}/{repo}/installation"]; n != 1 {
			t.Errorf("looked up %d times", n)
		}
		if strings.Contains(w.log.String(), `"level":"ERROR"`) {
			t.Errorf("the log complains:\n%s", w.log)
		}
	})
}

// 2A-29: a token that is refused though GitHub lists the installation ends the work, and does not begin it for ever.
func TestAnInstallationThatIsThereAndGivesNoTokenIsNotLookedUpForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	w.open("topic", w.stale())
	guid := w.deliver()
	w.hub.Fail(fakehub.Fault{Path: "*/access_tokens", Status: 404, Body: `{"message":"Not Found"}`, Times: -1})
	w.start()
	w.settled()
	w.wantState(guid, store.Failed)
}

func TestARemovedInstallationIsForgottenWithItsJobs(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		_, head := w.open("topic", w.stale())
		w.deliver()
		w.hub.Reinstall("ada")
		w.deliver()
		if n := w.count("river_job"); n != 0 {
			t.Errorf("%d jobs are still there", n)
		}
		w.start()
		w.settled()
		w.none(head)
		for _, table := range []string{"pulls", "verdicts", "effects"} {
			if n := w.count(table); n != 0 {
				t.Errorf("%d rows in %s", n, table)
			}
		}
	})
}
