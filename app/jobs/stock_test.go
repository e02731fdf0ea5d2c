package jobs

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// asks asks a question and returns the reply to it.
func (w *world) asks(number int, question string) string {
	w.t.Helper()
	before := len(w.replies(number))
	must(w.repo.Comment(number, "mallory", "/ask "+question))(w.t)
	w.settled()
	replies := w.replies(number)
	if len(replies) != before+1 {
		w.t.Fatalf("replies to %s: %q", question, replies)
	}
	return replies[before]
}

// run changes the database under the App.
func (w *world) run(statement string, args ...any) {
	w.t.Helper()
	_ = must(w.store.DB().Exec(statement, args...))(w.t)
}

// indexes are the indexes that are kept, the newest last.
func (w *world) indexes() (all [][]byte) {
	w.t.Helper()
	rows := must(w.store.DB().Query(`SELECT data FROM indexes ORDER BY made_at, key`))(w.t)
	defer rows.Close()
	for rows.Next() {
		var data []byte
		check(w.t, rows.Scan(&data))
		all = append(all, data)
	}
	check(w.t, rows.Err())
	return all
}

const whatRefused = "What does mailrules apply refuse?"

// Law 11: with and without what is kept the reply is the same.
func TestTheSecondQuestionReadsNoSegment(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		number, _ := w.open("topic", docs("x"))
		first := w.asks(number, whatRefused)
		if n := w.count("indexes"); n != 1 || !strings.Contains(first, "mailrules apply") {
			t.Fatalf("%d indexes; the reply: %s", n, first)
		}
		w.run(`ALTER TABLE segments RENAME TO away`)
		w.restart()
		if again := w.asks(number, whatRefused); again != first {
			t.Errorf("the reply without segments: %s", again)
		}
		w.run(`ALTER TABLE away RENAME TO segments`)
		if n := w.count("indexes"); n != 1 {
			t.Errorf("%d indexes of one commit", n)
		}
		if strings.Contains(w.log.String(), "an index") {
			t.Errorf("the log: %s", w.log)
		}
	})
}

// What is no index any more is made anew and put in its place, and nobody who asks sees it.
func TestADamagedIndexIsMadeAnew(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		number, _ := w.open("topic", docs("x"))
		first := w.asks(number, whatRefused)
		whole := w.indexes()[0]
		other := bytes.Clone(whole)
		other[len(other)/2] ^= 1
		for name, data := range map[string][]byte{"cut": whole[:len(whole)/2], "changed": other, "nothing like it": []byte("x"), "another edition": bytes.Replace(whole, []byte("stock 1"), []byte("stock 0"), 1)} {
			w.run(`UPDATE indexes SET data = $1`, data)
			if again := w.asks(number, whatRefused); again != first {
				t.Errorf("%s: %s", name, again)
			}
			if now := w.indexes(); len(now) != 1 || !bytes.Equal(now[0], whole) {
				t.Errorf("%s: it was not mended", name)
			}
		}
		if !strings.Contains(w.log.String(), "an index is damaged and is made anew") {
			t.Error("nobody was told")
		}
	})
}

// The index of a changed head is made of the one before and of what differs; it is the one that is
// made of everything.
func TestAChangedHeadIsAnsweredAsIfNothingWereKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	number, _ := w.open("topic", docs("x"))
	w.asks(number, whatRefused)
	for name, edits := range map[string]map[string]fakehub.File{
		"a changed skill": w.stale(),
		"a new skill":     {"skills/post/SKILL.md": fakehub.Text("# Post\n\n## Do not\n\n- mailrules apply never touches the post.\n")},
		"a skill is gone": {backup: fakehub.Removed()},
		"another shape":   w.reshaped("policy:\n  block: [stale, secrets]\nshape:\n  max_entries_per_file: 100\n"),
	} {
		w.commit("topic", edits)
		w.settled()
		kept := w.asks(number, whatRefused)
		with := w.indexes()
		w.run(`DELETE FROM indexes`)
		w.run(`DELETE FROM segments`)
		if anew := w.asks(number, whatRefused); anew != kept {
			t.Errorf("%s:\n%s\nmade anew:\n%s", name, kept, anew)
		}
		if now := w.indexes(); len(now) != 1 || !slices.ContainsFunc(with, func(one []byte) bool { return bytes.Equal(one, now[0]) }) {
			t.Errorf("%s: another index was kept", name)
		}
	}
}

