package jobs

import (
	"context"
	"database/sql"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/riverqueue/river"
)

type recheckWorker struct {
	river.WorkerDefaults[recheckArgs]
	r *Runner
}

// Work finds out what a commit is the head of, and has that looked at again.
func (w *recheckWorker) Work(ctx context.Context, job *river.Job[recheckArgs]) error {
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.lookUp(ctx, job.Args) })
	return w.r.settle(ctx, job.Args.GUID, job.Attempt >= attempts, err)
}

// lookUp goes through the open pull requests: of a fork's commit neither the
// event nor GitHub's own list of a commit's pull requests names any (2A-18). A
// commit that is no head is checked by itself.
func (r *Runner) lookUp(ctx context.Context, a recheckArgs) error {
	client := r.reader(a.Installation, a.Repository)
	repo, err := repository(ctx, client, a.Repository)
	if err != nil {
		return err
	}
	pulls, err := client.OpenPulls(ctx, repo)
	if err != nil {
		return err
	}
	var heads []store.Pull
	for _, p := range pulls {
		if p.Head.SHA == a.Head {
			heads = append(heads, store.Pull{Installation: a.Installation, Repository: a.Repository, Number: int64(p.Number), Head: a.Head})
		}
	}
	if len(heads) == 0 {
		return r.recheckCommit(ctx, client, repo, a)
	}
	err = r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error { return r.again(ctx, tx, a.GUID, heads) })
	if err != nil {
		return err
	}
	return errHandedOn
}

// recheckCommit compares the commit with where it left the default branch, as a
// merge group does. A commit on that branch is answered for whole.
func (r *Runner) recheckCommit(ctx context.Context, client *github.Client, repo github.Repo, a recheckArgs) error {
	tip, err := client.Branch(ctx, repo, repo.DefaultBranch)
	if err != nil {
		return err
	}
	base, err := client.MergeBase(ctx, repo, tip, a.Head)
	if err != nil {
		return err
	}
	if base == a.Head {
		base = ""
	}
	err = r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return r.insert(ctx, tx, commitArgs{a.GUID, a.Installation, a.Repository, a.Head, base})
	})
	if err != nil {
		return err
	}
	return errHandedOn
}
