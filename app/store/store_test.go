package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

const (
	sha1 = "1111111111111111111111111111111111111111"
	sha2 = "2222222222222222222222222222222222222222"
	sha3 = "3333333333333333333333333333333333333333"
)

// clock is a time that tests move by hand.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// open opens url with the real clock and closes it when the test ends.
func open(t testing.TB, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url, quiet())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// each runs one test on both databases, with a clock that stands still.
func each(t *testing.T, test func(t *testing.T, s *Store, c *clock)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		s := open(t, url)
		c := &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
		s.Now = c.now
		test(t, s, c)
	})
}

// do runs work in a transaction that must succeed.
func do(t testing.TB, s *Store, work func(context.Context, *sql.Tx) error) {
	t.Helper()
	if err := s.Tx(context.Background(), work); err != nil {
		t.Fatal(err)
	}
}

// count counts the rows of a table, or of what follows it.
func count(t testing.TB, s *Store, from string, args ...any) int {
	t.Helper()
	var n int
	if err := s.read.QueryRow(`SELECT count(*) FROM `+from, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPlaceReadsDatabaseURLs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, url string
		dialect   Dialect
		at        string
	}{
		{"a plain path is SQLite", "data/store.db", SQLite, "data/store.db"},
		{"a path with a colon is SQLite", "data:1/store.db", SQLite, "data:1/store.db"},
		{"sqlite: is cut off", "sqlite:store.db", SQLite, "store.db"},
		{"sqlite:// is cut off", "sqlite:///var/store.db", SQLite, "/var/store.db"},
		{"sqlite::memory: is its own word", "sqlite::memory:", SQLite, ":memory:"},
		{"postgres:// is kept whole", "postgres://u@h/n", Postgres, "postgres://u@h/n"},
		{"postgresql:// too", "postgresql://u@h/n", Postgres, "postgresql://u@h/n"},
		{"nothing is refused", "", "", ""},
		{"sqlite: without a path is refused", "sqlite:", "", ""},
		{"another scheme is refused", "mysql://u:hidden@h/n", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dialect, at, err := place(test.url)
			if dialect != test.dialect || at != test.at || (err != nil) != (test.dialect == "") {
				t.Errorf("place(%q) = %q, %q, %v", test.url, dialect, at, err)
			}
			if err != nil && (!errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "hidden")) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestOpenRefusesWithAWordOnWhatToDo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, url, want string }{
		{"a missing folder", filepath.Join(t.TempDir(), "no", "store.db"), "make or mount it first"},
		{"a folder in the file's place", t.TempDir(), "readable and writable"},
		{"a PostgreSQL URL that cannot be read", "postgres://u:hidden@h:port/n", "want postgres://"},
		{"a PostgreSQL that is not there", "postgres://u:hidden@/n?host=" + t.TempDir(), "connect"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Open(t.Context(), test.url, quiet())
			if err == nil {
				s.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("error %v, want %q in it and no password", err, test.want)
			}
		})
	}
}

func TestSQLiteFilesAreTheOwnersAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "odd ?name#of%20a.db")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, path)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if err != nil || len(files) != 3 {
		t.Fatalf("files %q, %v: want the database, its log and its shared memory", files, err)
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != 0o600 || !strings.HasPrefix(file, path) {
			t.Errorf("%s has mode %v", file, info.Mode())
		}
	}
}

func TestMemoryDatabaseIsGoneAfterClose(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := open(t, "sqlite::memory:")
	do(t, s, func(ctx context.Context, tx *sql.Tx) error {
		_, err := s.AcceptTx(ctx, tx, Delivery{GUID: "g", Event: "push"})
		return err
	})
	if _, err := s.Delivery(t.Context(), "g"); err != nil {
		t.Error(err) // the reading pool must see the same database
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSQLiteSettings(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	got := map[string]string{}
	for _, name := range []string{"journal_mode", "synchronous", "busy_timeout"} {
		var value string
		if err := s.write.QueryRow(`PRAGMA ` + name).Scan(&value); err != nil {
			t.Fatal(err)
		}
		got[name] = value
	}
	want := map[string]string{"journal_mode": "wal", "synchronous": "1", "busy_timeout": "5000"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := s.DB().Stats().MaxOpenConnections; n != 1 {
		t.Errorf("%d writing connections", n)
	}
	if _, err := s.read.Exec(`DELETE FROM pulls`); err == nil {
		t.Error("the reading pool can write")
	}
}

func TestPingAndDialect(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		if err := s.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		if d := s.Dialect(); !strings.HasSuffix(t.Name(), string(d)) {
			t.Errorf("dialect %q", d)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Ping(t.Context()); err == nil {
			t.Error("a closed store answers")
		}
	})
}

// together runs n calls at once and gives their results in no order.
func together[T any](t *testing.T, n int, call func(i int) (T, error)) []T {
	t.Helper()
	results, errs := make([]T, n), make([]error, n)
	start := make(chan struct{})
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			<-start
			results[i], errs[i] = call(i)
		})
	}
	close(start)
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return results
}

// guid is a delivery id in GitHub's form.
func guid(i int) string { return fmt.Sprintf("00000000-0000-11ee-8000-%012d", i) }
