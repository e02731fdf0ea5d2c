package store

import (
	"context"
	"database/sql"
	"encoding/json"
)

// VerdictOf reads the verdict of a pull request in its current generation.
// [ErrNotFound] means that there is none, or that the pull request was closed,
// forgotten, or is of a newer generation by now.
func (s *Store) VerdictOf(ctx context.Context, repository, number, generation int64) (v Verdict, err error) {
	defer wrap(&err, "VerdictOf")
	const query = `SELECT v.installation, v.repository, v.number, v.generation, v.head_sha, p.base_sha, v.conclusion, v.report, v.base_ref, v.made_at
		FROM verdicts v JOIN pulls p ON p.repository = v.repository AND p.number = v.number
		WHERE v.repository = $1 AND v.number = $2 AND v.generation = $3 AND p.generation = v.generation AND NOT p.closed`
	err = s.row(ctx, func(row scanner) error {
		var at int64
		err := row.Scan(&v.Installation, &v.Repository, &v.Number, &v.Generation, &v.HeadSHA, &v.Base, &v.Conclusion, &v.Report, &v.BaseRef, &at)
		v.MadeAt = moment(at)
		return err
	}, query, repository, number, generation)
	return v, err
}

// AmendVerdictTx replaces the report of a verdict by one that says more of the
// same, and reports whether it did: false means that the verdict is not the
// current one any more. Conclusion and head stay as they are.
func (s *Store) AmendVerdictTx(ctx context.Context, tx *sql.Tx, repository, number, generation int64, report []byte) (kept bool, err error) {
	defer wrap(&err, "AmendVerdictTx")
	if !json.Valid(report) {
		return false, check(field{"report", false})
	}
	// The update is also the lock that keeps the next generation out until commit.
	n, err := changed(ctx, tx, `UPDATE pulls SET updated_at = updated_at
		WHERE repository = $1 AND number = $2 AND generation = $3 AND NOT closed`, repository, number, generation)
	if err != nil || n == 0 {
		return false, err
	}
	n, err = changed(ctx, tx, `UPDATE verdicts SET report = $1 WHERE repository = $2 AND number = $3 AND generation = $4`,
		report, repository, number, generation)
	return n > 0, err
}
