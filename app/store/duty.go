package store

import (
	"context"
	"database/sql"
	"time"
)

// A Duty is something that one replica does for all, every now and then.
type Duty struct {
	Name string
	Mark string // where it stopped, in the duty's own form; "" at first

	lease int64 // what due_at is while this claim holds
}

// ClaimDuty takes a duty that is due, for as long as the lease; the first call ever
// finds it due. Of several callers one gets it, the others [ErrNotFound].
func (s *Store) ClaimDuty(ctx context.Context, name string, lease time.Duration) (d Duty, err error) {
	defer wrap(&err, "ClaimDuty")
	if err := check(word("duty", name)); err != nil {
		return Duty{}, err
	}
	d.Name = name
	err = s.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		now := s.millis()
		return absent(tx.QueryRowContext(ctx, `INSERT INTO duties (name, due_at, mark) VALUES ($1, $2, '')
			ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at WHERE duties.due_at <= $3
			RETURNING mark, due_at`, name, now+lease.Milliseconds(), now).Scan(&d.Mark, &d.lease))
	})
	return d, err
}

// EndDutyTx gives a claim back with the place where the duty stopped. Where the lease ran out and
// another has it, that one's word counts.
func (s *Store) EndDutyTx(ctx context.Context, tx *sql.Tx, d Duty, next time.Time) (err error) {
	defer wrap(&err, "EndDutyTx")
	if err := check(optional("mark", d.Mark)); err != nil {
		return err
	}
	_, err = changed(ctx, tx, `UPDATE duties SET due_at = $1, mark = $2 WHERE name = $3 AND due_at = $4`,
		next.UnixMilli(), d.Mark, d.Name, d.lease)
	return err
}
