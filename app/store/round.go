package store

import (
	"context"
	"database/sql"
	"time"
)

// A Round is one look at a repository's open pull requests, or at an
// installation's list of repositories: what finds work that no delivery told of.
type Round struct {
	Installation int64
	Repository   int64 // 0 for the installation's list
	Tip          bool  // the default branch's head wants a run too

	// Set by the store.
	Tries    int // that failed, one after the other
	LookedAt time.Time
	lease    int64 // what due_at is while this claim holds
}

func (r Round) check() error {
	return check(id("installation", r.Installation), maybeID("repository", r.Repository))
}

// AskRoundTx has a round done as soon as somebody comes to it. One that is being
// done is done once more afterwards.
func (s *Store) AskRoundTx(ctx context.Context, tx *sql.Tx, r Round) (err error) {
	defer wrap(&err, "AskRoundTx")
	if err := r.check(); err != nil {
		return err
	}
	_, err = changed(ctx, tx, `INSERT INTO rounds (installation, repository, due_at, looked_at, tip, tries)
		VALUES ($1, $2, $3, 0, $4, 0)
		ON CONFLICT (installation, repository) DO UPDATE SET due_at = excluded.due_at,
			tip = rounds.tip OR excluded.tip, tries = 0`, r.Installation, r.Repository, s.millis(), r.Tip)
	return err
}

// AddRoundTx is AskRoundTx for what is not known yet, and does nothing else.
func (s *Store) AddRoundTx(ctx context.Context, tx *sql.Tx, r Round) (err error) {
	defer wrap(&err, "AddRoundTx")
	if err := r.check(); err != nil {
		return err
	}
	_, err = changed(ctx, tx, `INSERT INTO rounds (installation, repository, due_at, looked_at, tip, tries)
		VALUES ($1, $2, $3, 0, $4, 0) ON CONFLICT (installation, repository) DO NOTHING`,
		r.Installation, r.Repository, s.millis(), r.Tip)
	return err
}

// ClaimRound takes the round that has been due for longest, for as long as the
// lease. Of several callers each gets another one. [ErrNotFound] means that none is due.
// A round that is neither ended nor asked for again is due at the lease's end.
func (s *Store) ClaimRound(ctx context.Context, lease time.Duration) (r Round, err error) {
	defer wrap(&err, "ClaimRound")
	err = s.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		now := s.millis()
		query := `UPDATE rounds SET due_at = $1 WHERE (installation, repository) IN (
				SELECT installation, repository FROM rounds WHERE due_at <= $2
				ORDER BY due_at, repository, installation LIMIT 1` + s.dialect.skipLocked() + `)
			RETURNING installation, repository, tip, tries, looked_at, due_at`
		var looked int64
		err := tx.QueryRowContext(ctx, query, now+lease.Milliseconds(), now).
			Scan(&r.Installation, &r.Repository, &r.Tip, &r.Tries, &looked, &r.lease)
		r.LookedAt = moment(looked)
		return absent(err)
	})
	return r, err
}

// EndRoundTx gives a claim back: the next one is due at the given time. ok says that
// it was done to its end. Where the round was asked for meanwhile, or the lease ran out
// and another has it, that stands.
func (s *Store) EndRoundTx(ctx context.Context, tx *sql.Tx, r Round, ok bool, next time.Time) (err error) {
	defer wrap(&err, "EndRoundTx")
	if ok {
		_, err = changed(ctx, tx, `UPDATE rounds SET due_at = $1, looked_at = $2, tip = FALSE, tries = 0
			WHERE installation = $3 AND repository = $4 AND due_at = $5`,
			next.UnixMilli(), s.millis(), r.Installation, r.Repository, r.lease)
		return err
	}
	_, err = changed(ctx, tx, `UPDATE rounds SET due_at = $1, tries = tries + 1
		WHERE installation = $2 AND repository = $3 AND due_at = $4`, next.UnixMilli(), r.Installation, r.Repository, r.lease)
	return err
}

// PutOffRoundsTx lets no round of an installation be due before a time.
func (s *Store) PutOffRoundsTx(ctx context.Context, tx *sql.Tx, installation int64, until time.Time) (err error) {
	defer wrap(&err, "PutOffRoundsTx")
	_, err = changed(ctx, tx, `UPDATE rounds SET due_at = $1 WHERE installation = $2 AND due_at < $1`, until.UnixMilli(), installation)
	return err
}

// HurryRoundsTx makes every round due that was not done since a time.
func (s *Store) HurryRoundsTx(ctx context.Context, tx *sql.Tx, since time.Time) (err error) {
	defer wrap(&err, "HurryRoundsTx")
	_, err = changed(ctx, tx, `UPDATE rounds SET due_at = $1 WHERE due_at > $1 AND looked_at < $2`, s.millis(), since.UnixMilli())
	return err
}

// Rounds lists the rounds of an installation, its own first.
func (s *Store) Rounds(ctx context.Context, installation int64) (list []Round, err error) {
	defer wrap(&err, "Rounds")
	err = s.rows(ctx, func(row scanner) error {
		var r Round
		var looked int64
		err := row.Scan(&r.Installation, &r.Repository, &r.Tip, &r.Tries, &looked, &r.lease)
		r.LookedAt = moment(looked)
		list = append(list, r)
		return err
	}, `SELECT installation, repository, tip, tries, looked_at, due_at FROM rounds WHERE installation = $1 ORDER BY repository`, installation)
	return list, err
}

// KnownRepositories lists the repositories of an installation of which something is kept.
func (s *Store) KnownRepositories(ctx context.Context, installation int64) ([]int64, error) {
	return s.ids(ctx, "KnownRepositories", `SELECT repository FROM rounds WHERE installation = $1 AND repository > 0
		UNION SELECT repository FROM pulls WHERE installation = $1 ORDER BY 1`, installation)
}

// KnownInstallations lists the installations of which something is kept.
func (s *Store) KnownInstallations(ctx context.Context) ([]int64, error) {
	return s.ids(ctx, "KnownInstallations", `SELECT installation FROM rounds UNION SELECT installation FROM pulls ORDER BY 1`)
}

func (s *Store) ids(ctx context.Context, call, query string, args ...any) (list []int64, err error) {
	defer wrap(&err, call)
	err = s.rows(ctx, func(row scanner) error {
		var id int64
		err := row.Scan(&id)
		list = append(list, id)
		return err
	}, query, args...)
	return list, err
}
