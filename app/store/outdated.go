package store

import (
	"context"
	"database/sql"
)

// notGreen is true of an open pull request p that has no green verdict v.
const notGreen = `NOT p.closed AND (v.number IS NULL OR v.generation < p.generation OR v.conclusion <> 'success')`

const pullsWithVerdicts = `FROM pulls p LEFT JOIN verdicts v ON v.repository = p.repository AND v.number = p.number `

// AnyNotGreenTx reports whether a repository has an open pull request without a
// green verdict: whether a change of its policy could matter to one.
func (s *Store) AnyNotGreenTx(ctx context.Context, tx *sql.Tx, repository int64) (any bool, err error) {
	defer wrap(&err, "AnyNotGreenTx")
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 `+pullsWithVerdicts+`WHERE p.repository = $1 AND `+notGreen+`)`, repository).Scan(&any)
	return any, err
}

// Outdated lists open pull requests whose current verdict is not green and was
// made under another policy than the given one, for the base branch whose name has
// the hash baseRef: the newest first, at most limit. A verdict that knows neither
// counts. Pending says whether there are others that are still looked at: under
// which policy is not known before their verdict.
func (s *Store) Outdated(ctx context.Context, repository int64, policy, baseRef string, limit int) (list []Pull, pending bool, err error) {
	defer wrap(&err, "Outdated")
	const query = `SELECT p.installation, p.repository, p.number, p.head_sha, p.base_sha, p.generation, p.job, p.closed, p.updated_at ` + pullsWithVerdicts +
		`WHERE p.repository = $1 AND ` + notGreen + ` AND v.generation = p.generation AND v.policy <> $2 AND (v.base_ref = $3 OR v.base_ref = '')
		ORDER BY p.number DESC LIMIT $4`
	err = s.rows(ctx, func(row scanner) error {
		p, err := scanPull(row)
		list = append(list, p)
		return err
	}, query, repository, policy, baseRef, limit)
	if err != nil {
		return nil, false, err
	}
	err = s.row(ctx, func(row scanner) error { return row.Scan(&pending) },
		`SELECT EXISTS (SELECT 1 `+pullsWithVerdicts+`WHERE p.repository = $1 AND NOT p.closed AND (v.number IS NULL OR v.generation < p.generation))`, repository)
	return list, pending, err
}
