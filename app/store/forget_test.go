package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fill puts a row about a repository into every table.
func fill(t *testing.T, s *Store, installation, repository int64) {
	t.Helper()
	do(t, s, func(ctx context.Context, tx *sql.Tx) error {
		key := CheckKey(repository, sha1)
		v := verdict(repository, 7, 1, sha1)
		a, g, part := answer(repository, "text"), gap(repository, "why?"), segment(repository)
		v.Installation, a.Installation, g.Installation, part.Installation = installation, installation, installation, installation
		d := Delivery{GUID: guid(int(repository)), Event: "push", Installation: installation, Repository: repository}
		if _, err := s.AcceptTx(ctx, tx, d); err != nil {
			return err
		}
		if _, _, err := s.NextGenerationTx(ctx, tx, Pull{Installation: installation, Repository: repository, Number: 7}); err != nil {
			return err
		}
		if kept, err := s.PutVerdictTx(ctx, tx, v); err != nil || !kept {
			t.Fatal(kept, err)
		}
		if _, _, err := s.BeginEffectTx(ctx, tx, Effect{Key: key, Installation: installation, Repository: repository}); err != nil {
			return err
		}
		if _, err := s.PutAnswerTx(ctx, tx, a); err != nil {
			return err
		}
		if err := s.PutGapTx(ctx, tx, g); err != nil {
			return err
		}
		asking := Asking{Installation: installation, Repository: repository, Person: 5, Delivery: d.GUID, Questions: 1}
		if _, err := s.AdmitTx(ctx, tx, asking, AskLimits{}); err != nil {
			return err
		}
		if err := s.AskRoundTx(ctx, tx, Round{Installation: installation, Repository: repository}); err != nil {
			return err
		}
		r := Redelivery{GUID: guid(int(repository) + 500), Installation: installation, Repository: repository, Delivery: 1, DeliveredAt: s.Now()}
		if _, err := s.PutRedeliveryTx(ctx, tx, r); err != nil {
			return err
		}
		if _, err := s.AddPartTx(ctx, tx, d.GUID, Pull{Installation: installation, Repository: repository, Number: 7}); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO farewells (installation, repository) VALUES ($1, $2)`, installation, repository); err != nil {
			return err
		}
		near := vectors(repository, 1)
		near.Installation = installation
		if err := s.PutVectorsTx(ctx, tx, near); err != nil {
			return err
		}
		ready := storedIndex(repository, 1)
		ready.Installation = installation
		if err := s.PutIndexTx(ctx, tx, ready); err != nil {
			return err
		}
		return s.PutSegmentTx(ctx, tx, part)
	})
}

// tablesFound asks the database for our tables, so that a table which nobody added
// to the list is found.
func tablesFound(t *testing.T, s *Store) (names []string) {
	t.Helper()
	do(t, s, func(ctx context.Context, tx *sql.Tx) (err error) {
		names, err = s.tableNames(ctx, tx)
		return err
	})
	return slices.DeleteFunc(names, func(name string) bool {
		return name == "schema_version" || name == "duties" || strings.HasPrefix(name, "river_")
	})
}

func TestForgettingLeavesNoRowInAnyTable(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		tables := tablesFound(t, s)
		listed := slices.Sorted(slices.Values(ownTables()))
		if diff := cmp.Diff(tables, listed); diff != "" {
			t.Fatalf("tables in the database and in the list: %s", diff)
		}
		for installation, repositories := range map[int64][]int64{1: {11, 12}, 2: {21}} {
			for _, repository := range repositories {
				fill(t, s, installation, repository)
			}
		}
		left := func() (rows [3]int) {
			for _, table := range tables {
				for i, repository := range []int64{11, 12, 21} {
					n := count(t, s, table+` WHERE repository = $1`, repository)
					if rows[i] += n; n > 1 {
						t.Errorf("%d rows in %s", n, table)
					}
				}
			}
			return rows
		}
		all := len(tables)
		if got := left(); got != [3]int{all, all, all} {
			t.Fatalf("filled %v of %d tables", got, all)
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.ForgetRepositoryTx(ctx, tx, 11) })
		if got := left(); got != [3]int{0, all, all} {
			t.Errorf("after the repository: %v", got)
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.ForgetInstallationTx(ctx, tx, 1) })
		if got := left(); got != [3]int{0, 0, all} {
			t.Errorf("after the installation: %v", got)
		}
	})
}

func TestWorkOfAForgottenRepositoryEndsQuietly(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		fill(t, s, 1, 11)
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.ForgetRepositoryTx(ctx, tx, 11) })
		if judge(t, s, verdict(11, 7, 1, sha1)) {
			t.Error("a verdict came back")
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.FinishTx(ctx, tx, guid(11), true) })
		for _, table := range tablesFound(t, s) {
			if n := count(t, s, table); n != 0 {
				t.Errorf("%d rows in %s", n, table)
			}
		}
	})
}

func TestExpiryEndsWhatIsFinishedAndKeepsWhatIsNot(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		for _, repository := range []int64{11, 12} {
			fill(t, s, 1, repository)
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			if err := s.FinishTx(ctx, tx, guid(11), true); err != nil {
				return err
			}
			if _, err := s.CloseTx(ctx, tx, 11, 7); err != nil {
				return err
			}
			return s.FinishEffectTx(ctx, tx, CheckKey(11, sha1), "1")
		})
		for _, step := range []struct {
			days int
			want map[string]int
		}{
			{31, map[string]int{"deliveries": 2, "pulls": 2, "verdicts": 1, "effects": 2, "answers": 2, "askings": 0, "gaps": 2, "segments": 2, "vectors": 2, "indexes": 2, "rounds": 2, "redeliveries": 2, "parts": 2, "farewells": 2}},
			{1, map[string]int{"deliveries": 1, "pulls": 2, "verdicts": 1, "effects": 2, "answers": 2, "askings": 0, "gaps": 2, "segments": 2, "vectors": 2, "indexes": 2, "rounds": 2, "redeliveries": 0, "parts": 1, "farewells": 2}},
			{59, map[string]int{"deliveries": 1, "pulls": 1, "verdicts": 1, "effects": 1, "answers": 0, "askings": 0, "gaps": 0, "segments": 0, "vectors": 0, "indexes": 0, "rounds": 2, "redeliveries": 0, "parts": 1, "farewells": 2}},
		} {
			c.move(time.Duration(step.days) * 24 * time.Hour)
			do(t, s, func(ctx context.Context, tx *sql.Tx) error { _, err := s.ExpireTx(ctx, tx); return err })
			got := map[string]int{}
			for _, table := range ownTables() {
				got[table] = count(t, s, table)
			}
			if diff := cmp.Diff(step.want, got); diff != "" {
				t.Errorf("after %d more days: %s", step.days, diff)
			}
		}
	})
}
