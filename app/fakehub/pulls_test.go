package fakehub

import (
	"fmt"
	"strings"
	"testing"
)

// TestForkPullRequests is 2A-18: a fork's commits are read through the base
// repository, and no list leads from the commit to the pull request.
func TestForkPullRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	head := w.commit("mallory:feature", map[string]File{"skills/a/SKILL.md": Text("# A, forked\n")}, w.base)
	n := w.pull("mallory:feature", PullOptions{})
	a := w.want(200, "GET", fmt.Sprint("/pulls/", n), "")
	if a.str("head", "repo", "full_name") != "mallory/skills" || a.str("head", "repo", "fork") != "true" ||
		a.str("head", "label") != "mallory:feature" || a.str("head", "ref") != "feature" ||
		a.str("head", "repo", "id") == a.str("base", "repo", "id") || a.str("head", "sha") != head {
		t.Errorf("pull request: %s", a.body)
	}
	w.want(200, "GET", "/git/trees/"+head+"?recursive=1", "")
	if a := w.want(200, "GET", "/commits/"+head+"/pulls", ""); a.len() != 0 {
		t.Errorf("%d pull requests of a fork's commit", a.len())
	}
	run := w.want(201, "POST", "/check-runs", fmt.Sprintf(`{"name":"n","head_sha":%q}`, head))
	if run.len("pull_requests") != 0 {
		t.Error("the run names the fork's pull request")
	}
	if err := w.repo.Rerequest(w.hub.CheckRuns(w.repo, head)[0].ID, "tess"); err != nil {
		t.Fatal(err)
	}
	e := w.hub.pending[len(w.hub.pending)-1]
	if !strings.Contains(string(e.payload), `"head_branch":null`) {
		t.Error("the suite has a branch")
	}
	w.want(404, "GET", "/branches/feature", "")
	w.want(404, "GET", "/git/ref/forks/mallory/feature", "")
	if a := w.do("GET", "/repos/mallory/skills", w.token, ""); a.status != 404 {
		t.Errorf("the fork itself: %d", a.status)
	}
}

// TestTheAPIMayLagBehindAPush is 2A-7.
func TestTheAPIMayLagBehindAPush(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	first := w.commit("feature", map[string]File{"a": Text("1")}, w.base)
	n := w.pull("feature", PullOptions{})
	second := w.commit("feature", map[string]File{"a": Text("2")})
	if err := w.repo.LagPull(n, 2); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{first, first, second} {
		if got := w.want(200, "GET", fmt.Sprint("/pulls/", n), "").str("head", "sha"); got != want {
			t.Errorf("reader %d gets %s, want %s", i, got, want)
		}
	}
}

// TestPagesOfFiles is 2A-34: the thirty-first file is on the second page, and a
// page has 100 at most.
func TestPagesOfFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	edits := map[string]File{}
	for i := range 320 {
		edits[fmt.Sprintf("docs/%03d.md", i)] = Text(fmt.Sprint(i))
	}
	w.commit("feature", edits, w.base)
	n := w.pull("feature", PullOptions{})
	at := fmt.Sprint("/pulls/", n, "/files")
	a := w.want(200, "GET", at, "")
	if a.len() != 30 || !strings.Contains(a.header.Get("Link"), `page=2>; rel="next"`) || !strings.Contains(a.header.Get("Link"), `page=11>; rel="last"`) {
		t.Errorf("%d files, Link %s", a.len(), a.header.Get("Link"))
	}
	if a := w.want(200, "GET", at+"?per_page=500&page=4", ""); a.len() != 20 || strings.Contains(a.header.Get("Link"), "next") {
		t.Errorf("last page: %d files, Link %s", a.len(), a.header.Get("Link"))
	}
	c := w.want(200, "GET", "/compare/main...feature", "")
	if c.len("files") != 300 || c.str("total_commits") != "1" || c.str("status") != "ahead" {
		t.Errorf("compare: %d files", c.len("files"))
	}
	if c := w.want(200, "GET", "/compare/main...feature?page=2", ""); c.at("files") != nil {
		t.Error("the second page repeats the files")
	}
}

func TestCompareUsesTheMergeBase(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.commit("feature", map[string]File{"skills/a/SKILL.md": Text("# A\nmore\n"), "skills/b": Removed(), "moved.md": Text("hello\n"), "README.md": Removed()}, w.base)
	w.commit("main", map[string]File{"other.md": Text("x")})
	a := w.want(200, "GET", "/compare/main...feature", "")
	if a.str("merge_base_commit", "sha") != w.base || a.str("status") != "diverged" || a.str("ahead_by") != "1" || a.str("behind_by") != "1" {
		t.Errorf("compare: %s", a.body)
	}
	got := map[string]string{}
	for i := range a.len("files") {
		got[a.str("files", i, "filename")] = a.str("files", i, "status")
	}
	want := map[string]string{"skills/a/SKILL.md": "modified", "skills/b/SKILL.md": "removed", "moved.md": "renamed"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("files: %v", got)
	}
	for i := range a.len("files") {
		if f := a.str("files", i, "filename"); f == "skills/a/SKILL.md" && a.str("files", i, "patch") != "@@ -1 +1,2 @@\n # A\n+more" {
			t.Errorf("patch: %q", a.str("files", i, "patch"))
		}
	}
	w.commit("alone", map[string]File{"z": Text("z")})
	w.want(404, "GET", "/compare/main...alone", "")
	w.want(404, "GET", "/compare/main...gone", "")
}

