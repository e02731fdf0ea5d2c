package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/riverqueue/river"
)

type evaluateWorker struct {
	river.WorkerDefaults[evaluateArgs]
	r *Runner
}

// Work makes the verdict of one generation of a pull request.
func (w *evaluateWorker) Work(ctx context.Context, job *river.Job[evaluateArgs]) error {
	a := job.Args
	err := w.r.evaluatePull(ctx, a, job.Attempt >= job.MaxAttempts)
	return w.r.settle(ctx, a.GUID, job.Attempt >= job.MaxAttempts, err)
}

// evaluatePull checks the pull request as it is now. On the last attempt, or
// where no further one would help, "could not check" is the verdict.
func (r *Runner) evaluatePull(ctx context.Context, a evaluateArgs, last bool) error {
	if current, err := r.current(ctx, a); err != nil || !current {
		return err
	}
	client := r.cfg.GitHub.Installation(a.Installation)
	repo, err := client.Repository(ctx, a.Repository)
	if err != nil {
		return err
	}
	pull, err := client.Pull(ctx, repo, a.Pull)
	if err != nil {
		return err
	}
	if pull.State != "open" {
		return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			_, err := r.cfg.Store.CloseTx(ctx, tx, a.Repository, int64(a.Pull))
			return err
		})
	}
	out, base, err := r.assessPull(ctx, client, repo, pull)
	if err != nil && (over(err) || passing(err) && !last) {
		return err
	}
	if err != nil {
		r.cfg.Log.Error("could not check", "repository", a.Repository, "pull", a.Pull, "reason", why(err))
		out = unable(why(err))
	}
	return r.keep(ctx, a, pull, base, out)
}

func (r *Runner) assessPull(ctx context.Context, client *github.Client, repo github.Repo, pull github.Pull) (outcome, string, error) {
	base, err := client.MergeBase(ctx, repo, pull.Base.SHA, pull.Head.SHA)
	if err != nil {
		return outcome{}, "", err
	}
	out, err := r.assess(ctx, client, repo, comparison{base: base, tip: pull.Base.SHA, head: pull.Head.SHA})
	return out, base, err
}

// current is the fence: an older generation, or a closed pull request, is nobody's business any more.
func (r *Runner) current(ctx context.Context, a evaluateArgs) (bool, error) {
	generation, open, err := r.cfg.Store.Generation(ctx, a.Repository, int64(a.Pull))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return open && generation == a.Generation, err
}

// keep writes the verdict and the job that publishes it, together.
func (r *Runner) keep(ctx context.Context, a evaluateArgs, pull github.Pull, base string, out outcome) error {
	report, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("jobs: keep a verdict: %w", err)
	}
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		kept, err := r.cfg.Store.PutVerdictTx(ctx, tx, store.Verdict{
			Installation: a.Installation, Repository: a.Repository, Number: int64(a.Pull), Generation: a.Generation,
			HeadSHA: pull.Head.SHA, Base: base, Conclusion: string(out.Conclusion), Report: report,
		})
		if err != nil || !kept {
			return err
		}
		return r.insert(ctx, tx, publishArgs{a.GUID, a.Installation, a.Repository, pull.Head.SHA})
	})
}

// settle ends a job: it records how the delivery's work went, and tells the
// queue what to do about an error.
func (r *Runner) settle(ctx context.Context, guid string, last bool, err error) error {
	next := again(err)
	var snooze *river.JobSnoozeError
	if errors.As(next, &snooze) || err != nil && !last && !over(err) {
		return next
	}
	record := r.cfg.Store.Tx(context.WithoutCancel(ctx), func(ctx context.Context, tx *sql.Tx) error {
		if guid == "" {
			return nil
		}
		return r.cfg.Store.FinishTx(ctx, tx, guid, err == nil || over(err))
	})
	if record != nil && !errors.Is(record, store.ErrNotFound) {
		return errors.Join(next, record)
	}
	return next
}
