package jobs

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// withholdKey makes the key that a seed gives.
func withholdKey(t *testing.T, seed string) secret.Key {
	t.Helper()
	sum := sha256.Sum256([]byte(seed))
	return must(secret.ParseKey(hex.EncodeToString(sum[:])))(t)
}

const salted = "policy:\n  block: [stale, secrets]\n  salt: 00112233445566778899aabbccddeeff\n"

// withholding is a configuration that withholds a value.
func withholding(t *testing.T, key secret.Key, value string) string {
	t.Helper()
	seal := key.Seal(must(config.Parse([]byte(salted)))(t).Salt)
	v := config.WithheldValue{Hash: must(seal.Hash(value))(t), Reason: "a client", Added: time.Unix(0, 0).UTC()}
	return string(must(config.AddWithheld([]byte(salted), v, seal.Check()))(t))
}

// withhold puts the list on the default branch.
func (w *world) withhold(key secret.Key, value string) {
	w.t.Helper()
	w.main = w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text(withholding(w.t, key, value))})
	w.hub.Lose()
}

// unnamed fails where a text shows the value in a form that a reader knows again.
func unnamed(t *testing.T, text string) {
	t.Helper()
	plain := strings.Join(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	}), " ")
	if i := strings.Index(plain, "quiet heron"); i >= 0 {
		t.Errorf("the value is shown after %q", plain[max(0, i-80):i])
	}
}

func TestAWithheldValueBlocks(t *testing.T) {
	t.Parallel()
	key := withholdKey(t, "right")
	w := newWorld(t, options{keys: []secret.Key{withholdKey(t, "another repository's"), key}})
	w.withhold(key, "Quiet Heron")
	number, head := w.open("topic", w.fresh(map[string]string{
		checker.ConfigFile: salted, // the head takes the list away, which counts nothing (law 7)
		mail:               w.text(mail, "wait one minute", "ask **Quiet**\n  Heron, wait one minute"),
	}))
	w.settled()
	run := w.want(head, "failure", "1 withheld value found")
	if !strings.Contains(run.Summary, "must not be indexed: take it out") || len(run.Annotations) != 1 || run.Annotations[0].StartLine != 23 {
		t.Errorf("summary %s, annotations %+v", run.Summary, run.Annotations)
	}
	for _, question := range []string{"/ask What to do when the quota is exceeded?", "/ask Who is quiet-heron?", "/ask Which PostgreSQL is needed?"} {
		must(w.repo.Comment(number, "mallory", question))(t)
		w.settled()
	}
	replies := w.replies(number)
	if len(replies) != 3 || !strings.Contains(replies[0], "**Withheld.**") || replies[1] != withheldQuestion || !strings.Contains(replies[2], "PostgreSQL 15") {
		t.Errorf("replies: %q", replies)
	}
	head = w.commit("topic", w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait ten minutes")}))
	w.settled()
	unnamed(t, strings.Join(replies, "\n")+run.Title+run.Summary+run.Text+run.Annotations[0].Message+w.log.String()+w.only(head).Text)
}

// Law 13, and nothing of it for a change that touches no skill (law 6).
func TestWithoutTheKeyOfTheListNothingIsGreen(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]secret.Key{"no key": nil, "a wrong key": {withholdKey(t, "wrong")}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{keys: keys})
			w.withhold(withholdKey(t, "right"), "Quiet Heron")
			number, head := w.open("topic", w.stale())
			_, other := w.open("docs", docs("x"))
			must(w.repo.Comment(number, "mallory", question))(t)
			w.settled()
			run := w.want(head, "failure", "Could not look for withheld values, 1 card stale")
			if !strings.Contains(run.Summary, "withhold_key_file") {
				t.Errorf("summary: %s", run.Summary)
			}
			w.want(other, "success", "No cards affected")
			if got := w.replies(number); len(got) != 1 || !strings.Contains(got[0], "Cannot answer") || !strings.Contains(got[0], "withhold_key_file") {
				t.Errorf("replies: %q", got)
			}
			w.commit("main", map[string]fakehub.File{"README.md": fakehub.Text("# Other\n")})
			w.settled()
		})
	}
}

// A list that cannot be read is not one of nothing.
func TestTheListOfABaseWithFaults(t *testing.T) {
	t.Parallel()
	key := withholdKey(t, "right")
	w := newWorld(t, options{keys: []secret.Key{key}})
	list := withholding(t, key, "Quiet Heron")
	w.main = w.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text(strings.Replace(list, "stale", "stall", 1))})
	w.hub.Lose()
	number, mends := w.open("mend", map[string]fakehub.File{checker.ConfigFile: fakehub.Text(list)})
	_, both := w.open("both", w.fresh(map[string]string{checker.ConfigFile: list, mail: w.text(mail, "wait one minute", "wait ten minutes")}))
	must(w.repo.Comment(number, "mallory", question))(t)
	w.settled()
	w.want(mends, "success", "No cards affected")
	if run := w.want(both, "failure", "Could not look for withheld values"); !strings.Contains(run.Summary, "mend it there first") {
		t.Errorf("summary: %s", run.Summary)
	}
	if got := w.replies(number); len(got) != 1 || !strings.Contains(got[0], "mend it there first") {
		t.Errorf("replies: %q", got)
	}
}