// TestRetargetKeepsTheHead is 2A-25.
func TestRetargetKeepsTheHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	release := w.commit("release", map[string]File{"r": Text("1")}, w.base)
	head := w.commit("feature", map[string]File{"a": Text("1")}, w.base)
	n := w.pull("feature", PullOptions{})
	if err := w.repo.Retarget(n, "release"); err != nil {
		t.Fatal(err)
	}
	a := w.want(200, "GET", fmt.Sprint("/pulls/", n), "")
	if a.str("base", "ref") != "release" || a.str("base", "sha") != release || a.str("head", "sha") != head {
		t.Errorf("pull request: %s", a.body)
	}
	e := w.hub.pending[len(w.hub.pending)-1]
	if e.action != "edited" || !strings.Contains(string(e.payload), `"changes":{"base":{"ref":{"from":"main"}`) {
		t.Errorf("event %s: %s", e.action, e.payload)
	}
}

func TestMergeMakesAMergeCommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	head := w.commit("feature", map[string]File{"skills/a/SKILL.md": Text("# A2\n"), "skills/b": Removed(), "l": Link("README.md")}, w.base)
	tip := w.commit("main", map[string]File{"other.md": Text("x")})
	n := w.pull("feature", PullOptions{})
	sha, err := w.repo.Merge(n, "ada")
	if err != nil {
		t.Fatal(err)
	}
	c := w.want(200, "GET", "/commits/main", "")
	if c.str("sha") != sha || c.str("parents", 0, "sha") != tip || c.str("parents", 1, "sha") != head {
		t.Errorf("main: %s", c.body)
	}
	files := w.gitSays("ls-tree", "-r", "--name-only", sha)
	if files != "README.md\nl\nother.md\nskills/a/SKILL.md\n" {
		t.Errorf("files: %q", files)
	}
	a := w.want(200, "GET", fmt.Sprint("/pulls/", n), "")
	if a.str("merged") != "true" || a.str("state") != "closed" || a.str("merge_commit_sha") != sha {
		t.Errorf("pull request: %s", a.body)
	}
	if list := w.want(200, "GET", "/pulls", ""); list.len() != 0 {
		t.Errorf("%d open pull requests", list.len())
	}
	if err := w.repo.Reopen(n); err == nil {
		t.Error("a merged pull request was reopened")
	}
}

func TestMergeFollowsARename(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.commit("feature", map[string]File{"README.md": Removed(), "docs/README.md": Text("hello\n")}, w.base)
	sha, err := w.repo.Merge(w.pull("feature", PullOptions{}), "ada")
	if err != nil {
		t.Fatal(err)
	}
	if files := w.gitSays("ls-tree", "-r", "--name-only", sha); files != "docs/README.md\nskills/a/SKILL.md\nskills/b/SKILL.md\n" {
		t.Errorf("files: %q", files)
	}
}

// TestTheBaseLagsBehindItsBranch: base.sha is looked at when the head moves,
// not when the base does, so only the branch itself says where it is.
func TestTheBaseLagsBehindItsBranch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.commit("feature", map[string]File{"a": Text("1")}, w.base)
	n := w.pull("feature", PullOptions{})
	tip := w.commit("main", map[string]File{"b": Text("1")})
	if got := w.want(200, "GET", fmt.Sprint("/pulls/", n), "").str("base", "sha"); got != w.base {
		t.Errorf("after a push to the base: %s", got)
	}
	w.commit("feature", map[string]File{"a": Text("2")})
	if got := w.want(200, "GET", fmt.Sprint("/pulls/", n), "").str("base", "sha"); got != tip {
		t.Errorf("after a push to the head: %s", got)
	}
}

// TestWholeDiffsAreRefused is 2A-35.
func TestWholeDiffsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.commit("feature", map[string]File{"a": Text("1")}, w.base)
	a := w.want(406, "GET", fmt.Sprint("/pulls/", w.pull("feature", PullOptions{})), "", "Accept", "application/vnd.github.v3.diff")
	if a.str("errors", 0, "code") != "too_large" {
		t.Errorf("got %s", a.body)
	}
}

// GitHub computes whether a pull request can be merged, against the base as it is
// now, and says nothing for a while.
func TestWhetherAPullRequestCanBeMerged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.commit("feature", map[string]File{"a": Text("1")}, w.base)
	n := w.pull("feature", PullOptions{})
	if err := w.repo.DoubtMerge(n, 1); err != nil {
		t.Fatal(err)
	}
	is := func(mergeable, state string) {
		t.Helper()
		a := w.want(200, "GET", fmt.Sprint("/pulls/", n), "")
		if a.str("mergeable") != mergeable || a.str("mergeable_state") != state {
			t.Errorf("mergeable %s, %s, want %s, %s", a.str("mergeable"), a.str("mergeable_state"), mergeable, state)
		}
	}
	is("null", "unknown")
	is("true", "clean")
	w.commit("main", map[string]File{"a": Text("2")})
	is("false", "dirty")
	if got, err := w.repo.Mergeable(n); err != nil || got != "dirty" {
		t.Errorf("%s, %v", got, err)
	}
	w.commit("feature", map[string]File{"a": Text("2")})
	is("true", "clean")
}
