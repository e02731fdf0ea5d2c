package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/cardkeeper/cardkeeper/app/logs"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/webhooks"
)

// RunAgain does the work of a failed delivery again, as GitHub's "Redeliver" would.
// What it does is read from the ids that were kept; a pull request is looked at as it
// is now. [store.ErrNotFailed] and [store.ErrNotFound] as [store.Store.ReopenTx] gives
// them, and [store.ErrNotKept].
func (r *Runner) RunAgain(ctx context.Context, guid string) error {
	ctx = logs.With(ctx, slog.String(logs.Delivery, guid))
	err := r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		d, dead, err := r.cfg.Store.ReopenTx(ctx, tx, guid)
		if err != nil {
			return err
		}
		if w, ok := wanted(d); ok {
			return errors.Join(r.bury(ctx, tx, dead...), r.enqueue(ctx, tx, guid, w))
		}
		for _, id := range dead {
			if err := r.revive(ctx, tx, id); err != nil {
				return err
			}
		}
		if len(dead) == 0 {
			return store.ErrNotKept
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("jobs.RunAgain: %w", err)
	}
	r.cfg.Log.InfoContext(ctx, "a person runs a delivery again")
	return nil
}

// RunJobAgain does the work of one job that gave up again; where it was to end a
// delivery, that delivery's. [store.ErrNotFailed] is for any other job.
func (r *Runner) RunJobAgain(ctx context.Context, id int64) error {
	var guid string
	err := r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		job, _, err := r.cfg.Store.DeadJobTx(ctx, tx, id)
		if guid = job.GUID; err != nil || guid != "" {
			return err
		}
		return r.revive(logs.With(ctx, slog.String(logs.Delivery, job.Delivery)), tx, id)
	})
	if err != nil {
		return fmt.Errorf("jobs.RunJobAgain: %w", err)
	}
	if guid != "" {
		return r.RunAgain(ctx, guid)
	}
	r.cfg.Log.InfoContext(ctx, "a person runs a job again", LogJob, id)
	return nil
}

// wanted is the work that a delivery asked for, told from its ids; false where they
// do not tell, as of a button that was pressed. The head is left out where the newest
// one counts. A merge group's base is not kept, so its head is looked up.
func wanted(d store.Delivery) (webhooks.Work, bool) {
	w := webhooks.Work{Installation: d.Installation, Repository: d.Repository, Pull: int(d.Pull)}
	switch d.Event + "." + d.Action {
	case "pull_request.closed":
		w.Kind, w.Head = webhooks.Drop, d.HeadSHA
		return w, true
	case "issue_comment.deleted", "merge_group.destroyed", "check_run.requested_action":
		return w, false
	}
	switch d.Event {
	case "pull_request":
		w.Kind = webhooks.Check
	case "issue_comment":
		w.Kind, w.Comment = webhooks.Answer, d.Comment
	case "push":
		w.Kind, w.Head = webhooks.CheckCommit, d.HeadSHA
	case "merge_group", "check_run", "check_suite":
		w.Kind, w.CheckRun, w.Head = webhooks.Recheck, d.CheckRun, d.HeadSHA
	}
	return w, w.Kind != ""
}

// revive inserts a job that gave up once more and takes the old row away, so that it
// is revived once. An evaluation begins a new generation: its old one may be over.
func (r *Runner) revive(ctx context.Context, tx *sql.Tx, id int64) error {
	job, args, err := r.cfg.Store.DeadJobTx(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := r.bury(ctx, tx, id); err != nil {
		return err
	}
	if job.Kind != (evaluateArgs{}).Kind() {
		return r.insert(ctx, tx, kept{job.Kind, json.RawMessage(args)})
	}
	var a evaluateArgs
	if err := json.Unmarshal([]byte(args), &a); err != nil {
		return store.ErrNotKept
	}
	return r.evaluate(ctx, tx, evaluateArgs{GUID: a.GUID}, store.Pull{Installation: a.Installation, Repository: a.Repository, Number: int64(a.Pull)})
}

// bury takes rows of jobs that are over away.
func (r *Runner) bury(ctx context.Context, tx *sql.Tx, ids ...int64) error {
	for _, id := range ids {
		if _, err := r.queue.JobDeleteTx(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// kept are the arguments of a job of any kind, as its row had them.
type kept struct {
	kind string
	json.RawMessage
}

func (k kept) Kind() string { return k.kind }
