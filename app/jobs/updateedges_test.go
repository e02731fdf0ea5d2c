package jobs

import (
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
)

// A branch whose rules do not let the App in says so, in whichever way GitHub does.
func TestAProtectedBranch(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]fakehub.Fault{
		"by classic protection":   {Status: 403, Body: `{"message":"Protected branch update failed for refs/heads/topic."}`},
		"by a ruleset":            {Status: 422, Body: `{"message":"Repository rule violations found\n\nChanges must be made through a pull request."}`},
		"by a conflict":           {Status: 409, Body: `{"message":"Reference cannot be updated"}`},
		"by a limit of the token": {Status: 403, Body: `{"message":"Resource not accessible by integration"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriterWorld(t, options{})
			_, head := w.open("topic", w.stale())
			w.settled()
			fault.Method, fault.Path, fault.Times = "PATCH", "*/git/refs/*", -1
			w.hub.Fail(fault)
			guid := w.press(head, writer)
			w.rest()
			w.wantState(guid, store.Done)
			run := w.want(head, "failure", "1 card stale")
			if w.tip("topic") != head || !strings.HasPrefix(run.Summary, branchRefusals) {
				t.Errorf("the summary begins %.300q", run.Summary)
			}
		})
	}
}

// Where the button does not belong, and where a press of an old one does nothing.
func TestWhereThereIsNoButton(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	none := func(name, head string) {
		t.Helper()
		if run := w.only(head); len(run.Actions) != 0 {
			t.Errorf("%s: a button", name)
		}
	}
	_, fresh := w.open("fresh", docs("x"))
	_, faulty := w.open("faulty", map[string]fakehub.File{".github/cardkeeper/config.yml": fakehub.Text("shape: [")})
	edits := w.stale()
	edits[backup] = fakehub.Text(w.text(backup, "10 GB", "10 GB, with the key "+token(7)))
	_, leaky := w.open("leaky", edits)
	w.commit("release", docs("release"), w.main)
	w.rest()
	none("all fresh", fresh)
	none("a configuration with faults", faulty)
	none("a secret", leaky)
	head := w.commit("main", w.stale())
	must(w.repo.OpenPull("main", "release", "ada", fakehub.PullOptions{}))(t)
	w.rest()
	runs := w.hub.CheckRuns(w.repo, head)
	if len(runs[len(runs)-1].Actions) != 0 {
		t.Error("the default branch: a button")
	}
}

// The button goes with what it was for, where the same run is changed: the pull
// request gets another base, with which nothing conflicts.
func TestTheButtonGoesWithItsReason(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	s := split{}
	s.head, s.base = parting()
	number, head := w.part(s)
	before := w.only(head)
	w.commit("release", docs("release"), w.git("merge-base", head, w.main))
	check(t, w.repo.Retarget(number, "release"))
	w.rest()
	after := w.want(head, "success", "1 card updated")
	if len(before.Actions) != 1 || len(after.Actions) != 0 || after.ID != before.ID || after.Updates == 0 {
		t.Errorf("%d buttons, then %d after %d changes of the run", len(before.Actions), len(after.Actions), after.Updates)
	}
}

// Pressed after the pull request was closed, archived, or its permissions taken back.
func TestAPressThatComesTooLate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(w *world, number int)
		words  string
	}{
		"closed":                   {before: func(w *world, number int) { check(w.t, w.repo.Close(number)) }},
		"archived":                 {before: func(w *world, _ int) { w.repo.Archive() }},
		"of a branch that is gone": {before: func(w *world, _ int) { w.git("update-ref", "-d", "refs/heads/topic") }},
		"without the permission": {before: func(w *world, _ int) {
			w.hub.Accept("ada", map[string]string{"metadata": "read", "contents": "read", "checks": "write", "pull_requests": "write", "issues": "read"})
		}, words: noGrant},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriterWorld(t, options{})
			number, head := w.open("topic", w.stale())
			w.settled()
			run := w.only(head)
			c.before(w, number)
			check(t, w.repo.Click(run.ID, updateAction, writer))
			w.rest()
			for _, r := range w.hub.Requests() {
				if r.Method != "GET" && strings.Contains(r.Path, "/git/") {
					t.Errorf("%s %s", r.Method, r.Path)
				}
			}
			if got := w.only(head); c.words != "" && !strings.HasPrefix(got.Summary, c.words) {
				t.Errorf("the summary begins %.200q", got.Summary)
			}
		})
	}
}

// A bot's own branch, as Dependabot's, is one of the repository: a person who may
// write decides.
func TestABotsBranch(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	head := w.commit("dependabot/npm/x", w.stale(), w.main)
	must(w.repo.OpenPull("dependabot/npm/x", "main", "dependabot[bot]", fakehub.PullOptions{}))(t)
	w.settled()
	w.press(head, writer)
	w.rest()
	w.want(w.tip("dependabot/npm/x"), "success", "all fresh")
}

// A card goes with its skill (2A-39), one of CRLF comes back with LF (2A-42), and a
// conflict marker is no text to be merged by hand (2A-44).
func TestCardsThatGoAndCardsThatAreDamaged(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	crlf := strings.ReplaceAll(w.show(w.main, "cards/skills/backup.md"), "\n", "\r\n")
	_, head := w.open("topic", map[string]fakehub.File{"skills/mail": fakehub.Removed(), "cards/skills/backup.md": fakehub.Text(crlf)})
	_, torn := w.open("torn", map[string]fakehub.File{mailCard: fakehub.Text("<<<<<<< HEAD\n" + w.show(w.main, mailCard) + "=======\n>>>>>>> main\n")})
	w.settled()
	w.press(head, writer)
	w.press(torn, writer)
	w.rest()
	tip := w.tip("topic")
	if got := w.changed(head, tip); len(got) != 2 || !strings.HasSuffix(got[0], "M\tcards/skills/backup.md") || !strings.HasSuffix(got[1], "D\t"+mailCard) {
		t.Errorf("the commit changes %q", got)
	}
	w.want(tip, "success", "all fresh")
	if got := w.changed(w.main, w.tip("torn")); len(got) != 1 || got[0] != "" {
		t.Errorf("what is left differs from the base: %q", got)
	}
}

// A skill that held a secret before keeps its card out of the commit; the other
// cards are committed, as build does it.
func TestTheCardBesideASecretIsNotCommitted(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	secret := token(7)
	leaky := w.fresh(map[string]string{backup: w.text(backup, "10 GB.", "10 GB with "+secret+".")})
	w.main = w.commit("main", leaky)
	w.hub.Lose()
	_, head := w.open("topic", map[string]fakehub.File{
		mail:   fakehub.Text(w.text(mail, "wait one minute", "wait ten minutes")),
		backup: fakehub.Text(strings.Replace(string(leaky[backup].Data), "PostgreSQL 15", "PostgreSQL 16", 1)),
	})
	w.settled()
	w.press(head, writer)
	w.rest()
	if got := w.changed(head, w.tip("topic")); len(got) != 1 || !strings.HasSuffix(got[0], "M\t"+mailCard) {
		t.Errorf("the commit changes %q", got)
	}
	for _, r := range w.hub.Requests() {
		if strings.Contains(string(r.Body), secret[8:20]) {
			t.Errorf("%s %s holds the secret", r.Method, r.Path)
		}
	}
}

// What 300 cards cost: the button's own requests do not grow with them.
func TestWhatManyCardsCost(t *testing.T) {
	t.Parallel()
	const cards = 300
	w := newWriterWorld(t, options{})
	w.big(cards)
	edits := map[string]fakehub.File{}
	for n := range cards {
		edits[skillFile(n)] = fakehub.Text(skillText(n, "ten minutes"))
	}
	_, head := w.open("topic", edits)
	w.settled()
	w.want(head, "failure", "300 cards stale")
	var writes []string
	b := w.cost("300 cards by the button", func() { w.press(head, writer) })
	for _, r := range w.hub.Requests() {
		if r.Method != "GET" && strings.Contains(r.Path, "/git/") {
			writes = append(writes, r.Method)
		}
	}
	if want := []string{"POST", "POST", "PATCH"}; !slices.Equal(writes, want) {
		t.Errorf("writes %v, want %v", writes, want)
	}
	b.within(t, "300 cards by the button", 40)
	w.rest()
	w.want(w.tip("topic"), "success", "300 cards updated, all fresh")
	if got := w.changed(head, w.tip("topic")); len(got) != cards {
		t.Errorf("%d files changed", len(got))
	}
}
