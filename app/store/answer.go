package store

import (
	"context"
	"database/sql"
	"time"
)

// Answer is a model-written answer that passed the checks. The four fields of its
// key say what it is an answer to; the repository is one of them, so that nothing
// of one repository is ever repeated in another.
type Answer struct {
	Repository   int64
	QuestionHash string
	IndexHash    string
	Model        string

	Installation int64
	Text         []byte // scanned

	// Set by the store.
	MadeAt time.Time
}

func (a Answer) check() error {
	return check(id("repository", a.Repository), word("question hash", a.QuestionHash),
		word("index hash", a.IndexHash), word("model", a.Model),
		id("installation", a.Installation), text("text", a.Text))
}

// PutAnswerTx keeps an answer unless there is one, and gives the one that is kept:
// say that one, so that two askers at once hear the same (law 11).
func (s *Store) PutAnswerTx(ctx context.Context, tx *sql.Tx, a Answer) (kept Answer, err error) {
	defer wrap(&err, "PutAnswerTx")
	if err := a.check(); err != nil {
		return Answer{}, err
	}
	const insert = `INSERT INTO answers (repository, question, index_hash, model, installation, text, made_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (repository, question, index_hash, model) DO NOTHING`
	if _, err := changed(ctx, tx, insert, a.Repository, a.QuestionHash, a.IndexHash, a.Model,
		a.Installation, a.Text, s.millis()); err != nil {
		return Answer{}, err
	}
	kept, err = scanAnswer(a, tx.QueryRowContext(ctx, selectAnswer, a.Repository, a.QuestionHash, a.IndexHash, a.Model))
	return kept, absent(err)
}

// Answer reads the answer that is kept under the key fields of a; [ErrNotFound] if
// there is none.
func (s *Store) Answer(ctx context.Context, a Answer) (kept Answer, err error) {
	defer wrap(&err, "Answer")
	err = s.row(ctx, func(row scanner) error {
		kept, err = scanAnswer(a, row)
		return err
	}, selectAnswer, a.Repository, a.QuestionHash, a.IndexHash, a.Model)
	return kept, err
}

const selectAnswer = `SELECT installation, text, made_at FROM answers
	WHERE repository = $1 AND question = $2 AND index_hash = $3 AND model = $4`

// scanAnswer completes the key of a with the row; on an error there is no answer.
func scanAnswer(key Answer, row scanner) (Answer, error) {
	var at int64
	kept := key
	if err := row.Scan(&kept.Installation, &kept.Text, &at); err != nil {
		return Answer{}, err
	}
	kept.MadeAt = moment(at)
	return kept, nil
}
