package jobs

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/riverqueue/river"
)

type evaluateWorker struct {
	river.WorkerDefaults[evaluateArgs]
	r *Runner
}

// Work makes the verdict of one generation of a pull request.
func (w *evaluateWorker) Work(ctx context.Context, job *river.Job[evaluateArgs]) error {
	err := w.r.tried(ctx, func(ctx context.Context) error { return w.r.evaluatePull(ctx, job.Args, job.Attempt) })
	return w.r.settle(ctx, job.Args.GUID, job.Attempt >= attempts, err)
}

// A finding is what was made of a pull request: the verdict and the commits it is about.
type finding struct {
	out        outcome
	head, base string
	baseRef    string // the hash of the base branch's name
	closed     bool
}

// evaluatePull checks the pull request as it is now. On the last attempt, or
// where no further one would help, "could not check" is the verdict, on the head
// that the event named: it is published whenever GitHub is back.
func (r *Runner) evaluatePull(ctx context.Context, a evaluateArgs, attempt int) error {
	known, err := r.current(ctx, a)
	if err != nil || known.Number == 0 {
		return err
	}
	f, err := r.look(ctx, a, known.Head, attempt)
	if stopped(ctx) || err != nil && (retried(err, attempt >= attempts) || f.head == "") {
		return errors.Join(err, ctx.Err())
	}
	if f.closed {
		return r.foundClosed(ctx, a, known.Head)
	}
	if err == nil {
		return r.keep(ctx, a, f)
	}
	r.uncheckable(ctx, err, "repository", a.Repository, "pull", a.Pull)
	f.out = unable(why(err))
	if !passing(err) {
		return r.keep(ctx, a, f)
	}
	a.GUID = "" // it stays with this job, which failed
	if err := r.keep(ctx, a, f); err != nil && !errors.Is(err, errHandedOn) {
		return err
	}
	return errUnable
}

// look reads the pull request and checks it, all within the attempt's time, so that
// there is some left to keep what came of it. The finding's head is known even with an error.
func (r *Runner) look(ctx context.Context, a evaluateArgs, known string, attempt int) (f finding, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	defer r.caught(ctx, &err)
	f = finding{head: known}
	client := r.reader(a.Installation, a.Repository)
	if a.Late {
		client = client.Background()
	}
	repo, err := repository(ctx, client, a.Repository)
	if err != nil {
		return f, err
	}
	pull, err := client.Pull(ctx, repo, a.Pull)
	if err != nil {
		return f, err
	}
	if pull.State != "open" {
		f.closed = true
		return f, nil
	}
	if known != "" && known != pull.Head.SHA && attempt <= lagTries {
		return f, errLag
	}
	f.head, f.baseRef = pull.Head.SHA, refHash(pull.Base.Ref)
	if a.Again && attempt == 1 {
		if err := r.announce(ctx, r.publisher(a.Installation, a.Repository), repo, a.GUID, f.head); err != nil && retried(err, false) {
			return f, err // any other error is no reason to give no verdict
		}
	}
	key := fmt.Sprintf("pull %d/%d/%d", a.Repository, a.Pull, a.Generation)
	err = r.inSlices(ctx, key, client, repo, func(from *source) error {
		f.out, f.base, err = r.assessPull(ctx, from, a.Installation, pull)
		return err
	})
	return f, err
}

// repository reads the repository under the name that it has now. One that is
// gone ends the work: what is asked for by its id does not lag.
func repository(ctx context.Context, client *github.Client, id int64) (github.Repo, error) {
	repo, err := client.Repository(ctx, id)
	if errors.Is(err, github.ErrNotFound) && !errors.Is(err, github.ErrNoInstallation) {
		return repo, errGone
	}
	return repo, err
}

// assessPull checks the pull request and names the merge base.
func (r *Runner) assessPull(ctx context.Context, from *source, installation int64, pull github.Pull) (outcome, string, error) {
	c, ahead, err := r.comparePull(ctx, from, pull)
	if err != nil {
		return outcome{}, "", err
	}
	c.conflict = func(ctx context.Context) (checker.Conflict, error) {
		m, err := r.standingOf(ctx, from, c, ahead)
		return m.conflict, err
	}
	c.installation = installation
	c.remedy = func(ctx context.Context) (checker.Remedy, error) { return r.remedy(ctx, installation, from.repo, pull) }
	out, err := r.assess(ctx, from, c)
	out.spare(ahead)
	return out, ahead.MergeBase, err
}

