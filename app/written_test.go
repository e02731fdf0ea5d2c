package app

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/jackc/pgx/v5"
)

// newToken is shaped as GitHub's and stands in no file.
func newToken(t *testing.T) string {
	random := make([]byte, 25)
	must(rand.Read(random))(t)
	return "gh" + "p_" + base32.StdEncoding.EncodeToString(random)[:36]
}

// Law 8: a planted token blocks, and no eight letters of it are found anywhere
// that we write: not at GitHub, in the log, or in any byte of the database, the
// queue's rows and stored errors among them.
func TestNoPieceOfATokenGetsOut(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		s := newStage(t, url)
		stop := s.play()
		planted := map[string]string{}
		for _, where := range []string{"text", "name", "title", "question", "card", "config", "script", "description"} {
			planted[where] = newToken(t)
		}
		// Faults on the way make the queue store errors.
		s.hub.Fail(fakehub.Fault{Path: "*/git/blobs/*", Status: 500, Times: 3}, fakehub.Fault{Path: "*/check-runs", Status: 502, Times: 2})
		number, head := s.open("topic", "Use "+planted["title"], map[string]fakehub.File{
			mail:   fakehub.Text(s.text(mail, "it stores the account", "it stores "+planted["text"])),
			backup: fakehub.Text(s.text(backup, "Takes and restores", "With "+planted["description"]+" restores")),
			"skills/mail/references/" + planted["name"] + ".md": fakehub.Text("# Reference\n\n- A file whose name is a mistake.\n"),
			"skills/mail/scripts/run.sh":                        fakehub.Text("#!/bin/sh\n# " + planted["script"] + "\ncase $1 in --key) ;; esac\n"),
			"cards/skills/gone.md":                              fakehub.Text("by hand: " + planted["card"] + "\n"),
		})
		run := s.run(head)
		if run.Conclusion != "failure" || !strings.Contains(run.Title, "secret") {
			t.Errorf("%s: %s", run.Conclusion, run.Title)
		}
		must(s.repo.Comment(number, "mallory", "/ask Is "+planted["question"]+" still valid?"))(t)
		if got := s.reply(number, 1); !strings.Contains(got, "looks like a secret") {
			t.Errorf("the reply to a question with a secret: %s", got)
		}
		must(s.repo.Comment(number, "mallory", "/ask What does mailrules setup store in the keyring?"))(t)
		s.reply(number, 2)
		faulty := s.commit("topic", map[string]fakehub.File{".github/cardkeeper/config.yml": fakehub.Text("policy: {block: " + planted["config"] + "}\n" + planted["config"] + ": [\n")})
		if run := s.run(faulty); run.Conclusion != "failure" {
			t.Errorf("a faulty configuration: %s", run.Conclusion)
		}
		stop()
		for name, text := range s.written(number, head, faulty) {
			for where, secret := range planted {
				if piece := pieceOf(secret, text); piece {
					t.Errorf("%s holds a piece of the token in the %s", name, where)
				}
			}
		}
	})
}

// pieceOf reports whether eight letters in a row of the token stand in the text.
func pieceOf(token, text string) bool {
	for i := 0; i+8 <= len(token); i++ {
		if strings.Contains(text, token[i:i+8]) {
			return true
		}
	}
	return false
}

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
