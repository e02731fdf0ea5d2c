package store

import (
	"context"
	"database/sql"
	"time"
)

// A Redelivery is a delivery that failed at our door and is to be asked for again.
type Redelivery struct {
	GUID         string
	Installation int64 // 0 where GitHub names none, as for the next
	Repository   int64
	Delivery     int64 // GitHub's id of a failed attempt
	DeliveredAt  time.Time

	// Set by the store.
	Tries int
}

// PutRedeliveryTx notes a failed delivery; one that is noted stays as it is. It reports whether
// it was noted now: false as well where the delivery was accepted by us after all.
func (s *Store) PutRedeliveryTx(ctx context.Context, tx *sql.Tx, r Redelivery) (noted bool, err error) {
	defer wrap(&err, "PutRedeliveryTx")
	if err := check(word("guid", r.GUID), id("delivery", r.Delivery),
		maybeID("installation", r.Installation), maybeID("repository", r.Repository)); err != nil {
		return false, err
	}
	n, err := changed(ctx, tx, `INSERT INTO redeliveries (guid, installation, repository, delivery, delivered_at, tries, due_at)
		SELECT $1, CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT), 0, CAST($6 AS BIGINT)
		WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE guid = $1)
		ON CONFLICT (guid) DO NOTHING`, r.GUID, r.Installation, r.Repository, r.Delivery, r.DeliveredAt.UnixMilli(), s.millis())
	return n == 1, err
}

// DueRedeliveries lists noted deliveries that are due, oldest first, at most limit. What was
// accepted meanwhile is not among them.
func (s *Store) DueRedeliveries(ctx context.Context, limit int) (list []Redelivery, err error) {
	defer wrap(&err, "DueRedeliveries")
	err = s.rows(ctx, func(row scanner) error {
		var r Redelivery
		var at int64
		err := row.Scan(&r.GUID, &r.Installation, &r.Repository, &r.Delivery, &at, &r.Tries)
		r.DeliveredAt = moment(at)
		list = append(list, r)
		return err
	}, `SELECT guid, installation, repository, delivery, delivered_at, tries FROM redeliveries r
		WHERE due_at <= $1 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.guid = r.guid)
		ORDER BY delivered_at, guid LIMIT $2`, s.millis(), limit)
	return list, err
}

// TryRedeliveryTx counts a try before it is made, and says when the next would be due.
func (s *Store) TryRedeliveryTx(ctx context.Context, tx *sql.Tx, guid string, next time.Time) (err error) {
	defer wrap(&err, "TryRedeliveryTx")
	_, err = changed(ctx, tx, `UPDATE redeliveries SET tries = tries + 1, due_at = $1 WHERE guid = $2`, next.UnixMilli(), guid)
	return err
}

// NeverRedeliverTx ends the tries for a delivery. Its row stays for as long as GitHub
// lists the failure, so that it is not noted again.
func (s *Store) NeverRedeliverTx(ctx context.Context, tx *sql.Tx, guid string) (err error) {
	defer wrap(&err, "NeverRedeliverTx")
	_, err = changed(ctx, tx, `UPDATE redeliveries SET due_at = $1 WHERE guid = $2`, never, guid)
	return err
}

// never is a time, in milliseconds, that does not come.
const never = 1 << 62
