package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"time"
)

// gapDays is how long a refused question is kept unless the caller says otherwise:
// long enough to document what is asked for, short enough that a question which
// nobody repeats goes away by itself.
const gapDays = 90

// Gap is a question that was refused: what to document next. Who asked is not kept.
type Gap struct {
	Installation int64
	Repository   int64
	Question     string    // scanned
	ExpiresAt    time.Time // zero: 90 days from now

	// Set by the store.
	ID      string // SHA-256 of the question, in hex
	Asked   int    // how often
	FirstAt time.Time
	LastAt  time.Time
}

// PutGapTx counts a refused question; asking again moves its end further away,
// never nearer.
func (s *Store) PutGapTx(ctx context.Context, tx *sql.Tx, g Gap) (err error) {
	defer wrap(&err, "PutGapTx")
	question := []byte(g.Question)
	if err := check(id("installation", g.Installation), id("repository", g.Repository), text("question", question)); err != nil {
		return err
	}
	now := s.Now()
	if g.ExpiresAt.IsZero() {
		g.ExpiresAt = now.Add(gapDays * 24 * time.Hour)
	}
	hash := sha256.Sum256(question)
	const upsert = `INSERT INTO gaps (repository, id, installation, question, asked, first_at, last_at, expires_at)
		VALUES ($1, $2, $3, $4, 1, $5, $5, $6)
		ON CONFLICT (repository, id) DO UPDATE SET asked = gaps.asked + 1,
			installation = excluded.installation, last_at = excluded.last_at,
			expires_at = CASE WHEN excluded.expires_at > gaps.expires_at THEN excluded.expires_at ELSE gaps.expires_at END`
	_, err = changed(ctx, tx, upsert, g.Repository, hex.EncodeToString(hash[:]), g.Installation, question,
		now.UnixMilli(), g.ExpiresAt.UnixMilli())
	return err
}

// Gaps lists a repository's refused questions that have not expired, most asked
// first, then the latest.
func (s *Store) Gaps(ctx context.Context, repository int64) (list []Gap, err error) {
	defer wrap(&err, "Gaps")
	const query = `SELECT installation, repository, question, expires_at, id, asked, first_at, last_at
		FROM gaps WHERE repository = $1 AND expires_at > $2 ORDER BY asked DESC, last_at DESC, id`
	err = s.rows(ctx, func(row scanner) error {
		var g Gap
		var question []byte
		var expires, first, last int64
		err := row.Scan(&g.Installation, &g.Repository, &question, &expires, &g.ID, &g.Asked, &first, &last)
		g.Question = string(question)
		g.ExpiresAt, g.FirstAt, g.LastAt = moment(expires), moment(first), moment(last)
		list = append(list, g)
		return err
	}, query, repository, s.millis())
	return list, err
}

// DeleteGapTx drops one refused question by its ID and reports whether it was there.
func (s *Store) DeleteGapTx(ctx context.Context, tx *sql.Tx, repository int64, gapID string) (found bool, err error) {
	defer wrap(&err, "DeleteGapTx")
	n, err := changed(ctx, tx, `DELETE FROM gaps WHERE repository = $1 AND id = $2`, repository, gapID)
	return n > 0, err
}
