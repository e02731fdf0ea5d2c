package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"slices"
	"time"

	"github.com/riverqueue/river/rivermigrate"
)

// migrations holds 0001_*.sql and so on, applied in the order of their names and
// never changed once released. There is no way back.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migrateLimit is for a large database, whose tables may have to be rewritten.
const migrateLimit = 10 * time.Minute

// migrate brings our tables and the queue's to what this binary knows. Both
// versions are looked at before anything is changed.
func (s *Store) migrate(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, migrateLimit)
	defer cancel()
	return s.dialect.alone(ctx, s.write, func() error {
		queue, err := rivermigrate.New(s.driver, &rivermigrate.Config{Logger: s.log})
		if err != nil {
			return fmt.Errorf("queue migrations: %w", err)
		}
		if s.path != "" {
			if err := s.copyBefore(ctx, s.path, queue); err != nil {
				return err
			}
		}
		err = s.txWithin(ctx, migrateLimit, func(ctx context.Context, tx *sql.Tx) error {
			return s.migrateTx(ctx, tx, queue)
		})
		if err != nil || s.dialect == SQLite {
			return err
		}
		// PostgreSQL cannot use a new enum value in the transaction that adds it,
		// so there the queue's steps run one by one, under the same lock.
		if _, err := queue.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("migrate the queue: %w", err)
		}
		return nil
	})
}

// migrateTx refuses a newer database and applies what is missing. On SQLite the
// queue's tables are part of the same transaction: two processes that start at
// once on a new file would otherwise run the same step twice.
func (s *Store) migrateTx(ctx context.Context, tx *sql.Tx, queue *rivermigrate.Migrator[*sql.Tx]) error {
	names, err := s.tableNames(ctx, tx)
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}
	if err := refuseNewerQueue(ctx, tx, names, queue); err != nil {
		return err
	}
	if err := s.ownMigrations(ctx, tx, names); err != nil {
		return err
	}
	if s.dialect == SQLite {
		//lint:ignore SA1019 the reason for its deprecation is PostgreSQL's enums
		if _, err := queue.MigrateTx(ctx, tx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("migrate the queue: %w", err)
		}
	}
	return nil
}

// tableNames lists the tables that are there.
func (s *Store) tableNames(ctx context.Context, tx *sql.Tx) (names []string, err error) {
	rows, err := tx.QueryContext(ctx, s.dialect.tables())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// refuseNewerQueue compares the queue's version with the newest that the linked
// library knows.
func refuseNewerQueue(ctx context.Context, tx *sql.Tx, names []string, queue *rivermigrate.Migrator[*sql.Tx]) error {
	if !slices.Contains(names, "river_migration") {
		return nil
	}
	var version int
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM river_migration`).Scan(&version); err != nil {
		return fmt.Errorf("read the queue's version: %w", err)
	}
	known := queue.AllVersions()
	if newest := known[len(known)-1].Version; version > newest {
		return fmt.Errorf("queue tables of version %d, this binary knows %d: %w", version, newest, ErrNewerSchema)
	}
	return nil
}

// ownMigrations applies our files above the stored version.
func (s *Store) ownMigrations(ctx context.Context, tx *sql.Tx, names []string) error {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return fmt.Errorf("embedded migrations: %w", err) // unreachable: the folder is in the binary
	}
	version, err := schemaVersion(ctx, tx, names)
	if err != nil {
		return err
	}
	if version > len(files) {
		return fmt.Errorf("tables of version %d, this binary knows %d: %w", version, len(files), ErrNewerSchema)
	}
	for ; version < len(files); version++ {
		name := files[version].Name()
		text, err := migrations.ReadFile("migrations/" + name)
		if err != nil {
			return fmt.Errorf("embedded migration %s: %w", name, err) // unreachable: as above
		}
		if _, err := tx.ExecContext(ctx, string(text)); err != nil {
			return fmt.Errorf("migration %s: %w", name, err)
		}
		s.log.InfoContext(ctx, "store: migration applied", "name", name)
	}
	if _, err := tx.ExecContext(ctx, `UPDATE schema_version SET version = $1`, version); err != nil {
		return fmt.Errorf("record the version: %w", err)
	}
	return nil
}

// schemaVersion reads the one row, or makes it with version 0.
func schemaVersion(ctx context.Context, tx *sql.Tx, names []string) (version int, err error) {
	if !slices.Contains(names, "schema_version") {
		const create = `CREATE TABLE schema_version (version BIGINT NOT NULL);
			INSERT INTO schema_version (version) VALUES (0)`
		if _, err := tx.ExecContext(ctx, create); err != nil {
			return 0, fmt.Errorf("make the version row: %w", err)
		}
	}
	if err := tx.QueryRowContext(ctx, `SELECT version FROM schema_version`).Scan(&version); err != nil {
		return 0, fmt.Errorf("read the version: %w", err)
	}
	return version, nil
}
