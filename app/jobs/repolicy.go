package jobs

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/webhooks"
	"github.com/riverqueue/river"
)

// What it costs GitHub that a policy changes. An installation has at least 5,000
// requests an hour, 83 a minute, for all that the App does. A round takes 5
// requests, an evaluation with its publication and its look at the commits some 30
// where a change touches one skill: together under 70 a minute, and 500 red pull
// requests take some four hours.
const (
	// pace is the pause between two rounds, and before the first: a burst of
	// pushes is one change.
	pace = time.Minute
	// perRound is how many pull requests a round looks at again.
	perRound = 2
	// maxRounds bounds what one change of policy sets off: 500 pull requests,
	// the newest. The others are looked at with their next event.
	maxRounds = 250
	// idleRounds is how often a round waits for evaluations under way, which may
	// have read the policy of before: longer than all attempts of one.
	idleRounds = 20
)

type repolicyWorker struct {
	river.WorkerDefaults[repolicyArgs]
	r *Runner
}

// Work has some red pull requests looked at again.
func (w *repolicyWorker) Work(ctx context.Context, job *river.Job[repolicyArgs]) error {
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.repolicy(ctx, job.Args) })
	return w.r.settle(ctx, "", job.Attempt >= attempts, err)
}

// policyMayChange asks for a round after a push to the default branch, unless no
// pull request could gain by it, or a round waits already: that one reads what
// is there when it begins. One that runs may have read it already.
func (r *Runner) policyMayChange(ctx context.Context, tx *sql.Tx, w webhooks.Work) error {
	some, err := r.cfg.Store.AnyNotGreenTx(ctx, tx, w.Repository)
	if err != nil || !some {
		return err
	}
	return r.insertRepolicy(ctx, tx, repolicyArgs{Installation: w.Installation, Repository: w.Repository})
}

// insertRepolicy puts a round into the queue for later, if none waits.
func (r *Runner) insertRepolicy(ctx context.Context, tx *sql.Tx, a repolicyArgs) error {
	var waits bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM river_job WHERE kind = 'repolicy'
		AND state IN ('available', 'scheduled', 'retryable') AND CAST(args ->> 'repository' AS TEXT) = $1)`,
		fmt.Sprint(a.Repository)).Scan(&waits)
	if err != nil {
		return fmt.Errorf("jobs: look for a round that waits: %w", err)
	}
	if waits {
		return nil
	}
	_, err = r.queue.InsertTx(ctx, tx, a, r.later())
	return err
}

// later puts a job off by the pace. Less than a second is at once: the queue looks
// at scheduled jobs every few seconds.
func (r *Runner) later() *river.InsertOpts {
	if r.cfg.Pace < time.Second {
		return nil
	}
	return &river.InsertOpts{ScheduledAt: time.Now().Add(r.cfg.Pace)}
}

// repolicy compares the policy of the default branch, as GitHub has it now, with
// the one that each red verdict was made under, and opens new generations of a few
// pull requests where it is another. All that it decides by is stored, so that a
// round may run twice, and a later push finds what an earlier one left.
func (r *Runner) repolicy(ctx context.Context, a repolicyArgs) error {
	ctx, cancel := context.WithTimeout(ctx, workLimit)
	defer cancel()
	client := r.background(a.Installation, a.Repository)
	repo, err := repository(ctx, client, a.Repository)
	if err != nil {
		return err
	}
	policy, err := configAt(ctx, client, repo)
	if err != nil {
		return err
	}
	if policy != a.Policy {
		a.Policy, a.Round, a.Idle = policy, 0, 0
	}
	list, pending, err := r.cfg.Store.Outdated(ctx, a.Repository, policy, refHash(repo.DefaultBranch), perRound+1)
	if err != nil {
		return err
	}
	return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return r.round(ctx, tx, a, list, pending)
	})
}

// round begins the evaluations of one round, and asks for the next where there is
// more to do. A pull request that has a newer event meanwhile is opened once more,
// which costs an evaluation and does no harm.
func (r *Runner) round(ctx context.Context, tx *sql.Tx, a repolicyArgs, list []store.Pull, pending bool) error {
	for _, p := range list[:min(len(list), perRound)] {
		p.Installation = a.Installation
		if err := r.evaluate(ctx, tx, evaluateArgs{Policy: a.Policy}, p); err != nil {
			return err
		}
	}
	a.Round++
	if a.Idle++; len(list) > 0 {
		a.Idle = 0
	}
	switch {
	case len(list) <= perRound && !pending, a.Idle > idleRounds:
		return nil
	case a.Round >= maxRounds:
		r.cfg.Log.Warn("too many red pull requests to look at again after a change of policy; the rest waits for its next event", "repository", a.Repository)
		return nil
	}
	return r.insertRepolicy(ctx, tx, a)
}

// configAt is the blob id of the configuration on the default branch, looked up
// level by level, so that the size of the repository does not matter.
func configAt(ctx context.Context, client *github.Client, repo github.Repo) (string, error) {
	id, err := client.Branch(ctx, repo, repo.DefaultBranch)
	if err != nil {
		return "", err
	}
	parts := strings.Split(checker.ConfigFile, "/")
	for i, name := range parts {
		list, err := client.Level(ctx, repo, id)
		if err != nil {
			return "", err
		}
		if id = entryID(list, name, i < len(parts)-1); id == "" {
			return noConfig, nil
		}
	}
	return id, nil
}

// entryID is the id of a folder, or of a file or link; "" where there is none.
func entryID(list []tree.Entry, name string, folder bool) string {
	for _, e := range list {
		if e.Path == name && e.Mode != tree.Submodule && (e.Mode == tree.Directory) == folder {
			return e.ID
		}
	}
	return ""
}

// refHash stands for the name of a branch, which is a person's text and not kept.
func refHash(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}
