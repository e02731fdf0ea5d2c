package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// first makes a database as the first version of the program left it, with one delivery.
func first(t *testing.T, path string) {
	t.Helper()
	s := open(t, path)
	do(t, s, func(ctx context.Context, tx *sql.Tx) error {
		text, err := migrations.ReadFile("migrations/0001_first.sql")
		if err != nil {
			return err
		}
		drop := `DROP TABLE ` + strings.Join(append(ownTables(), "duties"), `; DROP TABLE `) + `; `
		const row = `INSERT INTO deliveries VALUES ('old', 'push', '', 1, 2, 0, 0, 0, '', 'done', 1, 1); UPDATE schema_version SET version = 1`
		_, err = tx.ExecContext(ctx, drop+string(text)+row)
		return err
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func copies(t *testing.T, path string) []string {
	t.Helper()
	names, err := filepath.Glob(globbed(path) + ".v*")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestAnOldFileIsCopiedBeforeItIsMigrated(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a [strange] name.db")
	first(t, path)
	s := open(t, path)
	if _, err := s.Delivery(t.Context(), "old"); err != nil {
		t.Errorf("after the migration: %v", err)
	}
	list := copies(t, path)
	if len(list) != 1 || !strings.HasPrefix(list[0], path+".v1-") || !strings.HasSuffix(list[0], ".bak") {
		t.Fatalf("copies: %q", list)
	}
	if info, err := os.Stat(list[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v, %v", info.Mode(), err)
	}
	if made, err := Inspect(t.Context(), list[0]); err != nil || made.Version != 1 {
		t.Errorf("the copy is %+v, %v", made, err)
	}
	if _, err := open(t, list[0]).Delivery(t.Context(), "old"); err != nil {
		t.Errorf("in the copy: %v", err)
	}
	before := len(copies(t, path)) // the copy was opened as well
	open(t, path)
	if after := len(copies(t, path)); after != before {
		t.Errorf("%d files after an opening that migrates nothing, want %d", after, before)
	}
}

func TestANewFileAndANewerOneAreNotCopied(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	do(t, s, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE schema_version SET version = 1000`)
		return err
	})
	if _, err := Open(t.Context(), path, quiet()); !errors.Is(err, ErrNewerSchema) {
		t.Errorf("Open = %v", err)
	}
	if list := copies(t, path); len(list) != 0 {
		t.Errorf("copies: %q", list)
	}
}

func TestTheNewestThreeCopiesAreKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	for i, name := range []string{".v1-a.bak", ".v1-b.bak", ".v2-c.bak", ".v3-d.bak", ".v3-e.bak"} {
		at := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
		if err := errors.Join(os.WriteFile(path+name, nil, 0o600), os.Chtimes(path+name, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := prune(path); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(copies(t, path), " "); strings.Count(got, ".bak") != 3 || strings.Contains(got, "-a.bak") || strings.Contains(got, "-b.bak") {
		t.Errorf("kept: %s", got)
	}
}

// Where there is no room nothing is changed, and the error says what to do.
func TestWithoutRoomForACopyNothingIsMigrated(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	first(t, path)
	wal, err := os.Create(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(wal.Truncate(1<<43), wal.Close()); err != nil {
		t.Skipf("SKIP: this disk takes no file with a hole of 8 TB: %v", err)
	}
	if err := room(path); err == nil || !strings.Contains(err.Error(), "MB are free") {
		t.Errorf("room = %v", err)
	}
	if err := os.Remove(path + "-wal"); err != nil {
		t.Fatal(err)
	}
	name := path + ".v1-20260301T120000Z.bak"
	if err := os.Mkdir(name, 0o700); err != nil { // in the way of the copy
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(name, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Store{Now: func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }, dialect: SQLite, log: quiet()}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.openSQLite(path); err != nil {
		t.Fatal(err)
	}
	if err := s.migrate(t.Context()); !errors.Is(err, ErrNoCopy) {
		t.Errorf("migrate = %v", err)
	}
	if made, err := Inspect(t.Context(), path); err != nil || made.Version != 1 {
		t.Errorf("the file is %+v, %v", made, err)
	}
	if list := copies(t, path); len(list) != 1 {
		t.Errorf("left behind: %q", list)
	}
}

// Two processes that start at once on an old file each find it whole.
func TestTwoStartsOnAnOldFile(t *testing.T) {
	t.Parallel()
	path := strings.TrimPrefix(storetest.SQLite(t), "sqlite:")
	first(t, path)
	together(t, 4, func(int) (any, error) {
		s, err := Open(t.Context(), path, quiet())
		if err == nil {
			err = s.Close()
		}
		return nil, err
	})
	for _, name := range copies(t, path) {
		if made, err := Inspect(t.Context(), name); err != nil || made.Version == 0 {
			t.Errorf("%s: %+v, %v", name, made, err)
		}
	}
}

// A process that is killed while it copies leaves a part as large as the file. The next start removes it, unless
// another process is copying.
func TestAnUnfinishedCopyIsRemovedAtTheNextStart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	part, finished := path+".v1-20260301T120000Z.bak.ABC.part", path+".v1-20260301T120000Z.bak"
	for _, name := range []string{part, part + "-journal", finished} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	release, held := lockFolder(filepath.Dir(path), false)
	if !held {
		t.Skip("SKIP: folders cannot be locked here")
	}
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	if list := copies(t, path); len(list) != 3 {
		t.Errorf("while another process copies: %q", list)
	}
	release()
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	if list := copies(t, path); len(list) != 1 || list[0] != finished {
		t.Errorf("what is left: %q", list)
	}
}
