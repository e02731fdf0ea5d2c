package store

import (
	"context"
	"database/sql"
	"encoding/json"
)

// A burst of deliveries is a few statements and not a few each: preparing a statement and
// its way to the server cost more than the rows.

// AcceptAllTx is AcceptTx for several at once, in one statement, and gives the guids
// of the fresh ones. Of two with one guid the first is recorded.
func (s *Store) AcceptAllTx(ctx context.Context, tx *sql.Tx, list []Delivery) (fresh map[string]bool, err error) {
	defer wrap(&err, "AcceptAllTx")
	return s.accept(ctx, tx, list)
}

func (s *Store) accept(ctx context.Context, tx *sql.Tx, list []Delivery) (fresh map[string]bool, err error) {
	fresh = map[string]bool{}
	rows, given := []delivered{}, map[string]bool{}
	for _, d := range list {
		if err := d.check(); err != nil {
			return nil, err
		}
		if !given[d.GUID] {
			given[d.GUID] = true
			rows = append(rows, delivered{d.GUID, d.Event, d.Action, d.Installation, d.Repository, d.Pull, d.Comment, d.CheckRun, d.HeadSHA, s.millis()})
		}
	}
	upsert := `INSERT INTO deliveries (guid, event, action, installation, repository, pull,
			comment, check_run, head_sha, state, attempts, received_at)
		SELECT guid, event, action, installation, repository, pull, comment, check_run, head_sha, 'accepted', 1, received_at
		FROM ` + s.dialect.records("guid TEXT", "event TEXT", "action TEXT", "installation BIGINT", "repository BIGINT", "pull BIGINT",
		"comment BIGINT", "check_run BIGINT", "head_sha TEXT", "received_at BIGINT") + ` WHERE TRUE ORDER BY guid
		ON CONFLICT (guid) DO UPDATE SET state = 'accepted',
			attempts = deliveries.attempts + 1, received_at = excluded.received_at
		WHERE deliveries.state = 'failed'
		RETURNING guid`
	err = recorded(ctx, tx, func(row scanner) error {
		var guid string
		err := row.Scan(&guid)
		fresh[guid] = true
		return err
	}, upsert, rows)
	return fresh, err
}

// delivered is a new row of deliveries.
type delivered struct {
	GUID         string `json:"guid"`
	Event        string `json:"event"`
	Action       string `json:"action"`
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	Pull         int64  `json:"pull"`
	Comment      int64  `json:"comment"`
	CheckRun     int64  `json:"check_run"`
	HeadSHA      string `json:"head_sha"`
	ReceivedAt   int64  `json:"received_at"`
}

// FinishAllTx is FinishTx for whole deliveries that are done, in one statement.
func (s *Store) FinishAllTx(ctx context.Context, tx *sql.Tx, guids []string) (err error) {
	defer wrap(&err, "FinishAllTx")
	rows := make([]delivered, len(guids))
	for i, guid := range guids {
		rows[i].GUID = guid
	}
	return recorded(ctx, tx, nil, `UPDATE deliveries SET state = 'done' WHERE state = 'accepted'
		AND guid IN (SELECT guid FROM `+s.dialect.records("guid TEXT")+`)`, rows)
}

// NextGenerationsTx is NextGenerationTx for several pull requests at once, in one statement:
// it sets Generation, and Job to the one of the generation before. Each may be in the list once.
func (s *Store) NextGenerationsTx(ctx context.Context, tx *sql.Tx, list []Pull) (err error) {
	defer wrap(&err, "NextGenerationsTx")
	return s.nextGenerations(ctx, tx, list)
}

func (s *Store) nextGenerations(ctx context.Context, tx *sql.Tx, list []Pull) error {
	at := map[[2]int64]int{}
	rows := make([]pulled, len(list))
	for i, p := range list {
		if err := p.check(); err != nil {
			return err
		}
		at[[2]int64{p.Repository, p.Number}] = i
		rows[i] = pulled{p.Repository, p.Number, p.Installation, 1, p.Head, p.Base, 0, s.millis()}
	}
	if len(at) < len(list) {
		return check(field{"list: a pull request is in it twice", false})
	}
	upsert := `INSERT INTO pulls (repository, number, installation, generation, head_sha, base_sha, job, closed, updated_at)
		SELECT repository, number, installation, generation, head_sha, base_sha, job, FALSE, updated_at FROM ` + s.pulled() + `
		WHERE TRUE ORDER BY repository, number
		ON CONFLICT (repository, number) DO UPDATE SET
			installation = excluded.installation,
			generation = pulls.generation + 1,
			head_sha = CASE WHEN excluded.head_sha = '' THEN pulls.head_sha ELSE excluded.head_sha END,
			base_sha = CASE WHEN excluded.base_sha = '' THEN pulls.base_sha ELSE excluded.base_sha END,
			closed = FALSE, updated_at = excluded.updated_at
		RETURNING repository, number, generation, job`
	return recorded(ctx, tx, func(row scanner) error {
		var p Pull
		err := row.Scan(&p.Repository, &p.Number, &p.Generation, &p.Job)
		if i, ok := at[[2]int64{p.Repository, p.Number}]; ok {
			list[i].Generation, list[i].Job = p.Generation, p.Job
		}
		return err
	}, upsert, rows)
}

// pulled is a row of pulls as it is handed over.
type pulled struct {
	Repository   int64  `json:"repository"`
	Number       int64  `json:"number"`
	Installation int64  `json:"installation"`
	Generation   int64  `json:"generation"`
	HeadSHA      string `json:"head_sha"`
	BaseSHA      string `json:"base_sha"`
	Job          int64  `json:"job"`
	UpdatedAt    int64  `json:"updated_at"`
}

func (s *Store) pulled() string {
	return s.dialect.records("repository BIGINT", "number BIGINT", "installation BIGINT", "generation BIGINT", "head_sha TEXT",
		"base_sha TEXT", "job BIGINT", "updated_at BIGINT")
}

// SetJobsTx is SetJobTx for several at once, in one statement: it reads their keys, Generation and Job.
// [ErrStale] is for any of them.
func (s *Store) SetJobsTx(ctx context.Context, tx *sql.Tx, list []Pull) (err error) {
	defer wrap(&err, "SetJobsTx")
	if len(list) == 1 { // PostgreSQL plans the other for a hundred rows, and reads a small table whole
		return s.SetJobTx(ctx, tx, list[0].Repository, list[0].Number, list[0].Generation, list[0].Job)
	}
	rows := make([]pulled, len(list))
	for i, p := range list {
		rows[i] = pulled{Repository: p.Repository, Number: p.Number, Generation: p.Generation, Job: p.Job}
	}
	n := 0
	err = recorded(ctx, tx, func(row scanner) error { n++; return row.Scan(new(int64)) }, `UPDATE pulls SET job = r.job
		FROM `+s.pulled()+` WHERE pulls.repository = r.repository AND pulls.number = r.number
			AND pulls.generation = r.generation AND NOT pulls.closed
		RETURNING pulls.number`, rows)
	if err == nil && n < len(list) {
		return ErrStale
	}
	return err
}

// recorded runs a statement over [Dialect.records] and hands what it returns to scan, which may be nil
// for a statement that returns nothing.
func recorded[T any](ctx context.Context, tx *sql.Tx, scan func(scanner) error, statement string, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	if scan == nil {
		_, err = tx.ExecContext(ctx, statement, string(list))
		return err
	}
	found, err := tx.QueryContext(ctx, statement, string(list))
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		if err := scan(found); err != nil {
			return err
		}
	}
	return found.Err()
}
