package jobs

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
)

// git runs git on the hub's repository.
func (w *world) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"--git-dir", w.repo.GitDir()}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("git %s: %v", args[0], err)
	}
	return strings.TrimSpace(string(out))
}

// tip is the commit at the end of a branch.
func (w *world) tip(branch string) string { return w.git("rev-parse", "refs/heads/"+branch) }

// show is a file at a commit, to the byte.
func (w *world) show(commit, name string) string {
	w.t.Helper()
	out, err := exec.Command("git", "--git-dir", w.repo.GitDir(), "show", commit+":"+name).Output()
	if err != nil {
		w.t.Fatalf("%s is not there: %v", name, err)
	}
	return string(out)
}

// press presses the button of the one run on a head.
func (w *world) press(head, login string) (guid string) {
	w.t.Helper()
	run := w.only(head)
	if len(run.Actions) != 1 {
		w.t.Fatalf("the run has %d buttons; its summary:\n%s", len(run.Actions), run.Summary)
	}
	check(w.t, w.repo.Click(run.ID, run.Actions[0].Identifier, login))
	return w.deliver()
}

// rest waits until no job is left, and delivers what came of them, until all is quiet.
func (w *world) rest() {
	w.t.Helper()
	w.settled()
	for w.hub.Pending() > 0 {
		w.settled()
	}
}

// writer is somebody with the right to write.
const writer = "wanda"

func newWriterWorld(t *testing.T, o options) *world {
	w := newWorld(t, o)
	check(t, w.repo.SetPermission(writer, "write"))
	return w
}

const mailCard = "cards/skills/mail.md"

// changed lists what differs between two commits, with modes.
func (w *world) changed(from, to string) []string {
	return strings.Split(w.git("diff", "--raw", "--no-renames", "--abbrev=4", from, to), "\n")
}

func TestTheButtonCommitsTheCards(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	edits := w.stale()
	edits["run.sh"], edits["link"], edits["docs/crlf.txt"] = fakehub.Exec("#!/bin/sh\n"), fakehub.Link("run.sh"), fakehub.Text("a\r\nb\r\n")
	_, head := w.open("feature/topic", edits)
	w.settled()
	run := w.want(head, "failure", "1 card stale")
	if !strings.Contains(run.Summary, "Press **Update cards**") || strings.Contains(run.Text, "### Patch") {
		t.Errorf("the summary does not name the button, or the text has a patch:\n%s", run.Summary)
	}
	w.hub.ForgetRequests()
	guid := w.press(head, writer)
	w.rest()
	w.wantState(guid, store.Done)
	tip := w.tip("feature/topic")
	if got := w.git("rev-list", "--parents", "-n1", tip); got != tip+" "+head {
		t.Errorf("commit and parents: %s, want the one parent %s", got, head)
	}
	if got := w.changed(head, tip); len(got) != 1 || !strings.Contains(got[0], "100644 100644") || !strings.HasSuffix(got[0], "M\t"+mailCard) {
		t.Errorf("the commit changes %q", got)
	}
	want := w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait ten minutes")})
	if got := w.show(tip, mailCard); got != string(want[mailCard].Data) {
		t.Errorf("the card is\n%s", got)
	}
	if run := w.want(tip, "success", "1 card updated, all fresh"); len(run.Actions) != 0 {
		t.Error("a button where all is fresh")
	}
	message := w.git("log", "-1", "--format=%B", tip)
	if !strings.HasPrefix(message, "Update cards\n\n") || !strings.HasSuffix(message, "Cardkeeper-Key: "+effectMark(store.UpdateKey(w.repo.ID(), head))) {
		t.Errorf("message: %q", message)
	}
	for _, r := range w.hub.Requests() {
		if r.Method != "GET" && strings.Contains(r.Path, "/git/") {
			w.holdWrite(r)
		}
	}
}

