package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

func accept(s *Store, guid string) func(context.Context, *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, err := s.AcceptTx(ctx, tx, Delivery{GUID: guid, Event: "push"})
		return err
	}
}

func TestTxRollsBackOnErrorAndPanic(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		mine := errors.New("mine")
		err := s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			return errors.Join(accept(s, "error")(ctx, tx), mine)
		})
		if !errors.Is(err, mine) {
			t.Errorf("Tx = %v, want the function's own error", err)
		}
		if n := s.write.Stats().InUse; n != 0 {
			t.Errorf("%d connections still in use when Tx had returned", n)
		}
		func() {
			defer func() {
				if recover() != "boom" {
					t.Error("the panic was swallowed")
				}
			}()
			_ = s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				if err := accept(s, "panic")(ctx, tx); err != nil {
					t.Error(err)
				}
				panic("boom")
			})
		}()
		if n := count(t, s, "deliveries"); n != 0 {
			t.Errorf("%d rows left", n)
		}
		do(t, s, accept(s, "after")) // the connection is free again
	})
}

func TestTxAlwaysHasADeadlineAndEndsAtIt(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		do(t, s, func(ctx context.Context, _ *sql.Tx) error {
			if _, ok := ctx.Deadline(); !ok {
				t.Error("no deadline")
			}
			return nil
		})
		err := s.txWithin(t.Context(), time.Millisecond, func(ctx context.Context, tx *sql.Tx) error {
			err := accept(s, "late")(ctx, tx)
			<-ctx.Done()
			return err
		})
		if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, sql.ErrTxDone) {
			t.Errorf("Tx = %v, want the deadline", err)
		}
		do(t, s, accept(s, "next"))
		if n := count(t, s, "deliveries"); n != 1 {
			t.Errorf("%d rows, want only the one in time", n)
		}
	})
}

// With one connection each of these calls would wait for itself until the deadline.
func TestMethodsThatNeedAConnectionAreRefusedInsideATransaction(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		do(t, s, func(ctx context.Context, _ *sql.Tx) error {
			_, pullErr := s.Pull(ctx, 1, 1)
			_, gapsErr := s.Gaps(ctx, 1)
			nested := s.Tx(ctx, func(context.Context, *sql.Tx) error { return nil })
			for name, err := range map[string]error{"Pull": pullErr, "Gaps": gapsErr, "Tx": nested, "Ping": s.Ping(ctx)} {
				if !errors.Is(err, ErrInsideTx) {
					t.Errorf("%s = %v", name, err)
				}
			}
			return nil
		})
	})
}

func TestReadsNeitherWaitForATransactionNorSeeIt(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			if err := accept(s, "open")(ctx, tx); err != nil {
				return err
			}
			_, err := s.Delivery(t.Context(), "open")
			if !errors.Is(err, ErrNotFound) {
				t.Errorf("a reader got %v while the row was not committed", err)
			}
			return nil
		})
		if _, err := s.Delivery(t.Context(), "open"); err != nil {
			t.Error(err)
		}
	})
}

// Every method must hand a database error on; a closed database gives one to all.
func TestAClosedDatabaseIsAnErrorEverywhere(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		_, delivery := s.Delivery(ctx, "g")
		_, recent := s.RecentDeliveries(ctx, 1)
		_, pull := s.Pull(ctx, 1, 1)
		_, at := s.PullsAt(ctx, 1, sha1)
		_, open := s.OpenPulls(ctx, 1)
		_, _, generation := s.Generation(ctx, 1, 1)
		_, verdicts := s.VerdictsAt(ctx, 1, sha1)
		_, effect := s.Effect(ctx, "k")
		_, answer := s.Answer(ctx, Answer{})
		_, gaps := s.Gaps(ctx, 1)
		_, segment := s.Segment(ctx, Segment{})
		_, near := s.Vectors(ctx, 1, []string{key(1)})
		for i, err := range []error{delivery, recent, pull, at, open, generation, verdicts, effect, answer, gaps, segment, near,
			s.Tx(ctx, accept(s, "g"))} {
			if err == nil || errors.Is(err, ErrNotFound) {
				t.Errorf("call %d: %v", i, err)
			}
		}
	})
}

func TestAFinishedTransactionIsAnErrorInEveryTxMethod(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		var ended *sql.Tx
		do(t, s, func(_ context.Context, tx *sql.Tx) error { ended = tx; return nil })
		for name, call := range everyWrite(s) {
			if err := call(t.Context(), ended); !errors.Is(err, sql.ErrTxDone) {
				t.Errorf("%s = %v", name, err)
			}
		}
	})
}

