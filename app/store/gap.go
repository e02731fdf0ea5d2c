package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"time"
)

const (
	// gapDays is how long a refused question is kept unless the caller says otherwise:
	// long enough to document what is asked for, short enough that a question which
	// nobody repeats goes away by itself.
	gapDays = 90
	// maxGaps bounds the different questions that are kept of a repository: more than
	// anybody reads, and nobody can fill a database with what he asks. Those that
	// were asked least go first, of these the oldest.
	maxGaps = 1000
)

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
	const upsert = `INSERT INTO gaps (repository, id, installation, question, asked, first_at, last_at, expires_at)
		VALUES ($1, $2, $3, $4, 1, $5, $5, $6)
		ON CONFLICT (repository, id) DO UPDATE SET asked = gaps.asked + 1,
			installation = excluded.installation, last_at = excluded.last_at,
			expires_at = CASE WHEN excluded.expires_at > gaps.expires_at THEN excluded.expires_at ELSE gaps.expires_at END`
	if _, err := changed(ctx, tx, upsert, g.Repository, gapID(question), g.Installation, question,
		now.UnixMilli(), g.ExpiresAt.UnixMilli()); err != nil {
		return err
	}
	_, err = changed(ctx, tx, `DELETE FROM gaps WHERE repository = $1 AND id IN (SELECT id FROM gaps WHERE repository = $2
		ORDER BY asked DESC, last_at DESC, id LIMIT 1000000 OFFSET $3)`, g.Repository, g.Repository, maxGaps)
	return err
}

func gapID(question []byte) string {
	hash := sha256.Sum256(question)
	return hex.EncodeToString(hash[:])
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

// A GapCount says how many refused questions are kept of a repository.
type GapCount struct {
	Installation int64
	Repository   int64
	Questions    int // different ones
	Asked        int // how often in all
	LastAt       time.Time
}

// CountGaps lists the repositories with refused questions that have not expired,
// those with the most asked ones first, from the one that an offset names; at most
// limit and 100.
func (s *Store) CountGaps(ctx context.Context, offset, limit int) (list []GapCount, err error) {
	defer wrap(&err, "CountGaps")
	err = s.rows(ctx, func(row scanner) error {
		var c GapCount
		var last int64
		err := row.Scan(&c.Installation, &c.Repository, &c.Questions, &c.Asked, &last)
		c.LastAt = moment(last)
		list = append(list, c)
		return err
	}, `SELECT max(installation), repository, count(*), sum(asked), max(last_at) FROM gaps WHERE expires_at > $1
		GROUP BY repository ORDER BY sum(asked) DESC, repository LIMIT $2 OFFSET $3`,
		s.millis(), min(max(limit, 0), jobPage), max(offset, 0))
	return list, err
}

// DropGaps drops refused questions of a repository by their ids and gives how many
// there were.
func (s *Store) DropGaps(ctx context.Context, repository int64, gapIDs ...string) (dropped int, err error) {
	defer wrap(&err, "DropGaps")
	err = s.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		dropped = 0
		for _, gapID := range gapIDs {
			found, err := s.DeleteGapTx(ctx, tx, repository, gapID)
			if err != nil {
				return err
			}
			if found {
				dropped++
			}
		}
		return nil
	})
	return dropped, err
}

// DropAllGaps drops all refused questions of a repository, or of every one for 0.
func (s *Store) DropAllGaps(ctx context.Context, repository int64) (dropped int, err error) {
	defer wrap(&err, "DropAllGaps")
	err = s.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := changed(ctx, tx, `DELETE FROM gaps WHERE repository = $1 OR $2`, repository, repository == 0)
		dropped = int(n)
		return err
	})
	return dropped, err
}

// DeleteGapTx drops one refused question by its ID and reports whether it was there.
func (s *Store) DeleteGapTx(ctx context.Context, tx *sql.Tx, repository int64, gapID string) (found bool, err error) {
	defer wrap(&err, "DeleteGapTx")
	n, err := changed(ctx, tx, `DELETE FROM gaps WHERE repository = $1 AND id = $2`, repository, gapID)
	return n > 0, err
}
