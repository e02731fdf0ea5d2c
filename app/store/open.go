package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	_ "modernc.org/sqlite" // the driver named "sqlite"
)

const (
	// readers is the size of SQLite's reading pool. A page or a fence check reads
	// for under a millisecond, so a few go a long way.
	readers = 4
	// postgresConns leaves room for six replicas under PostgreSQL's default
	// limit of 100; more did not raise the measured rate of accepted deliveries.
	postgresConns = 16
	// idleLimit closes what a burst opened.
	idleLimit = 5 * time.Minute
)

// Open opens the database that databaseURL names, makes or updates its tables and
// the queue's, and returns it ready for use. The forms are:
//
//	sqlite:PATH, PATH     a file, made with mode 0600 in an existing folder
//	sqlite::memory:       a temporary file, removed by Close
//	postgres://...        every setting that pgx reads from a URL, search_path too
//
// SQLite runs in WAL mode on a local disk with synchronous=NORMAL: every commit
// survives the death of the process; a power cut can lose the last ones, whose
// pull requests the sweep finds again because their heads lack a finished run.
//
// A database of a newer program is left alone and gives [ErrNewerSchema]. Before a SQLite file is
// migrated, a copy of it is made beside it, or [ErrNoCopy] is returned. log
// receives the migrations that were applied.
func Open(ctx context.Context, databaseURL string, log *slog.Logger) (_ *Store, err error) {
	defer wrap(&err, "Open")
	dialect, at, err := place(databaseURL)
	if err != nil {
		return nil, err
	}
	s := &Store{Now: time.Now, dialect: dialect, log: log}
	open := s.openSQLite
	if dialect == Postgres {
		open = s.openPostgres
	}
	if err := open(at); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openSQLite opens the writing and the reading pool on one file.
func (s *Store) openSQLite(path string) error {
	if path == memoryURL {
		folder, err := os.MkdirTemp("", "cardkeeper-store-")
		if err != nil {
			return fmt.Errorf("temporary database: %w", err)
		}
		s.closers = append(s.closers, func() error { return os.RemoveAll(folder) })
		path = filepath.Join(folder, "store.db")
	} else {
		s.path = path
	}
	if err := ownFile(path); err != nil {
		return err
	}
	var err error
	if s.write, err = s.pool(path, 1, url.Values{
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)"},
		"_txlock": {"immediate"},
	}); err != nil {
		return err
	}
	if s.read, err = s.pool(path, readers, url.Values{
		"_pragma": {"busy_timeout(5000)", "query_only(1)"},
	}); err != nil {
		return err
	}
	s.driver = riversqlite.New(s.write)
	return nil
}

// pool opens SQLite connections to path. The path is escaped: a ? or % in it is
// part of a name, not the start of settings.
func (s *Store) pool(path string, size int, settings url.Values) (*sql.DB, error) {
	name := "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + settings.Encode()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, fmt.Errorf("open the SQLite file: %w", err)
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	s.closers = append(s.closers, db.Close)
	return db, nil
}

// ownFile makes the database file, or takes it over, with mode 0600. SQLite gives
// the files that it puts beside it the same mode.
func ownFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder of the database file is missing; make or mount it first: %w", err)
	}
	if err != nil {
		return fmt.Errorf("the database file must be readable and writable: %w", err)
	}
	defer file.Close()
	if err := file.Chmod(0o600); err != nil {
		return fmt.Errorf("the database file must belong to the user that runs cardkeeper: %w", err)
	}
	return nil
}

// openPostgres opens one pool for statements and one for the queue's LISTEN,
// whose connection is taken out of its pool for good. Nothing is dialled yet.
func (s *Store) openPostgres(databaseURL string) error {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		// pgx repeats parts of the URL, so its text stays here.
		return fmt.Errorf("%w: database URL: want postgres://USER@HOST:PORT/NAME", ErrInvalid)
	}
	config.MinConns, config.MaxConns = 0, 1
	listen, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return fmt.Errorf("open the listening pool: %w", err)
	}
	s.closers = append(s.closers, func() error { listen.Close(); return nil })

	s.write = stdlib.OpenDB(*config.ConnConfig)
	s.write.SetMaxOpenConns(postgresConns)
	s.write.SetMaxIdleConns(postgresConns) // a connection of a burst is used again, with its prepared statements
	s.write.SetConnMaxIdleTime(idleLimit)
	s.closers = append(s.closers, s.write.Close)
	s.read = s.write
	s.driver = riverdatabasesql.NewWithPgxListener(s.write, listen)
	return nil
}
