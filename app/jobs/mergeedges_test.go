package jobs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker"
)

// Where a person has to decide, the run says so and shows the commands; nothing is
// written, whoever presses an older button.
func TestNoMergeWhereMoreThanCardsConflicts(t *testing.T) {
	t.Parallel()
	head, base := parting()
	exec := func(name, text string) map[string]fakehub.File {
		return map[string]fakehub.File{name: fakehub.Exec(text)}
	}
	const more = "other path"
	for name, c := range map[string]struct {
		split
		words string
	}{
		"a file that both changed":                    {split{head: head.with("docs/notes.md", "H\n"), base: base.with("docs/notes.md", "B\n")}, more},
		"a file that both added":                      {split{head: head.with("docs/new.md", "H\n"), base: base.with("docs/new.md", "B\n")}, more},
		"a file that the head changed, the base went": {split{head: head.with("docs/notes.md", "H\n"), base: base.with("docs/notes.md", "")}, more},
		"a file that the base changed, the head went": {split{head: head.with("docs/notes.md", ""), base: base.with("docs/notes.md", "H\n")}, more},
		"a folder that went and a file that came":     {split{head: head.with("docs/old/a.txt", ""), base: base.with("docs/old/b.txt", "B\n")}, more},
		"a file and a folder at one place":            {split{head: head.with("place", "H\n"), base: base.with("place/a", "B\n")}, more},
		"two modes":                                   {split{head: head, base: base, headOdd: exec("docs/notes.md", "Notes.\n"), baseOdd: map[string]fakehub.File{"docs/notes.md": fakehub.Link("Notes.\n")}}, more},
		"a link and a file":                           {split{head: head, base: base, headOdd: map[string]fakehub.File{"l": fakehub.Link("a")}, baseOdd: map[string]fakehub.File{"l": fakehub.Text("a")}}, more},
		"two submodules":                              {split{head: head, base: base, headOdd: map[string]fakehub.File{"m": fakehub.Submodule(strings.Repeat("1", 40))}, baseOdd: map[string]fakehub.File{"m": fakehub.Submodule(strings.Repeat("2", 40))}}, more},
		"the configuration":                           {split{head: head.with(checker.ConfigFile, "shape:\n  exclude: [x]\n"), base: base.with(checker.ConfigFile, "shape:\n  exclude: [y]\n")}, more},
		"the attributes":                              {split{head: head.with(".gitattributes", "a\n"), base: base.with(".gitattributes", "b\n")}, more},
		"one file under two new names":                {split{head: head.with("docs/notes.md", "", "docs/h.md", "Notes.\n"), base: base.with("docs/notes.md", "", "docs/b.md", "Notes.\n")}, more},
		"a page that only lies among the cards":       {split{head: head.with("cards/README.md", "H\n"), base: base.with("cards/README.md", "B\n")}, more},
		"a name that is no UTF-8":                     {split{head: head, base: base, headOdd: map[string]fakehub.File{"\xff": fakehub.Text("h")}, baseOdd: map[string]fakehub.File{"b": fakehub.Text("b")}}, oddNames},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriterWorld(t, options{})
			_, head := w.part(c.split)
			run := w.only(head)
			if len(run.Actions) != 0 || !strings.Contains(run.Title, "1 card conflicts with the base branch") {
				t.Errorf("%d buttons, %q", len(run.Actions), run.Title)
			}
			if !strings.Contains(run.Summary, c.words) || !strings.Contains(run.Summary, "git merge origin/BASE") || !strings.Contains(run.Summary, "cardkeeper build") {
				t.Errorf("the summary:\n%s", run.Summary)
			}
			w.pressLate(head)
			if run := w.only(head); !strings.HasPrefix(run.Summary, noMerge) || w.wrote() != 0 || w.tip("topic") != head {
				t.Errorf("after a press, with %d writes:\n%.300s", w.wrote(), run.Summary)
			}
		})
	}
}

// pressLate is the press of a button that the run had a moment ago.
func (w *world) pressLate(head string) {
	w.t.Helper()
	a := updateArgs{Installation: w.hub.Installation("ada"), Repository: w.repo.ID(), Head: head, CheckRun: w.only(head).ID, Sender: w.hub.UserID(writer)}
	if err := w.runner.updateHead(w.t.Context(), a, false); err != errHandedOn {
		w.t.Fatal(err)
	}
	w.rest()
}