// comparePull compares the head with the merge base, asked for by commit ids, under
// the policy of the base branch as it is now.
func (r *Runner) comparePull(ctx context.Context, from *source, pull github.Pull) (comparison, github.Ahead, error) {
	tip, err := baseTip(ctx, from, pull)
	if err != nil {
		return comparison{}, github.Ahead{}, err
	}
	ahead, err := from.client.Compare(ctx, from.repo, tip, pull.Head.SHA)
	if errors.Is(err, github.ErrNotFound) && !errors.Is(err, github.ErrNoInstallation) {
		err = fmt.Errorf("%w: %w", errUnrelated, err)
	}
	return comparison{base: ahead.MergeBase, tip: tip, head: pull.Head.SHA}, ahead, err
}

// baseTip is the tip of the base branch. The commit that the pull request names
// is from when its head last moved; of a branch that is gone there is no other.
func baseTip(ctx context.Context, from *source, pull github.Pull) (string, error) {
	tip, err := from.client.Branch(ctx, from.repo, pull.Base.Ref)
	if errors.Is(err, github.ErrNotFound) {
		return pull.Base.SHA, nil
	}
	return tip, err
}

// current is the fence: it gives the zero Pull for an older generation, and for a
// closed or forgotten pull request. They are nobody's business any more.
func (r *Runner) current(ctx context.Context, a evaluateArgs) (store.Pull, error) {
	p, err := r.cfg.Store.Pull(ctx, a.Repository, int64(a.Pull))
	if errors.Is(err, store.ErrNotFound) || err == nil && (p.Closed || p.Generation != a.Generation) {
		return store.Pull{}, nil
	}
	return p, err
}

// foundClosed closes a pull request whose event of that was lost or comes later,
// and has another one on the same head published without it. One that was opened
// again meanwhile is of a newer generation and stays.
func (r *Runner) foundClosed(ctx context.Context, a evaluateArgs, head string) error {
	err := r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := r.cfg.Store.SetJobTx(ctx, tx, a.Repository, int64(a.Pull), a.Generation, 0); err != nil {
			return err
		}
		if _, err := r.cfg.Store.CloseTx(ctx, tx, a.Repository, int64(a.Pull)); err != nil || head == "" {
			return err
		}
		return r.insert(ctx, tx, publishArgs{a.GUID, a.Installation, a.Repository, head})
	})
	switch {
	case errors.Is(err, store.ErrStale):
		return nil
	case err == nil && head != "":
		return errHandedOn
	}
	return err
}

// keep writes the verdict and the job that publishes it, together. It returns
// errHandedOn, or nil where the verdict was overtaken and nothing is published.
func (r *Runner) keep(ctx context.Context, a evaluateArgs, f finding) error {
	report, err := json.Marshal(f.out)
	if err != nil {
		return fmt.Errorf("jobs: keep a verdict: %w", err) // unreachable: strings and numbers
	}
	var kept bool
	err = r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		kept, err = r.cfg.Store.PutVerdictTx(ctx, tx, store.Verdict{
			Installation: a.Installation, Repository: a.Repository, Number: int64(a.Pull), Generation: a.Generation,
			HeadSHA: f.head, Base: f.base, Conclusion: string(f.out.Conclusion), Report: report,
			Policy: cmp.Or(f.out.policy, a.Policy), BaseRef: f.baseRef,
		})
		if err != nil || !kept {
			return err
		}
		publish := publishArgs{a.GUID, a.Installation, a.Repository, f.head}
		if f.out.Commits {
			return r.insert(ctx, tx, verdictArgs{publish, a.Pull, a.Generation})
		}
		return r.insert(ctx, tx, publish)
	})
	if err == nil && kept {
		r.cfg.Meter.Verdict(string(f.out.Conclusion))
		return errHandedOn
	}
	return err
}
