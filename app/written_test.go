package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// written is all that the service wrote, by where.
func (s *stage) written(number int, heads ...string) map[string]string {
	s.t.Helper()
	all := map[string]string{"the log": s.log.String()}
	for _, head := range heads {
		for _, run := range s.hub.CheckRuns(s.repo, head) {
			all[fmt.Sprint("check run ", run.ID)] = string(must(json.Marshal(run))(s.t))
		}
	}
	for _, c := range s.hub.Comments(s.repo, number) {
		if strings.HasSuffix(c.User, "[bot]") {
			all[fmt.Sprint("comment ", c.ID)] = c.Body
		}
	}
	for _, r := range s.hub.Requests() {
		all["the addresses"] += r.Path + "\n"
	}
	if path, ok := strings.CutPrefix(s.settings.Database, "sqlite:"); ok {
		for _, file := range must(filepath.Glob(path + "*"))(s.t) {
			all[filepath.Base(file)] = string(must(os.ReadFile(file))(s.t))
		}
		if len(all[filepath.Base(path)]) == 0 {
			s.t.Error("the database file is empty")
		}
		return all
	}
	for name, text := range s.dump() {
		all[name] = text
	}
	return all
}

// dump is every row of a PostgreSQL database, by table, bytes as text.
func (s *stage) dump() map[string]string {
	s.t.Helper()
	ctx := context.Background()
	conn := must(pgx.Connect(ctx, s.settings.Database))(s.t)
	defer conn.Close(ctx)
	rows := must(conn.Query(ctx, `SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()`))(s.t)
	tables := must(pgx.CollectRows(rows, pgx.RowTo[string]))(s.t)
	check(s.t, func() error { _, err := conn.Exec(ctx, `SET bytea_output = 'escape'`); return err }())
	out := map[string]string{}
	for _, table := range tables {
		rows := must(conn.Query(ctx, `SELECT t::text FROM `+pgx.Identifier{table}.Sanitize()+` t`))(s.t)
		out[table] = strings.Join(must(pgx.CollectRows(rows, pgx.RowTo[string]))(s.t), "\n")
	}
	if out["river_job"] == "" || out["verdicts"] == "" {
		s.t.Error("the dump is empty")
	}
	return out
}
