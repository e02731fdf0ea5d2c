package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// Dialect names a database. All SQL that differs between the two is in this
// file; the rest of the package is one text for both: both take $1, ON CONFLICT,
// RETURNING and BOOLEAN.
type Dialect string

// The two databases.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// memoryURL asks for a database that is gone after Close.
const memoryURL = ":memory:"

// place reads a database URL: the dialect, and the path of a SQLite file or the
// whole URL of a PostgreSQL database. A URL can hold a password, so it is never
// part of an error.
func place(url string) (Dialect, string, error) {
	switch scheme, rest, ok := strings.Cut(url, ":"); {
	case ok && (scheme == "postgres" || scheme == "postgresql"):
		return Postgres, url, nil
	case ok && scheme == "sqlite" && strings.TrimPrefix(rest, "//") != "":
		return SQLite, strings.TrimPrefix(rest, "//"), nil
	case url == "" || strings.Contains(url, "://") || scheme == "sqlite":
		return "", "", fmt.Errorf("%w: database URL: want sqlite:PATH, PATH or postgres://USER@HOST/NAME", ErrInvalid)
	default:
		return SQLite, url, nil
	}
}

// tables lists the tables in the place where this store makes its own.
func (d Dialect) tables() string {
	if d == Postgres {
		return `SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`
	}
	return `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY 1`
}

// age is the seconds since a time of the queue's, by the database's own clock.
func (d Dialect) age(at string) string {
	if d == Postgres {
		return `EXTRACT(EPOCH FROM now() - ` + at + `)::float8`
	}
	return `(julianday('now') - julianday(` + at + `)) * 86400.0`
}

// epoch is a time of the queue's as unix milliseconds.
func (d Dialect) epoch(at string) string {
	if d == Postgres {
		return `(EXTRACT(EPOCH FROM ` + at + `) * 1000)::bigint`
	}
	return `unixepoch(` + at + `) * 1000`
}

// json is a column of JSON as text; SQLite's is binary.
func (d Dialect) json(column string) string {
	if d == Postgres {
		return column + `::text`
	}
	return `json(` + column + `)`
}

// lastError is the text of a job's last error, "" for none.
func (d Dialect) lastError() string {
	if d == Postgres {
		return `coalesce(errors[array_upper(errors, 1)]->>'error', '')`
	}
	return `coalesce(errors->>'$[#-1].error', '')`
}

// skipLocked ends a query for one row that several replicas look for at once.
func (d Dialect) skipLocked() string {
	if d == Postgres {
		return ` FOR UPDATE SKIP LOCKED`
	}
	return "" // one writer at a time anyway
}

// records is the table r for a FROM clause, out of the first parameter: a JSON array with an
// object for each row. A column is a name, as in the object, and a type. One statement with one parameter
// takes any number of rows, and its text is always the same.
func (d Dialect) records(columns ...string) string {
	if d == Postgres {
		return `jsonb_to_recordset($1::jsonb) AS r (` + strings.Join(columns, ", ") + `)`
	}
	var list []string
	for _, column := range columns {
		name, kind, _ := strings.Cut(column, " ")
		list = append(list, fmt.Sprintf(`CAST(value ->> '%s' AS %s) AS %s`, name, kind, name))
	}
	return `(SELECT ` + strings.Join(list, ", ") + ` FROM json_each($1)) AS r`
}

// migrationLock is "cardkeep" as a number: one lock a database for all replicas
// that start at once. Two schemas of one database merely wait for each other.
const migrationLock = 0x6361_7264_6b65_6570

// alone runs work while no other process migrates this database. SQLite needs
// nothing here: its immediate transaction already keeps everybody out.
func (d Dialect) alone(ctx context.Context, db *sql.DB, work func() error) error {
	if d == SQLite {
		return work()
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, int64(migrationLock)); err != nil {
		return fmt.Errorf("wait for another replica's migration: %w", err)
	}
	// The lock stays with the connection, which goes back to the pool: give it up
	// even when ctx has ended. A connection that does not answer loses it by itself.
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), txLimit)
		defer cancel()
		_, _ = conn.ExecContext(ctx, `SELECT pg_advisory_unlock($1)`, int64(migrationLock))
	}()
	return work()
}
