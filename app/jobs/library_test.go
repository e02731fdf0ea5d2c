package jobs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A question costs the skills that changed since the last one, and a skill that
// holds a secret is never kept (law 8).
func TestAnIndexIsKeptInSegments(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		number, _ := w.open("topic", docs("x"))
		w.settled()
		ask := func(question string) (blobs int, reply string) {
			t.Helper()
			before := len(w.replies(number))
			b := w.cost(question, func() { must(w.repo.Comment(number, "mallory", "/ask "+question))(t) })
			if b.paid == 0 || len(w.replies(number)) != before+1 {
				t.Fatalf("replies to %s: %q", question, w.replies(number))
			}
			return w.hub.Counts()["GET /repos/{owner}/{repo}/git/blobs/{sha}"], w.replies(number)[before]
		}
		const what = "What does mailrules apply refuse?"
		ask(what)
		if n := w.count("segments"); n != 2 {
			t.Errorf("%d segments, want one for each skill", n)
		}
		_, first := ask(what)
		w.restart()
		blobs, again := ask(what)
		if blobs != 2 || again != first { // the configuration, and the file that is quoted
			t.Errorf("%d files were read; the replies:\n%s\n%s", blobs, first, again)
		}
		w.commit("topic", w.stale())
		w.settled()
		ask(what)
		if n := w.count("segments"); n != 3 {
			t.Errorf("%d segments after one skill changed", n)
		}
		token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
		w.commit("topic", map[string]fakehub.File{backup: fakehub.Text(w.text(backup, "PostgreSQL 15 or newer", "PostgreSQL 15 with "+token))})
		w.settled()
		_, reply := ask("Which PostgreSQL is needed?")
		if n := w.count("segments"); n != 3 || strings.Contains(reply, token) || strings.Contains(reply, "PostgreSQL 15 with") {
			t.Errorf("%d segments, the reply: %s", n, reply)
		}
		rows := must(w.store.DB().Query(`SELECT data FROM segments`))(t)
		defer rows.Close()
		for rows.Next() {
			var data []byte
			check(t, rows.Scan(&data))
			if bytes.Contains(data, []byte(token[4:12])) {
				t.Error("a part of the token is in the database")
			}
		}
		check(t, rows.Err())
	})
}

// A segment is what the facts depend on: none of it may be left out of its key.
func TestASegmentsKeyNamesAllThatCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{idle: true})
	client := w.runner.reader(w.hub.Installation("ada"), w.repo.ID())
	repo := must(client.Repository(t.Context(), w.repo.ID()))(t)
	key := func(commit, form string) string {
		head := must(take(t.Context(), newSource(client, repo), commit))(t)
		layout := must(extractor.Discover(head.Tree, extractor.DefaultShape()))(t)
		b := &binder{head: head, form: form}
		return b.key(layout.Skills[0])
	}
	seen := map[string]string{}
	for name, k := range map[string]string{
		"as it is": key(w.main, "{}"), "another shape": key(w.main, "{ }"),
		"another text":  key(w.commit("a", map[string]fakehub.File{backup: fakehub.Text("# Other\n")}, w.main), "{}"),
		"one file more": key(w.commit("b", map[string]fakehub.File{"skills/backup/notes.md": fakehub.Text("# Notes\n")}, w.main), "{}"),
		"another folder": key(w.commit("c", map[string]fakehub.File{
			"skills/backup": fakehub.Removed(), "skills/aackup/SKILL.md": {Data: []byte(w.text(backup, "# Backup", "# Backup "))}}, w.main), "{}"),
	} {
		if other, twice := seen[k]; twice || len(k) != 64 {
			t.Errorf("%s has the key of %s", name, other)
		}
		seen[k] = name
	}
}

func TestFactsThawAsTheyWereFrozen(t *testing.T) {
	t.Parallel()
	e := card.Entry{Section: card.Refusals, File: "SKILL.md", Context: card.Context{{Role: card.Heading, Text: "Do not"}}, Kind: card.Step, List: 1, Ordinal: 2, Text: "text <&> \u2028"}
	fact := must(card.Ground(e, card.ByHeading, card.Place{File: "a/SKILL.md", First: 3, Last: 4}, card.Place{File: "a/SKILL.md", First: 9, Last: 9}))(t)
	got := must(thaw(freeze([]card.Fact{fact})))(t)
	if len(got) != 1 || got[0].Entry().Identity() != e.Identity() || got[0].Reason() != card.ByHeading || len(got[0].Places()) != 2 || got[0].Places()[1].First != 9 {
		t.Errorf("thawed: %+v", got)
	}
	for _, damaged := range []string{"", "{}", `[{"e":{"Text":"x"}}]`} {
		if _, err := thaw([]byte(damaged)); err == nil {
			t.Errorf("%q thawed", damaged)
		}
	}
}
