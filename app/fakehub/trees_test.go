package fakehub

import (
	"encoding/base64"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gitSays runs git in the repository, as a second opinion.
func (w *world) gitSays(args ...string) string {
	w.t.Helper()
	out, err := exec.Command("git", append([]string{"--git-dir", w.repo.GitDir()}, args...)...).Output()
	if err != nil {
		w.t.Fatalf("git %s: %v", args[0], err)
	}
	return string(out)
}

// TestObjectsAreGits checks every kind of entry against git's own listing, and
// the store's soundness with fsck.
func TestObjectsAreGits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	sha := w.commit("main", map[string]File{
		"skills/a/run.sh":   Exec("#!/bin/sh\n"),
		"skills/a/link":     Link("../../.env"),
		"skills/vendored":   Submodule(w.base),
		"skills/b":          Removed(),
		"skills/c d/é.md":   Text("x\n"),
		"skills/a/SKILL.md": Text("# A, second edition\n"),
	})
	var got strings.Builder
	a := w.want(200, "GET", "/git/trees/"+sha+"?recursive=1", "")
	for i := range a.len("tree") {
		fmt.Fprintf(&got, "%s %s %s\t%s\n", a.str("tree", i, "mode"), a.str("tree", i, "type"), a.str("tree", i, "sha"), a.str("tree", i, "path"))
	}
	want := strings.ReplaceAll(w.gitSays("ls-tree", "-r", "-t", "-z", sha), "\x00", "\n")
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{"120000 blob", "160000 commit", "100755 blob"} {
		if !strings.Contains(want, part) {
			t.Errorf("no %s in the tree", part)
		}
	}
	if strings.Contains(want, "skills/b") {
		t.Error("the removed folder is still there")
	}
	w.gitSays("fsck", "--strict", "--no-dangling")
}

// TestAFileMayBecomeAFolder and a link: the tree follows, and each file keeps
// its own patch where another one's type changed.
func TestAFileMayBecomeAFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	sha := w.commit("main", map[string]File{
		"README.md/x": Text("deep\n"), "skills/a/SKILL.md": Link("elsewhere"), "skills/b/SKILL.md": Text("# B\nmore\n"),
	})
	if files := w.gitSays("ls-tree", "-r", "--name-only", sha); files != "README.md/x\nskills/a/SKILL.md\nskills/b/SKILL.md\n" {
		t.Errorf("files: %q", files)
	}
	a := w.want(200, "GET", "/commits/"+sha, "")
	for i := range a.len("files") {
		status, patch := a.str("files", i, "status"), a.str("files", i, "patch")
		switch a.str("files", i, "filename") {
		case "skills/a/SKILL.md":
			if status != "changed" || !strings.Contains(patch, "-# A") || !strings.Contains(patch, "+elsewhere") {
				t.Errorf("the link: %s %q", status, patch)
			}
		case "skills/b/SKILL.md":
			if status != "modified" || patch != "@@ -1 +1,2 @@\n # B\n+more" {
				t.Errorf("the file after it: %s %q", status, patch)
			}
		}
	}
}

func TestEqualCommitsHaveEqualIDs(t *testing.T) {
	t.Parallel()
	one, two := newWorld(t, Options{}, false), newWorld(t, Options{}, false)
	if one.base != two.base {
		t.Errorf("%s and %s", one.base, two.base)
	}
	archive := []byte("Second\n-- a.md --\nx\n-- b -> a.md --\n")
	a, err1 := one.repo.CommitTxtar("main", archive)
	b, err2 := two.repo.CommitTxtar("main", archive)
	if err1 != nil || err2 != nil || a != b {
		t.Errorf("%s %v, %s %v", a, err1, b, err2)
	}
	if mode := strings.Fields(one.gitSays("ls-tree", a, "b"))[0]; mode != "120000" {
		t.Errorf("the link has mode %s", mode)
	}
}

