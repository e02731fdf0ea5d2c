package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
)

// errUninstalled: the App is on that repository no more. Nobody waits for what was to be done.
var errUninstalled = errors.New("the App is not installed there any more")

// place is where a job works, as its row says.
type place struct {
	Installation int64 `json:"installation"`
	Repository   int64 `json:"repository"`
}

type placeKey struct{}

// at puts the place of a job into its context.
func at(ctx context.Context, args []byte) context.Context {
	var p place
	_ = json.Unmarshal(args, &p) // a row of another build: nothing is known then
	return context.WithValue(ctx, placeKey{}, p)
}

// rediscover is for a job whose installation does not exist: the App may have been removed and installed
// again under a new id, with the events of it lost or on their way (2A-29). Nil means that the repository has
// another installation, and that the job's row and all that is kept name it now. Where GitHub knows the repository
// under the same id as we do, that is a fault of nobody's, and cause comes back: nothing is looked up for ever.
func (r *Runner) rediscover(ctx context.Context, cause error) error {
	p, _ := ctx.Value(placeKey{}).(place)
	if p.Repository == 0 {
		return cause
	}
	found, err := r.cfg.GitHub.InstallationOf(ctx, p.Repository)
	switch {
	case errors.Is(err, github.ErrNotFound):
		r.cfg.Log.InfoContext(ctx, "the App is not installed there any more; the job is dropped", "installation", p.Installation, "repository", p.Repository)
		return errUninstalled
	case err != nil:
		return err
	case found == p.Installation:
		return cause
	}
	if err := r.move(ctx, p, found); err != nil {
		return err
	}
	r.cfg.GitHub.Forget(p.Installation)
	r.nudge()
	r.cfg.Log.InfoContext(ctx, "the App was installed anew; the job goes on there", "installation", found, "repository", p.Repository)
	return nil
}

// move gives what is kept of a repository, and its jobs, to another installation, and asks for a look at all
// that is in there.
func (r *Runner) move(ctx context.Context, from place, to int64) error {
	set := `jsonb_set(args, '$.installation', $1)`
	if r.cfg.Store.Dialect() == store.Postgres {
		set = `jsonb_set(args, '{installation}', to_jsonb($1::bigint))`
	}
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE river_job SET args = `+set+` WHERE finalized_at IS NULL
			AND `+r.argument("installation")+` = $2 AND `+r.argument("repository")+` = $3`, to, from.Installation, from.Repository); err != nil {
			return fmt.Errorf("jobs: move the jobs of a repository to another installation: %w", err)
		}
		if err := r.cfg.Store.MoveTx(ctx, tx, from.Repository, from.Installation, to); err != nil {
			return err
		}
		// What ended under the old installation names it still, and what runs may write under it once more.
		if err := r.forget(ctx, tx, store.Farewell{Installation: from.Installation, Repository: from.Repository}); err != nil {
			return err
		}
		return r.cfg.Store.AskRoundTx(ctx, tx, store.Round{Installation: to, Tip: true})
	})
}
