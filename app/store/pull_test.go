package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// next opens a generation of pull request number of repository 1 and records job.
func next(s *Store, p Pull, job int64) (generation, previous int64, err error) {
	p.Installation, p.Repository = 9, 1
	err = s.Tx(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		if generation, previous, err = s.NextGenerationTx(ctx, tx, p); err != nil {
			return err
		}
		return s.SetJobTx(ctx, tx, p.Repository, p.Number, generation, job)
	})
	return generation, previous, err
}

func closePull(s *Store, number int64) (job int64, err error) {
	err = s.Tx(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		job, err = s.CloseTx(ctx, tx, 1, number)
		return err
	})
	return job, err
}

func TestEachGenerationKnowsTheJobBefore(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		for _, step := range []struct{ job, generation, previous int64 }{{101, 1, 0}, {102, 2, 101}, {103, 3, 102}} {
			generation, previous, err := next(s, Pull{Number: 7, Head: sha1}, step.job)
			if err != nil || generation != step.generation || previous != step.previous {
				t.Errorf("job %d: generation %d, previous %d, %v", step.job, generation, previous, err)
			}
		}
		if _, _, err := next(s, Pull{Number: 7, Base: sha2}, 104); err != nil {
			t.Fatal(err)
		}
		want := Pull{Installation: 9, Repository: 1, Number: 7, Head: sha1, Base: sha2, Generation: 4, Job: 104, UpdatedAt: c.now()}
		got, err := s.Pull(t.Context(), 1, 7)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		if _, err := s.Pull(t.Context(), 1, 8); !errors.Is(err, ErrNotFound) {
			t.Errorf("an unknown pull request gives %v", err)
		}
	})
}

func TestConcurrentEventsGetDifferentGenerationsAndOneChainOfJobs(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		type link struct{ generation, previous, job int64 }
		links := together(t, 16, func(i int) (link, error) {
			job := int64(100 + i)
			generation, previous, err := next(s, Pull{Number: 7}, job)
			return link{generation, previous, job}, err
		})
		slices.SortFunc(links, func(a, b link) int { return int(a.generation - b.generation) })
		before := int64(0)
		for i, l := range links {
			if l.generation != int64(i+1) || l.previous != before {
				t.Fatalf("link %d is %+v, the job before was %d", i, l, before)
			}
			before = l.job
		}
	})
}

// 2A-9: a slow evaluation of an old head finished last. The fence tells it.
func TestAnOldGenerationFindsItselfStale(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		old, _, err := next(s, Pull{Number: 7, Head: sha1}, 101)
		if err != nil {
			t.Fatal(err)
		}
		now, _, err := next(s, Pull{Number: 7, Head: sha2}, 102)
		if err != nil {
			t.Fatal(err)
		}
		generation, open, err := s.Generation(t.Context(), 1, 7)
		if err != nil || !open || generation != now || generation == old {
			t.Errorf("generation %d, open %v, %v", generation, open, err)
		}
		err = s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error { return s.SetJobTx(ctx, tx, 1, 7, old, 103) })
		if !errors.Is(err, ErrStale) {
			t.Errorf("a job for an old generation gives %v", err)
		}
	})
}

// 2A-65: closed while a job runs or waits: stopped, no post; reopened: evaluated afresh.
func TestClosingStopsTheJobAndReopeningStartsAfresh(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		running, _, err := next(s, Pull{Number: 7, Head: sha1}, 101)
		if err != nil {
			t.Fatal(err)
		}
		if kept := judge(t, s, verdict(1, 7, running, sha1)); !kept {
			t.Fatal("the first verdict was refused")
		}
		if job, err := closePull(s, 7); err != nil || job != 101 {
			t.Errorf("closing gives job %d, %v", job, err)
		}
		generation, open, err := s.Generation(t.Context(), 1, 7)
		if err != nil || open || generation == running {
			t.Errorf("after closing: generation %d, open %v, %v", generation, open, err)
		}
		if judge(t, s, verdict(1, 7, running, sha1)) || judge(t, s, verdict(1, 7, generation, sha1)) {
			t.Error("a verdict on a closed pull request was kept")
		}
		if list, err := s.VerdictsAt(t.Context(), 1, sha1); err != nil || len(list) != 0 {
			t.Errorf("verdicts %+v, %v", list, err)
		}
		reopened, _, err := next(s, Pull{Number: 7, Head: sha1}, 102)
		if err != nil || reopened <= generation {
			t.Errorf("reopened with generation %d, %v", reopened, err)
		}
		if list, err := s.VerdictsAt(t.Context(), 1, sha1); err != nil || len(list) != 0 {
			t.Errorf("the verdict from before the closing is back: %+v, %v", list, err)
		}
		if job, err := closePull(s, 8); err != nil || job != 0 {
			t.Errorf("closing an unknown one gives job %d, %v", job, err)
		}
	})
}

func TestListsOfPullsHoldTheOpenOnes(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		for number, head := range map[int64]string{3: sha1, 1: sha1, 2: sha2, 4: sha1} {
			if _, _, err := next(s, Pull{Number: number, Head: head}, 0); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := closePull(s, 4); err != nil {
			t.Fatal(err)
		}
		at, err := s.PullsAt(t.Context(), 1, sha1)
		if got := numbers(at); err != nil || !slices.Equal(got, []int64{1, 3}) {
			t.Errorf("PullsAt %v, %v", got, err)
		}
		open, err := s.OpenPulls(t.Context(), 1)
		if got := numbers(open); err != nil || !slices.Equal(got, []int64{1, 2, 3}) {
			t.Errorf("OpenPulls %v, %v", got, err)
		}
	})
}

func numbers(pulls []Pull) (list []int64) {
	for _, p := range pulls {
		list = append(list, p.Number)
	}
	return list
}

func TestGenerationsOfABatchAreThoseOfEachPullRequest(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		if _, _, err := next(s, Pull{Number: 2, Head: sha1}, 101); err != nil {
			t.Fatal(err)
		}
		list := []Pull{{Installation: 9, Repository: 1, Number: 3}, {Installation: 9, Repository: 1, Number: 2}, {Installation: 9, Repository: 1, Number: 1, Head: sha2}}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.NextGenerationsTx(ctx, tx, list) })
		if list[0].Generation != 1 || list[0].Job != 0 || list[1].Generation != 2 || list[1].Job != 101 || list[2].Generation != 1 {
			t.Errorf("opened %+v", list)
		}
		for i := range list {
			list[i].Job = int64(200 + i)
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.SetJobsTx(ctx, tx, list) })
		for i, number := range []int64{3, 2, 1} {
			if p, err := s.Pull(t.Context(), 1, number); p.Job != int64(200+i) || err != nil {
				t.Errorf("pull request %d has job %d, %v", number, p.Job, err)
			}
		}
		list[1].Generation--
		if err := s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error { return s.SetJobsTx(ctx, tx, list) }); !errors.Is(err, ErrStale) {
			t.Errorf("one that was overtaken gives %v", err)
		}
		twice := []Pull{list[0], list[0]}
		if err := s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error { return s.NextGenerationsTx(ctx, tx, twice) }); !errors.Is(err, ErrInvalid) {
			t.Errorf("the same one twice gives %v", err)
		}
	})
}
