package jobs

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/webhooks"
	"github.com/riverqueue/river"
)

var _ webhooks.Inbox = (*Runner)(nil)

// Accept stores the delivery and its jobs in one transaction, with others that came at the same time. A
// delivery that was stored before, and whose work did not fail for good, changes nothing.
func (r *Runner) Accept(ctx context.Context, d webhooks.Delivery, work []webhooks.Work) (fresh bool, err error) {
	l := &letter{ctx: ctx, d: d, work: work, done: make(chan struct{})}
	r.intake.post(l, r.acceptAll)
	if l.err != nil {
		return false, fmt.Errorf("jobs.Accept: %w", l.err)
	}
	for _, w := range work {
		if w.Kind == webhooks.Account && l.fresh {
			r.cfg.GitHub.Forget(w.Installation) // its token may stand for other rights now
			r.nudge()
		}
	}
	return l.fresh, nil
}

// enqueue inserts the jobs of one piece of work. What needs no job is done at
// once, and the delivery with it.
func (r *Runner) enqueue(ctx context.Context, tx *sql.Tx, guid string, w webhooks.Work) error {
	one := pile{r: r}
	if err := one.add(ctx, tx, guid, w); err != nil {
		return err
	}
	return one.settle(ctx, tx)
}

// insert puts a job into the queue in the transaction of the row that asks for it.
// No job is unique to the queue: a generation, or the effect's key, says whether
// it still has something to do, and the queue's own rule would drop an event that
// comes while a job of the same arguments runs.
func (r *Runner) insert(ctx context.Context, tx *sql.Tx, args river.JobArgs) error {
	o := inserted(ctx)
	if args.Kind() == (historyArgs{}).Kind() {
		o.Queue = historyQueue
	}
	_, err := r.queue.InsertTx(ctx, tx, args, o)
	return err
}

// insertLate is insert for what was found and not told.
func (r *Runner) insertLate(ctx context.Context, tx *sql.Tx, args river.JobArgs) error {
	_, err := r.queue.InsertTx(ctx, tx, args, urgency(ctx, true))
	return err
}

// evaluate opens the next generation of a pull request and replaces the job of
// the one before. The arguments but the guid and Again are filled in here.
func (r *Runner) evaluate(ctx context.Context, tx *sql.Tx, a evaluateArgs, p store.Pull) error {
	one := pile{r: r}
	one.check(ctx, a, p)
	return one.settle(ctx, tx)
}

// latePriority puts what was found behind what was told; the queue's own is 1, the first.
const latePriority = 3

func urgency(ctx context.Context, late bool) *river.InsertOpts {
	opts := inserted(ctx)
	if late {
		if opts == nil {
			opts = &river.InsertOpts{}
		}
		opts.Priority = latePriority
	}
	return opts
}

// close stops the work on a pull request. Another one on the same head is
// published again without it.
func (r *Runner) close(ctx context.Context, tx *sql.Tx, guid string, w webhooks.Work) error {
	job, err := r.cfg.Store.CloseTx(ctx, tx, w.Repository, int64(w.Pull))
	if err != nil {
		return err
	}
	if err := r.cancel(ctx, tx, job, guid); err != nil {
		return err
	}
	if w.Head == "" {
		return r.cfg.Store.FinishTx(ctx, tx, guid, true)
	}
	return r.insert(ctx, tx, publishArgs{guid, w.Installation, w.Repository, w.Head})
}

// recheck looks again at a commit that a person asked for: at the pull requests
// that are known to have it as their head. Where none is known a job looks for them.
func (r *Runner) recheck(ctx context.Context, tx *sql.Tx, guid string, w webhooks.Work) error {
	pulls, err := r.cfg.Store.PullsAtTx(ctx, tx, w.Repository, w.Head)
	if err != nil {
		return err
	}
	if len(pulls) == 0 {
		return r.insert(ctx, tx, recheckArgs{guid, w.Installation, w.Repository, w.Head})
	}
	for i := range pulls {
		pulls[i].Installation = w.Installation
	}
	return r.again(ctx, tx, guid, pulls)
}

// again looks at pull requests anew for one delivery. Where they are several, each is a
// part of it, so that it is done with the last and has failed with the first that has.
func (r *Runner) again(ctx context.Context, tx *sql.Tx, guid string, pulls []store.Pull) (err error) {
	for _, p := range pulls {
		name := guid
		if len(pulls) > 1 && guid != "" {
			if name, err = r.cfg.Store.AddPartTx(ctx, tx, guid, p); err != nil {
				return err
			}
		}
		if err := r.evaluate(ctx, tx, evaluateArgs{GUID: name, Again: true}, p); err != nil {
			return err
		}
	}
	return nil
}
