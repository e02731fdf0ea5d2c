package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// ownTables names every table that holds rows about somebody's repository. A test
// compares it with what the database really has. The order is that in which other
// transactions lock rows, so that PostgreSQL sees no circle.
func ownTables() []string {
	return []string{"deliveries", "pulls", "verdicts", "effects", "answers", "askings", "gaps", "segments", "vectors", "indexes", "rounds", "redeliveries", "parts", "farewells"}
}

// ForgetRepositoryTx deletes every row about a repository: it was deleted, or taken
// out of the installation. Work of it that still runs finds its pull request gone.
// The queue's own rows, which hold ids only, are the queue's to cancel.
func (s *Store) ForgetRepositoryTx(ctx context.Context, tx *sql.Tx, repository int64) (err error) {
	defer wrap(&err, "ForgetRepositoryTx")
	if err := check(id("repository", repository)); err != nil {
		return err
	}
	return forget(ctx, tx, "repository", repository)
}

// ForgetInstallationTx deletes every row about an installation: the App was
// uninstalled.
func (s *Store) ForgetInstallationTx(ctx context.Context, tx *sql.Tx, installation int64) (err error) {
	defer wrap(&err, "ForgetInstallationTx")
	if err := check(id("installation", installation)); err != nil {
		return err
	}
	return forget(ctx, tx, "installation", installation)
}

func forget(ctx context.Context, tx *sql.Tx, column string, value int64) error {
	for _, table := range ownTables() {
		if _, err := changed(ctx, tx, `DELETE FROM `+table+` WHERE `+column+` = $1`, value); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}

const (
	// deliveryDays is well past the longest time in which GitHub lets a delivery
	// be sent again: 3 days on github.com, 7 on GitHub Enterprise Server, and an
	// older copy of its page said 30.
	deliveryDays = 31
	// keepDays ends what can be made again: answers, segments, vectors and indexes, finished effects
	// (the effect itself carries its key) and closed pull requests.
	keepDays = 90
)

// ExpireTx deletes what is past its time and gives the number of rows: finished
// deliveries after 31 days; gaps at their end; askings after an hour; answers, segments, vectors, indexes,
// effects that are done and closed pull requests after 90 days; failed deliveries that were asked for
// again after 31; ended sessions once they would have ended anyway. Call it once a day.
func (s *Store) ExpireTx(ctx context.Context, tx *sql.Tx) (rows int64, err error) {
	defer wrap(&err, "ExpireTx")
	now := s.Now()
	before := func(days int) int64 { return now.Add(-time.Duration(days) * 24 * time.Hour).UnixMilli() }
	for _, step := range []struct {
		where string
		limit int64
	}{
		{`deliveries WHERE state <> 'accepted' AND received_at < $1`, before(deliveryDays)},
		{`gaps WHERE expires_at <= $1`, now.UnixMilli()},
		{`askings WHERE asked_at <= $1`, now.Add(-askWindow).UnixMilli()},
		{`answers WHERE made_at < $1`, before(keepDays)},
		{`segments WHERE made_at < $1`, before(keepDays)},
		{`vectors WHERE made_at < $1`, before(keepDays)},
		{`indexes WHERE made_at < $1`, before(keepDays)},
		{`effects WHERE state = 'done' AND finished_at < $1`, before(keepDays)},
		{`pulls WHERE closed AND updated_at < $1`, before(keepDays)},
		{`redeliveries WHERE delivered_at < $1`, before(deliveryDays)},
		// The time stands in mark as well, since a start of the App makes all duties due.
		{`duties WHERE CASE WHEN name LIKE '` + sessionMark + `%' THEN CAST(mark AS BIGINT) < $1 ELSE FALSE END`, now.UnixMilli()},
		{`parts WHERE guid NOT IN (SELECT guid FROM deliveries WHERE state = 'accepted' OR received_at >= $1)`, before(deliveryDays)},
	} {
		n, err := changed(ctx, tx, `DELETE FROM `+step.where, step.limit)
		if err != nil {
			return rows, err
		}
		rows += n
	}
	return rows, nil
}
