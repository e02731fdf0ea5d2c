package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"time"
)

// inspectLimit bounds the wait for a database that does not answer.
const inspectLimit = 10 * time.Second

// Schema is the state of a database's tables.
type Schema struct {
	Dialect Dialect
	Made    bool // the tables are there; Open makes them
	Version int  // of the database
	Newest  int  // that this binary knows; a greater Version is of a newer one
}

// Inspect looks at a database without making or changing anything, also beside a
// service that runs on it. The URL is one that [Open] takes.
func Inspect(ctx context.Context, databaseURL string) (_ Schema, err error) {
	defer wrap(&err, "Inspect")
	ctx, cancel := context.WithTimeout(ctx, inspectLimit)
	defer cancel()
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return Schema{}, fmt.Errorf("embedded migrations: %w", err) // unreachable: the folder is in the binary
	}
	dialect, at, err := place(databaseURL)
	if err != nil {
		return Schema{}, err
	}
	schema := Schema{Dialect: dialect, Newest: len(files)}
	s := &Store{dialect: dialect, Now: time.Now}
	open := s.openPostgres
	if dialect == SQLite {
		if _, err := os.Stat(at); at == memoryURL || errors.Is(err, fs.ErrNotExist) {
			return schema, nil
		}
		open = s.openReading
	}
	if err := open(at); err != nil {
		return Schema{}, errors.Join(err, s.Close())
	}
	schema.Made, schema.Version, err = s.look(ctx)
	return schema, errors.Join(err, s.Close())
}

// openReading opens the pool that cannot write, alone.
func (s *Store) openReading(path string) (err error) {
	s.read, err = s.pool(path, 1, url.Values{"_pragma": {"busy_timeout(5000)", "query_only(1)"}})
	return err
}

// look reads the version in a transaction that is taken back.
func (s *Store) look(ctx context.Context) (made bool, version int, err error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return false, 0, s.unanswered(err)
	}
	defer func() { _ = tx.Rollback() }()
	names, err := s.tableNames(ctx, tx)
	if err != nil || !slices.Contains(names, "schema_version") {
		return false, 0, s.unanswered(err)
	}
	err = tx.QueryRowContext(ctx, `SELECT version FROM schema_version`).Scan(&version)
	return err == nil, version, s.unanswered(err)
}

// unanswered keeps the driver's text back: it repeats parts of the address.
func (s *Store) unanswered(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return context.Canceled // whoever asked does not want to know any more
	case s.dialect == Postgres:
		return errors.New("PostgreSQL does not answer; look at host, port, name and password, and whether it runs")
	}
	return errors.New("the file is no SQLite database that can be read")
}
