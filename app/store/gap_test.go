package store

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func gap(repository int64, question string) Gap {
	return Gap{Installation: 9, Repository: repository, Question: question}
}

func refuse(t *testing.T, s *Store, g Gap) {
	t.Helper()
	do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.PutGapTx(ctx, tx, g) })
}

// asked lists a repository's gaps as "question: times".
func asked(t *testing.T, s *Store, repository int64) map[string]int {
	t.Helper()
	list, err := s.Gaps(t.Context(), repository)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, g := range list {
		got[g.Question] = g.Asked
	}
	return got
}

func TestGapsAreCountedAndListedMostAskedFirst(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		start := c.now()
		refuse(t, s, gap(1, "once \x00?"))
		c.move(time.Hour)
		refuse(t, s, gap(1, "later?"))
		refuse(t, s, gap(1, "twice?"))
		c.move(time.Hour)
		refuse(t, s, gap(1, "twice?"))
		refuse(t, s, gap(2, "elsewhere?"))
		list, err := s.Gaps(t.Context(), 1)
		if err != nil || len(list) != 3 {
			t.Fatalf("%+v, %v", list, err)
		}
		want := Gap{Installation: 9, Repository: 1, Question: "twice?", Asked: 2, ID: list[0].ID,
			FirstAt: start.Add(time.Hour), LastAt: c.now(), ExpiresAt: c.now().Add(90 * 24 * time.Hour)}
		if diff := cmp.Diff(want, list[0]); diff != "" {
			t.Error(diff)
		}
		if list[1].Question != "later?" || list[2].Question != "once \x00?" {
			t.Errorf("order: %q, %q", list[1].Question, list[2].Question)
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			for _, want := range []bool{true, false} {
				if found, err := s.DeleteGapTx(ctx, tx, 1, list[0].ID); err != nil || found != want {
					t.Errorf("DeleteGapTx = %v, %v", found, err)
				}
			}
			return nil
		})
		if diff := cmp.Diff(map[string]int{"later?": 1, "once \x00?": 1}, asked(t, s, 1)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAGapEndsByTheCallersClock(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		refuse(t, s, gap(1, "default?"))
		short := gap(1, "short?")
		short.ExpiresAt = c.now().Add(time.Hour)
		refuse(t, s, short)
		long := gap(1, "long?")
		long.ExpiresAt = c.now().Add(200 * 24 * time.Hour)
		refuse(t, s, long)
		refuse(t, s, gap(1, "long?")) // asking again must not bring its end nearer
		for _, step := range []struct {
			after time.Duration
			want  map[string]int
		}{
			{time.Hour - time.Millisecond, map[string]int{"default?": 1, "short?": 1, "long?": 2}},
			{time.Millisecond, map[string]int{"default?": 1, "long?": 2}},
			{90 * 24 * time.Hour, map[string]int{"long?": 2}},
		} {
			c.move(step.after)
			if diff := cmp.Diff(step.want, asked(t, s, 1)); diff != "" {
				t.Error(diff)
			}
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			if n, err := s.ExpireTx(ctx, tx); err != nil || n != 2 {
				t.Errorf("ExpireTx = %d, %v", n, err)
			}
			return nil
		})
		if n := count(t, s, "gaps"); n != 1 {
			t.Errorf("%d rows left", n)
		}
	})
}

func TestGapsAreCountedByRepositoryAndDropped(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		for _, g := range []Gap{gap(1, "one?"), gap(2, "two?"), gap(2, "three?"), gap(2, "three?")} {
			refuse(t, s, g)
		}
		ended := gap(3, "ended?")
		ended.ExpiresAt = c.now()
		refuse(t, s, ended)
		want := []GapCount{{9, 2, 2, 3, c.now()}, {9, 1, 1, 1, c.now()}}
		got, err := s.CountGaps(t.Context(), 0, 10)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		if got, err := s.CountGaps(t.Context(), 1, 1); err != nil || !cmp.Equal(want[1:], got) {
			t.Errorf("the second part: %+v, %v", got, err)
		}
		if n, err := s.DropGaps(t.Context(), 2, gapID([]byte("two?")), gapID([]byte("one?"))); n != 1 || err != nil {
			t.Errorf("dropped %d, %v", n, err)
		}
		if n, err := s.DropAllGaps(t.Context(), 2); n != 1 || err != nil || len(asked(t, s, 1)) != 1 {
			t.Errorf("dropped %d of the repository, %v", n, err)
		}
		if n, err := s.DropAllGaps(t.Context(), 0); n != 2 || err != nil || count(t, s, "gaps") != 0 {
			t.Errorf("dropped %d of all, %v", n, err)
		}
	})
}

// Nobody fills the database with what he asks; what is asked often stays.
func TestOnlySoManyGapsAreKept(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		refuse(t, s, gap(1, "often?"))
		refuse(t, s, gap(1, "often?"))
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			for n := range maxGaps {
				if _, err := tx.ExecContext(ctx, `INSERT INTO gaps (repository, id, installation, question, asked, first_at, last_at, expires_at)
					VALUES (1, $1, 9, $2, 1, 1, $3, $4)`, fmt.Sprint(n), []byte("x"), n, c.now().Add(time.Hour).UnixMilli()); err != nil {
					return err
				}
			}
			return nil
		})
		refuse(t, s, gap(1, "new?"))
		got := asked(t, s, 1)
		if n := count(t, s, "gaps"); n != maxGaps || got["often?"] != 2 || got["new?"] != 1 || count(t, s, "gaps WHERE id IN ('0', '1')") != 0 {
			t.Errorf("%d rows, %v", n, got)
		}
	})
}
