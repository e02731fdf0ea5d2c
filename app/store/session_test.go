package store

import (
	"context"
	"database/sql"
	"testing"
	"time"
)

func TestASessionThatWasEndedIsForgottenAtItsOwnEnd(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		tidy := func() {
			do(t, s, func(ctx context.Context, tx *sql.Tx) error { _, err := s.ExpireTx(ctx, tx); return err })
		}
		ended := func(name string) bool {
			t.Helper()
			ended, err := s.SessionEnded(t.Context(), name)
			if err != nil {
				t.Error(err)
			}
			return ended
		}
		for range 2 { // a second press of the button
			if err := s.EndSession(t.Context(), "one", s.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.ClaimDuty(t.Context(), "sweep", time.Second); err != nil {
			t.Fatal(err)
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE duties SET due_at = 0`) // as a start does
			return err
		})
		tidy()
		if !ended("one") || ended("two") {
			t.Errorf("one %v, two %v", ended("one"), ended("two"))
		}
		c.move(2 * time.Hour)
		tidy()
		if ended("one") || count(t, s, "duties") != 1 {
			t.Errorf("%d duties are kept", count(t, s, "duties"))
		}
	})
}