// TestTruncationIsSilent is 2A-36: the list ends without a word but truncated,
// and walking level by level still finds all.
func TestTruncationIsSilent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.hub.SetTreeLimit(3)
	a := w.want(200, "GET", "/git/trees/main?recursive=1", "")
	if a.len("tree") != 3 || a.str("truncated") != "true" || strings.Contains(string(a.body), "skills/b") {
		t.Errorf("got %s", a.body)
	}
	root := w.want(200, "GET", "/git/trees/"+w.base, "")
	if root.str("truncated") != "false" || root.str("tree", 1, "path") != "skills" {
		t.Fatalf("root: %s", root.body)
	}
	if sub := w.want(200, "GET", "/git/trees/"+root.str("tree", 1, "sha"), ""); sub.len("tree") != 2 {
		t.Errorf("skills: %s", sub.body)
	}
}

func TestBlobsInBothForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	text := strings.Repeat("a line of some length\r\n", 20) + "\x00\xff"
	sha := w.commit("main", map[string]File{"x.bin": {Data: []byte(text)}, "empty": {}})
	list := w.want(200, "GET", "/git/trees/"+sha, "")
	id := map[string]string{}
	for i := range list.len("tree") {
		id[list.str("tree", i, "path")] = list.str("tree", i, "sha")
	}
	a := w.want(200, "GET", "/git/blobs/"+id["x.bin"], "")
	plain, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(a.str("content"), "\n", ""))
	if err != nil || string(plain) != text || strings.Index(a.str("content"), "\n") != 60 {
		t.Errorf("base64: %v, %d bytes", err, len(plain))
	}
	raw := w.want(200, "GET", "/git/blobs/"+id["x.bin"], "", "Accept", "application/vnd.github.raw+json")
	if string(raw.body) != text {
		t.Errorf("raw: %d bytes", len(raw.body))
	}
	if e := w.want(200, "GET", "/git/blobs/"+id["empty"], "", "Accept", "application/vnd.github.raw"); len(e.body) != 0 {
		t.Errorf("empty: %d bytes", len(e.body))
	}
	w.want(404, "GET", "/git/blobs/"+w.base, "")
	w.want(422, "GET", "/git/blobs/main", "")
}

func TestGitWritesAreChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, true)
	tree := w.want(200, "GET", "/git/commits/"+w.base, "").str("tree", "sha")
	for name, tc := range map[string]struct{ path, body string }{
		"a path that leaves the tree": {"/git/trees", `{"tree":[{"path":"../x","mode":"100644","content":"x"}]}`},
		"an unknown mode":             {"/git/trees", `{"tree":[{"path":"x","mode":"777","content":"x"}]}`},
		"a blob that is a tree":       {"/git/trees", fmt.Sprintf(`{"tree":[{"path":"x","mode":"100644","sha":%q}]}`, tree)},
		"bad base64":                  {"/git/blobs", `{"content":"*","encoding":"base64"}`},
		"a commit of no tree":         {"/git/commits", fmt.Sprintf(`{"message":"m","tree":%q}`, w.base)},
		"an author with a line break": {"/git/commits", fmt.Sprintf(`{"message":"m","tree":%q,"author":{"name":"a\nb","email":"e"}}`, tree)},
		"a ref outside refs":          {"/git/refs", fmt.Sprintf(`{"ref":"HEAD","sha":%q}`, w.base)},
		"a ref that is there":         {"/git/refs", fmt.Sprintf(`{"ref":"refs/heads/main","sha":%q}`, w.base)},
		"a ref to nothing":            {"/git/refs", `{"ref":"refs/heads/x","sha":"` + strings.Repeat("1", 40) + `"}`},
	} {
		if a := w.in("POST", tc.path, tc.body); a.status != 422 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	orphan := w.commit("orphan", map[string]File{"z": Text("z")})
	w.want(422, "PATCH", "/git/refs/heads/main", fmt.Sprintf(`{"sha":%q}`, orphan))
	w.want(200, "PATCH", "/git/refs/heads/main", fmt.Sprintf(`{"sha":%q,"force":true}`, orphan))
	w.want(422, "DELETE", "/git/refs/heads/main", "")
	w.want(501, "GET", "/contents/README.md", "")
}
