package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	// mostVectors of one repository are kept, the newest: 16 MB of vectors with 768
	// numbers. A question looks at 31 facts, so that is all facts of a large
	// repository that people ask about.
	mostVectors = 10_000
	// mostKeys bounds one look, and so a statement's arguments.
	mostKeys = 500
)

// Vectors are directions of a repository's facts in one model's space, by the hash of
// all that made them. They can be made again.
type Vectors struct {
	Installation int64
	Repository   int64
	Data         map[string][]byte // SHA-256 in hex to the writer's own format
}

// Vectors reads what is kept of a repository under some keys, at most 500. What is
// not there is not in the result.
func (s *Store) Vectors(ctx context.Context, repository int64, keys []string) (data map[string][]byte, err error) {
	defer wrap(&err, "Vectors")
	data = map[string][]byte{}
	if len(keys) == 0 {
		return data, nil
	}
	fields, args, places := []field{id("repository", repository), {"keys", len(keys) <= mostKeys}}, []any{repository}, []string{}
	for i, k := range keys {
		fields, args = append(fields, hash("key", k)), append(args, k)
		places = append(places, fmt.Sprintf("$%d", i+2))
	}
	if err := check(fields...); err != nil {
		return nil, err
	}
	err = s.rows(ctx, func(row scanner) error {
		var key string
		var one []byte
		if err := row.Scan(&key, &one); err != nil {
			return err
		}
		data[key] = one
		return nil
	}, `SELECT key, data FROM vectors WHERE repository = $1 AND key IN (`+strings.Join(places, ", ")+`)`, args...)
	return data, err
}

// PutVectorsTx keeps vectors, in the place of those under the same keys. Of more than
// 10,000 of a repository the oldest go.
func (s *Store) PutVectorsTx(ctx context.Context, tx *sql.Tx, v Vectors) (err error) {
	defer wrap(&err, "PutVectorsTx")
	fields := []field{id("repository", v.Repository), id("installation", v.Installation)}
	for k, data := range v.Data {
		fields = append(fields, hash("key", k), text("data", data))
	}
	if err := check(fields...); err != nil {
		return err
	}
	// One order for all, so that two transactions do not wait for each other.
	for _, k := range slices.Sorted(maps.Keys(v.Data)) {
		_, err := changed(ctx, tx, `INSERT INTO vectors (repository, key, installation, data, made_at)
			VALUES ($1, $2, $3, $4, $5) ON CONFLICT (repository, key) DO UPDATE SET
			installation = excluded.installation, data = excluded.data, made_at = excluded.made_at`,
			v.Repository, k, v.Installation, v.Data[k], s.millis())
		if err != nil {
			return err
		}
	}
	return trim(ctx, tx, v.Repository, mostVectors)
}

// trim deletes all vectors of a repository but the newest.
func trim(ctx context.Context, tx *sql.Tx, repository int64, most int) error {
	_, err := changed(ctx, tx, `DELETE FROM vectors WHERE repository = $1 AND key IN (
		SELECT key FROM vectors WHERE repository = $1 ORDER BY made_at DESC, key LIMIT 1000000 OFFSET $2)`, repository, most)
	return err
}
