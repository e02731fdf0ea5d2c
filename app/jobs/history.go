package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/riverqueue/river"
)

const (
	// historyQueue keeps the commits out of the way of verdicts: with historyWorkers
	// of their own, they never take the place of one.
	historyQueue   = "history"
	historyWorkers = 2

	// historyLimit ends the look at commits, early enough to say how far it came.
	historyLimit = 45 * time.Second
	// historyAttempts spread over some hundred seconds (n^4 seconds after the n-th).
	// Then it is said that the commits could not be looked at.
	historyAttempts = 4
)

// verdictArgs ask to publish a fresh verdict, and then to look at the commits of
// its pull request.
type verdictArgs struct {
	publishArgs
	Pull       int   `json:"pull"`
	Generation int64 `json:"generation"`
}

func (verdictArgs) Kind() string { return "verdict" }

type verdictWorker struct {
	river.WorkerDefaults[verdictArgs]
	r *Runner
}

// Work publishes and hands on. A verdict that was overtaken is handed on as well:
// who looks at the commits finds out.
func (w *verdictWorker) Work(ctx context.Context, job *river.Job[verdictArgs]) error {
	a := job.Args
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.publishHead(ctx, a.publishArgs) })
	if err == nil {
		err = w.r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			return w.r.insert(ctx, tx, historyArgs{a.Installation, a.Repository, a.Pull, a.Generation})
		})
	}
	return w.r.settle(ctx, a.GUID, job.Attempt >= publishAttempts, err)
}

// spare leaves out the look at commits where it would tell nothing new: there is
// none, or one alone in which the check found nothing, and it has seen all of it.
func (o *outcome) spare(a github.Ahead) {
	switch {
	case !o.Commits:
	case a.Total == 0:
		o.Commits = false
	case a.Sole && len(o.Output.Table.Rows) == 0:
		o.Commits, o.History = false, &checker.History{Commits: 1, Looked: 1, Findings: []checker.PastFinding{}}
	}
}

// historyArgs ask to look at the commits of one generation of a pull request.
type historyArgs struct {
	Installation int64 `json:"installation"`
	Repository   int64 `json:"repository"`
	Pull         int   `json:"pull"`
	Generation   int64 `json:"generation"`
}

func (historyArgs) Kind() string { return "history" }

type historyWorker struct {
	river.WorkerDefaults[historyArgs]
	r *Runner
}

// Work adds to a published verdict what the commits held.
func (w *historyWorker) Work(ctx context.Context, job *river.Job[historyArgs]) error {
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.addHistory(ctx, job.Args, job.Attempt >= historyAttempts) })
	return w.r.settle(ctx, "", job.Attempt >= historyAttempts, err)
}

// addHistory looks at the commits and writes what it found into the verdict,
// with the job that publishes it again. Nothing that happens here changes the
// verdict itself. Where the pull request has moved on or was closed nothing is
// done, and neither where the work was done before.
func (r *Runner) addHistory(ctx context.Context, a historyArgs, last bool) error {
	v, err := r.cfg.Store.VerdictOf(ctx, a.Repository, int64(a.Pull), a.Generation)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var before outcome
	if json.Unmarshal(v.Report, &before) != nil {
		return errRow
	}
	if before.History != nil {
		return nil
	}
	h, found, err := r.lookBack(ctx, a, v.HeadSHA)
	if stopped(ctx) || err != nil && retried(err, last) {
		return errors.Join(err, ctx.Err())
	}
	if err != nil {
		r.complain(ctx, slog.LevelWarn, "could not look at the commits", err, "repository", a.Repository, "pull", a.Pull)
		h, found = checker.Unread(h.Commits, "the commits could not be looked at. "+why(err)), true
	}
	if !found {
		return nil
	}
	_, err = r.reword(ctx, v, "", func(out *outcome) { out.History = &h })
	return err
}

// lookBack reads the commits within historyLimit; found is false where the pull
// request is not what it was.
func (r *Runner) lookBack(ctx context.Context, a historyArgs, head string) (h checker.History, found bool, err error) {
	defer r.caught(ctx, &err)
	ctx, cancel := context.WithTimeout(ctx, historyLimit)
	defer cancel()
	client := r.background(a.Installation, a.Repository)
	repo, err := repository(ctx, client, a.Repository)
	if err != nil {
		return h, false, err
	}
	pull, err := client.Pull(ctx, repo, a.Pull)
	if err != nil || pull.State != "open" || pull.Head.SHA != head {
		return h, false, err
	}
	h, err = r.trace(ctx, newSource(client, repo), pull)
	return h, true, err
}