// holdWrite: nothing is sent that would take the signature away, or lose a commit.
func (w *world) holdWrite(r fakehub.Request) {
	var body map[string]any
	check(w.t, json.Unmarshal(r.Body, &body))
	for _, field := range []string{"author", "committer", "signature"} {
		if _, sent := body[field]; sent {
			w.t.Errorf("%s %s sends the field %s", r.Method, r.Path, field)
		}
	}
	if strings.HasSuffix(r.Path, "/git/trees") && body["base_tree"] == nil {
		w.t.Error("a tree without base_tree, which would remove every other file")
	}
	if r.Method == "PATCH" && body["force"] != false {
		w.t.Errorf("a branch is moved with force %v", body["force"])
	}
}

func TestWhoMayPressTheButton(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	check(t, w.repo.SetPermission("tom", "triage"))
	for _, login := range []string{"mallory", "tom", "stranger"} { // the author of the pull request is mallory
		guid := w.press(head, login)
		w.rest()
		w.wantState(guid, store.Done)
		if w.tip("topic") != head {
			t.Fatalf("%s made a commit", login)
		}
		run := w.want(head, "failure", "1 card stale")
		if !strings.HasPrefix(run.Summary, noRole) || strings.Contains(run.Summary, login) || len(run.Actions) != 1 {
			t.Errorf("%s: the summary begins %.200q", login, run.Summary)
		}
	}
	w.press(head, writer)
	w.rest()
	w.want(w.tip("topic"), "success", "all fresh")
}

// 2A-40: one commit for each push, and none upon our own.
func TestNoCommitUponOurOwn(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	w.press(head, writer)
	w.rest()
	ours := w.tip("topic")
	if n := w.git("rev-list", "--count", w.main+".."+ours); n != "2" {
		t.Fatalf("%s commits on the branch, want 2", n)
	}
	// A press that was meant for our own commit does nothing.
	a := updateArgs{Installation: w.hub.Installation("ada"), Repository: w.repo.ID(), Head: ours, CheckRun: w.only(ours).ID, Sender: w.hub.UserID(writer)}
	if err := w.runner.updateHead(t.Context(), a, false); err != errHandedOn {
		t.Fatal(err)
	}
	w.rest()
	if run := w.only(ours); w.tip("topic") != ours || !strings.HasPrefix(run.Summary, ownHead) {
		t.Errorf("the summary begins %.200q", run.Summary)
	}
	// The next push of a person may have one again.
	head = w.commit("topic", map[string]fakehub.File{mail: fakehub.Text(w.text(mail, "wait one minute", "wait an hour"))})
	w.rest()
	w.press(head, writer)
	w.rest()
	w.want(w.tip("topic"), "success", "all fresh")
}

// 2A-41, and where the App may only read: the command, and a patch for git apply.
func TestWithoutTheRightToWriteThereIsAPatch(t *testing.T) {
	t.Parallel()
	reading := map[string]string{"metadata": "read", "contents": "read", "checks": "write", "pull_requests": "write", "issues": "read", "merge_queues": "read"}
	for name, c := range map[string]struct {
		branch      string
		permissions map[string]string
	}{
		"a fork":                     {branch: "eve:topic"},
		"an installation that reads": {branch: "topic", permissions: reading},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriterWorld(t, options{permissions: c.permissions})
			_, head := w.open(c.branch, w.stale())
			w.settled()
			run := w.want(head, "failure", "1 card stale")
			if len(run.Actions) != 0 || !strings.Contains(run.Summary, "cardkeeper build") || !strings.Contains(run.Summary, "apply the patch at the end") {
				t.Errorf("%d buttons; the summary:\n%s", len(run.Actions), run.Summary)
			}
			w.applies(head, run.Text)
			for _, r := range w.hub.Requests() {
				if r.Method != "GET" && strings.Contains(r.Path, "/git/") {
					t.Errorf("%s %s", r.Method, r.Path)
				}
			}
		})
	}
}

