package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

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
	if json.Unmarshal(row.EncodedArgs, &args) != nil || args.GUID == "" || args.GUID == guid {
		return nil
	}
	return r.cfg.Store.FinishTx(ctx, tx, args.GUID, true)
}

// cancelAll cancels the evaluations of an installation or a repository that are
// not over. Other jobs find out by themselves: GitHub gives them nothing any more.
func (r *Runner) cancelAll(ctx context.Context, tx *sql.Tx, column string, id int64) error {
	rows, err := tx.QueryContext(ctx, `SELECT p.job FROM pulls p JOIN river_job j ON j.id = p.job
		WHERE p.`+column+` = $1 AND j.finalized_at IS NULL`, id)
	if err != nil {
		return fmt.Errorf("jobs: list the jobs of what was removed: %w", err)
	}
	var list []int64
	for rows.Next() {
		var job int64
		if err := rows.Scan(&job); err != nil {
			return errors.Join(err, rows.Close())
		}
		list = append(list, job)
	}
	// Closed before the next statement: SQLite has one writing connection.
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return fmt.Errorf("jobs: list the jobs of what was removed: %w", err)
	}
	for _, job := range list {
		if err := r.cancel(ctx, tx, job, ""); err != nil {
			return err
		}
	}
	return nil
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
