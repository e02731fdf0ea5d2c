package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/riverqueue/river"
)

// forget deletes everything that is kept of an installation, or of one repository of it, with the
// queue's rows that name it. Jobs that run are cancelled; once they have ended, what
// they may have written meanwhile goes as well.
func (r *Runner) forget(ctx context.Context, tx *sql.Tx, f store.Farewell) error {
	if _, err := r.dropJobs(ctx, tx, f); err != nil {
		return err
	}
	return r.cfg.Store.ForgetTx(ctx, tx, f)
}

// bidFarewells ends what was forgotten while it still ran.
func (r *Runner) bidFarewells(ctx context.Context) error {
	list, err := r.cfg.Store.Farewells(ctx)
	for _, f := range list {
		err = errors.Join(err, r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			running, err := r.dropJobs(ctx, tx, f)
			if err != nil || running > 0 {
				return err
			}
			return r.cfg.Store.EndFarewellTx(ctx, tx, f)
		}))
	}
	return err
}

// dropJobs goes behind the queue's interface, which deletes one job at a time. A running one has a
// worker who will write its row once more.
func (r *Runner) dropJobs(ctx context.Context, tx *sql.Tx, f store.Farewell) (running int, err error) {
	where, args := r.argument("installation")+` = $1`, []any{f.Installation}
	if f.Repository != 0 {
		where, args = where+` AND `+r.argument("repository")+` = $2`, append(args, f.Repository)
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM river_job WHERE state <> 'running' AND `+where, args...); err != nil {
		return 0, fmt.Errorf("jobs: delete the jobs of what was removed: %w", err)
	}
	rows, err := tx.QueryContext(ctx, `SELECT id FROM river_job WHERE state = 'running' AND `+where, args...)
	if err != nil {
		return 0, fmt.Errorf("jobs: list the jobs of what was removed: %w", err)
	}
	var list []int64
	for rows.Next() {
		var job int64
		if err := rows.Scan(&job); err != nil {
			return 0, errors.Join(err, rows.Close())
		}
		list = append(list, job)
	}
	// Closed before the next statement: SQLite has one writing connection.
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return 0, fmt.Errorf("jobs: list the jobs of what was removed: %w", err)
	}
	for _, job := range list {
		if _, err := r.queue.JobCancelTx(ctx, tx, job); err != nil && !errors.Is(err, river.ErrNotFound) {
			return 0, err
		}
	}
	return len(list), nil
}

// wake lets the jobs of an installation begin that wait for its suspension to end, or for anything else.
func (r *Runner) wake(ctx context.Context, tx *sql.Tx, installation int64) error {
	now := `now()`
	if r.cfg.Store.Dialect() == store.SQLite {
		now = `strftime('%Y-%m-%d %H:%M:%f', 'now')`
	}
	_, err := tx.ExecContext(ctx, `UPDATE river_job SET scheduled_at = `+now+`
		WHERE state = 'scheduled' AND scheduled_at > `+now+` AND `+r.argument("installation")+` = $1`, installation)
	if err != nil {
		return fmt.Errorf("jobs: wake the jobs of an installation: %w", err)
	}
	return nil
}

// argument is SQL for a number among the arguments of a job, NULL where it has none.
func (r *Runner) argument(name string) string {
	if r.cfg.Store.Dialect() == store.Postgres {
		return `CAST(args->>'` + name + `' AS BIGINT)`
	}
	return `json_extract(args, '$.` + name + `')`
}
