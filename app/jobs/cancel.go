package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/riverqueue/river"
)

// cancel cancels a job that is not needed any more, if there is one, and ends the
// delivery behind it: whoever cancels does its work instead. The guid is the
// canceller's own; a delivery that was sent again may cancel its own first job.
func (r *Runner) cancel(ctx context.Context, tx *sql.Tx, job int64, guid string) error {
	if job == 0 {
		return nil
	}
	row, err := r.queue.JobCancelTx(ctx, tx, job)
	if errors.Is(err, river.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var args struct {
		GUID string `json:"guid"`
	}
	if json.Unmarshal(row.EncodedArgs, &args) != nil || args.GUID == "" || store.Whole(args.GUID) == store.Whole(guid) {
		return nil
	}
	return r.cfg.Store.FinishTx(ctx, tx, args.GUID, true)
}

// destroyed reports whether a merge group was given up: GitHub said so in a
// delivery about its head, and only a merge group's.
func (r *Runner) destroyed(ctx context.Context, repository int64, head string) (gone bool, err error) {
	err = r.cfg.Store.DB().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM deliveries WHERE repository = $1 AND head_sha = $2
		AND event = 'merge_group' AND action = 'destroyed')`, repository, head).Scan(&gone)
	if err != nil {
		return false, fmt.Errorf("jobs: look for the end of a merge group: %w", err)
	}
	return gone, nil
}
