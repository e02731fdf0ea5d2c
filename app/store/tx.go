package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// txLimit ends a transaction that its caller forgot. GitHub gives up on a
// delivery after 10 seconds, so a longer wait could help nobody.
const txLimit = 10 * time.Second

// insideKey marks the ctx of a running transaction with its store.
type insideKey struct{}

// Tx runs work in one transaction and commits it when work returns nil. An error
// or a panic in work rolls everything back; the error is returned as it is.
//
// The ctx given to work always has a deadline, ten seconds or the caller's if
// that is sooner, and belongs in every statement. On SQLite the transaction holds
// the only writing connection and everybody else waits, so work must be short:
// no network, no file, no locks, and only methods that take the *sql.Tx.
//
// An error of the commit itself leaves open whether the rows are there. What is
// written here can be repeated: a second try finds the first one's rows.
//
// Where PostgreSQL ends the transaction for the sake of another one, as it does where
// two wait for each other, work runs again from its beginning, so it may set what is
// outside of it, and not add to it.
func (s *Store) Tx(ctx context.Context, work func(context.Context, *sql.Tx) error) error {
	for try := 1; ; try++ {
		err := s.txWithin(ctx, txLimit, work)
		if try == txTries || !victim(err) || ctx.Err() != nil {
			return err
		}
	}
}

// txTries is how often a transaction is begun: that one falls three times to another one
// means that something else is wrong.
const txTries = 3

// victim reports whether PostgreSQL ended a transaction for the sake of another one: a
// deadlock, or an order of the two that it could not serialise.
func victim(err error) bool {
	var told *pgconn.PgError
	return errors.As(err, &told) && (told.Code == "40P01" || told.Code == "40001")
}

// txWithin is Tx with another limit; migrations need a longer one.
func (s *Store) txWithin(ctx context.Context, limit time.Duration, work func(context.Context, *sql.Tx) error) error {
	if err := s.outside(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("store.Tx: begin: %w", err)
	}
	// After a commit this does nothing; it is here for errors and panics.
	defer func() { _ = tx.Rollback() }()
	if err := work(context.WithValue(ctx, insideKey{}, s), tx); err != nil {
		if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
			return fmt.Errorf("%w: %w", ended, err) // pgx tells of a write that was cut off, and not why
		}
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("store.Tx: commit: %w", err)
	}
	return nil
}

// outside refuses a ctx that belongs to a transaction of this store.
func (s *Store) outside(ctx context.Context) error {
	if ctx.Value(insideKey{}) == s {
		return ErrInsideTx
	}
	return nil
}

// rows runs a query on the reading pool and hands each row to scan.
func (s *Store) rows(ctx context.Context, scan func(scanner) error, query string, args ...any) error {
	if err := s.outside(ctx); err != nil {
		return err
	}
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// row reads one row on the reading pool; none is [ErrNotFound].
func (s *Store) row(ctx context.Context, scan func(scanner) error, query string, args ...any) error {
	if err := s.outside(ctx); err != nil {
		return err
	}
	return absent(scan(s.read.QueryRowContext(ctx, query, args...)))
}

// scanner is a row of either kind, *sql.Row or *sql.Rows.
type scanner interface{ Scan(dest ...any) error }

// absent turns database/sql's word for "no row" into ours.
func absent(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

// changed runs a statement and gives the number of rows that it touched.
func changed(ctx context.Context, tx *sql.Tx, statement string, args ...any) (int64, error) {
	result, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
