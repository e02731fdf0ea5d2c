package jobs

import (
	"cmp"
	"context"
	"database/sql"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cardkeeper/cardkeeper/app/logs"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/webhooks"
)

// Deliveries that come at once are stored in one transaction: a commit costs about as
// much for sixty as for one, and on SQLite everybody waits for the one who writes. None is
// answered before the commit that holds it.

const (
	// maxBatch bounds a transaction, so that whoever comes next waits for tens of milliseconds.
	maxBatch = 64
	// batchTime ends one, before GitHub gives up on its deliveries after ten seconds.
	batchTime = 5 * time.Second
	// batches is how many PostgreSQL works on at a time, for one process; SQLite has one writer.
	batches = 4
)

// A letter is a delivery that waits for a transaction.
type letter struct {
	ctx  context.Context
	d    webhooks.Delivery
	work []webhooks.Work

	fresh bool
	err   error
	done  chan struct{}
}

// An intake gathers letters. Whoever finds a slot free takes all that wait, and the
// others find theirs done.
type intake struct {
	slots chan struct{}

	mu      sync.Mutex
	waiting []*letter
}

func newIntake(d store.Dialect) *intake {
	if d == store.Postgres {
		return &intake{slots: make(chan struct{}, batches)}
	}
	return &intake{slots: make(chan struct{}, 1)}
}

// post waits until the letter was dealt with by somebody, or its context ends while nobody
// has begun with it.
func (in *intake) post(l *letter, deal func([]*letter)) {
	in.mu.Lock()
	in.waiting = append(in.waiting, l)
	in.mu.Unlock()
	for {
		select {
		case <-l.done:
			return
		case in.slots <- struct{}{}:
			if batch := in.take(); len(batch) > 0 {
				deal(batch)
			}
			<-in.slots
		case <-l.ctx.Done():
			if in.withdraw(l) {
				l.err = l.ctx.Err()
				return
			}
			<-l.done // its transaction may be committed by now, and ends soon
			return
		}
	}
}

func (in *intake) take() []*letter {
	in.mu.Lock()
	defer in.mu.Unlock()
	n := min(maxBatch, len(in.waiting))
	batch := slices.Clone(in.waiting[:n])
	in.waiting = slices.Delete(in.waiting, 0, n)
	return batch
}

// withdraw takes a letter back that nobody has begun with.
func (in *intake) withdraw(l *letter) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	i := slices.Index(in.waiting, l)
	if i >= 0 {
		in.waiting = slices.Delete(in.waiting, i, i+1)
	}
	return i >= 0
}

// acceptAll stores a batch. Where one of it cannot be stored, each gets a transaction
// of its own, so that it alone is refused.
func (r *Runner) acceptAll(batch []*letter) {
	defer func() {
		for _, l := range batch {
			close(l.done)
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(batch[0].ctx), batchTime)
	defer cancel()
	err := r.acceptTogether(ctx, batch)
	if err == nil {
		return
	}
	alone := len(batch) > 1 && ctx.Err() == nil // a database that is too slow for all is no faster for each
	for _, l := range batch {
		if l.err = err; alone {
			l.err = r.acceptTogether(l.ctx, []*letter{l})
		}
	}
}

// acceptTogether locks rows in one order, whatever the order of arrival: two batches never wait
// for each other. Work on one pull request keeps the order in which it came.
func (r *Runner) acceptTogether(ctx context.Context, batch []*letter) error {
	byGUID := slices.Clone(batch)
	slices.SortStableFunc(byGUID, func(a, b *letter) int { return cmp.Compare(a.d.GUID, b.d.GUID) })
	byPull := slices.Clone(batch)
	slices.SortStableFunc(byPull, func(a, b *letter) int {
		return cmp.Or(cmp.Compare(a.d.Repository, b.d.Repository), cmp.Compare(a.d.Pull, b.d.Pull))
	})
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := r.record(ctx, tx, byGUID); err != nil {
			return err
		}
		wanted := pile{r: r}
		for _, l := range byPull {
			if !l.fresh {
				continue
			}
			ctx := logs.With(ctx, slog.String(logs.Delivery, l.d.GUID))
			for _, w := range l.work {
				if err := wanted.add(ctx, tx, l.d.GUID, w); err != nil {
					return err
				}
			}
		}
		return wanted.settle(ctx, tx)
	})
}

// record stores the deliveries and marks the fresh ones; of two with one guid the first.
func (r *Runner) record(ctx context.Context, tx *sql.Tx, letters []*letter) error {
	list := make([]store.Delivery, len(letters))
	for i, l := range letters {
		d := l.d
		list[i] = store.Delivery{
			GUID: d.GUID, Event: d.Event, Action: d.Action, Installation: d.Installation, Repository: d.Repository,
			Pull: int64(d.Pull), Comment: d.Comment, CheckRun: d.CheckRun, HeadSHA: d.Head,
		}
	}
	fresh, err := r.cfg.Store.AcceptAllTx(ctx, tx, list)
	for _, l := range letters {
		l.fresh = fresh[l.d.GUID]
		delete(fresh, l.d.GUID)
	}
	return err
}
