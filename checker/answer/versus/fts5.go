package main

import (
	"database/sql"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// fts5 is SQLite's full-text index, in memory, without the texts themselves.
type fts5 struct {
	db   *sql.DB
	find *sql.Stmt
}

func (f *fts5) build(docs []doc) (err error) {
	if f.db, err = sql.Open("sqlite", ":memory:"); err != nil {
		return err
	}
	f.db.SetMaxOpenConns(1) // each connection would be a database of its own
	if _, err := f.db.Exec(`CREATE VIRTUAL TABLE f USING fts5(text, around, content='', tokenize='porter unicode61');
		INSERT INTO f(f, rank) VALUES('rank', 'bm25(1.0, 0.4)')`); err != nil {
		return err
	}
	if err := f.insert(docs); err != nil {
		return err
	}
	if _, err := f.db.Exec(`INSERT INTO f(f) VALUES('optimize')`); err != nil {
		return err
	}
	f.find, err = f.db.Prepare(`SELECT rowid FROM f WHERE f MATCH ? ORDER BY rank LIMIT 5`)
	return err
}

func (f *fts5) insert(docs []doc) error {
	tx, err := f.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	put, err := tx.Prepare(`INSERT INTO f(rowid, text, around) VALUES(?, ?, ?)`)
	if err != nil {
		return err
	}
	for i, d := range docs {
		if _, err := put.Exec(i+1, d.text, d.around()); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (f *fts5) ask(question string) (found []int, err error) {
	words := tokens(question)
	if len(words) == 0 {
		return nil, nil
	}
	rows, err := f.find.Query(`"` + strings.Join(words, `" OR "`) + `"`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		id := 0
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		found = append(found, id-1)
	}
	return found, rows.Err()
}

func (f *fts5) close() error { return f.db.Close() }