// Where nothing of the base conflicts there is no word of a merge, and none is made.
func TestNoMergeWhereNoCardConflicts(t *testing.T) {
	t.Parallel()
	head, base := parting()
	for name, s := range map[string]split{
		"the base has not moved":       {head: head, base: fixture()},
		"the base changed other files": {head: head, base: base.with("skills/mail/more.md", "", "docs/b.md", "B\n")},
		"only other files conflict":    {head: head.with("docs/notes.md", "H\n"), base: fixture().with("docs/notes.md", "B\n")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriterWorld(t, options{})
			_, head := w.part(s)
			if run := w.want(head, "success", "1 card updated"); strings.Contains(run.Title+run.Summary, "onflict") || len(run.Actions) != 0 {
				t.Errorf("%d buttons, %q\n%s", len(run.Actions), run.Title, run.Summary)
			}
		})
	}
}

// Branches that were merged into each other crosswise parted at two commits.
func TestNoMergeOfBranchesThatCross(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	root := fixture().built(t)
	start := w.commit("main", root.edits(nil))
	ours, theirs := w.commit("topic", docs("h"), start), w.commit("main", map[string]fakehub.File{"docs/b.md": fakehub.Text("b")})
	w.commit("topic", map[string]fakehub.File{"docs/b.md": fakehub.Text("b")}, ours, theirs)
	w.commit("main", docs("h"), theirs, ours)
	headFiles, baseFiles := parting()
	head := w.commit("topic", headFiles.built(t).edits(root))
	w.commit("main", baseFiles.built(t).edits(root))
	w.hub.Lose()
	must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	if run := w.only(head); len(run.Actions) != 0 || !strings.Contains(run.Summary, severalBases) {
		t.Errorf("%d buttons\n%s", len(run.Actions), run.Summary)
	}
}

// A branch that took over its base while it was open has several ends and one merge base.
func TestAMergeAfterAMerge(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	root := fixture().built(t)
	start := w.commit("main", root.edits(nil))
	ours, theirs := w.commit("topic", docs("h"), start), w.commit("main", map[string]fakehub.File{"docs/b.md": fakehub.Text("b")})
	w.commit("topic", map[string]fakehub.File{"docs/b.md": fakehub.Text("b")}, ours, theirs)
	headFiles, baseFiles := parting()
	head := w.commit("topic", headFiles.built(t).edits(root))
	w.main = w.commit("main", baseFiles.built(t).edits(root))
	w.hub.Lose()
	must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	want, _ := w.merged()
	w.press(head, writer)
	w.rest()
	if got := w.git("rev-parse", "refs/heads/topic^{tree}"); got != want {
		t.Errorf("the tree is another:\n%s", w.git("diff", "--raw", want, got))
	}
}

// The base branch was made anew after the run was posted: there is nothing to compare.
func TestAnUnrelatedBase(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	s := split{}
	s.head, s.base = parting()
	_, head := w.part(s)
	orphan := w.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit-tree", "-m", "anew", w.main+"^{tree}")
	w.git("update-ref", "refs/heads/main", orphan)
	guid := w.press(head, writer)
	w.rest()
	if run := w.only(head); w.tip("topic") != head || !strings.Contains(run.Summary, "no commit in common") {
		t.Errorf("the summary begins %.300q", run.Summary)
	}
	w.wantState(guid, store.Done)
}

// A secret that the merge would bring stops it, and law 13 holds where nobody can look.
func TestASecretStopsTheMerge(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	head, base := parting()
	value := token(7)
	_, at := w.part(split{head: head.replaced(backup, "10 GB", "10 GB, with "+value), base: base})
	run := w.only(at)
	if run.Conclusion != "failure" || len(run.Actions) != 0 || !strings.Contains(run.Summary, leaky) {
		t.Errorf("%d buttons\n%s", len(run.Actions), run.Summary)
	}
	w.pressLate(at)
	if run := w.only(at); w.wrote() != 0 || !strings.HasPrefix(run.Summary, noMerge) {
		t.Errorf("%d writes\n%.300s", w.wrote(), run.Summary)
	}
}

