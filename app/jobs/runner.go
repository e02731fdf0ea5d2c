package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/meter"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
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

	// workLimit ends what is read from GitHub and checked, early enough to keep
	// and say what came of it. What did not get to its end goes on in a new attempt.
	workLimit = 50 * time.Second

	// workers is how many jobs run at once: they mostly wait for GitHub, which
	// allows an installation 100 requests at a time; each job makes up to 8.
	workers = 8

	// cooldown is the pause between two looks into the queue.
	cooldown = 20 * time.Millisecond

	// poll finds failed attempts whose wait is over: nothing tells of them.
	poll = 500 * time.Millisecond

	// attempts spread over some 16 minutes (n^4 seconds after the n-th); what
	// fails for longer is said. lagTries of them wait for GitHub's API to know the
	// head that its event named.
	attempts = 6
	lagTries = 3
	// publishAttempts spread over some 11 hours: a verdict is there, and GitHub is down.
	publishAttempts = 12
	// queueAttempts leaves room for attempts that a killed process had begun: the
	// queue drops a job that dies in its last one, without a word to anybody.
	queueAttempts = publishAttempts + 3
)

// Config is what a Runner needs. All fields are required but Meter and the last nine.
type Config struct {
	Store   *store.Store
	GitHub  *github.App
	Scanner *secret.Scanner
	Web     string // the address of GitHub's pages, for links: https://github.com
	Log     *slog.Logger
	Meter   *meter.Meter // nil counts nothing

	// WithholdKeys are what withheld values may have been hashed with. Where a
	// policy lists some and none fits, checks fail and no question is answered.
	WithholdKeys []secret.Key
	// Embed is asked what is near to a question in meaning; nil is nobody.
	Embed *embed.Client
	// Retry is the wait after the n-th failed attempt; nil is the queue's own, n^4 seconds.
	Retry func(attempt int) time.Duration
	// Poll is the pause between two looks into the queue when nothing tells of new
	// work, and so the least wait after a failed attempt; 0 is half a second.
	Poll time.Duration
	// Pace is the pause between two rounds of looking again at pull requests whose
	// policy changed; 0 is a minute.
	Pace time.Duration
	// Sweep is the time between two looks at GitHub's list of failed deliveries, and Reconcile
	// that between two looks at a repository's open pull requests. 0 is never.
	Sweep, Reconcile time.Duration
	// Asking limits the questions of an hour; a repository's policy can set lower
	// limits. GapDays is how long a question without an answer is kept; 0 keeps none.
	Asking  store.AskLimits
	GapDays int
}

// A Runner takes deliveries in and works on them. It is safe for concurrent use.
// Several may share one database: replicas on PostgreSQL, or, with less to gain,
// processes on one SQLite file.
type Runner struct {
	cfg     Config
	queue   *river.Client[*sql.Tx]
	single  keyed // one publication at a time for each head
	shelf   shelf // what an attempt left for the next one
	limit   time.Duration
	release func() error
	intake  *intake
	calls   chan struct{} // told that a round is asked for
	rest    func()        // ends the rounds
}

// New makes a runner that does nothing yet: it accepts at once, and works from
// [Runner.Start] on.
func New(cfg Config) (*Runner, error) {
	if cfg.Poll == 0 {
		cfg.Poll = poll
	}
	if cfg.Pace == 0 {
		cfg.Pace = pace
	}
	r := &Runner{cfg: cfg, limit: workLimit, release: func() error { return nil }, intake: newIntake(cfg.Store.Dialect()), calls: make(chan struct{}, 1), rest: func() {}}
	all := river.NewWorkers()
	river.AddWorker(all, &evaluateWorker{r: r})
	river.AddWorker(all, &publishWorker{r: r})
	river.AddWorker(all, &answerWorker{r: r})
	river.AddWorker(all, &commitWorker{r: r})
	river.AddWorker(all, &recheckWorker{r: r})
	river.AddWorker(all, &repolicyWorker{r: r})
	river.AddWorker(all, &updateWorker{r: r})
	river.AddWorker(all, &refreshWorker{r: r})
	river.AddWorker(all, &standingWorker{r: r})
	river.AddWorker(all, &verdictWorker{r: r})
	river.AddWorker(all, &historyWorker{r: r})
	of := func(workers int) river.QueueConfig {
		return river.QueueConfig{MaxWorkers: workers, FetchCooldown: cooldown, FetchPollInterval: max(cfg.Poll, cooldown)}
	}
	queue, err := river.NewClient(cfg.Store.QueueDriver(), &river.Config{
		Queues:               map[string]river.QueueConfig{river.QueueDefault: of(workers), historyQueue: of(historyWorkers)},
		Workers:              all,
		Logger:               cfg.Log,
		JobTimeout:           jobLimit,
		RescueStuckJobsAfter: rescueAfter,
		MaxAttempts:          queueAttempts,
		RetryPolicy:          retry(cfg.Retry),
		Middleware:           []rivertype.Middleware{river.WorkerMiddlewareFunc(r.watch), r.guard()},
	})
	if err != nil {
		return nil, fmt.Errorf("jobs.New: %w", err)
	}
	r.queue = queue
	return r, nil
}

// Start begins to work, first on what a killed process left. It returns at once;
// the context does not end the work, [Runner.Stop] does.
func (r *Runner) Start(ctx context.Context) error {
	left, release, err := takeUp(ctx, r.cfg.Store)
	if err != nil {
		return fmt.Errorf("jobs.Start: %w", err)
	}
	r.release = release
	if left > 0 {
		r.cfg.Log.Info("taking up what a killed process left", "jobs", left)
	}
	if err := r.queue.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("jobs.Start: %w", err)
	}
	return r.startRounds(context.WithoutCancel(ctx))
}

// Stop lets running jobs finish until ctx ends, then cancels them; what was not
// finished runs again at the next start.
func (r *Runner) Stop(ctx context.Context) error {
	r.rest()
	err := r.queue.Stop(ctx)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err = r.queue.StopAndCancel(hard)
	}
	if err != nil {
		return fmt.Errorf("jobs.Stop: %w", err) // the lock stays: a job may still run
	}
	return r.release()
}

// retryPolicy waits as it is told.
type retryPolicy struct {
	wait func(attempt int) time.Duration
}

// NextRetry implements the queue's policy.
func (p retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().Add(p.wait(len(job.Errors) + 1))
}

// retry is the policy for a wait, or the queue's own.
func retry(wait func(int) time.Duration) river.ClientRetryPolicy {
	if wait == nil {
		return &river.DefaultClientRetryPolicy{}
	}
	return retryPolicy{wait}
}
