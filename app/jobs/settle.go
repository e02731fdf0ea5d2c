package jobs

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/riverqueue/river"
)

// What a worker says of its delivery, other than that it is done. Neither is an
// error to the queue.
var (
	// errHandedOn: another job that was inserted ends the delivery.
	errHandedOn = errors.New("handed on")
	// errUnable: the verdict is that nothing could be checked, and it is said; a
	// delivery that GitHub sends again finds the way open (2A-3).
	errUnable = errors.New("could not check")
)

// parked is how long the jobs of a suspended installation wait between two looks at
// whether it still is. The event of its end wakes them at once; this is for one that was lost.
const parked = time.Hour

// settle ends one attempt of a job: it records how the delivery's work went, and
// tells the queue what to do about an error. After the last attempt the job is
// cancelled and not left to the queue, whose own limit has room for attempts
// that a killed process had begun.
func (r *Runner) settle(ctx context.Context, guid string, last bool, err error) error {
	switch {
	case errors.Is(err, errHandedOn):
		return nil
	case errors.Is(err, errUnable):
		return r.finish(ctx, guid, false)
	case err == nil:
		return r.finish(ctx, guid, true)
	case stopped(ctx):
		return ctx.Err() // we are told to stop: it was no attempt at all
	}
	if errors.Is(err, github.ErrNoInstallation) {
		switch err = r.rediscover(ctx, err); {
		case err == nil:
			return river.JobSnooze(0) // its row names the new one
		case errors.Is(err, errUninstalled):
			return r.finish(ctx, guid, true)
		}
	}
	if errors.Is(err, errUnfinished) {
		return river.JobSnooze(time.Second) // behind what waits already, and no attempt either
	}
	if errors.Is(err, github.ErrSuspended) {
		return river.JobSnooze(parked) // no attempt either; see wake
	}
	if limited := limit(err); limited != nil {
		return river.JobSnooze(scattered(limited.After)) // uses up no attempt
	}
	if !last && !over(err) {
		return safe(err)
	}
	if recorded := r.finish(ctx, guid, false); recorded != nil {
		return recorded
	}
	return river.JobCancel(safe(err))
}

// scattered is a wait and a random part of it: everything that one limit put off
// would else begin at one second, and meet the next limit together.
func scattered(wait time.Duration) time.Duration {
	wait = max(wait, time.Second)
	return wait + rand.N(min(wait/4, time.Minute)+time.Second)
}

// finish records the end of a delivery. A job without a guid works for another
// one, and a delivery that was ended or forgotten meanwhile stays so.
func (r *Runner) finish(ctx context.Context, guid string, ok bool) error {
	if guid == "" {
		return nil
	}
	// The job's own time may be up by now; a transaction has its own.
	return r.cfg.Store.Tx(context.WithoutCancel(ctx), func(ctx context.Context, tx *sql.Tx) error {
		return r.cfg.Store.FinishTx(ctx, tx, guid, ok)
	})
}

// stopped reports whether the job was cancelled or the service is stopping, in
// contrast to a job whose time is up.
func stopped(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// limit is the rate limit behind an error, nil for none.
func limit(err error) *github.Limited {
	var limited *github.Limited
	errors.As(err, &limited)
	return limited
}
