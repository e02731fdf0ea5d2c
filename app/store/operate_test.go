package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/riverqueue/river"
)

// row puts a job into the queue and then into a state, with the error of its last attempt.
func row(t *testing.T, s *Store, args river.JobArgs, o *river.InsertOpts, state, errText string) (id int64) {
	t.Helper()
	client := queue(t, s)
	do(t, s, func(ctx context.Context, tx *sql.Tx) error {
		made, err := client.InsertTx(ctx, tx, args, o)
		if err != nil {
			return err
		}
		id = made.Job.ID
		if state == "available" {
			return nil
		}
		ended, errs := `'2026-01-02 03:04:05.678'`, `NULL`
		if state == "running" || state == "retryable" {
			ended = `NULL`
		}
		if errText != "" {
			errs = `jsonb('[{"error":"first: of two"},{"error":"' || $1 || '"}]')`
			if s.Dialect() == Postgres {
				errs = `ARRAY['{"error":"first: of two"}'::jsonb, jsonb_build_object('error', $1::text)]`
			}
		} else {
			errs = `CASE WHEN $1 = '' THEN NULL END`
			if s.Dialect() == Postgres {
				errs = `CASE WHEN $1::text = '' THEN NULL::jsonb[] END`
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE river_job SET state = '`+state+`', attempt = 3, finalized_at = `+ended+`, errors = `+errs+` WHERE id = $2`, errText, id)
		return err
	})
	return id
}

func ids(list []Job) (out []int64) {
	for _, j := range list {
		out = append(out, j.ID)
	}
	return out
}

// A page shows of a job what kind of trouble it had, and never the words.
func TestJobsAreListedByWhatSomebodyLooksFor(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		waiting := row(t, s, work{guid(1)}, nil, "available", "")
		retried := row(t, s, work{guid(1)}, nil, "retryable", "github_down: GET /canary")
		running := row(t, s, work{}, &river.InsertOpts{Metadata: []byte(`{"delivery":"` + guid(2) + `"}`)}, "running", "")
		done := row(t, s, work{guid(3)}, nil, "completed", "")
		replaced := row(t, s, work{guid(3)}, nil, "cancelled", "")
		stopped := row(t, s, work{guid(3)}, nil, "cancelled", "stopped: context canceled")
		failed := row(t, s, work{guid(3)}, nil, "cancelled", "forbidden: JobCancelError: canary")
		dropped := row(t, s, work{guid(4)}, nil, "discarded", "A canary without a word")
		for view, want := range map[JobView][]int64{
			AllJobs: {dropped, failed, stopped, replaced, done, running, retried, waiting}, Waiting: {retried, waiting},
			Running: {running}, Ended: {done}, Dead: {dropped, failed},
		} {
			got, err := s.Jobs(t.Context(), view, "", 0, 100)
			if d := cmp.Diff(want, ids(got)); d != "" || err != nil {
				t.Errorf("%s: %v %s", view, err, d)
			}
		}
		page, err := s.Jobs(t.Context(), AllJobs, "", dropped, 2)
		if d := cmp.Diff([]int64{failed, stopped}, ids(page)); d != "" || err != nil {
			t.Errorf("the second page: %v %s", err, d)
		}
		if got, err := s.Jobs(t.Context(), AllJobs, guid(2), 0, 100); err != nil || len(got) != 1 || got[0].Delivery != guid(2) || got[0].GUID != "" {
			t.Errorf("of a delivery that it does not end: %+v, %v", got, err)
		}
		want := Job{ID: failed, Kind: "store_test", State: "cancelled", Attempts: 3, GUID: guid(3), Delivery: guid(3), Error: "forbidden",
			LastAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), args: `{"guid":"` + guid(3) + `"}`}
		if page[0].LastAt = page[0].LastAt.Truncate(time.Second); page[0].MadeAt.IsZero() || page[0].DueAt.IsZero() {
			t.Errorf("without its times: %+v", page[0])
		}
		page[0].args = compact(page[0].args)
		if d := cmp.Diff(want, page[0], cmp.AllowUnexported(Job{}), cmpopts.IgnoreFields(Job{}, "MadeAt", "DueAt")); d != "" {
			t.Error(d)
		}
		if got, _ := s.Jobs(t.Context(), Dead, "", 0, 1); got[0].Error != "other" {
			t.Errorf("an error without a word is shown as %q", got[0].Error)
		}
		depths, err := s.Depths(t.Context())
		for i, d := range depths {
			if d.Oldest < 0 || d.Oldest > time.Hour {
				t.Errorf("a job that was just made is %v old", d.Oldest)
			}
			depths[i].Oldest = 0
		}
		if d := cmp.Diff([]Depth{{"store_test", "available", 1, 0}, {"store_test", "retryable", 1, 0}, {"store_test", "running", 1, 0}}, depths); d != "" || err != nil {
			t.Error(err, d)
		}
		if n, err := s.CountDead(t.Context()); n != 2 || err != nil {
			t.Errorf("%d dead, %v", n, err)
		}
	})
}

// compact takes out the blanks that one of the databases writes.
func compact(text string) string {
	out := make([]rune, 0, len(text))
	for _, r := range text {
		if r != ' ' {
			out = append(out, r)
		}
	}
	return string(out)
}

func TestAFailedDeliveryIsTakenUpOnce(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		client := queue(t, s)
		for n := 1; n <= 2; n++ {
			do(t, s, acceptWithJob(s, client, guid(n), int64(n)))
			do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.FinishTx(ctx, tx, guid(n), n != 1) })
		}
		dead := row(t, s, work{guid(1)}, nil, "discarded", "other: x")
		reopen := func(guid string) (d Delivery, jobs []int64, err error) {
			err = s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				d, jobs, err = s.ReopenTx(ctx, tx, guid)
				return err
			})
			return d, jobs, err
		}
		d, jobs, err := reopen(guid(1))
		if err != nil || d.State != Accepted || d.Attempts != 2 || d.Pull != 1 || len(jobs) != 1 || jobs[0] != dead {
			t.Errorf("%+v, %v, %v", d, jobs, err)
		}
		for guid, want := range map[string]error{guid(1): ErrNotFailed, guid(2): ErrNotFailed, guid(3): ErrNotFound} {
			if _, _, err := reopen(guid); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", guid, err, want)
			}
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			if job, args, err := s.DeadJobTx(ctx, tx, dead); err != nil || job.ID != dead || compact(args) != `{"guid":"`+guid(1)+`"}` {
				t.Errorf("%+v, %s, %v", job, args, err)
			}
			if _, _, err := s.DeadJobTx(ctx, tx, dead+1); !errors.Is(err, ErrNotFailed) {
				t.Errorf("another job: %v", err)
			}
			return nil
		})
	})
}

func TestDeliveriesArePaged(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		var want []string
		for n := range 7 { // two a millisecond, so that a page can end between them
			if n%2 == 0 {
				c.move(time.Millisecond)
			}
			do(t, s, func(ctx context.Context, tx *sql.Tx) error {
				_, err := s.AcceptTx(ctx, tx, Delivery{GUID: fmt.Sprint("guid-", n), Event: "push", Installation: int64(1 + n%2), Repository: int64(n + 1)})
				return err
			})
		}
		for _, n := range []int{6, 4, 5, 2, 3, 0, 1} {
			want = append(want, fmt.Sprint("guid-", n))
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error { return s.FinishTx(ctx, tx, "guid-3", false) })
		var got []string
		for last := (Delivery{}); ; {
			page, err := s.DeliveriesBefore(t.Context(), "", last, 3)
			if err != nil || len(got) > len(want) {
				t.Fatal(err, got)
			}
			if len(page) == 0 {
				break
			}
			for _, d := range page {
				got = append(got, d.GUID)
			}
			last = page[len(page)-1]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if list, err := s.DeliveriesBefore(t.Context(), Failed, Delivery{}, 100); err != nil || len(list) != 1 || list[0].GUID != "guid-3" {
			t.Errorf("the failed ones: %+v, %v", list, err)
		}
		counts, err := s.CountDeliveries(t.Context())
		if d := cmp.Diff(map[State]int{Accepted: 6, Failed: 1}, counts); d != "" || err != nil {
			t.Error(err, d)
		}
		do(t, s, func(ctx context.Context, tx *sql.Tx) error {
			_, _, err := s.NextGenerationTx(ctx, tx, Pull{Installation: 2, Repository: 5, Number: 1})
			return err
		})
		list, err := s.Installations(t.Context(), 0, 100)
		wanted := []Installation{{ID: 1, Deliveries: 4}, {ID: 2, Repositories: 1, OpenPulls: 1, Deliveries: 3, Failed: 1}}
		if d := cmp.Diff(wanted, list, cmpopts.IgnoreFields(Installation{}, "LastAt")); d != "" || err != nil || list[0].LastAt.IsZero() {
			t.Error(err, d)
		}
		if list, err := s.Installations(t.Context(), 1, 100); err != nil || len(list) != 1 || list[0].ID != 2 {
			t.Errorf("the next page: %+v, %v", list, err)
		}
	})
}
