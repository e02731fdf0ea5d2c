package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

func TestOpeningAgainKeepsTheRows(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		first := open(t, url)
		do(t, first, accept(first, "g"))
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := open(t, url).Delivery(t.Context(), "g"); err != nil {
			t.Error(err)
		}
	})
}

func TestADatabaseOfANewerProgramIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"our tables":       `UPDATE schema_version SET version = 1000`,
		"the queue's part": `INSERT INTO river_migration (line, version) VALUES ('main', 1000)`,
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, url string) {
				s := open(t, url)
				do(t, s, func(ctx context.Context, tx *sql.Tx) error {
					_, err := tx.ExecContext(ctx, statement)
					return err
				})
				newer, err := Open(t.Context(), url, quiet())
				if err == nil {
					newer.Close()
				}
				if !errors.Is(err, ErrNewerSchema) || !strings.Contains(err.Error(), "made by a newer cardkeeper; upgrade this binary") {
					t.Errorf("Open = %v", err)
				}
			})
		})
	}
}

// Several replicas start at once on an empty database.
func TestConcurrentOpensMigrateOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		together(t, 6, func(int) (any, error) {
			s, err := Open(t.Context(), url, quiet())
			if err == nil {
				err = s.Close()
			}
			return nil, err
		})
		s := open(t, url)
		if n := count(t, s, "schema_version"); n != 1 {
			t.Errorf("%d version rows", n)
		}
	})
}

func TestAMigrationThatFailsLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		s := open(t, url)
		rename := func(from, to string) {
			do(t, s, func(ctx context.Context, tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, `ALTER TABLE `+from+` RENAME TO `+to)
				return err
			})
		}
		drop := slices.DeleteFunc(append(ownTables(), "duties"), func(name string) bool { return name == "segments" })
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `DROP TABLE `+strings.Join(drop, `; DROP TABLE `)+`; UPDATE schema_version SET version = 0`)
			return err
		})
		if _, err := Open(t.Context(), url, quiet()); err == nil || !strings.Contains(err.Error(), "0001_first.sql") {
			t.Errorf("Open = %v, want the name of the migration", err)
		}
		if got := tablesFound(t, s); !slices.Equal(got, []string{"segments"}) {
			t.Errorf("tables %v, want none of the half that worked", got)
		}
		rename("segments", "in_the_way")
		open(t, url) // now it goes through
	})
}

func TestMigrationsAreNumberedFromOne(t *testing.T) {
	t.Parallel()
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		if prefix := fmt.Sprintf("%04d_", i+1); !strings.HasPrefix(file.Name(), prefix) {
			t.Errorf("file %d is %s, want %s...", i+1, file.Name(), prefix)
		}
	}
}
