package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/cardkeeper/cardkeeper/app/store"
)

// errShared: the lock file is held by another process.
var errShared = errors.New("the lock is held by another process")

// takeUp makes the jobs of a process that was killed available at once, where it
// is certain that nobody works on them: on a SQLite file that no other process
// works from. Otherwise the queue's rescue does it, within two minutes.
//
// The proof is a lock file beside the database: it is taken for ourselves alone,
// which fails while any other process works, and then shared for as long as we
// work. The system gives it up when a process dies. Release it after the last job.
func takeUp(ctx context.Context, st *store.Store) (jobs int64, release func() error, err error) {
	nothing := func() error { return nil }
	if st.Dialect() != store.SQLite {
		return 0, nothing, nil
	}
	var path string
	err = st.DB().QueryRowContext(ctx, `SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&path)
	if err != nil || path == "" {
		return 0, nothing, errors.Join(err, st.Ping(ctx))
	}
	file, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return 0, nothing, fmt.Errorf("jobs: the folder of the database must be writable: %w", err)
	}
	if err = lockAlone(file); err == nil {
		jobs, err = resume(ctx, st)
	}
	if err == nil || errors.Is(err, errShared) {
		err = lockShared(file)
	}
	if err != nil {
		return 0, nothing, errors.Join(err, file.Close())
	}
	return jobs, file.Close, nil
}

// resume goes behind the queue's interface: its own rescue would wait. An attempt
// that was begun counts, so that a job that kills its process does not do so for
// ever; one that has none left is the rescue's to discard.
func resume(ctx context.Context, st *store.Store) (jobs int64, err error) {
	err = st.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE river_job SET state = 'available',
			scheduled_at = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE state = 'running' AND attempt < max_attempts`)
		if err != nil {
			return err
		}
		if jobs, err = done.RowsAffected(); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE duties SET due_at = 0`) // nobody holds one
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("jobs: take up what a killed process left: %w", err)
	}
	return jobs, nil
}
