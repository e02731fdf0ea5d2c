package jobs

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/webhooks"
)

// account does at once what can be, and asks for rounds where GitHub has to be read. What an installation
// gained or lost is read from GitHub's list: deliveries get lost and overtake each other.
func (r *Runner) account(ctx context.Context, tx *sql.Tx, w webhooks.Work) error {
	all := store.Round{Installation: w.Installation}
	one := store.Round{Installation: w.Installation, Repository: w.Repository, Tip: true}
	switch w.What {
	case "installation.created", "installation.new_permissions_accepted":
		all.Tip = true
		return r.cfg.Store.AskRoundTx(ctx, tx, all)
	case "installation.unsuspend":
		if err := r.wake(ctx, tx, w.Installation); err != nil {
			return err
		}
		all.Tip = true // pushes were lost as well
		return r.cfg.Store.AskRoundTx(ctx, tx, all)
	case "installation_repositories.added", "installation_repositories.removed":
		return r.cfg.Store.AskRoundTx(ctx, tx, all)
	case "installation.deleted":
		return r.forget(ctx, tx, store.Farewell{Installation: w.Installation})
	case "repository.deleted":
		return r.forget(ctx, tx, store.Farewell{Installation: w.Installation, Repository: w.Repository})
	case "repository.transferred":
		if err := r.forgetFormer(ctx, tx, w); err != nil {
			return err
		}
		return r.cfg.Store.AskRoundTx(ctx, tx, one)
	case "repository.created", "repository.unarchived", "repository.edited": // the last: another default branch
		return r.cfg.Store.AskRoundTx(ctx, tx, one)
	}
	// Suspended: the jobs find out and wait (see parked). Archived: they find out and end. Renamed, or seen by
	// others: all is kept by number, and was scanned.
	return nil
}

// forgetFormer ends what is kept of a repository under other owners: GitHub tells the new one
// alone (2A-31).
func (r *Runner) forgetFormer(ctx context.Context, tx *sql.Tx, w webhooks.Work) error {
	owners, err := r.cfg.Store.OwnersTx(ctx, tx, w.Repository)
	if err != nil {
		return err
	}
	for _, former := range owners {
		if former != w.Installation && former > 0 {
			if err := r.forget(ctx, tx, store.Farewell{Installation: former, Repository: w.Repository}); err != nil {
				return err
			}
		}
	}
	return nil
}

// accounts compares GitHub's list of installations with what is kept: one that is new has its round, and one
// that is gone is forgotten.
func (r *Runner) accounts(ctx context.Context, _ *store.Duty) error {
	here, err := r.installations(ctx)
	if err != nil {
		return err
	}
	known, err := r.cfg.Store.KnownInstallations(ctx)
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(known, func(id int64) bool { _, ok := here[id]; return ok })
	if len(gone) > 0 { // a list that changes between two of its pages may lack one
		again, err := r.installations(ctx)
		if err != nil {
			return err
		}
		gone = slices.DeleteFunc(gone, func(id int64) bool { _, ok := again[id]; return ok })
	}
	for id, suspended := range here {
		err = errors.Join(err, r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			if suspended {
				return nil
			}
			return r.cfg.Store.AddRoundTx(ctx, tx, store.Round{Installation: id})
		}))
	}
	for _, id := range gone {
		err = errors.Join(err, r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			return r.forget(ctx, tx, store.Farewell{Installation: id})
		}))
	}
	return err
}

// installations says of each whether it is suspended.
func (r *Runner) installations(ctx context.Context) (map[int64]bool, error) {
	list, err := r.cfg.GitHub.Installations(ctx)
	here := map[int64]bool{}
	for _, in := range list {
		here[in.ID] = in.Suspended
	}
	return here, err
}

// surveyed is how many repositories of an installation are looked after; GitHub's lists end there too.
const surveyed = 10_000

// survey compares an installation's list of repositories with what is kept: what is new has its rounds,
// with a run on its default branch, so that the check can be chosen as required; what is gone is forgotten.
func (r *Runner) survey(ctx context.Context, round store.Round) error {
	client := r.cfg.GitHub.Surveyor(round.Installation)
	list, total, err := client.Repositories(ctx, surveyed)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(list, portion/8) {
		if err := r.lookAfter(ctx, round, part); err != nil {
			return err
		}
	}
	gone, err := r.cfg.Store.KnownRepositories(ctx, round.Installation)
	if err != nil || total > len(list) {
		return err
	}
	if gone = missing(gone, list); len(gone) == 0 {
		return nil
	}
	if list, total, err = client.Repositories(ctx, surveyed); err != nil || total > len(list) {
		return err
	}
	for _, id := range missing(gone, list) {
		err = errors.Join(err, r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			return r.forget(ctx, tx, store.Farewell{Installation: round.Installation, Repository: id})
		}))
	}
	return err
}

// lookAfter asks for the rounds of repositories that are there.
func (r *Runner) lookAfter(ctx context.Context, round store.Round, list []github.Repo) error {
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, repo := range list {
			if err := r.cfg.Store.WelcomeTx(ctx, tx, round.Installation, repo.ID); err != nil {
				return err
			}
			ask := r.cfg.Store.AddRoundTx
			if round.Tip {
				ask = r.cfg.Store.AskRoundTx
			}
			if repo.Archived {
				continue
			}
			if err := ask(ctx, tx, store.Round{Installation: round.Installation, Repository: repo.ID, Tip: true}); err != nil {
				return err
			}
		}
		return nil
	})
}

// missing are the ids that no repository of the list has.
func missing(ids []int64, list []github.Repo) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
		return slices.ContainsFunc(list, func(r github.Repo) bool { return r.ID == id })
	})
}
