package jobs

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/webhooks"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// A pile gathers what deliveries want, so that a burst is put down in a few statements. What comes of
// it is the same as of one delivery after the other; only of several on one pull request the last
// alone gets a generation and a job, since it would have replaced the others at once.
type pile struct {
	r      *Runner
	checks []pending
	jobs   []river.InsertManyParams
	done   []string // deliveries that need no job, or not their own
}

// pending is a pull request that is to be looked at.
type pending struct {
	args evaluateArgs
	pull store.Pull
	opts *river.InsertOpts
}

// add piles one piece of work up. What looks at more than its own row finds all settled that came before.
func (p *pile) add(ctx context.Context, tx *sql.Tx, guid string, w webhooks.Work) error {
	if w.Kind == webhooks.Drop || w.Kind == webhooks.Recheck || w.Kind == webhooks.Account {
		if err := p.settle(ctx, tx); err != nil {
			return err
		}
	}
	switch w.Kind {
	case webhooks.Check:
		p.check(ctx, evaluateArgs{GUID: guid}, store.Pull{
			Installation: w.Installation, Repository: w.Repository, Number: int64(w.Pull), Head: w.Head,
		})
		return nil
	case webhooks.Answer:
		p.job(ctx, answerArgs{guid, w.Installation, w.Repository, w.Pull, w.Comment})
		return nil
	case webhooks.CheckCommit:
		p.job(ctx, commitArgs{guid, w.Installation, w.Repository, w.Head, w.Base})
		if w.Base == "" { // the default branch, and with it the policy
			return p.r.policyMayChange(ctx, tx, w)
		}
		return nil
	case webhooks.Act:
		if w.Identifier == updateAction {
			p.job(ctx, updateArgs{guid, w.Installation, w.Repository, w.Head, w.CheckRun, w.Sender})
			return nil
		}
	case webhooks.Drop:
		// A comment or a merge group that is gone needs no more than the row: who
		// works for it looks there, or at GitHub, before it writes.
		if w.Comment == 0 && w.Pull != 0 {
			return p.r.close(ctx, tx, guid, w)
		}
	case webhooks.Recheck:
		return p.r.recheck(ctx, tx, guid, w)
	case webhooks.Account:
		if err := p.r.account(ctx, tx, w); err != nil {
			return err
		}
	}
	p.done = append(p.done, guid)
	return nil
}

func (p *pile) job(ctx context.Context, args river.JobArgs) {
	p.jobs = append(p.jobs, river.InsertManyParams{Args: args, InsertOpts: inserted(ctx)})
}

// check piles up a look at a pull request, in the place of one that is there already.
func (p *pile) check(ctx context.Context, a evaluateArgs, pull store.Pull) {
	a.Installation, a.Repository, a.Pull = pull.Installation, pull.Repository, int(pull.Number)
	next := pending{a, pull, urgency(ctx, a.Late)}
	for i, c := range p.checks {
		if c.pull.Repository == pull.Repository && c.pull.Number == pull.Number {
			if next.pull.Head == "" {
				next.pull.Head = c.pull.Head
			}
			p.checks[i] = next
			p.done = append(p.done, c.args.GUID)
			return
		}
	}
	p.checks = append(p.checks, next)
}

// settle puts down what is piled up.
func (p *pile) settle(ctx context.Context, tx *sql.Tx) error {
	checks, params, done := p.checks, p.jobs, p.done
	p.checks, p.jobs, p.done = nil, nil, nil
	pulls := make([]store.Pull, len(checks))
	for i, c := range checks {
		pulls[i] = c.pull
	}
	if err := p.r.cfg.Store.NextGenerationsTx(ctx, tx, pulls); err != nil {
		return err
	}
	for i, c := range checks {
		if err := p.r.cancel(ctx, tx, pulls[i].Job, c.args.GUID); err != nil {
			return err
		}
		c.args.Generation = pulls[i].Generation
		params = append(params, river.InsertManyParams{Args: c.args, InsertOpts: c.opts})
	}
	if len(params) > 0 {
		made, err := p.r.queue.InsertManyTx(ctx, tx, params)
		if err != nil {
			return err
		}
		note(pulls, made)
	}
	if err := p.r.cfg.Store.SetJobsTx(ctx, tx, pulls); err != nil {
		return err
	}
	return p.r.cfg.Store.FinishAllTx(ctx, tx, done)
}

// note gives each pull request the id of its job. The queue promises no order of what it made.
func note(pulls []store.Pull, made []*rivertype.JobInsertResult) {
	type key struct {
		Repository int64 `json:"repository"`
		Pull       int64 `json:"pull"`
	}
	jobs := map[key]int64{}
	for _, m := range made {
		var k key
		if m.Job.Kind == (evaluateArgs{}).Kind() && json.Unmarshal(m.Job.EncodedArgs, &k) == nil {
			jobs[k] = m.Job.ID
		}
	}
	for i, p := range pulls {
		pulls[i].Job = jobs[key{p.Repository, p.Number}]
	}
}
