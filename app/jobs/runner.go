package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/riverqueue/river"
)

// CheckName is the name of our check run: one and the same whatever the base,
// since a name with a branch in it would block stacked pull requests.
const CheckName = "cardkeeper"

const (
	// jobLimit ends a job that hangs. A rescue must come later than that, and
	// with the rescuer's own cycle of 30 s the work of a killed process runs
	// again in less than two minutes.
	jobLimit    = 60 * time.Second
	rescueAfter = 61 * time.Second

	// workers is how many jobs run at once: they mostly wait for GitHub, which
	// allows an installation 100 requests at a time; each job makes up to 8.
	workers = 8

	// cooldown is the pause between two looks into the queue.
	cooldown = 20 * time.Millisecond

	// attempts spread over some 20 minutes; what fails for longer is said.
	attempts = 6
)

// Config is what a Runner needs. All fields are required but Retry.
type Config struct {
	Store   *store.Store
	GitHub  *github.App
	Scanner *secret.Scanner
	Web     string // the address of GitHub's pages, for links: https://github.com
	Log     *slog.Logger

	// Retry is the wait after the n-th failed attempt; nil is the queue's own, n^4 seconds.
	Retry func(attempt int) time.Duration
}

// A Runner takes deliveries in and works on them.
type Runner struct {
	cfg    Config
	queue  *river.Client[*sql.Tx]
	single keyed // one publication at a time for each head
}

// New makes a runner that does nothing yet: it accepts at once, and works from
// [Runner.Start] on.
func New(cfg Config) (*Runner, error) {
	r := &Runner{cfg: cfg}
	all := river.NewWorkers()
	river.AddWorker(all, &evaluateWorker{r: r})
	river.AddWorker(all, &publishWorker{r: r})
	river.AddWorker(all, &answerWorker{r: r})
	river.AddWorker(all, &commitWorker{r: r})
	queue, err := river.NewClient(cfg.Store.QueueDriver(), &river.Config{
		Queues:               map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workers, FetchCooldown: cooldown}},
		Workers:              all,
		Logger:               cfg.Log,
		JobTimeout:           jobLimit,
		RescueStuckJobsAfter: rescueAfter,
		MaxAttempts:          attempts,
		RetryPolicy:          retry(cfg.Retry),
	})
	if err != nil {
		return nil, fmt.Errorf("jobs.New: %w", err)
	}
	r.queue = queue
	return r, nil
}

// Start begins to work. It returns at once; the context does not end the work, [Runner.Stop] does.
func (r *Runner) Start(ctx context.Context) error {
	if err := r.queue.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("jobs.Start: %w", err)
	}
	return nil
}

// Stop lets running jobs finish until ctx ends, then cancels them; what was not
// finished runs again at the next start.
func (r *Runner) Stop(ctx context.Context) error {
	err := r.queue.Stop(ctx)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err = r.queue.StopAndCancel(hard)
	}
	if err != nil {
		return fmt.Errorf("jobs.Stop: %w", err)
	}
	return nil
}

// retryPolicy waits as it is told.
type retryPolicy struct {
	wait func(attempt int) time.Duration
}

func retry(wait func(int) time.Duration) river.ClientRetryPolicy {
	if wait == nil {
		return &river.DefaultClientRetryPolicy{}
	}
	return retryPolicy{wait}
}

// keyed lets one holder of a key pass at a time.
type keyed struct {
	mu   sync.Mutex
	held map[string]chan struct{}
}

// lock waits for the key or the end of ctx, and returns what gives it back.
func (k *keyed) lock(ctx context.Context, key string) (unlock func(), err error) {
	for {
		k.mu.Lock()
		if k.held == nil {
			k.held = map[string]chan struct{}{}
		}
		wait, taken := k.held[key]
		if !taken {
			done := make(chan struct{})
			k.held[key] = done
			k.mu.Unlock()
			return func() {
				k.mu.Lock()
				delete(k.held, key)
				k.mu.Unlock()
				close(done)
			}, nil
		}
		k.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
