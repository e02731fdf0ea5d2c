package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"
)

// State of a delivery.
type State string

// Accepted work is waiting or running; done and failed are final, but a failed
// delivery is taken again when GitHub sends it again.
const (
	Accepted State = "accepted"
	Done     State = "done"
	Failed   State = "failed"
)

// Delivery is one webhook call, without a word of its payload (law 12). Ids are
// GitHub's; zero or empty where the event has none.
type Delivery struct {
	GUID         string // X-GitHub-Delivery
	Event        string // X-GitHub-Event
	Action       string
	Installation int64
	Repository   int64
	Pull         int64 // the number within the repository
	Comment      int64
	CheckRun     int64
	HeadSHA      string

	// Set by the store.
	State      State
	Attempts   int // how often it was accepted as fresh
	ReceivedAt time.Time
}

func (d Delivery) check() error {
	return check(
		word("guid", d.GUID), word("event", d.Event), optional("action", d.Action),
		maybeID("installation", d.Installation), maybeID("repository", d.Repository),
		maybeID("pull", d.Pull), maybeID("comment", d.Comment), maybeID("check run", d.CheckRun),
		commit("head", d.HeadSHA),
	)
}

// AcceptTx records a delivery and reports whether it is fresh: never seen, or seen
// and failed for good. Work goes into the queue, in the same transaction, only for
// a fresh one; answer 2xx either way, after the commit. It is one statement, so of
// any number of concurrent calls with one guid exactly one is fresh.
func (s *Store) AcceptTx(ctx context.Context, tx *sql.Tx, d Delivery) (fresh bool, err error) {
	defer wrap(&err, "AcceptTx")
	guids, err := s.accept(ctx, tx, []Delivery{d})
	return guids[d.GUID], err
}

// Overtaken reports whether another delivery of the same comment came after this one:
// the comment was changed or deleted meanwhile, and that one's work counts.
func (s *Store) Overtaken(ctx context.Context, guid string) (later bool, err error) {
	defer wrap(&err, "Overtaken")
	err = s.row(ctx, func(row scanner) error { return row.Scan(&later) }, `SELECT EXISTS (SELECT 1 FROM deliveries own
		JOIN deliveries other ON other.repository = own.repository AND other.comment = own.comment
		WHERE own.guid = $1 AND own.comment > 0 AND other.event = own.event
		AND (other.received_at > own.received_at OR other.received_at = own.received_at AND other.guid > own.guid))`, Whole(guid))
	return later, err
}

// FinishTx records the end of a delivery's work: done, or failed for good after
// the last retry. Only accepted work ends, so a late failure does not undo a
// success. A guid that is not there any more (forgotten) is no error. The guid may be that of
// a [Part]: the delivery is done with the last of them, and has failed with the first that has.
func (s *Store) FinishTx(ctx context.Context, tx *sql.Tx, guid string, ok bool) (err error) {
	defer wrap(&err, "FinishTx")
	guid, part, parted := strings.Cut(guid, partMark)
	if ok && parted {
		left, err := s.finishPart(ctx, tx, guid, part)
		if err != nil || left > 0 {
			return err
		}
	}
	state := Done
	if !ok {
		state = Failed
		if _, err := changed(ctx, tx, `DELETE FROM parts WHERE guid = $1`, guid); err != nil {
			return err
		}
	}
	_, err = changed(ctx, tx, `UPDATE deliveries SET state = $1 WHERE guid = $2 AND state = 'accepted'`,
		string(state), guid)
	return err
}

// partMark stands between a guid and the number of a part. No guid holds one.
const partMark = "/"

// Part names a part of a delivery whose work is several jobs, each of which ends by
// itself. [Store.AddPartTx] notes it before it can end.
func Part(guid string, number int64) string {
	if guid == "" {
		return ""
	}
	return guid + partMark + strconv.FormatInt(number, 10)
}

// Whole is the delivery's guid of a [Part]'s, or of its own.
func Whole(guid string) string {
	guid, _, _ = strings.Cut(guid, partMark)
	return guid
}

// AddPartTx notes a part of a delivery and gives its name.
func (s *Store) AddPartTx(ctx context.Context, tx *sql.Tx, guid string, p Pull) (name string, err error) {
	defer wrap(&err, "AddPartTx")
	if err := check(word("guid", guid), id("installation", p.Installation), id("repository", p.Repository), id("pull", p.Number)); err != nil {
		return "", err
	}
	_, err = changed(ctx, tx, `INSERT INTO parts (guid, part, installation, repository) VALUES ($1, $2, $3, $4)
		ON CONFLICT (guid, part) DO NOTHING`, guid, p.Number, p.Installation, p.Repository)
	return Part(guid, p.Number), err
}

// finishPart takes a part away and counts those that are left.
func (s *Store) finishPart(ctx context.Context, tx *sql.Tx, guid, part string) (left int, err error) {
	number, err := strconv.ParseInt(part, 10, 64)
	if err != nil {
		return 0, check(field{"part", false})
	}
	// The first update is a lock: of two that end at once, the second counts after the first.
	if _, err := changed(ctx, tx, `UPDATE deliveries SET state = state WHERE guid = $1`, guid); err != nil {
		return 0, err
	}
	if _, err := changed(ctx, tx, `DELETE FROM parts WHERE guid = $1 AND part = $2`, guid, number); err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `SELECT count(*) FROM parts WHERE guid = $1`, guid).Scan(&left)
	return left, err
}

const selectDeliveries = `SELECT guid, event, action, installation, repository, pull, comment,
	check_run, head_sha, state, attempts, received_at FROM deliveries `

func scanDelivery(row scanner) (d Delivery, err error) {
	var at int64
	err = row.Scan(&d.GUID, &d.Event, &d.Action, &d.Installation, &d.Repository, &d.Pull,
		&d.Comment, &d.CheckRun, &d.HeadSHA, &d.State, &d.Attempts, &at)
	d.ReceivedAt = moment(at)
	return d, err
}

// Delivery reads one delivery; [ErrNotFound] if there is none.
func (s *Store) Delivery(ctx context.Context, guid string) (d Delivery, err error) {
	defer wrap(&err, "Delivery")
	err = s.row(ctx, func(row scanner) error {
		d, err = scanDelivery(row)
		return err
	}, selectDeliveries+`WHERE guid = $1`, guid)
	return d, err
}

// RecentDeliveries reads the newest deliveries, newest first, at most limit: for
// the status page.
func (s *Store) RecentDeliveries(ctx context.Context, limit int) (list []Delivery, err error) {
	defer wrap(&err, "RecentDeliveries")
	if limit < 0 {
		return nil, errors.New("limit must not be negative")
	}
	err = s.rows(ctx, func(row scanner) error {
		d, err := scanDelivery(row)
		list = append(list, d)
		return err
	}, selectDeliveries+`ORDER BY received_at DESC, guid LIMIT $1`, limit)
	return list, err
}
