package store

import (
	"context"
	"database/sql"
	"fmt"
)

// A Farewell stands for an installation, or for one repository of it, that was
// forgotten while jobs of it may still have run: what these wrote is forgotten once more.
type Farewell struct {
	Installation int64
	Repository   int64 // 0 for the whole installation
}

// ForgetTx deletes every row about an installation, or about one repository as a part
// of it, and notes that this is to be done again once no job of it runs. The
// queue's own rows are the caller's to delete.
func (s *Store) ForgetTx(ctx context.Context, tx *sql.Tx, f Farewell) (err error) {
	defer wrap(&err, "ForgetTx")
	if err := check(id("installation", f.Installation), maybeID("repository", f.Repository)); err != nil {
		return err
	}
	if err := forgetPart(ctx, tx, f); err != nil {
		return err
	}
	_, err = changed(ctx, tx, `INSERT INTO farewells (installation, repository) VALUES ($1, $2)
		ON CONFLICT (installation, repository) DO NOTHING`, f.Installation, f.Repository)
	return err
}

// EndFarewellTx forgets once more, and the farewell with it. One that was called off
// by then, since the repository came back, deletes nothing.
func (s *Store) EndFarewellTx(ctx context.Context, tx *sql.Tx, f Farewell) (err error) {
	defer wrap(&err, "EndFarewellTx")
	n, err := changed(ctx, tx, `DELETE FROM farewells WHERE installation = $1 AND repository = $2`, f.Installation, f.Repository)
	if err != nil || n == 0 {
		return err
	}
	return forgetPart(ctx, tx, f)
}

// WelcomeTx calls off the farewell to a repository that an installation has again.
func (s *Store) WelcomeTx(ctx context.Context, tx *sql.Tx, installation, repository int64) (err error) {
	defer wrap(&err, "WelcomeTx")
	_, err = changed(ctx, tx, `DELETE FROM farewells WHERE installation = $1 AND repository = $2`, installation, repository)
	return err
}

// MoveTx gives every row about a repository to another installation: the App was
// removed and installed again.
func (s *Store) MoveTx(ctx context.Context, tx *sql.Tx, repository, from, to int64) (err error) {
	defer wrap(&err, "MoveTx")
	if err := check(id("repository", repository), id("installation", from), id("installation", to)); err != nil {
		return err
	}
	for _, table := range ownTables() {
		switch table {
		case "rounds": // the installation is part of the key, and the other has its own
			_, err = changed(ctx, tx, `DELETE FROM rounds WHERE repository = $1 AND installation = $2`, repository, from)
		case "farewells":
			err = s.WelcomeTx(ctx, tx, to, repository)
		default:
			_, err = changed(ctx, tx, `UPDATE `+table+` SET installation = $1 WHERE repository = $2 AND installation = $3`, to, repository, from)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}

// Farewells lists all that are noted.
func (s *Store) Farewells(ctx context.Context) (list []Farewell, err error) {
	defer wrap(&err, "Farewells")
	err = s.rows(ctx, func(row scanner) error {
		var f Farewell
		err := row.Scan(&f.Installation, &f.Repository)
		list = append(list, f)
		return err
	}, `SELECT installation, repository FROM farewells ORDER BY installation, repository`)
	return list, err
}

// OwnersTx lists the installations under which something of a repository is kept: more
// than one after it changed hands.
func (s *Store) OwnersTx(ctx context.Context, tx *sql.Tx, repository int64) (list []int64, err error) {
	defer wrap(&err, "OwnersTx")
	query := ``
	for i, table := range ownTables() {
		if i > 0 {
			query += ` UNION `
		}
		query += `SELECT installation FROM ` + table + ` WHERE repository = $1`
	}
	rows, err := tx.QueryContext(ctx, query, repository)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		list = append(list, id)
	}
	return list, rows.Err()
}

func forgetPart(ctx context.Context, tx *sql.Tx, f Farewell) error {
	if f.Repository == 0 {
		return forget(ctx, tx, "installation", f.Installation)
	}
	for _, table := range ownTables() {
		if _, err := changed(ctx, tx, `DELETE FROM `+table+` WHERE repository = $1 AND installation = $2`, f.Repository, f.Installation); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}
