package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
)

const (
	// sweepWindow is how long GitHub delivers again: past 3 days on github.com, 7 on an Enterprise
	// Server. What is older is found by the open pull requests themselves.
	sweepWindow = 3 * 24 * time.Hour
	// sweepOverlap is looked at twice: the list may get an entry late.
	sweepOverlap = 10 * time.Minute
	// sweepPages bounds the requests for one list in a round, of a hundred deliveries each; the next goes on there.
	sweepPages = 10
	// sweepMost is how many deliveries are asked for in a round: they come back at once.
	sweepMost = 100
	// sweepTries ends the tries for a delivery that fails again and again: what
	// it wanted is found by its pull request.
	sweepTries = 3
)

// A sweepMark is where the last sweep stopped. Times are GitHub's, in milliseconds.
type sweepMark struct {
	until  int64  // older failures were noted
	newest int64  // of a list that was not read to its end, the first
	cursor string // and where it goes on; "" at the top
}

func (m sweepMark) String() string { return fmt.Sprintf("%d:%d:%s", m.until, m.newest, m.cursor) }

// parseSweepMark takes what it cannot read for the beginning: everything is looked at again.
func parseSweepMark(s string) (m sweepMark) {
	parts := strings.SplitN(s, ":", 3)
	if len(parts) == 3 {
		m.until, _ = strconv.ParseInt(parts[0], 10, 64)
		m.newest, _ = strconv.ParseInt(parts[1], 10, 64)
		m.cursor = parts[2]
	}
	return m
}

// sweep has GitHub deliver again what failed at our door. Without a new failure it costs one request.
func (r *Runner) sweep(ctx context.Context, d *store.Duty) error {
	mark := parseSweepMark(d.Mark)
	err := r.noteFailures(ctx, &mark)
	d.Mark = mark.String()
	if err != nil {
		return err
	}
	due, err := r.cfg.Store.DueRedeliveries(ctx, sweepMost)
	if err != nil || len(due) == 0 {
		return err
	}
	good, err := r.delivered(ctx, due[0].DeliveredAt)
	if err != nil {
		return err
	}
	sent := 0
	for _, one := range due {
		old := r.cfg.Store.Now().Sub(one.DeliveredAt) > sweepWindow
		if good[one.GUID] || old || one.Tries >= sweepTries {
			err = r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
				return r.cfg.Store.NeverRedeliverTx(ctx, tx, one.GUID)
			})
		} else if err = r.redeliver(ctx, one); err == nil {
			sent++
		}
		if err != nil {
			break
		}
	}
	if sent > 0 {
		r.cfg.Log.Info("failed deliveries were asked for again", "deliveries", sent)
	}
	return err
}

// noteFailures reads the list of failures back to where the last sweep ended, and keeps them:
// an old failure stays on GitHub's list after a good redelivery, so the list alone would be
// sent for ever.
func (r *Runner) noteFailures(ctx context.Context, mark *sweepMark) error {
	oldest := time.UnixMilli(mark.until).Add(-sweepOverlap)
	if window := r.cfg.Store.Now().Add(-sweepWindow); oldest.Before(window) {
		oldest = window
	}
	for range sweepPages {
		list, next, err := r.cfg.GitHub.HookDeliveries(ctx, true, mark.cursor)
		if mark.cursor != "" && (errors.Is(err, github.ErrInvalid) || errors.Is(err, github.ErrNotFound)) {
			mark.cursor = "" // it is too old by now
			continue
		}
		if err != nil {
			return err
		}
		reached := next == "" || len(next) > 100
		err = r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			for _, d := range list {
				mark.newest = max(mark.newest, d.At.UnixMilli())
				if d.At.Before(oldest) {
					reached = true
				} else if !d.OK {
					if _, err := r.cfg.Store.PutRedeliveryTx(ctx, tx, store.Redelivery{
						GUID: d.GUID, Installation: d.Installation, Repository: d.Repository, Delivery: d.ID, DeliveredAt: d.At,
					}); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if reached {
			*mark = sweepMark{until: max(mark.until, mark.newest)}
			return nil
		}
		mark.cursor = next
	}
	return nil
}

// delivered gives the events that were taken by us since a time, at another attempt. The list is bounded: what
// is missed is asked for once too often, and we know it by its guid.
func (r *Runner) delivered(ctx context.Context, since time.Time) (map[string]bool, error) {
	good, cursor := map[string]bool{}, ""
	for range sweepPages {
		list, next, err := r.cfg.GitHub.HookDeliveries(ctx, false, cursor)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			good[d.GUID] = good[d.GUID] || d.OK
		}
		if next == "" || len(list) == 0 || list[len(list)-1].At.Before(since) {
			break
		}
		cursor = next
	}
	return good, nil
}

// redeliver counts the try before it is made: a kill in between costs a try, and no delivery is asked for without end.
func (r *Runner) redeliver(ctx context.Context, one store.Redelivery) error {
	next := r.cfg.Store.Now().Add(jitter(r.cfg.Sweep) << one.Tries)
	err := r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return r.cfg.Store.TryRedeliveryTx(ctx, tx, one.GUID, next)
	})
	if err != nil {
		return err
	}
	err = r.cfg.GitHub.Redeliver(ctx, one.Delivery)
	if errors.Is(err, github.ErrNotFound) || errors.Is(err, github.ErrInvalid) {
		return r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
			return r.cfg.Store.NeverRedeliverTx(ctx, tx, one.GUID)
		})
	}
	return err
}
