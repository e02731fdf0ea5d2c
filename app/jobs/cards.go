package jobs

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
)

// errRefused: GitHub lets nobody like us move that branch.
var errRefused = errors.New("the branch is kept by its rules or its protection")

// remedy says how a report on a pull request offers the rebuilt cards: by the button
// where the App may commit to the branch, and else by a patch. A branch whose last
// commit is ours gets no second one (2A-40).
func (r *Runner) remedy(ctx context.Context, installation int64, repo github.Repo, pull github.Pull) (checker.Remedy, error) {
	if pull.Fork || repo.Archived || pull.Head.Ref == repo.DefaultBranch {
		return checker.ByPatch, nil
	}
	if ours, err := r.made(ctx, repo.ID, pull.Head.SHA); err != nil || ours {
		return checker.ByPatch, err
	}
	granted, err := r.cfg.GitHub.Granted(ctx, installation)
	if err != nil && retried(err, false) {
		return "", err
	}
	if granted["contents"] == "write" {
		return checker.ByButton, nil
	}
	return checker.ByPatch, nil
}

// made reports whether the App made a commit.
func (r *Runner) made(ctx context.Context, repository int64, commit string) (bool, error) {
	_, err := r.cfg.Store.Effect(ctx, store.MadeKey(repository, commit))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// mendPull is the check of a pull request for the sake of the cards that would mend
// it, and of how they go together with the base branch.
func (r *Runner) mendPull(ctx context.Context, from *source, pull github.Pull) (_ []checker.Mend, m merge, err error) {
	defer r.caught(ctx, &err)
	c, ahead, err := r.comparePull(ctx, from, pull)
	if err != nil {
		return nil, merge{}, err
	}
	report, _, err := r.examine(ctx, from, c, true)
	if err != nil || !report.Enabled() {
		return nil, merge{}, err
	}
	m, err = r.standingOf(ctx, from, c, ahead)
	return report.Mends, m, err
}

// cardChanges are rebuilt cards as a commit takes them. A card that is executable
// by accident is no more so: a card is a page.
func cardChanges(mends []checker.Mend) (list []github.Change) {
	for _, m := range mends {
		list = append(list, github.Change{Path: m.Card, Mode: tree.Regular, Data: m.Data})
	}
	return list
}

// A cardCommit is a commit of cards that is to be made.
type cardCommit struct {
	installation int64
	repo         github.Repo
	branch       string
	tree         string // that the changes come upon
	parents      []string
	changes      []github.Change
	key          string // of the effect
	fresh        bool   // the branch is to be made
	message      string // above the trailer; "" is that of rebuilt cards

	still func(context.Context) error // asked right before the branch moves; nil for nothing to ask
}

// The messages are the same for every commit: no text of the repository is in them.
const (
	cardMessage  = "Update cards\n\nThe cards of the index, rebuilt from the files of their skills.\n\n"
	mergeMessage = "Merge the base branch and update cards\n\nNothing but cards conflicted. They are rebuilt from the files of their merged skills.\n\n"
)

// commitCards makes the commit and moves the branch to it, forward only. Before the
// branch moves it is written down that the commit is ours.
func (r *Runner) commitCards(ctx context.Context, c cardCommit) (commit string, err error) {
	client := r.cfg.GitHub.For(c.installation, c.repo.ID, github.Committing)
	made, err := client.MakeTree(ctx, c.repo, c.tree, c.changes)
	if err != nil {
		return "", err
	}
	commit, err = client.MakeCommit(ctx, c.repo, cmp.Or(c.message, cardMessage)+github.Trailer(effectMark(c.key)), made, c.parents...)
	if err != nil {
		return "", err
	}
	if err := r.begin(ctx, store.MadeKey(c.repo.ID, commit), c.installation, c.repo.ID); err != nil {
		return "", err
	}
	if c.still != nil {
		if err := c.still(ctx); err != nil {
			return "", err
		}
	}
	if c.fresh {
		return commit, refused(client.MakeBranch(ctx, c.repo, c.branch, commit))
	}
	return commit, refused(client.MoveBranch(ctx, c.repo, c.branch, commit))
}

// refused tells a branch that may not be moved from one that moved: GitHub says the
// former with three statuses.
func refused(err error) error {
	switch {
	case errors.Is(err, github.ErrBehind), errors.Is(err, github.ErrArchived), errors.Is(err, github.ErrSuspended), errors.Is(err, github.ErrUngranted):
		return err
	case errors.Is(err, github.ErrForbidden), errors.Is(err, github.ErrInvalid), errors.Is(err, github.ErrConflict):
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	return err
}

// finishEffect records the commit that an effect is. The row that says of the
// commit that it is ours ends as well, so that both expire.
func (r *Runner) finishEffect(ctx context.Context, repository int64, key, commit string) error {
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		made := store.MadeKey(repository, commit)
		err := r.cfg.Store.FinishEffectTx(ctx, tx, made, commit)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		return r.cfg.Store.FinishEffectTx(ctx, tx, key, commit)
	})
}
