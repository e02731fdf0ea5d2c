package store

import (
	"context"
	"database/sql"
)

const (
	// mostIndexes of one repository are kept, the newest: those of the base branch and of the heads that
	// are asked about now. Another head's is made of one of them and what differs.
	mostIndexes = 4
	// MostIndexBytes is how large the indexes of one repository may be together, in bytes: one
	// of a million facts, or four of a quarter of that.
	MostIndexBytes = 256 << 20
)

// An Index is what answers questions about one commit, without the skills that a
// scan found something in.
type Index struct {
	Repository int64
	Key        string // SHA-256 in hex over all that it was made of
	Rules      string // hash of the rule set

	Installation int64
	Data         []byte // the writer's own format
}

// PutIndexTx keeps an index, in the place of the one under the same key. Of more than
// four of a repository, or more than [MostIndexBytes] of them, the oldest go; one that is larger than that
// alone is not kept.
func (s *Store) PutIndexTx(ctx context.Context, tx *sql.Tx, x Index) (err error) {
	defer wrap(&err, "PutIndexTx")
	if err := check(id("repository", x.Repository), hash("key", x.Key), word("rules", x.Rules),
		id("installation", x.Installation), text("data", x.Data)); err != nil {
		return err
	}
	if len(x.Data) > MostIndexBytes {
		return nil
	}
	if _, err := changed(ctx, tx, `INSERT INTO indexes (repository, key, rules, installation, data, size, made_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (repository, key) DO UPDATE SET rules = excluded.rules,
		installation = excluded.installation, data = excluded.data, size = excluded.size, made_at = excluded.made_at`,
		x.Repository, x.Key, x.Rules, x.Installation, x.Data, len(x.Data), s.millis()); err != nil {
		return err
	}
	return trimIndexes(ctx, tx, x.Repository, mostIndexes, MostIndexBytes)
}

// trimIndexes deletes all indexes of a repository but the newest.
func trimIndexes(ctx context.Context, tx *sql.Tx, repository int64, most, bytes int) error {
	_, err := changed(ctx, tx, `DELETE FROM indexes WHERE repository = $1 AND key IN (
		SELECT key FROM (
			SELECT key, row_number() OVER newest AS place, sum(size) OVER newest AS bytes FROM indexes WHERE repository = $1
			WINDOW newest AS (ORDER BY made_at DESC, key)
		) AS placed WHERE place > $2 OR bytes > $3)`, repository, most, bytes)
	return err
}

// Index completes x with the data that is kept under its key, or else with key and data of the newest index of
// the same repository and rule set, which may be of nearly the same skills: the data says of
// which. [ErrNotFound] means that there is none.
func (s *Store) Index(ctx context.Context, x Index) (kept Index, err error) {
	defer wrap(&err, "Index")
	if err := check(id("repository", x.Repository), hash("key", x.Key), word("rules", x.Rules)); err != nil {
		return Index{}, err
	}
	// The inner query sorts keys; data would be sorted along with them.
	err = s.row(ctx, func(row scanner) error { return row.Scan(&x.Key, &x.Installation, &x.Data) },
		`SELECT key, installation, data FROM indexes WHERE repository = $1 AND key = (SELECT key FROM indexes WHERE repository = $1 AND rules = $2
			ORDER BY CASE WHEN key = $3 THEN 0 ELSE 1 END, made_at DESC, key LIMIT 1)`, x.Repository, x.Rules, x.Key)
	if err != nil {
		return Index{}, err
	}
	return x, nil
}
