package jobs

import (
	"context"

	"github.com/riverqueue/river"
)

type commitWorker struct {
	river.WorkerDefaults[commitArgs]
	r *Runner
}

// Work checks a commit that is no pull request's head and publishes at once.
func (w *commitWorker) Work(ctx context.Context, job *river.Job[commitArgs]) error {
	last := job.Attempt >= job.MaxAttempts
	return w.r.settle(ctx, job.Args.GUID, last, w.r.checkCommit(ctx, job.Args, last))
}

func (r *Runner) checkCommit(ctx context.Context, a commitArgs, last bool) error {
	client := r.cfg.GitHub.Installation(a.Installation)
	repo, err := client.Repository(ctx, a.Repository)
	if err != nil {
		return err
	}
	out, err := r.assess(ctx, client, repo, comparison{base: a.Base, tip: a.Base, head: a.Head})
	if err != nil && (over(err) || passing(err) && !last) {
		return err
	}
	if err != nil {
		out = unable(why(err))
	}
	return r.run(ctx, publishArgs{a.GUID, a.Installation, a.Repository, a.Head}, out)
}
