package jobs

import (
	"context"
	"errors"

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
	err := w.r.checkCommit(ctx, job.Args, job.Attempt >= attempts)
	return w.r.settle(ctx, job.Args.GUID, job.Attempt >= publishAttempts, err)
}

// checkCommit has no verdict row: where nothing could be checked to the last, the
// attempts that are left go into saying so. Nothing is said of a merge group that
// was given up (2A-21).
func (r *Runner) checkCommit(ctx context.Context, a commitArgs, last bool) error {
	if gone, err := r.destroyed(ctx, a.Repository, a.Head); err != nil || gone {
		return err
	}
	client := r.cfg.GitHub.Installation(a.Installation)
	repo, err := repository(ctx, client, a.Repository)
	if err != nil {
		return err
	}
	out, err := r.assessCommit(ctx, client, repo, a)
	if stopped(ctx) || err != nil && retried(err, last) {
		return errors.Join(err, ctx.Err())
	}
	if err != nil {
		r.cfg.Log.Error("could not check", "repository", a.Repository, "head", a.Head, "reason", why(err))
		out = unable(why(err))
	}
	if said := r.publishCommit(ctx, client, repo, a, out); said != nil {
		return said
	}
	if err != nil && passing(err) {
		return errUnable
	}
	return nil
}

// assessCommit checks within workLimit. A merge group's policy is that of its
// base; the default branch answers under its own.
func (r *Runner) assessCommit(ctx context.Context, client *github.Client, repo github.Repo, a commitArgs) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, workLimit)
	defer cancel()
	return r.assess(ctx, client, repo, comparison{base: a.Base, tip: a.Base, head: a.Head})
}

// publishCommit says the outcome at once. Whether the group was given up is asked
// again under the lock, right before GitHub is written to.
func (r *Runner) publishCommit(ctx context.Context, client *github.Client, repo github.Repo, a commitArgs, out outcome) error {
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
	return r.run(ctx, client, repo, checkRun(a.Head, out))
}
