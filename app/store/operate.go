package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// DeliveriesBefore lists deliveries, newest first, at most limit and 100. It goes on
// after one that a page ended with; the zero Delivery begins. An empty state takes
// all.
func (s *Store) DeliveriesBefore(ctx context.Context, state State, last Delivery, limit int) (list []Delivery, err error) {
	defer wrap(&err, "DeliveriesBefore")
	at := last.ReceivedAt.UnixMilli()
	if last.ReceivedAt.IsZero() {
		at = 1<<63 - 1
	}
	err = s.rows(ctx, func(row scanner) error {
		d, err := scanDelivery(row)
		list = append(list, d)
		return err
	}, selectDeliveries+`WHERE received_at <= $1 AND (received_at < $2 OR guid > $3) AND ($4 = '' OR state = $5)
		ORDER BY received_at DESC, guid LIMIT $6`, at, at, last.GUID, string(state), string(state), min(max(limit, 0), jobPage))
	return list, err
}

// CountDeliveries counts the deliveries that are kept, by state.
func (s *Store) CountDeliveries(ctx context.Context) (counts map[State]int, err error) {
	defer wrap(&err, "CountDeliveries")
	counts = map[State]int{}
	err = s.rows(ctx, func(row scanner) error {
		var state State
		var n int
		err := row.Scan(&state, &n)
		counts[state] = n
		return err
	}, `SELECT state, count(*) FROM deliveries GROUP BY state`)
	return counts, err
}

// An Installation is what is kept about one: numbers, no name.
type Installation struct {
	ID           int64
	Repositories int // with pull requests that are known
	OpenPulls    int
	Deliveries   int
	Failed       int // of these
	LastAt       time.Time
}

// Installations lists installations by id, at most limit and 100, from the one after
// an id on.
func (s *Store) Installations(ctx context.Context, after int64, limit int) (list []Installation, err error) {
	defer wrap(&err, "Installations")
	const query = `WITH d AS (SELECT installation, count(*) AS n, max(received_at) AS last,
			sum(CASE WHEN state = 'failed' THEN 1 ELSE 0 END) AS failed
			FROM deliveries WHERE installation > $1 GROUP BY installation),
		p AS (SELECT installation, count(DISTINCT repository) AS repositories,
			sum(CASE WHEN closed THEN 0 ELSE 1 END) AS open
			FROM pulls WHERE installation > $2 GROUP BY installation),
		i AS (SELECT installation FROM d UNION SELECT installation FROM p)
		SELECT i.installation, coalesce(p.repositories, 0), coalesce(p.open, 0), coalesce(d.n, 0), coalesce(d.failed, 0), coalesce(d.last, 0)
		FROM i LEFT JOIN d ON d.installation = i.installation LEFT JOIN p ON p.installation = i.installation
		ORDER BY 1 LIMIT $3`
	err = s.rows(ctx, func(row scanner) error {
		var i Installation
		var at int64
		err := row.Scan(&i.ID, &i.Repositories, &i.OpenPulls, &i.Deliveries, &i.Failed, &at)
		i.LastAt = moment(at)
		list = append(list, i)
		return err
	}, query, after, after, min(max(limit, 0), jobPage))
	return list, err
}

// ReopenTx takes a failed delivery up again, as if GitHub had sent it once more, and
// gives it with the jobs that gave up on it. Of several calls one succeeds;
// [ErrNotFailed] is for the others, [ErrNotFound] for what is not kept.
func (s *Store) ReopenTx(ctx context.Context, tx *sql.Tx, guid string) (d Delivery, dead []int64, err error) {
	defer wrap(&err, "ReopenTx")
	n, err := changed(ctx, tx, `UPDATE deliveries SET state = 'accepted', attempts = attempts + 1, received_at = $1
		WHERE guid = $2 AND state = 'failed'`, s.millis(), guid)
	if err != nil {
		return d, nil, err
	}
	d, err = scanDelivery(tx.QueryRowContext(ctx, selectDeliveries+`WHERE guid = $1`, guid))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return d, nil, ErrNotFound
	case err == nil && n == 0:
		return d, nil, ErrNotFailed
	case err != nil:
		return d, nil, err
	}
	jobs, err := s.deadTx(ctx, tx, 0, guid)
	for _, j := range jobs {
		dead = append(dead, j.ID)
	}
	return d, dead, err
}
