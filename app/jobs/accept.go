package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/webhooks"
	"github.com/riverqueue/river"
)

var _ webhooks.Inbox = (*Runner)(nil)

// Accept stores the delivery and its jobs in one transaction. A delivery that
// was stored before, and whose work did not fail for good, changes nothing.
func (r *Runner) Accept(ctx context.Context, d webhooks.Delivery, work []webhooks.Work) (fresh bool, err error) {
	err = r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		fresh, err = r.cfg.Store.AcceptTx(ctx, tx, store.Delivery{
			GUID: d.GUID, Event: d.Event, Action: d.Action, Installation: d.Installation, Repository: d.Repository,
			Pull: int64(d.Pull), Comment: d.Comment, CheckRun: d.CheckRun, HeadSHA: d.Head,
		})
		if err != nil || !fresh {
			return err
		}
		for _, w := range work {
			if err := r.enqueue(ctx, tx, d.GUID, w); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("jobs.Accept: %w", err)
	}
	return fresh, nil
}

// enqueue inserts the jobs of one piece of work. What needs no job is done at
// once, and the delivery with it.
func (r *Runner) enqueue(ctx context.Context, tx *sql.Tx, guid string, w webhooks.Work) error {
	switch w.Kind {
	case webhooks.Check:
		return r.evaluate(ctx, tx, guid, store.Pull{
			Installation: w.Installation, Repository: w.Repository, Number: int64(w.Pull), Head: w.Head,
		})
	case webhooks.Answer:
		return r.insert(ctx, tx, answerArgs{guid, w.Installation, w.Repository, w.Pull, w.Comment})
	case webhooks.CheckCommit:
		return r.insert(ctx, tx, commitArgs{guid, w.Installation, w.Repository, w.Head, w.Base})
	case webhooks.Drop:
		if w.Comment == 0 && w.Pull != 0 {
			return r.close(ctx, tx, guid, w)
		}
	case webhooks.Recheck:
		return r.recheck(ctx, tx, guid, w)
	case webhooks.Account:
		if w.What == "installation.deleted" {
			return r.cfg.Store.ForgetInstallationTx(ctx, tx, w.Installation)
		}
	}
	return r.cfg.Store.FinishTx(ctx, tx, guid, true)
}

func (r *Runner) insert(ctx context.Context, tx *sql.Tx, args river.JobArgs) error {
	_, err := r.queue.InsertTx(ctx, tx, args, nil)
	return err
}

// evaluate opens the next generation of a pull request and replaces the job of
// the one before.
func (r *Runner) evaluate(ctx context.Context, tx *sql.Tx, guid string, p store.Pull) error {
	generation, previous, err := r.cfg.Store.NextGenerationTx(ctx, tx, p)
	if err != nil {
		return err
	}
	if err := r.cancel(ctx, tx, previous); err != nil {
		return err
	}
	inserted, err := r.queue.InsertTx(ctx, tx, evaluateArgs{guid, p.Installation, p.Repository, int(p.Number), generation}, nil)
	if err != nil {
		return err
	}
	return r.cfg.Store.SetJobTx(ctx, tx, p.Repository, p.Number, generation, inserted.Job.ID)
}

// cancel cancels a job that is not needed any more, if there is one.
func (r *Runner) cancel(ctx context.Context, tx *sql.Tx, job int64) error {
	if job == 0 {
		return nil
	}
	if _, err := r.queue.JobCancelTx(ctx, tx, job); err != nil && !errors.Is(err, river.ErrNotFound) {
		return err
	}
	return nil
}

// close stops the work on a pull request. Another one on the same head is
// published again without it.
func (r *Runner) close(ctx context.Context, tx *sql.Tx, guid string, w webhooks.Work) error {
	job, err := r.cfg.Store.CloseTx(ctx, tx, w.Repository, int64(w.Pull))
	if err != nil {
		return err
	}
	if err := r.cancel(ctx, tx, job); err != nil {
		return err
	}
	if w.Head == "" {
		return r.cfg.Store.FinishTx(ctx, tx, guid, true)
	}
	return r.insert(ctx, tx, publishArgs{guid, w.Installation, w.Repository, w.Head})
}

// recheck looks again at a commit that a person asked for: at the pull requests
// that are known to have it as their head, else at the commit itself.
func (r *Runner) recheck(ctx context.Context, tx *sql.Tx, guid string, w webhooks.Work) error {
	pulls, err := r.cfg.Store.PullsAtTx(ctx, tx, w.Repository, w.Head)
	if err != nil {
		return err
	}
	for _, p := range pulls {
		p.Installation = w.Installation
		if err := r.evaluate(ctx, tx, guid, p); err != nil {
			return err
		}
	}
	if len(pulls) == 0 {
		return r.cfg.Store.FinishTx(ctx, tx, guid, true)
	}
	return nil
}
