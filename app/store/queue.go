package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// A Job is a row of the queue as a page shows it: ids and words, and of its last
// error the kind alone.
type Job struct {
	ID       int64
	Kind     string
	State    string // the queue's word
	Attempts int
	GUID     string // of the delivery that it ends, "" for none
	Delivery string // of the delivery that it was made for, "" for none
	Error    string // kind of the last attempt's error, "" for none
	MadeAt   time.Time
	LastAt   time.Time // when the last attempt began, or it ended; zero before
	DueAt    time.Time // when it may run

	args string
}

// A JobView is a set of jobs that somebody looks for.
type JobView string

// The views. Failed are those that gave up; a job that was replaced by newer work
// is none of them.
const (
	AllJobs JobView = "all"
	Waiting JobView = "waiting"
	Running JobView = "running"
	Dead    JobView = "failed"
	Ended   JobView = "done"
)

// lastError is not there for jobs that were replaced before they ran; "stopped" is
// the kind of those that were replaced while they ran.
func (v JobView) where(d Dialect) string {
	switch v {
	case Waiting:
		return `state IN ('available', 'pending', 'retryable', 'scheduled')`
	case Running:
		return `state = 'running'`
	case Dead:
		return `state IN ('cancelled', 'discarded') AND ` + d.lastError() + ` <> '' AND ` + d.lastError() + ` NOT LIKE 'stopped:%'`
	case Ended:
		return `state = 'completed'`
	}
	return `1 = 1`
}

// jobPage bounds what one call reads.
const jobPage = 100

// Jobs lists jobs, newest first, at most limit and 100. before is the id above the
// page, 0 for the first; guid keeps to those of one delivery, "" does not.
func (s *Store) Jobs(ctx context.Context, view JobView, guid string, before int64, limit int) (list []Job, err error) {
	defer wrap(&err, "Jobs")
	err = s.rows(ctx, func(row scanner) error {
		j, err := scanJob(row)
		list = append(list, j)
		return err
	}, s.selectJobs()+`WHERE `+view.where(s.dialect)+` AND (CAST($1 AS BIGINT) = 0 OR id < $2) AND ($3 = '' OR `+deliveryOf+` = $4)
		ORDER BY id DESC LIMIT $5`, before, before, guid, guid, min(max(limit, 0), jobPage))
	return list, err
}

// deadTx reads jobs that gave up: one by its id, or those that were made for a delivery.
func (s *Store) deadTx(ctx context.Context, tx *sql.Tx, id int64, guid string) (list []Job, err error) {
	rows, err := tx.QueryContext(ctx, s.selectJobs()+`WHERE `+Dead.where(s.dialect)+` AND (id = $1 OR `+deliveryOf+` = $2) ORDER BY id LIMIT $3`, id, guid, jobPage)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		j, err := scanJob(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, j)
	}
	return list, rows.Err()
}

// DeadJobTx reads one job that gave up, with its arguments as JSON. [ErrNotFailed]
// is for any other.
func (s *Store) DeadJobTx(ctx context.Context, tx *sql.Tx, id int64) (job Job, args string, err error) {
	defer wrap(&err, "DeadJobTx")
	list, err := s.deadTx(ctx, tx, id, " ") // no delivery has this id
	if err != nil {
		return Job{}, "", err
	}
	if len(list) == 0 {
		return Job{}, "", ErrNotFailed
	}
	return list[0], list[0].args, nil
}

// A Depth is how many jobs of a kind are in a state, and the age of the oldest.
type Depth struct {
	Kind, State string
	Jobs        int
	Oldest      time.Duration
}

// Depths counts the jobs that are not over.
func (s *Store) Depths(ctx context.Context) (list []Depth, err error) {
	defer wrap(&err, "Depths")
	err = s.rows(ctx, func(row scanner) error {
		var d Depth
		var age float64
		err := row.Scan(&d.Kind, &d.State, &d.Jobs, &age)
		d.Oldest = time.Duration(max(age, 0) * float64(time.Second))
		list = append(list, d)
		return err
	}, `SELECT kind, CAST(state AS TEXT), count(*), `+s.dialect.age(`min(created_at)`)+` FROM river_job
		WHERE state IN ('available', 'pending', 'retryable', 'running', 'scheduled') GROUP BY kind, state ORDER BY 1, 2`)
	return list, err
}

// CountDead counts the jobs that gave up and are still kept.
func (s *Store) CountDead(ctx context.Context) (n int, err error) {
	defer wrap(&err, "CountDead")
	err = s.row(ctx, func(row scanner) error { return row.Scan(&n) }, `SELECT count(*) FROM river_job WHERE `+Dead.where(s.dialect))
	return n, err
}

// guidOf and deliveryOf are of a job; both databases take the arrow.
const (
	guidOf     = `coalesce(args->>'guid', '')`
	deliveryOf = `coalesce(nullif(` + guidOf + `, ''), metadata->>'delivery', '')`
)

func (s *Store) selectJobs() string {
	d := s.dialect
	return fmt.Sprintf(`SELECT id, kind, CAST(state AS TEXT), attempt, %s, %s, %s, %s, coalesce(%s, 0), %s, %s FROM river_job `,
		guidOf, deliveryOf, d.lastError(), d.epoch(`created_at`), d.epoch(`coalesce(finalized_at, attempted_at)`), d.epoch(`scheduled_at`), d.json(`args`))
}

func scanJob(row scanner) (j Job, err error) {
	var made, last, due int64
	err = row.Scan(&j.ID, &j.Kind, &j.State, &j.Attempts, &j.GUID, &j.Delivery, &j.Error, &made, &last, &due, &j.args)
	j.MadeAt, j.LastAt, j.DueAt = moment(made), moment(last), moment(due)
	j.Error = kindOf(j.Error)
	return j, err
}

// kindOf is the word that the jobs put in front of an error's text. The text is
// not for pages; an error without a word is of another kind.
func kindOf(text string) string {
	word, _, _ := strings.Cut(text, ": ")
	if text == "" || len(word) <= 40 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_") == "" {
		return word
	}
	return "other"
}
