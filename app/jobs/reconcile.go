package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
)

// reconcile finds the open pull requests of a repository whose head lacks our completed run, whatever
// became of the events (2A-8), those whose verdict was never published, and those that were closed
// while nobody looked. It reads the repository and the list of its open pull requests, conditionally,
// and one list of runs for each head of which nothing is known. What it finds goes into the queue,
// behind what was told.
func (r *Runner) reconcile(ctx context.Context, round store.Round) error {
	known, err := r.cfg.Store.OpenPulls(ctx, round.Repository) // before GitHub is asked: none that is opened now is taken for closed
	if err != nil {
		return err
	}
	s := &inventory{r: r, round: round, client: r.cfg.GitHub.Surveyor(round.Installation)}
	if s.repo, err = repository(ctx, s.client, round.Repository); err != nil || s.repo.Archived {
		return err
	}
	open, err := s.client.OpenPulls(ctx, s.repo)
	if err != nil {
		return err
	}
	if s.work, err = r.inWork(ctx, round.Repository); err != nil {
		return err
	}
	there := map[int64]bool{}
	for _, p := range open {
		there[int64(p.Number)] = true
		if err := s.catchUp(ctx, p); err != nil {
			return err
		}
	}
	for _, p := range known {
		if !there[p.Number] {
			if err := s.close(ctx, p); err != nil {
				return err
			}
		}
	}
	if !round.Tip {
		return nil
	}
	return s.tip(ctx)
}

// An inventory is one look at a repository.
type inventory struct {
	r      *Runner
	round  store.Round
	client *github.Client
	repo   github.Repo
	work   work
}

// catchUp has one open pull request evaluated or published, if it needs that.
func (s *inventory) catchUp(ctx context.Context, p github.Pull) error {
	number, head := int64(p.Number), p.Head.SHA
	if s.work.pulls[number] {
		return nil
	}
	row, err := s.r.cfg.Store.Pull(ctx, s.repo.ID, number)
	unknown := errors.Is(err, store.ErrNotFound)
	if err != nil && !unknown {
		return err
	}
	if !unknown && !row.Closed && row.Head == head {
		return s.publish(ctx, row, p.Base.Ref)
	}
	if unknown {
		done, err := s.adopted(ctx, head)
		if err != nil || done {
			return err
		}
	}
	return s.evaluate(ctx, number, head)
}

func (s *inventory) evaluate(ctx context.Context, number int64, head string) error {
	return s.r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return s.r.evaluate(ctx, tx, evaluateArgs{Late: true}, store.Pull{
			Installation: s.round.Installation, Repository: s.repo.ID, Number: number, Head: head,
		})
	})
}

// publish looks at a pull request that is known with its head: its verdict may be missing, of another base (2A-25), or
// not be said yet.
func (s *inventory) publish(ctx context.Context, row store.Pull, base string) error {
	v, err := s.r.cfg.Store.VerdictOf(ctx, row.Repository, row.Number, row.Generation)
	if errors.Is(err, store.ErrNotFound) || err == nil && (v.HeadSHA != row.Head || v.BaseRef != "" && v.BaseRef != refHash(base)) {
		return s.evaluate(ctx, row.Number, row.Head)
	}
	if err != nil {
		return err
	}
	e, err := s.r.cfg.Store.Effect(ctx, store.CheckKey(row.Repository, row.Head))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if s.work.heads[row.Head] || e.Done && !v.MadeAt.After(e.FinishedAt) {
		return nil
	}
	return s.r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return s.r.insert(ctx, tx, publishArgs{Installation: s.round.Installation, Repository: row.Repository, Head: row.Head})
	})
}

// adopted reports whether a commit that we know nothing of has our completed run: it was published before the
// database was lost or cleared. That is kept, so that it is asked once.
func (s *inventory) adopted(ctx context.Context, head string) (bool, error) {
	others, err := s.r.cfg.Store.PullsAt(ctx, s.repo.ID, head)
	if err != nil || len(others) > 0 {
		return false, err // its run speaks for those alone
	}
	key := store.CheckKey(s.repo.ID, head)
	e, err := s.r.cfg.Store.Effect(ctx, key)
	if err == nil && e.Done {
		return true, nil
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	runs, err := s.client.OwnRuns(ctx, s.repo, head, CheckName)
	if err != nil || len(runs) == 0 || runs[0].Status != "completed" {
		return false, err
	}
	if err := s.r.begin(ctx, key, s.round.Installation, s.repo.ID); err != nil {
		return false, err
	}
	return true, s.r.done(ctx, key, runs[0].ID)
}

// close closes a pull request that is not on GitHub's list any more, if GitHub says so of it too.
func (s *inventory) close(ctx context.Context, row store.Pull) error {
	p, err := s.client.Pull(ctx, s.repo, int(row.Number))
	if errors.Is(err, github.ErrNotFound) || err == nil && p.State == "open" {
		return nil
	}
	if err != nil {
		return err
	}
	a := evaluateArgs{Installation: s.round.Installation, Repository: s.repo.ID, Pull: int(row.Number), Generation: row.Generation}
	if err := s.r.foundClosed(ctx, a, row.Head); err != nil && !errors.Is(err, errHandedOn) {
		return err
	}
	return nil
}

// tip has the default branch's head checked, if it has no run: a check can be chosen as required once it
// has run. A repository without a commit has none.
func (s *inventory) tip(ctx context.Context) error {
	tip, err := s.client.Branch(ctx, s.repo, s.repo.DefaultBranch)
	if errors.Is(err, github.ErrNotFound) || errors.Is(err, github.ErrConflict) || errors.Is(err, github.ErrInvalid) {
		return nil
	}
	if err != nil || s.work.heads[tip] {
		return err
	}
	if done, err := s.adopted(ctx, tip); err != nil || done {
		return err
	}
	return s.r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return s.r.insertLate(ctx, tx, commitArgs{Installation: s.round.Installation, Repository: s.repo.ID, Head: tip})
	})
}

// work is what the queue holds for a repository, waiting or running.
type work struct {
	pulls map[int64]bool  // that are being evaluated
	heads map[string]bool // that are being published, or checked by themselves
}

// inWork reads the arguments of jobs that are not over.
func (r *Runner) inWork(ctx context.Context, repository int64) (work, error) {
	w := work{pulls: map[int64]bool{}, heads: map[string]bool{}}
	head := `args->>'head'` // text, on both databases
	rows, err := r.cfg.Store.DB().QueryContext(ctx, `SELECT kind, coalesce(`+r.argument("pull")+`, 0), coalesce(`+head+`, '')
		FROM river_job WHERE finalized_at IS NULL AND kind IN ('evaluate', 'verdict', 'publish', 'commit') AND `+r.argument("repository")+` = $1`, repository)
	if err != nil {
		return w, fmt.Errorf("jobs: list the jobs of a repository: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind, head string
		var pull int64
		if err := rows.Scan(&kind, &pull, &head); err != nil {
			return w, err
		}
		if kind == "evaluate" {
			w.pulls[pull] = true
		} else {
			w.heads[head] = true
		}
	}
	return w, rows.Err()
}
