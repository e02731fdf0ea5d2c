package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/webhooks"
	"github.com/riverqueue/river"
)

// orphan leaves every waiting job as a killed process does.
func (w *world) orphan(attempt int) {
	w.t.Helper()
	check(w.t, w.store.Tx(w.t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE river_job SET state = 'running', attempt = $1, attempted_at = scheduled_at`, attempt)
		return err
	}))
}

// 2A-2: a single process on a SQLite file takes up at once what its predecessor left.
func TestWhatAKilledProcessLeftIsTakenUpAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	_, head := w.open("topic", w.stale())
	guid := w.deliver()
	w.orphan(1)
	w.start()
	w.settled()
	w.want(head, "failure", "1 card stale")
	w.wantState(guid, store.Done)
	if n := w.count("river_job WHERE kind = 'evaluate' AND attempt = 2"); n != 1 {
		t.Error("the attempt that was begun does not count, so a job that kills its process never ends")
	}
}

// While another process works on the file, its running jobs are its own.
func TestNothingIsTakenUpWhileAnotherProcessWorks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	w.open("topic", w.stale())
	w.deliver()
	_, release, err := takeUp(t.Context(), w.store)
	check(t, err)
	w.orphan(1)
	jobs, second, err := takeUp(t.Context(), w.store)
	if err != nil || jobs != 0 || w.count("river_job WHERE state = 'running'") != 1 {
		t.Errorf("beside another process: %d jobs, %v", jobs, err)
	}
	check(t, release()) // the first one ends; the second still works
	jobs, third, err := takeUp(t.Context(), w.store)
	if err != nil || jobs != 0 {
		t.Errorf("beside one that came later: %d jobs, %v", jobs, err)
	}
	check(t, errors.Join(second(), third()))
	jobs, last, err := takeUp(t.Context(), w.store)
	if err != nil || jobs != 1 {
		t.Errorf("alone: %d jobs, %v", jobs, err)
	}
	check(t, last())
}

// The queue drops a job that dies in its last attempt; ours never is the queue's last.
func TestAJobThatDiesInItsLastAttemptStillSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	_, head := w.open("topic", w.stale())
	w.hub.Fail(fakehub.Fault{Path: "*/git/trees/*", Status: 500, Times: -1})
	guid := w.deliver()
	w.orphan(attempts)
	w.start()
	w.settled()
	w.want(head, "failure", "Could not check")
	w.wantState(guid, store.Failed)
}

// What is cut off by a stop was no attempt, and is no failure.
func TestAStopPutsRunningJobsBack(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		_, head := w.open("topic", w.stale())
		gate := make(chan struct{})
		w.hub.Fail(fakehub.Fault{Path: "*/git/trees/*", Hold: gate, Times: -1})
		guid := w.deliver()
		check(t, w.runner.Start(t.Context()))
		w.await("the evaluation", func() bool { return w.count("river_job WHERE state = 'running'") > 0 })
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		check(t, w.runner.Stop(ended))
		close(gate)
		if n := w.count("river_job WHERE state = 'available' AND attempt = 0"); n != 1 {
			t.Errorf("%d jobs are back in the queue", n)
		}
		w.wantState(guid, store.Accepted)
		w.runner = must(New(w.runner.cfg))(t)
		w.start()
		w.settled()
		w.want(head, "failure", "1 card stale")
	})
}

// Two replicas share the work of one database, and each head gets one run.
func TestTwoReplicasOnOneDatabase(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{url: storetest.Postgres(t)})
	other := must(New(w.runner.cfg))(t)
	check(t, other.Start(t.Context()))
	defer func() { check(t, other.Stop(context.Background())) }()
	var heads []string
	for i := range 8 {
		number, head := w.open(fmt.Sprint("topic", i), docs(fmt.Sprint(i)))
		check(t, w.repo.Ready(number, false))
		heads = append(heads, head)
	}
	w.settled()
	for _, head := range heads {
		w.want(head, "success", "No cards affected")
	}
}

func TestOneHolderOfAKeyAtATime(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		replicas := []*Runner{w.runner, w.runner}
		if w.store.Dialect() == store.Postgres {
			replicas[1] = must(New(w.runner.cfg))(t)
		}
		unlock := must(replicas[0].alone(t.Context(), "a"))(t)
		must(replicas[1].alone(t.Context(), "b"))(t)()
		short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if second, err := replicas[1].alone(short, "a"); err == nil {
			t.Error("two hold one key")
			second()
		}
		unlock()
		must(replicas[1].alone(t.Context(), "a"))(t)()
		for _, r := range replicas {
			if n := len(r.single.held); n != 0 {
				t.Errorf("%d keys are kept", n)
			}
		}
	})
}

func TestWhoWaitsForAKeyLeavesWhenItsTimeIsUp(t *testing.T) {
	t.Parallel()
	var k keyed
	unlock := must(k.lock(t.Context(), "a"))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.lock(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("err %v", err)
	}
	must(k.lock(ctx, "b"))(t)() // a free key needs no time
	unlock()
	must(k.lock(t.Context(), "a"))(t)()
}

// Law 8: what the queue stores and logs of an error holds no name of a file.
func TestErrorsHoldNoTextOfARepository(t *testing.T) {
	t.Parallel()
	const canary = "CanaryCanary"
	path := &fs.PathError{Op: "open", Path: canary, Err: errors.New(canary)}
	for _, err := range []error{
		hush(errors.New(canary)), hush(fmt.Errorf("%s: %w", canary, extractor.ErrCollision)), safe(path),
		safe(fmt.Errorf("read %s: %w", canary, tree.ErrUnreadable)), hush(path),
	} {
		if strings.Contains(err.Error(), canary) || err.Error() == "" {
			t.Errorf("%v", err)
		}
	}
	if hush(nil) != nil {
		t.Error("no error became one")
	}
	if err := hush(path); !errors.Is(err, path) {
		t.Error("the cause is lost")
	}
}

func TestWhyNamesTheCause(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		err  error
		want string
	}{
		{extractor.ErrCollision, "share one card file"}, {secret.ErrFewRules, "too few rules"},
		{fmt.Errorf("%w: %w", secret.ErrNotScanned, context.DeadlineExceeded), "could not be scanned"},
		{secret.ErrNotWithheld, "could not be scanned"}, {tree.ErrConflict, "a path twice"}, {github.ErrTooLarge, "more was to be read"},
		{fmt.Errorf("%w: %w", tree.ErrUnreadable, errNotFetched), "cardkeeper itself failed"}, {errPanicked, "cardkeeper itself failed"},
		{github.ErrUnavailable, "did not answer"}, {context.DeadlineExceeded, "did not answer"}, {tree.ErrUnreadable, "could not be read"},
		{github.ErrForbidden, "permissions"}, {github.ErrNotFound, "permissions"}, {errors.New("x"), "no name for"},
	} {
		if got := strings.ToLower(why(tc.err)); !strings.Contains(got, tc.want) {
			t.Errorf("why(%v) = %q, want %q in it", tc.err, got, tc.want)
		}
	}
}

// What is for the queue, and what is a verdict already.
func TestWhatIsTriedAgain(t *testing.T) {
	t.Parallel()
	unfinished := fmt.Errorf("%w: %w", secret.ErrNotScanned, context.DeadlineExceeded)
	for _, tc := range []struct {
		err         error
		first, last bool
	}{
		{&github.Limited{After: time.Second}, true, true}, {errGone, true, true}, {github.ErrUnavailable, true, false}, {errLag, true, false},
		{tree.ErrUnreadable, true, false}, {context.DeadlineExceeded, true, false}, {unfinished, false, false}, {github.ErrTooLarge, false, false},
	} {
		if first, last := retried(tc.err, false), retried(tc.err, true); first != tc.first || last != tc.last {
			t.Errorf("%v: first %v, last %v", tc.err, first, last)
		}
	}
}

// 2A-56: a panic over what a repository holds is a failed check, and its value is not shown.
func TestAPanicIsAnErrorWithoutItsValue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	work := func() (err error) {
		defer w.runner.caught(t.Context(), &err)
		panic("CanaryCanary")
	}
	if err := work(); !errors.Is(err, errPanicked) || passing(err) {
		t.Errorf("err %v", err)
	}
	if log := w.log.String(); strings.Contains(log, "CanaryCanary") || !strings.Contains(log, "runner_test.go") {
		t.Error("the log holds the value, or not the place")
	}
}

func TestSettle(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var snooze *river.JobSnoozeError
	var cancelled *river.JobCancelError
	for i, tc := range []struct {
		sentence string
		ctx      context.Context
		last     bool
		err      error
		state    store.State
		want     func(error) bool
	}{
		{"done", t.Context(), false, nil, store.Done, func(err error) bool { return err == nil }},
		{"handed on", t.Context(), false, errHandedOn, store.Accepted, func(err error) bool { return err == nil }},
		{"unable", t.Context(), true, errUnable, store.Failed, func(err error) bool { return err == nil }},
		{"a stop is no attempt", ended, true, github.ErrUnavailable, store.Accepted, func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"a limit, also at the last", t.Context(), true, &github.Limited{After: time.Hour}, store.Accepted,
			func(err error) bool {
				return errors.As(err, &snooze) && snooze.Duration >= time.Hour && snooze.Duration <= time.Hour+time.Minute+time.Second
			}},
		{"tried again", t.Context(), false, github.ErrUnavailable, store.Accepted, func(err error) bool { return errors.Is(err, github.ErrUnavailable) }},
		{"the last attempt", t.Context(), true, github.ErrUnavailable, store.Failed, func(err error) bool { return errors.As(err, &cancelled) }},
		{"suspended, also at the last", t.Context(), true, github.ErrSuspended, store.Accepted,
			func(err error) bool { return errors.As(err, &snooze) && snooze.Duration == parked }},
		{"over", t.Context(), false, github.ErrArchived, store.Failed, func(err error) bool { return errors.As(err, &cancelled) }},
	} {
		guid := fmt.Sprint("guid-", i)
		check(t, w.store.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			_, err := w.store.AcceptTx(ctx, tx, store.Delivery{GUID: guid, Event: "push"})
			return err
		}))
		if err := w.runner.settle(tc.ctx, guid, tc.last, tc.err); !tc.want(err) {
			t.Errorf("%s: %v", tc.sentence, err)
		}
		if got := w.state(guid); got != tc.state {
			t.Errorf("%s: the delivery is %s, want %s", tc.sentence, got, tc.state)
		}
	}
	check(t, w.runner.settle(t.Context(), "", true, nil))
}

// A file that the check reads without having named it is fetched, and the check begun again.
func TestWhatWasNotNamedIsFetchedLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	client := w.runner.cfg.GitHub.Installation(w.hub.Installation("ada"))
	repo := must(client.Repository(t.Context(), w.repo.ID()))(t)
	s := must(take(t.Context(), newSource(client, repo), w.main))(t)
	if _, err := fs.ReadFile(s, mail); !errors.Is(err, errNotFetched) {
		t.Fatalf("read before it was fetched: %v", err)
	}
	check(t, s.fetchMissed(t.Context()))
	if text := must(fs.ReadFile(s, mail))(t); !strings.Contains(string(text), "# Mail") {
		t.Errorf("read: %q", text)
	}
	asked := w.hub.Counts()["GET /repos/{owner}/{repo}/git/blobs/{sha}"]
	check(t, s.fetchMissed(t.Context()))
	if again := w.hub.Counts()["GET /repos/{owner}/{repo}/git/blobs/{sha}"]; again != asked {
		t.Error("it was fetched twice")
	}
	var none *snapshot // a side that is not there
	check(t, errors.Join(none.fetch(t.Context(), mail), none.fetchMissed(t.Context())))
}

func TestADeletedRepositoryIsForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	w.open("topic", w.stale())
	w.deliver()
	d := webhooks.Delivery{GUID: "last-words", Event: "repository", Action: "deleted", Installation: w.hub.Installation("ada"), Repository: w.repo.ID()}
	work := []webhooks.Work{{Kind: webhooks.Account, What: "repository.deleted", Installation: d.Installation, Repository: d.Repository}}
	if fresh, err := w.runner.Accept(t.Context(), d, work); err != nil || !fresh {
		t.Fatalf("%v, %v", fresh, err)
	}
	if n := w.count("pulls") + w.count("deliveries") + w.count("river_job WHERE state <> 'cancelled'"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}
