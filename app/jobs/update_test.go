package jobs

import (
	"encoding/json"
	"os/exec"
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
