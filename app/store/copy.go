package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/riverqueue/river/rivermigrate"
)

// keepCopies is how many copies stand beside a SQLite file: those of the last migrations.
const keepCopies = 3

// ErrNoCopy: the copy that is made of a SQLite file before its migration could not be made.
var ErrNoCopy = errors.New("no copy of the database could be made before its migration, so nothing was changed; free as much room beside it as the file has, or move it")

// copyBefore makes a copy of an existing SQLite file that is about to be migrated, since there is no
// way back: the file's name with the version of its tables and the time, such as
// store.db.v2-20260301T120000Z.bak. SQLite writes it whole from one moment, beside others that work
// on the file. Only a finished copy gets its name, and the newest three are kept.
func (s *Store) copyBefore(ctx context.Context, path string, queue *rivermigrate.Migrator[*sql.Tx]) error {
	if err := clearParts(path); err != nil {
		return err
	}
	from, old, err := s.outdated(ctx, queue)
	if err != nil || !old {
		return err
	}
	release, _ := lockFolder(filepath.Dir(path), false)
	defer release()
	if err := room(path); err != nil {
		return fmt.Errorf("%w: %w", ErrNoCopy, err)
	}
	name := fmt.Sprintf("%s.v%d-%s.bak", path, from, s.Now().UTC().Format("20060102T150405Z"))
	part := name + "." + rand.Text() + ".part"
	defer func() { _ = os.Remove(part) }() // it has its name by then, or is of no use
	if _, err := s.write.ExecContext(ctx, `VACUUM INTO $1`, part); err != nil {
		return fmt.Errorf("%w: %w", ErrNoCopy, err)
	}
	if err := errors.Join(os.Chmod(part, 0o600), os.Rename(part, name)); err != nil {
		return fmt.Errorf("%w: %w", ErrNoCopy, err)
	}
	s.log.InfoContext(ctx, "store: copied before the migration", "version", from)
	return prune(path)
}

// clearParts removes the copies that a killed process did not finish: they are as large as the file, and of
// no use. Who makes one holds the folder meanwhile.
func clearParts(path string) error {
	parts, err := filepath.Glob(globbed(path) + ".v*-*.bak.*.part*") // and what SQLite puts beside them
	if err != nil || len(parts) == 0 {
		return err
	}
	release, alone := lockFolder(filepath.Dir(path), true)
	defer release()
	for _, part := range parts {
		if !alone {
			return nil // somebody may be at one of them
		}
		if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an unfinished copy: %w", err)
		}
	}
	return nil
}

// outdated reports whether the file has tables, of which version, and whether a migration is to come.
// A newer file is not outdated: it is refused later.
func (s *Store) outdated(ctx context.Context, queue *rivermigrate.Migrator[*sql.Tx]) (version int, old bool, err error) {
	made, version, err := s.look(ctx)
	if err != nil || !made || version == 0 {
		return 0, false, err
	}
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return 0, false, fmt.Errorf("embedded migrations: %w", err) // unreachable: the folder is in the binary
	}
	var queued int
	if err := s.read.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM river_migration`).Scan(&queued); err != nil {
		return 0, false, fmt.Errorf("read the queue's version: %w", err)
	}
	known := queue.AllVersions()
	return version, version < len(files) || version == len(files) && queued < known[len(known)-1].Version, nil
}

// room refuses where the disk has less room than the file has bytes: a copy is never larger.
func room(path string) error {
	var need int64
	for _, part := range []string{path, path + "-wal"} {
		if info, err := os.Stat(part); err == nil {
			need += info.Size()
		}
	}
	free, known := freeBytes(filepath.Dir(path))
	if known && free < need {
		return fmt.Errorf("%d MB are needed and %d MB are free", need>>20+1, free>>20)
	}
	return nil
}

// prune removes all but the newest copies.
func prune(path string) error {
	names, err := filepath.Glob(globbed(path) + ".v*-*.bak")
	if err != nil {
		return fmt.Errorf("list old copies: %w", err) // unreachable: the pattern is ours
	}
	age := func(name string) time.Time {
		info, err := os.Stat(name)
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(age(b).Compare(age(a)), cmp.Compare(b, a)) })
	for _, name := range names[min(keepCopies, len(names)):] {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an old copy: %w", err)
		}
	}
	return nil
}

// globbed is a path as a pattern for itself.
func globbed(path string) string {
	var out []byte
	for i := 0; i < len(path); i++ {
		if c := path[i]; c == '*' || c == '?' || c == '[' || c == '\\' {
			out = append(out, '\\')
		}
		out = append(out, path[i])
	}
	return string(out)
}