// 2A-41, and 2A-40: neither on a fork nor on our own commit.
func TestWhereTheMergeIsNotOffered(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	root := fixture().built(t)
	start := w.commit("main", root.edits(nil))
	head, base := parting()
	fork := w.commit("eve:topic", head.built(t).edits(root), start)
	own := w.commit("own", head.edits(root), start)
	w.hub.Lose()
	must(w.repo.OpenPull("own", "main", "mallory", fakehub.PullOptions{}))(t)
	w.settled()
	w.press(own, writer)
	w.rest()
	w.commit("main", base.built(t).edits(root))
	ours := w.tip("own")
	w.hub.Lose()
	must(w.repo.OpenPull("eve:topic", "main", "mallory", fakehub.PullOptions{}))(t)
	w.rest()
	w.pressLate(ours)
	if run := w.only(ours); ours == own || w.tip("own") != ours || !strings.HasPrefix(run.Summary, ownHead) {
		t.Errorf("upon our own commit: %.200q", run.Summary)
	}
	if run := w.only(fork); len(run.Actions) != 0 || !strings.Contains(run.Summary, notHere+" Merge by hand:") {
		t.Errorf("on a fork: %d buttons\n%s", len(run.Actions), run.Summary)
	}
}

// Each connection may break after the work was done, and the base may move at any time.
func TestAKilledMergeIsFoundAgain(t *testing.T) {
	t.Parallel()
	for _, f := range []fakehub.Fault{
		{Method: "POST", Path: "*/git/trees", Drop: true}, {Method: "POST", Path: "*/git/commits", Drop: true}, {Method: "PATCH", Path: "*/git/refs/*", Drop: true},
	} {
		t.Run(f.Path, func(t *testing.T) {
			t.Parallel()
			w := newWriterWorld(t, options{})
			s := split{}
			s.head, s.base = parting()
			_, head := w.part(s)
			w.hub.Fail(f)
			guid := w.press(head, writer)
			w.rest()
			w.wantState(guid, store.Done)
			if n := w.git("rev-list", "--count", "refs/heads/topic", "^"+head, "^"+w.main); n != "1" {
				t.Errorf("%s commits, want 1", n)
			}
			w.want(w.tip("topic"), "success", "all fresh")
			if e := must(w.store.Effect(t.Context(), store.UpdateKey(w.repo.ID(), head)))(t); f.Method == "PATCH" && (!e.Done || e.ExternalID != w.tip("topic")) {
				t.Errorf("the effect: %+v, want it adopted", e)
			}
		})
	}
}

// A merge that GitHub refuses, such as for the workflows that it brings, is told in
// its own words; what cannot be told apart does not spoil the check.
func TestAMergeThatGitHubRefuses(t *testing.T) {
	t.Parallel()
	for _, f := range []fakehub.Fault{
		{Method: "PATCH", Path: "*/git/refs/*", Status: 403, Body: `{"message":"refusing to allow a GitHub App to create or update workflow without workflows permission"}`},
		{Method: "POST", Path: "*/git/trees", Status: 403, Body: `{"message":"Resource not accessible by integration"}`},
	} {
		t.Run(f.Path, func(t *testing.T) {
			t.Parallel()
			w := newWriterWorld(t, options{})
			s := split{}
			s.head, s.base = parting()
			_, head := w.part(s)
			f.Times = -1
			w.hub.Fail(f)
			guid := w.press(head, writer)
			w.rest()
			w.wantState(guid, store.Done)
			if run := w.want(head, "success", "1 card conflicts"); w.tip("topic") != head || !strings.HasPrefix(run.Summary, mergeRefusals) {
				t.Errorf("the summary begins %.300q", run.Summary)
			}
		})
	}
}

// Names that nobody can spell leave the verdict as it is.
func TestAConflictThatCannotBeTold(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{loose: true})
	w.hub.Fail(fakehub.Fault{Method: "POST", Path: "*graphql", Status: 404, Times: -1, Body: `{"message":"Not Found"}`})
	s := split{rootOdd: map[string]fakehub.File{"odd\xff.txt": fakehub.Text("x")}}
	s.head, s.base = parting()
	_, head := w.part(s)
	if run := w.want(head, "success", "all fresh"); len(run.Actions) != 0 || strings.Contains(run.Title, "conflict") {
		t.Errorf("%d buttons, %q", len(run.Actions), run.Title)
	}
}

// A head full of names that have to be asked for one folder at a time costs a bounded
// number of queries, and nobody's verdict.
func TestAHeadFullOfOddNames(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	s := split{headOdd: map[string]fakehub.File{}}
	for n := range 60 {
		s.headOdd[fmt.Sprintf("odd/%d/\xff", n)] = fakehub.Text(fmt.Sprint(n))
	}
	s.head, s.base = parting()
	_, head := w.part(s)
	if run := w.want(head, "success", "all fresh"); len(run.Actions) != 0 {
		t.Errorf("%d buttons", len(run.Actions))
	}
	if n := w.hub.Counts()["POST /graphql"]; n == 0 || n > 30 {
		t.Errorf("%d queries", n)
	}
}

