package jobs

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// sweepOnce does the sweep if it is due, in a process of its own.
func (w *world) sweepOnce() {
	w.t.Helper()
	r := w.keeper()
	_ = must(r.duty(w.t.Context(), sweepDuty, time.Minute, r.sweep))(w.t)
}

// attempts counts the requests for another delivery.
func (w *world) attempts() (n int) {
	for _, r := range w.hub.Requests() {
		if r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/attempts") {
			n++
		}
	}
	return n
}

// down lets every delivery fail until the returned function is called.
func (w *world) down() (up func()) {
	address := serveFunc(w.t, func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusBadGateway) })
	w.hub.SetTarget(address)
	return func() { w.hub.SetTarget(w.target) }
}

// fail delivers what happened to somebody who is not there.
func (w *world) fail() (events int) {
	w.t.Helper()
	return len(must(w.hub.Deliver(w.t.Context()))(w.t))
}

func TestAFailedDeliveryIsAskedForAgain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		up := w.down()
		_, head := w.open("topic", w.stale())
		failed := w.fail()
		up()
		w.sweepOnce()
		w.settled()
		w.want(head, "failure", "1 card stale")
		if n := w.attempts(); n != failed {
			t.Errorf("%d attempts were asked for, want %d", n, failed)
		}
		// The failure stays on GitHub's list for days, and is not asked for again.
		for range 5 {
			w.later()
			_ = must(w.store.DB().Exec(`UPDATE redeliveries SET due_at = 0 WHERE due_at < $1`, int64(1)<<61))(t)
			w.hub.ForgetRequests()
			w.sweepOnce()
			if n := len(w.hub.Requests()); w.attempts() != 0 || n > 2 {
				t.Errorf("a sweep with nothing to do made %d requests", n)
			}
		}
		w.only(head)
	})
}

// An event that failed, was sent again by a person and taken then, is settled; so is one that wanted nothing.
func TestWhatWasTakenAtAnotherAttemptIsSettled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	up := w.down()
	number, _ := w.open("topic", w.stale())
	must(w.repo.Comment(number, "mallory", "no question"))(t)
	w.fail()
	up()
	for _, d := range w.hub.Deliveries() {
		check(t, w.hub.Repeat(d.GUID))
	}
	w.settled()
	w.sweepOnce()
	if n := w.attempts(); n != 0 {
		t.Errorf("%d attempts", n)
	}
}

// What fails whenever it comes is not asked for without end, and later failures still are.
func TestADeliveryThatAlwaysFailsIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.down()
	w.open("topic", w.stale())
	failed := w.fail()
	for range 2 * sweepTries {
		w.later()
		_ = must(w.store.DB().Exec(`UPDATE redeliveries SET due_at = 0 WHERE due_at < $1`, int64(1)<<61))(t)
		w.sweepOnce()
		w.fail()
	}
	if n := w.attempts(); n != failed*sweepTries {
		t.Errorf("%d attempts, want %d for each of %d", n, sweepTries, failed)
	}
}

// A round asks for so many, reads so many pages, and the next goes on there.
func TestASweepIsBoundedAndGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	w.down()
	const events = sweepPages*100 + 150
	number, _ := w.open("topic", w.stale())
	w.hub.Lose()
	for i := range events {
		check(t, w.repo.Ready(number, i%2 == 0))
	}
	failed := w.hub.Pending()
	w.fail()
	w.hub.ForgetRequests()
	w.sweepOnce()
	if n := w.attempts(); n != sweepMost {
		t.Errorf("%d attempts in a round, want %d", n, sweepMost)
	}
	if n := w.count("redeliveries"); n != sweepPages*100 {
		t.Errorf("%d of %d failures were noted in the first round", n, failed)
	}
	w.later()
	w.sweepOnce()
	if n := w.count("redeliveries"); n != failed {
		t.Errorf("%d of %d failures were noted in the second", n, failed)
	}
}

// After three days GitHub delivers nothing again: the open pull requests themselves are what is left.
func TestAfterAWeekOnlyTheRoundsHelp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	up := w.down()
	_, head := w.open("topic", w.stale())
	w.fail()
	up()
	week := func() time.Time { return time.Now().Add(7 * 24 * time.Hour) }
	w.hub.SetClock(week)
	w.sweepOnce()
	if n := w.attempts(); n != 0 {
		t.Errorf("%d attempts", n)
	}
	w.hub.SetClock(time.Now)
	w.rounds()
	w.idleQueue()
	w.want(head, "failure", "1 card stale")
}

func TestOfManyReplicasOneSweeps(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		w.down()
		w.open("topic", w.stale())
		failed := w.fail()
		var group sync.WaitGroup
		for range 8 {
			r := w.keeper()
			group.Go(func() {
				if _, err := r.duty(t.Context(), sweepDuty, time.Hour, r.sweep); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if n := w.attempts(); n != failed {
			t.Errorf("%d attempts, want %d", n, failed)
		}
	})
}

func TestTheMarkOfASweepIsReadBack(t *testing.T) {
	t.Parallel()
	for _, m := range []sweepMark{{}, {until: 5}, {until: 5, newest: 7, cursor: "v1_12077215967"}, {cursor: "a:b"}} {
		if got := parseSweepMark(m.String()); got != m {
			t.Errorf("%+v became %+v", m, got)
		}
	}
	if got := parseSweepMark("nonsense"); got != (sweepMark{}) {
		t.Errorf("nonsense became %+v", got)
	}
}
