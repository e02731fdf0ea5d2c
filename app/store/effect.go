package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Effect is something done outside, such as a check run or a reply, under a key
// that is written before it is done and carried by it (external_id, a marker in the
// comment). A retry finds the key, looks for the effect at GitHub and adopts it.
type Effect struct {
	Key          string
	Installation int64
	Repository   int64

	// Set by the store.
	ExternalID string // what GitHub calls it; empty while it is not known to be done
	Done       bool
	Attempts   int // how often it was begun
	BegunAt    time.Time
	FinishedAt time.Time
}

// CheckKey is the key of our check run on a commit.
func CheckKey(repository int64, sha string) string {
	return fmt.Sprintf("check:%d:%s", repository, sha)
}

// AnswerKey is the key of our reply to a comment.
func AnswerKey(repository, comment int64) string {
	return fmt.Sprintf("answer:%d:%d", repository, comment)
}

// UpdateKey is the key of our commit of rebuilt cards upon a head.
func UpdateKey(repository int64, head string) string {
	return fmt.Sprintf("update:%d:%s", repository, head)
}

// RefreshKey is the key of our refresh of the default branch at a commit.
func RefreshKey(repository int64, head string) string {
	return fmt.Sprintf("refresh:%d:%s", repository, head)
}

// MadeKey is the key under which it stands that a commit is ours.
func MadeKey(repository int64, sha string) string {
	return fmt.Sprintf("made:%d:%s", repository, sha)
}

// BeginEffectTx writes the key before the effect is run and gives the row as it
// stands. If it existed, an earlier try may have got through: with an ExternalID,
// update that; without one, look for the key at GitHub before doing it again. The
// transaction must be committed before the effect runs.
func (s *Store) BeginEffectTx(ctx context.Context, tx *sql.Tx, e Effect) (row Effect, existed bool, err error) {
	defer wrap(&err, "BeginEffectTx")
	if err := check(word("key", e.Key), id("installation", e.Installation), id("repository", e.Repository)); err != nil {
		return Effect{}, false, err
	}
	const upsert = `INSERT INTO effects (key, installation, repository, external_id, state, attempts, begun_at, finished_at)
		VALUES ($1, $2, $3, '', 'begun', 1, $4, 0)
		ON CONFLICT (key) DO UPDATE SET attempts = effects.attempts + 1, installation = excluded.installation
		RETURNING ` + effectColumns
	row, err = scanEffect(tx.QueryRowContext(ctx, upsert, e.Key, e.Installation, e.Repository, s.millis()))
	return row, row.Attempts > 1, err
}

// FinishEffectTx records that the effect is there and what GitHub calls it. A later
// call replaces the id: the run or comment was gone and had to be made again.
// [ErrNotFound] means that it was never begun, or was forgotten meanwhile.
func (s *Store) FinishEffectTx(ctx context.Context, tx *sql.Tx, key, externalID string) (err error) {
	defer wrap(&err, "FinishEffectTx")
	if err := check(word("external id", externalID)); err != nil {
		return err
	}
	n, err := changed(ctx, tx, `UPDATE effects SET external_id = $1, state = 'done', finished_at = $2 WHERE key = $3`,
		externalID, s.millis(), key)
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}

// Effect reads one effect; [ErrNotFound] if its key was never written.
func (s *Store) Effect(ctx context.Context, key string) (e Effect, err error) {
	defer wrap(&err, "Effect")
	err = s.row(ctx, func(row scanner) error {
		e, err = scanEffect(row)
		return err
	}, `SELECT `+effectColumns+` FROM effects WHERE key = $1`, key)
	return e, err
}

const effectColumns = `key, installation, repository, external_id, state = 'done', attempts, begun_at, finished_at`

func scanEffect(row scanner) (e Effect, err error) {
	var begun, finished int64
	err = row.Scan(&e.Key, &e.Installation, &e.Repository, &e.ExternalID, &e.Done, &e.Attempts, &begun, &finished)
	e.BegunAt, e.FinishedAt = moment(begun), moment(finished)
	return e, err
}
