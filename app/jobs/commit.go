package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/riverqueue/river"
)

type commitWorker struct {
	river.WorkerDefaults[commitArgs]
	r *Runner
}

// Work checks a commit that is no pull request's head and publishes at once.
func (w *commitWorker) Work(ctx context.Context, job *river.Job[commitArgs]) error {
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.checkCommit(ctx, job.Args, job.Attempt >= attempts) })
	return w.r.settle(ctx, job.Args.GUID, job.Attempt >= publishAttempts, err)
}

// checkCommit has no verdict row: where nothing could be checked to the last, the
// attempts that are left go into saying so. Nothing is said of a merge group that
// was given up (2A-21).
func (r *Runner) checkCommit(ctx context.Context, a commitArgs, last bool) error {
	if gone, err := r.destroyed(ctx, a.Repository, a.Head); err != nil || gone {
		return err
	}
	client := r.reader(a.Installation, a.Repository)
	if a.Base == "" {
		client = r.background(a.Installation, a.Repository) // nothing waits for the default branch's own run
	}
	repo, err := repository(ctx, client, a.Repository)
	if err != nil {
		return err
	}
	out, err := r.assessCommit(ctx, client, repo, a)
	if stopped(ctx) || err != nil && retried(err, last) {
		return errors.Join(err, ctx.Err())
	}
	if err != nil {
		r.uncheckable(ctx, err, "repository", a.Repository, "head", a.Head)
		out = unable(why(err))
	}
	if said := r.publishCommit(ctx, repo, a, out); said != nil {
		return said
	}
	if err != nil && passing(err) {
		return errUnable
	}
	if a.Base == "" {
		if err := r.askStanding(ctx, standingArgs{a.Installation, a.Repository, a.Head}); err != nil {
			return err
		}
	}
	if out.refresh {
		return r.refreshLater(ctx, refreshArgs{a.Installation, a.Repository, a.Head})
	}
	return nil
}

// assessCommit checks within the attempt's time. A merge group's policy is that of
// its base; the default branch answers under its own.
func (r *Runner) assessCommit(ctx context.Context, client *github.Client, repo github.Repo, a commitArgs) (out outcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	key := fmt.Sprintf("commit %d/%s/%s", a.Repository, a.Head, a.Base)
	err = r.inSlices(ctx, key, client, repo, func(from *source) error {
		c := comparison{base: a.Base, tip: a.Base, head: a.Head, installation: a.Installation}
		if a.Base == "" {
			c.refresher = a.Installation
		}
		out, err = r.assess(ctx, from, c)
		return err
	})
	return out, err
}

// publishCommit says the outcome at once. Whether the group was given up is asked
// again under the lock, right before GitHub is written to.
func (r *Runner) publishCommit(ctx context.Context, repo github.Repo, a commitArgs, out outcome) error {
	key := store.CheckKey(a.Repository, a.Head)
	unlock, err := r.alone(ctx, key)
	if err != nil {
		return err
	}
	defer unlock()
	if err := r.begin(ctx, key, a.Installation, a.Repository); err != nil {
		return err
	}
	if gone, err := r.destroyed(ctx, a.Repository, a.Head); err != nil || gone {
		return err
	}
	run := checkRun(a.Head, out)
	run.Still = func(ctx context.Context) (bool, error) {
		gone, err := r.destroyed(ctx, a.Repository, a.Head)
		return !gone, err
	}
	err = r.run(ctx, r.publisher(a.Installation, a.Repository), repo, run)
	if errors.Is(err, github.ErrOvertaken) {
		return nil
	}
	if err == nil {
		r.cfg.Meter.Verdict(string(out.Conclusion))
	}
	return err
}
