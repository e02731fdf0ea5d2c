package store

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// amend replaces a report in a transaction of its own.
func amend(t *testing.T, s *Store, number, generation int64, report string) (kept bool) {
	t.Helper()
	do(t, s, func(ctx context.Context, tx *sql.Tx) (err error) {
		kept, err = s.AmendVerdictTx(ctx, tx, 1, number, generation, []byte(report))
		return err
	})
	return kept
}

// What is found out later is said with the verdict, and only while that is the
// current one (2A-9).
func TestAVerdictIsAmendedWhileItIsCurrent(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		if amend(t, s, 7, 1, `{}`) {
			t.Error("amended what is not known")
		}
		if _, _, err := next(s, Pull{Number: 7, Head: sha1}, 0); err != nil {
			t.Fatal(err)
		}
		if amend(t, s, 7, 1, `{}`) {
			t.Error("amended a verdict that was not made yet")
		}
		v := verdict(1, 7, 1, sha1)
		v.Base = sha3
		judge(t, s, v)
		if !amend(t, s, 7, 1, `{"title":"more"}`) || amend(t, s, 7, 2, `{"title":"of another"}`) || amend(t, s, 8, 1, `{}`) {
			t.Error("amended the wrong one, or not the right one")
		}
		v.Report, v.MadeAt = []byte(`{"title":"more"}`), c.now()
		got, err := s.VerdictOf(t.Context(), 1, 7, 1)
		if diff := cmp.Diff(v, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		for _, other := range [][3]int64{{1, 7, 2}, {1, 8, 1}, {2, 7, 1}} {
			if _, err := s.VerdictOf(t.Context(), other[0], other[1], other[2]); !errors.Is(err, ErrNotFound) {
				t.Errorf("%v: %v", other, err)
			}
		}
		if _, _, err := next(s, Pull{Number: 7, Head: sha1}, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := s.VerdictOf(t.Context(), 1, 7, 1); !errors.Is(err, ErrNotFound) || amend(t, s, 7, 1, `{"title":"late"}`) {
			t.Errorf("a verdict that is being replaced is read or amended: %v", err)
		}
		judge(t, s, verdict(1, 7, 2, sha1))
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { _, err := s.CloseTx(ctx, tx, 1, 7); return err })
		if amend(t, s, 7, 2, `{}`) || amend(t, s, 7, 3, `{}`) {
			t.Error("amended for a closed pull request")
		}
	})
}

func TestAReportThatIsNoJSONIsRefused(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		err := s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			_, err := s.AmendVerdictTx(ctx, tx, 1, 7, 1, []byte("{"))
			return err
		})
		if !errors.Is(err, ErrInvalid) {
			t.Error(err)
		}
	})
}
