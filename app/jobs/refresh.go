package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/riverqueue/river"
)

// refreshBranch is the one branch from which the App's own pull request comes.
const refreshBranch = "cardkeeper/refresh"

// refreshArgs ask to bring the cards of the default branch up to what it holds.
type refreshArgs struct {
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Head         string `json:"head"`
}

func (refreshArgs) Kind() string { return "refresh" }

type refreshWorker struct {
	river.WorkerDefaults[refreshArgs]
	r *Runner
}

// Work refreshes. Nobody waits for it: the run on the commit is there already.
func (w *refreshWorker) Work(ctx context.Context, job *river.Job[refreshArgs]) error {
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.refresh(ctx, job.Args) })
	return w.r.settle(ctx, "", job.Attempt >= attempts, err)
}

// What the run on the default branch says where its policy asks for what the App may not do.
const (
	cannotCommit = "The policy asks for `refresh: commit`, and the App may not: the owner of the installation has to accept Contents: write.\n\n"
	cannotOpen   = "The policy asks for `refresh: pull_request`, and the App may not: the owner of the installation has to accept Contents: write and Pull requests: write.\n\n"
)

// wantsRefresh says whether the default branch is to be refreshed, and what the run
// says where the policy wants it and the owner has not allowed it.
func (r *Runner) wantsRefresh(ctx context.Context, installation int64, s *sides, report checker.Report) (wants bool, words string, err error) {
	if installation == 0 || s.refresh == config.RefreshOff || len(refreshable(report.Mends)) == 0 {
		return false, "", nil
	}
	granted, err := r.cfg.GitHub.Granted(ctx, installation)
	if err != nil {
		return false, "", err
	}
	switch {
	case s.refresh == config.RefreshCommit && granted["contents"] != "write":
		return false, cannotCommit, nil
	case s.refresh == config.RefreshPull && (granted["contents"] != "write" || granted["pull_requests"] != "write"):
		return false, cannotOpen, nil
	}
	return true, "", nil
}

// refreshable are the cards that a refresh writes. One whose line endings alone
// differ says what it should: whoever committed it so would do it again, and a
// commit would follow each of theirs (2A-42).
func refreshable(mends []checker.Mend) []checker.Mend {
	return slices.DeleteFunc(slices.Clone(mends), func(m checker.Mend) bool { return m.Endings })
}

// refreshLater asks for a refresh after the pace: a burst of pushes is one, since
// those that come too late find that the branch has moved on.
func (r *Runner) refreshLater(ctx context.Context, a refreshArgs) error {
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := r.queue.InsertTx(ctx, tx, a, r.later())
		return err
	})
}

// refresh makes the cards of the default branch's tip anew, one repository at a time.
// What is not the tip any more is left to the event of that, and a tip that is our
// own commit is left alone, whatever its cards are (2A-40).
func (r *Runner) refresh(ctx context.Context, a refreshArgs) error {
	unlock, err := r.alone(ctx, fmt.Sprintf("refresh:%d", a.Repository))
	if err != nil {
		return err
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	client := r.background(a.Installation, a.Repository)
	repo, err := repository(ctx, client, a.Repository)
	if err != nil || repo.Archived {
		return err
	}
	tip, err := client.Branch(ctx, repo, repo.DefaultBranch)
	if err != nil || tip != a.Head {
		return err
	}
	head, err := client.Commit(ctx, repo, tip)
	if err != nil {
		return err
	}
	if ours, err := r.made(ctx, a.Repository, tip); err != nil || ours || head.Mark != "" {
		return err
	}
	mode, mends, err := r.stale(ctx, client, repo, tip)
	if err != nil || len(mends) == 0 || mode == config.RefreshOff {
		return err
	}
	c := cardCommit{
		installation: a.Installation, repo: repo, branch: repo.DefaultBranch, tree: head.Tree, parents: []string{tip},
		changes: cardChanges(mends), key: store.RefreshKey(a.Repository, tip),
	}
	if err := r.begin(ctx, c.key, a.Installation, a.Repository); err != nil {
		return err
	}
	if mode == config.RefreshCommit {
		made, err := r.commitCards(ctx, c)
		if err == nil {
			return r.finishEffect(ctx, a.Repository, c.key, made)
		}
		if errors.Is(err, github.ErrBehind) {
			return nil // that push is looked at for itself
		}
		if !errors.Is(err, errRefused) {
			return err
		}
	}
	return r.proposeCards(ctx, client, c)
}

// stale makes the cards that the tip lacks, and says what its policy wants done.
func (r *Runner) stale(ctx context.Context, client *github.Client, repo github.Repo, tip string) (mode string, mends []checker.Mend, err error) {
	defer r.caught(ctx, &err)
	key := fmt.Sprintf("refresh %d/%s", repo.ID, tip)
	err = r.inSlices(ctx, key, client, repo, func(from *source) error {
		report, s, err := r.examine(ctx, from, comparison{head: tip}, true)
		if err == nil {
			mode, mends = s.refresh, refreshable(report.Mends)
		}
		return err
	})
	var faults config.Faults
	if errors.As(err, &faults) {
		return "", nil, nil // the run says so
	}
	return mode, mends, err
}

// proposeCards brings the App's branch to the cards upon the tip, and opens its pull
// request where none is open. The branch is moved forward only: it grows upon what it
// held. One that a person has pushed to is that person's.
func (r *Runner) proposeCards(ctx context.Context, client *github.Client, c cardCommit) error {
	base, tip := c.branch, c.parents[0]
	c.branch = refreshBranch
	old, err := client.Branch(ctx, c.repo, refreshBranch)
	switch {
	case errors.Is(err, github.ErrNotFound):
		c.fresh = true
	case err != nil:
		return err
	default:
		last, err := client.Commit(ctx, c.repo, old)
		if err != nil {
			return err
		}
		ahead, err := client.Compare(ctx, c.repo, tip, old)
		if err != nil {
			return err
		}
		switch {
		case last.Mark == effectMark(c.key) && slices.Contains(last.Parents, tip):
			return r.openRefresh(ctx, c, base, old) // an attempt that was killed had come so far
		case ahead.Total > 0 && last.Mark == "":
			return nil
		case ahead.Total > 0:
			c.parents = []string{old, tip}
		}
	}
	made, err := r.commitCards(ctx, c)
	if err != nil {
		return err
	}
	return r.openRefresh(ctx, c, base, made)
}

// Fixed words: no text of the repository is in them.
const (
	refreshTitle = "Update cards"
	refreshBody  = "The default branch holds skills whose cards are not what their files say. This brings the cards up to them and changes nothing else.\n\nThe policy asks for it with `refresh`. While this is open it follows the default branch."
)

// openRefresh opens the pull request, unless one is open, or a person closed it at
// that very commit.
func (r *Runner) openRefresh(ctx context.Context, c cardCommit, base, commit string) error {
	client := r.cfg.GitHub.For(c.installation, c.repo.ID, github.Refreshing)
	pulls, err := client.PullsFrom(ctx, c.repo, refreshBranch, base)
	if err != nil {
		return err
	}
	known := slices.ContainsFunc(pulls, func(p github.Pull) bool { return p.State == "open" || p.Head.SHA == commit })
	if !known {
		if _, err := client.OpenPull(ctx, c.repo, refreshBranch, base, refreshTitle, refreshBody); err != nil {
			return err
		}
	}
	return r.finishEffect(ctx, c.repo.ID, c.key, commit)
}