// applies holds the patch of a text to what git makes of it in a work tree.
func (w *world) applies(head, text string) {
	w.t.Helper()
	_, patch, found := strings.Cut(text, "### Patch")
	_, patch, fenced := strings.Cut(patch, "```diff\n")
	if !found || !fenced {
		w.t.Fatalf("no patch in the text:\n%s", text)
	}
	patch = patch[:strings.Index(patch, "\n```")+1]
	dir := w.t.TempDir()
	w.git("--work-tree", dir, "checkout", "-f", head, "--", ".")
	cmd := exec.Command("git", "apply", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch)
	cmd.Env = append(cmd.Environ(), "GIT_CEILING_DIRECTORIES="+dir+"/..")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git apply: %v: %s\n%s", err, out, patch)
	}
	want := w.fresh(map[string]string{mail: w.text(mail, "wait one minute", "wait ten minutes")})
	got := must(exec.Command("cat", dir+"/"+mailCard).Output())(w.t)
	if string(got) != string(want[mailCard].Data) {
		w.t.Errorf("patched:\n%s", got)
	}
}

// Where each connection breaks after the work was done, nothing is done twice.
func TestAKilledUpdateIsFoundAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, method, path string }{
		{"after the tree", "POST", "*/git/trees"},
		{"after the commit", "POST", "*/git/commits"},
		{"after the branch moved", "PATCH", "*/git/refs/*"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWriterWorld(t, options{})
			_, head := w.open("topic", w.stale())
			w.settled()
			w.hub.Fail(fakehub.Fault{Method: c.method, Path: c.path, Drop: true})
			guid := w.press(head, writer)
			w.rest()
			w.wantState(guid, store.Done)
			tip := w.tip("topic")
			if n := w.git("rev-list", "--count", head+".."+tip); n != "1" {
				t.Errorf("%s commits, want 1", n)
			}
			w.want(tip, "success", "all fresh")
			if e := must(w.store.Effect(t.Context(), store.UpdateKey(w.repo.ID(), head)))(t); c.method == "PATCH" && (!e.Done || e.ExternalID != tip) {
				t.Errorf("the effect: %+v, want it adopted", e)
			}
		})
	}
}

// A process that dies between the commit and the branch, or right after the branch
// moved, leaves one commit on the branch in the end.
func TestAProcessThatDiesOverAnUpdate(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Method: "PATCH", Path: "*/git/refs/*", Hold: gate})
	w.press(head, writer)
	w.await("the move of the branch", func() bool { return w.count("effects WHERE key LIKE 'made:%'") == 1 })
	hard(w)
	close(gate)
	w.restart()
	w.rest()
	tip := w.tip("topic")
	if n := w.git("rev-list", "--count", head+".."+tip); n != "1" {
		t.Errorf("%s commits, want 1", n)
	}
	w.want(tip, "success", "all fresh")
}

// hard stops the runner in the middle of its jobs.
func hard(w *world) {
	w.t.Helper()
	check(w.t, w.runner.queue.StopAndCancel(w.t.Context()))
	check(w.t, w.runner.release())
	w.runner.release = func() error { return nil }
}

// Two presses make one commit.
func TestTwoWhoPressAtOnce(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	run := w.only(head)
	for _, login := range []string{writer, "ada", writer} {
		check(t, w.repo.Click(run.ID, updateAction, login))
	}
	w.rest()
	tip := w.tip("topic")
	if n := w.git("rev-list", "--count", head+".."+tip); n != "1" {
		t.Errorf("%s commits, want 1", n)
	}
	w.want(tip, "success", "all fresh")
}

// Whoever pushes meanwhile keeps every commit; the new head is looked at, and has a
// button of its own.
func TestABranchThatMovesMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	_, head := w.open("topic", w.stale())
	w.settled()
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Method: "PATCH", Path: "*/git/refs/*", Hold: gate})
	w.press(head, writer)
	w.await("the move of the branch", func() bool { return w.count("effects WHERE key LIKE 'made:%'") == 1 })
	next := w.commit("topic", docs("pushed meanwhile"))
	close(gate)
	w.rest()
	if tip := w.tip("topic"); tip != next {
		t.Fatalf("the branch is at %s, want %s", tip, next)
	}
	if run := w.want(next, "failure", "1 card stale"); len(run.Actions) != 1 {
		t.Errorf("no button on the new head:\n%s", run.Summary)
	}
	w.press(next, writer)
	w.rest()
	w.want(w.tip("topic"), "success", "all fresh")
}

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