// What was merged is not the base any more: it is merged anew with what is.
func TestTheBaseMovesDuringTheMerge(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	s := split{}
	s.head, s.base = parting()
	_, head := w.part(s)
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Method: "POST", Path: "*/git/commits", Hold: gate})
	w.press(head, writer)
	w.await("the commit", func() bool { return w.count("effects WHERE key LIKE 'update:%'") == 1 })
	next := w.commit("main", map[string]fakehub.File{"docs/late.md": fakehub.Text("late")})
	close(gate)
	w.rest()
	tip := w.tip("topic")
	if got := w.git("rev-list", "--parents", "-n1", tip); got != tip+" "+head+" "+next {
		t.Errorf("commit and parents: %s, want %s and %s", got, head, next)
	}
	w.want(tip, "success", "all fresh")
}

// The run of an open pull request gets its button when the base branch takes cards
// that conflict with its own, and gives it back when those are gone; what conflicts
// no more than before is not looked at.
func TestABaseThatMovesLater(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	headFiles, baseFiles := parting()
	_, head := w.part(split{head: headFiles, base: fixture()})
	if run := w.want(head, "success", "all fresh"); len(run.Actions) != 0 {
		t.Error("a button to begin with")
	}
	w.commit("main", docs("nothing of cards"))
	w.rest()
	before := w.only(head).Updates
	root := fixture().built(t)
	w.main = w.commit("main", baseFiles.built(t).edits(root))
	w.rest()
	run := w.want(head, "success", "1 card conflicts with the base branch")
	if len(run.Actions) != 1 || before != 0 {
		t.Errorf("%d buttons, after %d changes without a reason", len(run.Actions), before)
	}
	w.commit("main", root.edits(baseFiles.built(t)))
	w.rest()
	if run := w.want(head, "success", "all fresh"); len(run.Actions) != 0 || strings.Contains(run.Title, "conflict") {
		t.Errorf("%d buttons, %q", len(run.Actions), run.Title)
	}
}

// A pull request that gets another base in the middle is not merged with the old one.
func TestTheBaseIsExchangedDuringTheMerge(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	s := split{}
	s.head, s.base = parting()
	number, head := w.part(s)
	w.commit("release", docs("release"), w.git("merge-base", head, w.main))
	gate := make(chan struct{})
	w.hub.Fail(fakehub.Fault{Method: "POST", Path: "*/git/commits", Hold: gate})
	w.press(head, writer)
	w.await("the commit", func() bool { return w.count("effects WHERE key LIKE 'update:%'") == 1 })
	check(t, w.repo.Retarget(number, "release"))
	close(gate)
	w.rest()
	if w.tip("topic") != head {
		t.Error("the branch moved")
	}
	if run := w.want(head, "success", "all fresh"); len(run.Actions) != 0 {
		t.Errorf("%d buttons", len(run.Actions))
	}
}

// What a merge costs follows what both sides changed, and not the number of skills.
func TestWhatAMergeCosts(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	w.big(manySkills)
	start := w.main
	one := files{skillFile(7): skillText(7, "one minute")}
	ours := files{skillFile(7): skillText(7, "ten minutes")}.built(t)
	theirs := one.with("skills/skill-00007/more.md", "# More\n\n## Commands\n\n- `queue7 undo` takes it back.\n").built(t)
	head := w.commit("topic", ours.edits(one), start)
	w.main = w.commit("main", theirs.edits(one))
	w.hub.Lose()
	look := w.cost("the look at cards that conflict", func() {
		must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(t)
		w.settled()
		w.want(head, "success", "1 card conflicts with the base branch")
	})
	look.within(t, "the look", 24)
	after := w.cost("the look at an open pull request after a push", func() {
		check(t, w.runner.standing(t.Context(), standingArgs{w.hub.Installation("ada"), w.repo.ID(), w.main}))
	})
	after.within(t, "a push", 8)
	merge := w.cost("the merge by the button", func() { w.press(head, writer) })
	merge.within(t, "the merge", 20)
	w.rest()
	w.want(w.tip("topic"), "success", "all fresh")
}
