package store

import (
	"context"
	"database/sql"
	"strconv"
	"time"
)

// sessionMark begins the name of a session that was ended. It is kept as a duty that nobody does: a name, and
// the time from which on the row says nothing any more, since the session has ended by itself.
const sessionMark = "session/"

// EndSession notes that an operator's session was ended before its time. The name is a hash of it.
func (s *Store) EndSession(ctx context.Context, name string, until time.Time) (err error) {
	defer wrap(&err, "EndSession")
	if err := check(word("session", name)); err != nil {
		return err
	}
	return s.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := changed(ctx, tx, `INSERT INTO duties (name, due_at, mark) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`,
			sessionMark+name, until.UnixMilli(), strconv.FormatInt(until.UnixMilli(), 10))
		return err
	})
}

// SessionEnded reports whether a session was ended before its time.
func (s *Store) SessionEnded(ctx context.Context, name string) (ended bool, err error) {
	defer wrap(&err, "SessionEnded")
	err = s.row(ctx, func(row scanner) error { return row.Scan(&ended) }, `SELECT EXISTS (SELECT 1 FROM duties WHERE name = $1)`, sessionMark+name)
	return ended, err
}
