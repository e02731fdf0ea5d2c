package store

import (
	"context"
	"database/sql"
	"time"
)

// askWindow is the time over which questions are counted: a person who waits for
// the next one waits an hour at most, and the rows are gone as soon.
const askWindow = time.Hour

// An Asking is one comment with questions. Its person is GitHub's number of the
// account: it stays when the login changes, and unlike a hash it pretends to hide
// nothing, since the delivery's row names the comment.
type Asking struct {
	Installation int64
	Repository   int64
	Person       int64
	Delivery     string // one that was counted is not counted again
	Questions    int
}

// AskLimits are how many questions are answered within an hour; 0 is no limit.
type AskLimits struct {
	Person     int // of one person in one repository
	Repository int // of all in it
}

// An Admission says what becomes of an asking.
type Admission struct {
	Until time.Time // over a limit: when one may ask again; zero where it is answered
	Told  bool      // the person was told so by an earlier reply, which still holds
}

// AdmitTx counts the questions of a comment, unless a limit is reached: then it
// notes that the person is told so. A comment that comes below the limit is answered
// whole, so that a limit smaller than a comment never shuts it out for good.
//
// Two at once could both pass; let one repository's callers in one by one.
func (s *Store) AdmitTx(ctx context.Context, tx *sql.Tx, a Asking, l AskLimits) (admission Admission, err error) {
	defer wrap(&err, "AdmitTx")
	if err := check(id("installation", a.Installation), id("repository", a.Repository), id("person", a.Person), word("delivery", a.Delivery), id("questions", int64(a.Questions))); err != nil {
		return Admission{}, err
	}
	now := s.Now()
	if _, err := changed(ctx, tx, `DELETE FROM askings WHERE repository = $1 AND asked_at <= $2`, a.Repository, now.Add(-askWindow).UnixMilli()); err != nil {
		return Admission{}, err
	}
	rows, err := askingsTx(ctx, tx, a.Repository)
	if err != nil {
		return Admission{}, err
	}
	for _, r := range rows {
		if r.delivery == a.Delivery {
			return Admission{Until: moment(r.until)}, nil
		}
		if r.person == a.Person && r.until > now.UnixMilli() {
			admission = Admission{moment(r.until), true}
		}
	}
	if admission.Told {
		return admission, nil
	}
	until := max(
		free(rows, l.Repository, func(askingRow) bool { return true }),
		free(rows, l.Person, func(r askingRow) bool { return r.person == a.Person }),
	)
	if until > 0 {
		a.Questions = 0
	}
	_, err = changed(ctx, tx, `INSERT INTO askings (repository, delivery, installation, person, questions, until_at, noted, asked_at)
		VALUES ($1, $2, $3, $4, $5, $6, FALSE, $7)`, a.Repository, a.Delivery, a.Installation, a.Person, a.Questions, until, now.UnixMilli())
	return Admission{Until: moment(until)}, err
}

// askingRow is a row of askings.
type askingRow struct {
	delivery         string
	person           int64
	questions        int
	until, startedAt int64
}

// askingsTx lists the rows of a repository, oldest first.
func askingsTx(ctx context.Context, tx *sql.Tx, repository int64) (list []askingRow, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT delivery, person, questions, until_at, asked_at FROM askings
		WHERE repository = $1 ORDER BY asked_at, delivery`, repository)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r askingRow
		if err := rows.Scan(&r.delivery, &r.person, &r.questions, &r.until, &r.startedAt); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// free is when the questions of some rows, the oldest first, fall below a limit, or
// 0 where they are below it now.
func free(rows []askingRow, limit int, of func(askingRow) bool) (at int64) {
	if limit == 0 {
		return 0
	}
	sum := 0
	for _, r := range rows {
		if of(r) {
			sum += r.questions
		}
	}
	for _, r := range rows {
		if sum < limit {
			break
		}
		if of(r) && r.questions > 0 {
			sum -= r.questions
			at = r.startedAt + askWindow.Milliseconds()
		}
	}
	return at
}

// NoteAskingTx reports whether this is the first time that what an asking left
// undocumented is counted. It is not where the asking is forgotten.
func (s *Store) NoteAskingTx(ctx context.Context, tx *sql.Tx, repository int64, delivery string) (first bool, err error) {
	defer wrap(&err, "NoteAskingTx")
	n, err := changed(ctx, tx, `UPDATE askings SET noted = TRUE WHERE repository = $1 AND delivery = $2 AND NOT noted`, repository, delivery)
	return n > 0, err
}