// everyWrite is one good call of every Tx method.
func everyWrite(s *Store) map[string]func(context.Context, *sql.Tx) error {
	return map[string]func(context.Context, *sql.Tx) error{
		"AcceptTx": accept(s, "g"),
		"AcceptAllTx": func(ctx context.Context, tx *sql.Tx) error {
			_, err := s.AcceptAllTx(ctx, tx, []Delivery{{GUID: "h", Event: "push"}})
			return err
		},
		"FinishAllTx": func(ctx context.Context, tx *sql.Tx) error { return s.FinishAllTx(ctx, tx, []string{"h"}) },
		"NextGenerationsTx": func(ctx context.Context, tx *sql.Tx) error {
			return s.NextGenerationsTx(ctx, tx, []Pull{{Installation: 1, Repository: 1, Number: 2}})
		},
		"SetJobsTx": func(ctx context.Context, tx *sql.Tx) error {
			return s.SetJobsTx(ctx, tx, []Pull{{Repository: 1, Number: 2, Generation: 1, Job: 1}})
		},
		"FinishTx": func(ctx context.Context, tx *sql.Tx) error { return s.FinishTx(ctx, tx, "g", true) },
		"NextGenerationTx": func(ctx context.Context, tx *sql.Tx) error {
			_, _, err := s.NextGenerationTx(ctx, tx, Pull{Installation: 1, Repository: 1, Number: 1})
			return err
		},
		"SetJobTx": func(ctx context.Context, tx *sql.Tx) error { return s.SetJobTx(ctx, tx, 1, 1, 1, 1) },
		"CloseTx":  func(ctx context.Context, tx *sql.Tx) error { _, err := s.CloseTx(ctx, tx, 1, 1); return err },
		"PutVerdictTx": func(ctx context.Context, tx *sql.Tx) error {
			_, err := s.PutVerdictTx(ctx, tx, verdict(1, 1, 1, sha1))
			return err
		},
		"BeginEffectTx": func(ctx context.Context, tx *sql.Tx) error {
			_, _, err := s.BeginEffectTx(ctx, tx, Effect{Key: "k", Installation: 1, Repository: 1})
			return err
		},
		"FinishEffectTx": func(ctx context.Context, tx *sql.Tx) error { return s.FinishEffectTx(ctx, tx, "k", "1") },
		"PutAnswerTx": func(ctx context.Context, tx *sql.Tx) error {
			_, err := s.PutAnswerTx(ctx, tx, answer(1, "text"))
			return err
		},
		"PutGapTx":             func(ctx context.Context, tx *sql.Tx) error { return s.PutGapTx(ctx, tx, gap(1, "why?")) },
		"DeleteGapTx":          func(ctx context.Context, tx *sql.Tx) error { _, err := s.DeleteGapTx(ctx, tx, 1, "x"); return err },
		"PutSegmentTx":         func(ctx context.Context, tx *sql.Tx) error { return s.PutSegmentTx(ctx, tx, segment(1)) },
		"PutVectorsTx":         func(ctx context.Context, tx *sql.Tx) error { return s.PutVectorsTx(ctx, tx, vectors(1, 1)) },
		"PutIndexTx":           func(ctx context.Context, tx *sql.Tx) error { return s.PutIndexTx(ctx, tx, storedIndex(1, 1)) },
		"ForgetRepositoryTx":   func(ctx context.Context, tx *sql.Tx) error { return s.ForgetRepositoryTx(ctx, tx, 1) },
		"MoveTx":               func(ctx context.Context, tx *sql.Tx) error { return s.MoveTx(ctx, tx, 1, 1, 2) },
		"ForgetInstallationTx": func(ctx context.Context, tx *sql.Tx) error { return s.ForgetInstallationTx(ctx, tx, 1) },
		"ExpireTx":             func(ctx context.Context, tx *sql.Tx) error { _, err := s.ExpireTx(ctx, tx); return err },
	}
}

// Two transactions that wait for each other: PostgreSQL ends one of them, which runs again, and
// both are there in the end.
func TestADeadlockIsNoError(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		if s.Dialect() != Postgres {
			t.Skip("SKIP: SQLite has one transaction at a time")
		}
		do(t, s, accept(s, "0"))
		do(t, s, accept(s, "1"))
		var holds [2]chan struct{}
		var once [2]sync.Once
		for i := range holds {
			holds[i] = make(chan struct{})
		}
		var runs atomic.Int32
		touch := func(ctx context.Context, tx *sql.Tx, guid string) error {
			_, err := tx.ExecContext(ctx, `UPDATE deliveries SET attempts = attempts + 1 WHERE guid = $1`, guid)
			return err
		}
		var group errgroup.Group
		for i := range 2 {
			group.Go(func() error {
				return s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
					runs.Add(1)
					if err := touch(ctx, tx, strconv.Itoa(i)); err != nil {
						return err
					}
					once[i].Do(func() { close(holds[i]) })
					<-holds[1-i]
					return touch(ctx, tx, strconv.Itoa(1-i))
				})
			})
		}
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
		if n := runs.Load(); n != 3 {
			t.Errorf("%d runs, want two and one more", n)
		}
		if n := count(t, s, "deliveries WHERE attempts = 3"); n != 2 {
			t.Errorf("%d rows were changed by both", n)
		}
	})
}
