package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Pull is what is known of one pull request: (Repository, Number) is its key.
type Pull struct {
	Installation int64
	Repository   int64
	Number       int64
	Head         string // commit ids as last reported or evaluated, or empty
	Base         string

	// Set by the store.
	Generation int64 // 1, 2, ...: raised by everything that makes older work moot
	Job        int64 // the queue's id of the current evaluate job, 0 if none
	Closed     bool
	UpdatedAt  time.Time
}

func (p Pull) check() error {
	return check(id("installation", p.Installation), id("repository", p.Repository),
		id("pull", p.Number), commit("head", p.Head), commit("base", p.Base))
}

// NextGenerationTx opens the next generation of a pull request, for an event that
// calls for a fresh evaluation, and gives the job of the generation before: cancel
// it, insert the new one, and record that with SetJobTx, all in this transaction.
//
// An empty Head or Base keeps the one that is known. A closed pull request is open
// again afterwards: events can overtake each other, so the job reads the pull
// request from GitHub and calls CloseTx if it is closed there.
func (s *Store) NextGenerationTx(ctx context.Context, tx *sql.Tx, p Pull) (generation, previousJob int64, err error) {
	defer wrap(&err, "NextGenerationTx")
	opened := []Pull{p}
	err = s.nextGenerations(ctx, tx, opened)
	return opened[0].Generation, opened[0].Job, err
}

// SetJobTx records the job that evaluates a generation. [ErrStale] means that the
// generation is not the current one any more: do not insert the job.
func (s *Store) SetJobTx(ctx context.Context, tx *sql.Tx, repository, number, generation, job int64) (err error) {
	defer wrap(&err, "SetJobTx")
	n, err := changed(ctx, tx, `UPDATE pulls SET job = $1
		WHERE repository = $2 AND number = $3 AND generation = $4 AND NOT closed`,
		job, repository, number, generation)
	if err == nil && n == 0 {
		return ErrStale
	}
	return err
}

// CloseTx marks a pull request closed or merged: its generation is raised, so that
// a running job finds itself stale, and its verdict goes, so that the other pull
// requests on that head are judged without it. The job to cancel is returned, 0 if
// there is none or the pull request is not known.
func (s *Store) CloseTx(ctx context.Context, tx *sql.Tx, repository, number int64) (job int64, err error) {
	defer wrap(&err, "CloseTx")
	err = tx.QueryRowContext(ctx, `UPDATE pulls SET closed = TRUE, generation = generation + 1, updated_at = $1
		WHERE repository = $2 AND number = $3 RETURNING job`, s.millis(), repository, number).Scan(&job)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	_, err = changed(ctx, tx, `DELETE FROM verdicts WHERE repository = $1 AND number = $2`, repository, number)
	return job, err
}

// Generation is the fence: a job that holds an older generation, or finds the pull
// request closed, must publish nothing. It is read again right before each outside
// effect. [ErrNotFound] means that the repository was forgotten: publish nothing.
func (s *Store) Generation(ctx context.Context, repository, number int64) (generation int64, open bool, err error) {
	defer wrap(&err, "Generation")
	err = s.row(ctx, func(row scanner) error { return row.Scan(&generation, &open) },
		`SELECT generation, NOT closed FROM pulls WHERE repository = $1 AND number = $2`, repository, number)
	return generation, open, err
}

const selectPulls = `SELECT installation, repository, number, head_sha, base_sha,
	generation, job, closed, updated_at FROM pulls `

func scanPull(row scanner) (p Pull, err error) {
	var at int64
	err = row.Scan(&p.Installation, &p.Repository, &p.Number, &p.Head, &p.Base,
		&p.Generation, &p.Job, &p.Closed, &at)
	p.UpdatedAt = moment(at)
	return p, err
}

// Pull reads one pull request; [ErrNotFound] if it is not known.
func (s *Store) Pull(ctx context.Context, repository, number int64) (p Pull, err error) {
	defer wrap(&err, "Pull")
	err = s.row(ctx, func(row scanner) error {
		p, err = scanPull(row)
		return err
	}, selectPulls+`WHERE repository = $1 AND number = $2`, repository, number)
	return p, err
}

// PullsAt lists the open pull requests whose head is the commit, by number. One
// that is here but not in [Store.VerdictsAt] is still being evaluated.
func (s *Store) PullsAt(ctx context.Context, repository int64, head string) ([]Pull, error) {
	return s.pulls(ctx, "PullsAt", `WHERE repository = $1 AND head_sha = $2 AND NOT closed`, repository, head)
}

// PullsAtTx is PullsAt inside a transaction.
func (s *Store) PullsAtTx(ctx context.Context, tx *sql.Tx, repository int64, head string) (list []Pull, err error) {
	defer wrap(&err, "PullsAtTx")
	rows, err := tx.QueryContext(ctx, selectPulls+`WHERE repository = $1 AND head_sha = $2 AND NOT closed ORDER BY number`, repository, head)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		p, err := scanPull(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, rows.Err()
}

// OpenPulls lists the pull requests of a repository that are open as far as is
// known, by number: for evaluating all of them again after a change of policy.
func (s *Store) OpenPulls(ctx context.Context, repository int64) ([]Pull, error) {
	return s.pulls(ctx, "OpenPulls", `WHERE repository = $1 AND NOT closed`, repository)
}

func (s *Store) pulls(ctx context.Context, call, where string, args ...any) (list []Pull, err error) {
	defer wrap(&err, call)
	err = s.rows(ctx, func(row scanner) error {
		p, err := scanPull(row)
		list = append(list, p)
		return err
	}, selectPulls+where+` ORDER BY number`, args...)
	return list, err
}
