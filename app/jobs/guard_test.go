package jobs

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/planted"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/riverqueue/river/rivertype"
)

// 2A-56, law 8: a panic in a worker is an error like any other. The queue stores
// and logs no word of it, the worker lives, and the work is tried again.
func TestAPanicInAWorkerIsAnErrorWithoutItsWords(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url, idle: true})
		value := planted.Kinds(92)[1]
		var times atomic.Int32
		w.store.Now = func() time.Time {
			if times.Add(-1) >= 0 {
				panic(fmt.Errorf("read %s", value.Text))
			}
			return time.Now()
		}
		_, head := w.open("topic", w.stale())
		w.deliver()
		times.Store(2)
		w.start()
		guid := w.settled()
		w.want(head, "failure", "1 card stale")
		if guid != "" {
			w.wantState(guid, store.Done)
		}
		var stored []string
		rows := must(w.store.DB().Query(`SELECT CAST(errors AS TEXT) FROM river_job WHERE errors IS NOT NULL`))(t)
		for rows.Next() {
			var text string
			check(t, rows.Scan(&text))
			stored = append(stored, text)
		}
		check(t, rows.Close())
		if all := strings.Join(stored, "\n"); !strings.Contains(all, errPanicked.Error()) || value.Shows(all) {
			t.Errorf("stored errors: %.300q", all)
		}
		if log := w.log.String(); value.Shows(log) || !strings.Contains(log, `"msg":"panic"`) {
			t.Error("the log quotes the panic, or says nothing of it")
		}
	})
}

// A worker that guards nothing itself is guarded all the same.
func TestTheGuardIsAroundEveryJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	work := w.runner.guard().(interface {
		Work(context.Context, *rivertype.JobRow, func(context.Context) error) error
	})
	err := work.Work(t.Context(), nil, func(context.Context) error { panic(fakehub.Text("x")) })
	if err != errPanicked {
		t.Errorf("err %v", err)
	}
}

// The rounds go on after a panic, which outside a job would end the process.
func TestAPanicInARoundEndsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	value, rounds := planted.Kinds(95)[0], 0
	w.runner.repeat(ctx, nil, func(context.Context) (bool, error) {
		if rounds++; rounds == 2 {
			cancel()
			return false, nil
		}
		panic(value.Text)
	})
	if log := w.log.String(); rounds != 2 || value.Shows(log) || !strings.Contains(log, `"msg":"panic"`) {
		t.Errorf("%d rounds; the log: %s", rounds, log)
	}
}
