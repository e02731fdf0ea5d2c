package store

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/riverqueue/river"
)

// work is a queue job as app/jobs would insert one.
type work struct {
	GUID string `json:"guid"`
}

func (work) Kind() string { return "store_test" }

// newInserter is a client that only inserts.
func newInserter(s *Store) (*river.Client[*sql.Tx], error) {
	return river.NewClient(s.QueueDriver(), &river.Config{Logger: quiet()})
}

func queue(t testing.TB, s *Store) *river.Client[*sql.Tx] {
	t.Helper()
	client, err := newInserter(s)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// acceptWithJob is what a webhook does: the delivery, its generation and its job.
func acceptWithJob(s *Store, client *river.Client[*sql.Tx], guid string, pull int64) func(context.Context, *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		fresh, err := s.AcceptTx(ctx, tx, Delivery{GUID: guid, Event: "pull_request", Installation: 9, Repository: 1, Pull: pull, HeadSHA: sha1})
		if err != nil || !fresh {
			return err
		}
		generation, _, err := s.NextGenerationTx(ctx, tx, Pull{Installation: 9, Repository: 1, Number: pull, Head: sha1})
		if err != nil {
			return err
		}
		inserted, err := client.InsertTx(ctx, tx, work{guid}, nil)
		if err != nil {
			return err
		}
		return s.SetJobTx(ctx, tx, 1, pull, generation, inserted.Job.ID)
	}
}

func TestAJobAndItsDeliveryCommitOrVanishTogether(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		client := queue(t, s)
		undo := errors.New("undo")
		err := s.Tx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			if err := acceptWithJob(s, client, guid(1), 7)(ctx, tx); err != nil {
				return err
			}
			return undo
		})
		if !errors.Is(err, undo) {
			t.Fatal(err)
		}
		if d, j := count(t, s, "deliveries"), count(t, s, "river_job"); d != 0 || j != 0 {
			t.Errorf("after the rollback: %d deliveries, %d jobs", d, j)
		}
		do(t, s, acceptWithJob(s, client, guid(1), 7))
		if d, j := count(t, s, "deliveries"), count(t, s, "river_job"); d != 1 || j != 1 {
			t.Errorf("after the commit: %d deliveries, %d jobs", d, j)
		}
		if p, err := s.Pull(t.Context(), 1, 7); err != nil || count(t, s, "river_job WHERE id = $1", p.Job) != 1 {
			t.Errorf("pull %+v, %v: its job is not in the queue", p, err)
		}
	})
}

// worker hands the guid of each job on.
type worker struct {
	river.WorkerDefaults[work]
	worked chan string
}

func (w *worker) Work(_ context.Context, job *river.Job[work]) error {
	w.worked <- job.Args.GUID
	return nil
}

// The driver must serve a whole client, with the listener, on the store's own pools.
func TestTheQueueDriverRunsAWorkingClient(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		w := &worker{worked: make(chan string, 1)}
		workers := river.NewWorkers()
		river.AddWorker(workers, w)
		client, err := river.NewClient(s.QueueDriver(), &river.Config{Logger: quiet(), Workers: workers,
			Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 2}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		do(t, s, acceptWithJob(s, client, guid(1), 7))
		select {
		case got := <-w.worked:
			if got != guid(1) {
				t.Errorf("worked %q", got)
			}
		case <-time.After(time.Minute):
			t.Error("the job was not worked")
		}
		stop, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := client.Stop(stop); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
}
