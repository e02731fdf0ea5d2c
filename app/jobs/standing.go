package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/riverqueue/river"
)

// standingArgs ask for the open pull requests whose cards go together with the
// default branch in another way than their runs say, now that it has moved.
type standingArgs struct {
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Head         string `json:"head"`
}

func (standingArgs) Kind() string { return "standing" }

type standingWorker struct {
	river.WorkerDefaults[standingArgs]
	r *Runner
}

// Work compares. Nobody waits for it.
func (w *standingWorker) Work(ctx context.Context, job *river.Job[standingArgs]) error {
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.standing(ctx, job.Args) })
	return w.r.settle(ctx, "", job.Attempt >= attempts, err)
}

// maxStanding is how many pull requests one push has looked at, the newest first:
// each costs no request where its trees are known, and a few in a new process.
const maxStanding = 100

// askStanding asks for that where any pull request is open. Of a burst of pushes what
// comes too late finds that the branch has moved on.
func (r *Runner) askStanding(ctx context.Context, a standingArgs) error {
	open, err := r.cfg.Store.OpenPulls(ctx, a.Repository)
	if err != nil || len(open) == 0 || a.Installation == 0 {
		return err
	}
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := r.queue.InsertTx(ctx, tx, a, urgency(ctx, true))
		return err
	})
}

// standing has those pull requests evaluated anew. It decides by trees, not by
// GitHub's word for it, which comes late.
func (r *Runner) standing(ctx context.Context, a standingArgs) error {
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	client := r.background(a.Installation, a.Repository)
	repo, err := repository(ctx, client, a.Repository)
	if err != nil || repo.Archived {
		return err
	}
	tip, err := client.Branch(ctx, repo, repo.DefaultBranch)
	if err != nil || tip != a.Head {
		return err // the push of another tip is looked at for itself
	}
	open, err := r.cfg.Store.OpenPulls(ctx, a.Repository)
	if err != nil {
		return err
	}
	from := newSource(client, repo)
	side, err := take(ctx, from, tip)
	if err != nil {
		return err
	}
	own, err := side.config(ctx)
	var faults config.Faults
	if err != nil {
		if errors.As(err, &faults) {
			return nil // nothing is merged under it
		}
		return err
	}
	slices.Reverse(open)
	for _, p := range open[:min(len(open), maxStanding)] {
		if err := r.stands(ctx, from, own.Shape.Cards, tip, p); err != nil {
			return err
		}
	}
	return nil
}

// stands evaluates one pull request anew if its verdict says another thing. One
// without a verdict is being looked at anyway.
func (r *Runner) stands(ctx context.Context, from *source, cards, tip string, p store.Pull) error {
	v, err := r.cfg.Store.VerdictOf(ctx, p.Repository, p.Number, p.Generation)
	if errors.Is(err, store.ErrNotFound) || err == nil && (v.HeadSHA != p.Head || v.Base == "" || v.BaseRef != refHash(from.repo.DefaultBranch)) {
		return nil
	}
	if err != nil {
		return err
	}
	var said outcome
	if json.Unmarshal(v.Report, &said) != nil {
		return errRow
	}
	trees, err := from.client.MergeTrees(ctx, from.repo, v.Base, tip, p.Head)
	if errors.Is(err, github.ErrNotFound) {
		return nil // a head that is gone, or a branch that was made anew: its own event tells
	}
	if err != nil {
		return err
	}
	clashing, _, err := r.sortClashes(ctx, from, cards, trees.Clashes)
	if err != nil || (len(clashing) > 0) == said.Conflict {
		return err
	}
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return r.evaluate(ctx, tx, evaluateArgs{Late: true}, p)
	})
}
