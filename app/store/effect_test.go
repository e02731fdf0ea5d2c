package store

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func begin(s *Store, key string) (e Effect, existed bool, err error) {
	err = s.Tx(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		e, existed, err = s.BeginEffectTx(ctx, tx, Effect{Key: key, Installation: 9, Repository: 1})
		return err
	})
	return e, existed, err
}

func finish(s *Store, key, externalID string) error {
	return s.Tx(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		return s.FinishEffectTx(ctx, tx, key, externalID)
	})
}

func TestARetryFindsTheEffectOfTheTryBefore(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		key := CheckKey(1, sha1)
		want := Effect{Key: key, Installation: 9, Repository: 1, Attempts: 1, BegunAt: c.now()}
		e, existed, err := begin(s, key)
		if diff := cmp.Diff(want, e); diff != "" || existed || err != nil {
			t.Error(existed, err, diff)
		}
		c.move(time.Minute)
		if e, existed, err := begin(s, key); err != nil || !existed || e.Done || e.ExternalID != "" || e.Attempts != 2 {
			t.Errorf("after a crash: %+v, %v, %v", e, existed, err)
		}
		for _, externalID := range []string{"123", "456"} {
			if err := finish(s, key, externalID); err != nil {
				t.Fatal(err)
			}
		}
		want.ExternalID, want.Done, want.Attempts, want.FinishedAt = "456", true, 3, c.now()
		if e, existed, err := begin(s, key); err != nil || !existed || cmp.Diff(want, e) != "" {
			t.Errorf("after success: %v, %v, %s", existed, err, cmp.Diff(want, e))
		}
		if e, err := s.Effect(t.Context(), key); err != nil || cmp.Diff(want, e) != "" {
			t.Errorf("read: %v, %s", err, cmp.Diff(want, e))
		}
	})
}

func TestOneKeyIsBegunByOneCallerAlone(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		first := together(t, 16, func(int) (bool, error) {
			_, existed, err := begin(s, AnswerKey(1, 2))
			return !existed, err
		})
		if n := freshOnes(first); n != 1 {
			t.Errorf("%d were told to run it first", n)
		}
	})
}

func TestAnEffectThatWasNeverBegunIsNotFound(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		if err := finish(s, "none", "1"); !errors.Is(err, ErrNotFound) {
			t.Errorf("FinishEffectTx = %v", err)
		}
		if _, err := s.Effect(t.Context(), "none"); !errors.Is(err, ErrNotFound) {
			t.Errorf("Effect = %v", err)
		}
	})
}
