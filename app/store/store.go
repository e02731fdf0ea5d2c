package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river/riverdriver"
)

// Sentinels. None of their messages holds a stored or given value (law 8).
var (
	// ErrNewerSchema: the database was migrated by a later version of the program.
	ErrNewerSchema = errors.New("made by a newer cardkeeper; upgrade this binary")
	// ErrNotFound: there is no such row, or it was forgotten or has expired.
	ErrNotFound = errors.New("not found")
	// ErrStale: a newer generation of the pull request exists, or it is closed.
	ErrStale = errors.New("superseded by a newer generation")
	// ErrNotFailed: what is to run again has not failed, or runs again already.
	ErrNotFailed = errors.New("it has not failed, or runs again already")
	// ErrNotKept: what a delivery wanted is not known any more, since its payload was
	// never kept and its job is gone.
	ErrNotKept = errors.New("what this delivery wanted is not kept; use Redeliver on the App's settings page at GitHub")
	// ErrInvalid: a field is not the id, commit id or machine word it must be.
	ErrInvalid = errors.New("invalid field")
	// ErrInsideTx: a method that needs a connection of its own was called with
	// the ctx of a running transaction. Use the Tx methods there.
	ErrInsideTx = errors.New("called inside a transaction: use the Tx methods there")
)

// Store is an open database. It is safe for concurrent use.
type Store struct {
	// Now is the clock. Open sets it to time.Now; replace it before first use.
	Now func() time.Time

	dialect Dialect
	path    string  // of a SQLite file that outlives us
	write   *sql.DB // SQLite: exactly one connection
	read    *sql.DB // SQLite: a pool that cannot write; PostgreSQL: the same as write
	driver  riverdriver.Driver[*sql.Tx]
	closers []func() error
	log     *slog.Logger
}

// DB is the pool that writes. On SQLite it has one connection: whoever holds a
// transaction or open rows on it must not ask it for another (use [Store.Tx]).
func (s *Store) DB() *sql.DB { return s.write }

// Dialect says which database this is.
func (s *Store) Dialect() Dialect { return s.dialect }

// QueueDriver is what a River client is made from:
//
//	client, err := river.NewClient(st.QueueDriver(), config)
//
// It belongs to the store: stop every client before [Store.Close].
func (s *Store) QueueDriver() riverdriver.Driver[*sql.Tx] { return s.driver }

// Ping reports whether the database answers, for health pages.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.outside(ctx); err != nil {
		return err
	}
	if err := s.read.PingContext(ctx); err != nil {
		return fmt.Errorf("store.Ping: %w", err)
	}
	return nil
}

// Close ends all connections. It waits for running statements.
func (s *Store) Close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// millis is the clock as it is stored: UTC unix milliseconds.
func (s *Store) millis() int64 { return s.Now().UnixMilli() }

// moment is the stored form as a time in UTC; zero stays zero.
func moment(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

// wrap names the failed call in front of an error; sentinels stay visible.
func wrap(err *error, call string) {
	if *err != nil {
		*err = fmt.Errorf("store.%s: %w", call, *err)
	}
}
