package jobs

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
)

// What finds work that no delivery told of. It is no part of the queue: rounds and
// duties are rows with a time, taken by one replica at a time for a lease, so
// that a kill costs no more than the lease and a limit stops nothing but
// the place where it was met.

const (
	// roundTime ends one round or duty; the lease is longer, so that nobody else has it
	// meanwhile, and shorter than the two minutes in which work goes on after a kill.
	roundTime  = 90 * time.Second
	roundLease = 110 * time.Second
	// roundPause lies between two rounds of a process: with two requests a round some 600
	// a minute, where GitHub allows 900 beside all else.
	roundPause = 200 * time.Millisecond
	// roundTicks are the pauses of [Config.Poll] between two looks for what is due: 5 s.
	roundTicks = 10
	// recent rounds are not done again for a mere restart.
	recent = 5 * time.Minute
	// tidyPeriod is the time between two looks for rows past their time.
	tidyPeriod = 24 * time.Hour
)

// The duties of the whole App.
const (
	sweepDuty    = "sweep"
	accountsDuty = "accounts"
	tidyDuty     = "tidy"
)

// startRounds begins with what was not looked at for a while: events may have been lost
// while nobody was there.
func (r *Runner) startRounds(ctx context.Context) error {
	if r.cfg.Sweep == 0 && r.cfg.Reconcile == 0 {
		return nil
	}
	err := r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return r.cfg.Store.HurryRoundsTx(ctx, tx, r.cfg.Store.Now().Add(-recent))
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { r.repeat(ctx, nil, r.chores) })
	if r.cfg.Reconcile > 0 {
		group.Go(func() { r.repeat(ctx, r.calls, r.nextRound) })
	}
	r.rest = func() { cancel(); group.Wait() }
	return nil
}

// repeat does a step again and again, at once where it did something. Errors are logged: the
// rows say what is still to be done.
func (r *Runner) repeat(ctx context.Context, calls <-chan struct{}, step func(context.Context) (did bool, err error)) {
	for ctx.Err() == nil {
		var did bool
		err := r.tried(ctx, func(ctx context.Context) (err error) { // a panic here would end the process
			did, err = step(ctx)
			return err
		})
		wait := roundTicks * r.cfg.Poll
		if did {
			wait = min(wait, roundPause)
		}
		if err != nil && ctx.Err() == nil {
			r.cfg.Log.Warn("a round did not get to its end", "reason", safe(err).Error())
			wait = roundTicks * r.cfg.Poll
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-calls:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// nudge tells that a round is asked for.
func (r *Runner) nudge() {
	select {
	case r.calls <- struct{}{}:
	default: // somebody has been told already
	}
}

// chores are the duties that belong to no repository.
func (r *Runner) chores(ctx context.Context) (did bool, err error) {
	if err := r.bidFarewells(ctx); err != nil {
		return false, err
	}
	_, err = r.duty(ctx, tidyDuty, tidyPeriod, func(ctx context.Context, _ *store.Duty) error {
		return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			_, err := r.cfg.Store.ExpireTx(ctx, tx)
			return err
		})
	})
	if err == nil && r.cfg.Sweep > 0 {
		_, err = r.duty(ctx, sweepDuty, r.cfg.Sweep, r.sweep)
	}
	return false, err
}

// duty does one if it is due and nobody else does. It is due again after the period, whatever
// came of it, or when a limit is over.
func (r *Runner) duty(ctx context.Context, name string, period time.Duration, do func(context.Context, *store.Duty) error) (did bool, err error) {
	d, err := r.cfg.Store.ClaimDuty(ctx, name, roundLease)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	work, cancel := context.WithTimeout(ctx, roundTime)
	defer cancel()
	err = do(work, &d)
	wait := jitter(period)
	if l := limit(err); l != nil {
		wait, err = scattered(l.After), nil
	}
	ended := r.cfg.Store.Tx(context.WithoutCancel(ctx), func(ctx context.Context, tx *sql.Tx) error {
		return r.cfg.Store.EndDutyTx(ctx, tx, d, r.cfg.Store.Now().Add(wait))
	})
	return true, errors.Join(err, ended)
}

// nextRound does the round that has been due for longest.
func (r *Runner) nextRound(ctx context.Context) (did bool, err error) {
	if did, err := r.duty(ctx, accountsDuty, r.cfg.Reconcile, r.accounts); did || err != nil {
		return did, err
	}
	round, err := r.cfg.Store.ClaimRound(ctx, roundLease)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	work, cancel := context.WithTimeout(ctx, roundTime)
	defer cancel()
	if round.Repository == 0 {
		err = r.survey(work, round)
	} else {
		err = r.reconcile(work, round)
	}
	return true, r.endRound(context.WithoutCancel(ctx), round, err)
}

// endRound says when the next one is due. A limit, or a budget that is nearly used up, puts
// off all rounds of the installation; they go on where this one stopped.
func (r *Runner) endRound(ctx context.Context, round store.Round, err error) error {
	now := r.cfg.Store.Now()
	next := now.Add(jitter(r.cfg.Reconcile))
	limited := limit(err)
	switch {
	case limited != nil:
		next, err = now.Add(scattered(limited.After)), errPutOff
	case over(err), errors.Is(err, github.ErrSuspended):
		err = errPutOff // what becomes of it is told by events, or by the list of installations
	case err != nil:
		next = now.Add(min(jitter(r.cfg.Reconcile), time.Minute<<min(round.Tries, 10)))
	}
	ended := r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := r.cfg.Store.EndRoundTx(ctx, tx, round, err == nil, next); err != nil || limited == nil {
			return err
		}
		return r.cfg.Store.PutOffRoundsTx(ctx, tx, round.Installation, next)
	})
	if errors.Is(err, errPutOff) {
		err = nil
	}
	return errors.Join(err, ended)
}

// errPutOff: the round was not done, and that is in order.
var errPutOff = errors.New("put off")

// jitter is a period, a tenth more or less: what many replicas or repositories began
// together does not stay together.
func jitter(period time.Duration) time.Duration {
	return period - period/10 + rand.N(period/5+1)
}