// Law 8: a skill that a scan found something in is read each time. The others are kept.
func TestWhatAScanFoundIsInNoIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	token := "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3)
	number, _ := w.open("topic", map[string]fakehub.File{backup: fakehub.Text(w.text(backup, "PostgreSQL 15 or newer", "PostgreSQL 15 with "+token))})
	first := w.asks(number, whatRefused)
	w.run(`DELETE FROM segments`)
	if again := w.asks(number, whatRefused); again != first || !strings.Contains(first, "mailrules apply") {
		t.Errorf("replies:\n%s\n%s", first, again)
	}
	if reply := w.asks(number, "Which backup is split into parts of 10 GB?"); !strings.Contains(reply, "50 GB") {
		t.Errorf("of the skill that is read each time: %s", reply)
	}
	if n := w.count("segments"); n != 0 {
		t.Errorf("%d skills were read that the index holds", n)
	}
	all := w.indexes()
	if len(all) != 1 || bytes.Contains(all[0], []byte(token[4:12])) || bytes.Contains(bytes.ToLower(all[0]), []byte("postgresql")) || !bytes.Contains(all[0], []byte("mailrules")) {
		t.Errorf("%d indexes, and not of the other skill alone", len(all))
	}
}

// What the base withholds from today on is in no answer, whatever was kept before.
func TestAnIndexFromBeforeThePolicyIsNotUsed(t *testing.T) {
	t.Parallel()
	key := withholdKey(t, "right")
	w := newWorld(t, options{keys: []secret.Key{key}})
	number, _ := w.open("topic", docs("x"))
	const question = "What to do when the quota is exceeded?"
	if first := w.asks(number, question); !strings.Contains(first, "wait one minute") {
		t.Fatalf("the reply: %s", first)
	}
	w.withhold(key, "wait one minute")
	w.settled()
	if now := w.asks(number, question); strings.Contains(now, "one minute") || !strings.Contains(now, "**Withheld.**") {
		t.Errorf("the reply: %s", now)
	}
	for i, data := range w.indexes()[1:] {
		if bytes.Contains(data, []byte("one minute")) {
			t.Errorf("index %d, made under the policy, holds it", i+1)
		}
	}
}

// Two workers make the same index at once, and one stays.
func TestTwoQuestionsAtOnceKeepOneIndex(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		w := newWorld(t, options{url: url})
		number, _ := w.open("topic", docs("x"))
		w.settled()
		for range 3 {
			must(w.repo.Comment(number, "mallory", "/ask "+whatRefused))(t)
		}
		w.settled()
		replies := w.replies(number)
		if n := w.count("indexes"); n != 1 || len(replies) != 3 || replies[0] != replies[1] || replies[1] != replies[2] {
			t.Errorf("%d indexes, replies %q", n, replies)
		}
	})
}

// BenchmarkStock is the index of a head of small skills, all of whose files are at hand: made of nothing, of the
// segments, of an index with one skill less, and of its own.
func BenchmarkStock(b *testing.B) {
	const skills = 1000
	r, head := benched(b, skills)
	layout := must(extractor.Discover(head.Tree, extractor.DefaultShape()))(b)
	stock := func(of []extractor.SkillFiles) {
		k, _, err := r.binder(bound{from: head.from, side: head, shape: extractor.DefaultShape(), scanner: r.cfg.Scanner, installation: 1, known: map[string]bundle{}})
		check(b, err)
		_ = must(k.stock(b.Context(), of))(b)
	}
	for _, c := range []struct {
		name   string
		before func()
	}{
		{"of nothing", func() { r.clear(b, "indexes", "segments") }},
		{"of segments", func() { r.clear(b, "indexes") }},
		{"of another index", func() { r.clear(b, "indexes"); stock(layout.Skills[1:]) }},
		{"of its own index", func() {}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				c.before()
				b.StartTimer()
				stock(layout.Skills)
			}
		})
	}
}

func (r *Runner) clear(b *testing.B, tables ...string) {
	for _, table := range tables {
		_ = must(r.cfg.Store.DB().Exec(`DELETE FROM ` + table))(b)
	}
}

// benched is a runner without GitHub, and a commit of many skills of ten facts.
func benched(b *testing.B, skills int) (*Runner, *snapshot) {
	log := slog.New(slog.DiscardHandler)
	st := must(store.Open(b.Context(), storetest.SQLite(b), log))(b)
	b.Cleanup(func() { check(b, st.Close()) })
	r := &Runner{cfg: Config{Store: st, Scanner: must(scanning())(b), Log: log}}
	from := newSource(nil, github.Repo{ID: 1})
	var entries []tree.Entry
	for n := range skills {
		text := []byte(skillText(n, "one minute") + strings.Repeat(fmt.Sprintf("- say what queue%d does before it is drained, line by line\n", n), 1))
		for line := range 7 {
			text = fmt.Appendf(text, "- \"stop %d of queue %d\": wait, and look at drain%d before the next\n", line, n, line*n)
		}
		id := tree.BlobID(text)
		from.blobs[id] = text
		entries = append(entries, tree.Entry{Path: skillFile(n), Mode: tree.Regular, ID: id, Size: int64(len(text))})
	}
	return r, must(laid(b.Context(), from, strings.Repeat("a", 40), entries))(b)
}
