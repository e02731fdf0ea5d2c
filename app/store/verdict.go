package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"
)

// Verdict is the outcome of one evaluation of a pull request.
type Verdict struct {
	Installation int64
	Repository   int64
	Number       int64
	Generation   int64  // that the job began with
	HeadSHA      string // that was evaluated
	Base         string // that it was compared with, or empty
	Conclusion   string // GitHub's word: success, failure, ...
	Report       []byte // JSON of the outgoing texts, all scanned
	Policy       string // blob id of the configuration that it was made under, zeros for none; or empty
	BaseRef      string // SHA-256 of the base branch's name in hex, or empty

	// Set by the store.
	MadeAt     time.Time
	Superseded bool // a newer generation is being evaluated on the same head
}

func (v Verdict) check() error {
	return check(id("installation", v.Installation), id("repository", v.Repository), id("pull", v.Number),
		id("generation", v.Generation), word("head", v.HeadSHA), commit("head", v.HeadSHA),
		commit("base", v.Base), commit("policy", v.Policy), commit("base ref", v.BaseRef), word("conclusion", v.Conclusion), field{"report", json.Valid(v.Report)})
}

// PutVerdictTx keeps the verdict of the current generation, in place of an earlier
// one, and reports whether it did: false means that a newer generation exists or
// that the pull request was closed or forgotten meanwhile, and then nothing is to
// be published. The pull request's head and base become those of the verdict.
func (s *Store) PutVerdictTx(ctx context.Context, tx *sql.Tx, v Verdict) (kept bool, err error) {
	defer wrap(&err, "PutVerdictTx")
	if err := v.check(); err != nil {
		return false, err
	}
	// The update is also the lock that keeps the next generation out until commit.
	n, err := changed(ctx, tx, `UPDATE pulls SET head_sha = $1,
			base_sha = CASE WHEN $2 = '' THEN base_sha ELSE $2 END
		WHERE repository = $3 AND number = $4 AND generation = $5 AND NOT closed`,
		v.HeadSHA, v.Base, v.Repository, v.Number, v.Generation)
	if err != nil || n == 0 {
		return false, err
	}
	const upsert = `INSERT INTO verdicts (repository, number, installation, generation, head_sha, conclusion, report, policy, base_ref, made_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (repository, number) DO UPDATE SET installation = excluded.installation,
			generation = excluded.generation, head_sha = excluded.head_sha,
			conclusion = excluded.conclusion, report = excluded.report,
			policy = excluded.policy, base_ref = excluded.base_ref, made_at = excluded.made_at`
	_, err = changed(ctx, tx, upsert, v.Repository, v.Number, v.Installation, v.Generation, v.HeadSHA,
		v.Conclusion, v.Report, v.Policy, v.BaseRef, s.millis())
	return err == nil, err
}

// VerdictsAt lists the verdicts of the open pull requests on a head, by number: the
// check run there says the worst of them and names them all.
func (s *Store) VerdictsAt(ctx context.Context, repository int64, headSHA string) (list []Verdict, err error) {
	defer wrap(&err, "VerdictsAt")
	const query = `SELECT v.installation, v.repository, v.number, v.generation, v.head_sha, p.base_sha,
			v.conclusion, v.report, v.policy, v.base_ref, v.made_at, p.generation > v.generation
		FROM verdicts v JOIN pulls p ON p.repository = v.repository AND p.number = v.number
		WHERE v.repository = $1 AND v.head_sha = $2 AND p.head_sha = v.head_sha AND NOT p.closed
		ORDER BY v.number`
	err = s.rows(ctx, func(row scanner) error {
		var v Verdict
		var at int64
		err := row.Scan(&v.Installation, &v.Repository, &v.Number, &v.Generation, &v.HeadSHA, &v.Base,
			&v.Conclusion, &v.Report, &v.Policy, &v.BaseRef, &at, &v.Superseded)
		v.MadeAt = moment(at)
		list = append(list, v)
		return err
	}, query, repository, headSHA)
	return list, err
}
