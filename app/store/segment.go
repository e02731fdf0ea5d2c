package store

import (
	"context"
	"database/sql"
)

// Segment is a part of a repository's index: the scanned facts of one skill tree,
// made by one edition of the extractor and scanned with one rule set. The index of
// a commit is a list of such keys, so a new head costs its changed skills only.
type Segment struct {
	Repository int64
	Tree       string // names the skill's files: a git id, or a hash in its form
	Edition    int
	Rules      string // hash of the rule set

	Installation int64
	Data         []byte // the writer's own format
}

// PutSegmentTx keeps a segment. The same key means the same facts, so one that is
// there is left alone.
func (s *Store) PutSegmentTx(ctx context.Context, tx *sql.Tx, g Segment) (err error) {
	defer wrap(&err, "PutSegmentTx")
	if err := check(id("repository", g.Repository), word("tree", g.Tree), commit("tree", g.Tree),
		id("edition", int64(g.Edition)), word("rules", g.Rules),
		id("installation", g.Installation), text("data", g.Data)); err != nil {
		return err
	}
	_, err = changed(ctx, tx, `INSERT INTO segments (repository, tree, edition, rules, installation, data, made_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (repository, tree, edition, rules) DO NOTHING`,
		g.Repository, g.Tree, g.Edition, g.Rules, g.Installation, g.Data, s.millis())
	return err
}

// Segment reads the data kept under the key fields of g; [ErrNotFound] if there is
// none, and then it has to be made.
func (s *Store) Segment(ctx context.Context, g Segment) (data []byte, err error) {
	defer wrap(&err, "Segment")
	err = s.row(ctx, func(row scanner) error { return row.Scan(&data) },
		`SELECT data FROM segments WHERE repository = $1 AND tree = $2 AND edition = $3 AND rules = $4`,
		g.Repository, g.Tree, g.Edition, g.Rules)
	return data, err
}

// Segments calls see for each segment of the repository in g that was made by the
// edition and the rule set in g, in no order. An error of see ends it and is
// returned.
func (s *Store) Segments(ctx context.Context, g Segment, see func(tree string, data []byte) error) (err error) {
	defer wrap(&err, "Segments")
	return s.rows(ctx, func(row scanner) error {
		var tree string
		var data []byte
		if err := row.Scan(&tree, &data); err != nil {
			return err
		}
		return see(tree, data)
	}, `SELECT tree, data FROM segments WHERE repository = $1 AND edition = $2 AND rules = $3`, g.Repository, g.Edition, g.Rules)
}
