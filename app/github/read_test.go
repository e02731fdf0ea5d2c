package github

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

func want[T any](t *testing.T, want, got T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func side(id string, repo any, ref string) object {
	return object{"sha": id, "ref": ref, "repo": repo}
}

func TestAPullRequestIsReadWithItsSides(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		head any
		want Side
		fork bool
	}{
		"of the repository itself":  {object{"id": 9}, Side{sha("a"), 9, "f"}, false},
		"of a fork":                 {object{"id": 8}, Side{sha("a"), 8, "f"}, true},
		"of a fork that is deleted": {nil, Side{sha("a"), 0, "f"}, true},
	} {
		h := newHub(t)
		h.on("GET /repos/o/r/pulls/4", ok(object{"number": 4, "state": "open", "draft": true, "user": object{"login": "ann"},
			"head": side(sha("a"), tc.head, "f"), "base": side(sha("b"), object{"id": 9}, "main")}))
		got, err := h.client().Pull(t.Context(), here, 4)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want(t, Pull{Number: 4, State: "open", Draft: true, Head: tc.want, Base: Side{sha("b"), 9, "main"}, Author: "ann", Fork: tc.fork}, got)
	}
}

// 2A-34: the list goes on after the first page.
func TestAllPagesOfOpenPullRequestsAreRead(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	next := func(n int) map[string]string {
		return map[string]string{"Link": fmt.Sprintf(`<HUB/repos/o/r/pulls?page=%d>; rel="next"`, n)}
	}
	h.on("GET /repos/o/r/pulls", answer{200, next(2), []object{{"number": 1}}}, answer{200, next(3), []object{{"number": 2}}}, ok([]object{{"number": 3}}))
	list, err := h.client().OpenPulls(t.Context(), here)
	if err != nil || len(list) != 3 || list[2].Number != 3 {
		t.Errorf("%+v, %v", list, err)
	}
	if !strings.Contains(h.calls[2], "page=3") || !strings.Contains(h.calls[2], "per_page=100") {
		t.Error(h.calls)
	}
	h = newHub(t)
	for n := range maxPages + 1 {
		h.on("GET /repos/o/r/pulls", answer{200, next(n + 2), []object{{"number": n}}})
	}
	if _, err := h.client().OpenPulls(t.Context(), here); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a list without an end: %v", err)
	}
}

func TestMergeBaseAndBranch(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repos/o/r/compare/"+sha("a")+"..."+sha("b"), ok(object{"merge_base_commit": object{"sha": sha("c")}, "files": []object{{"patch": "x"}}}))
	h.on("GET /repos/o/r/branches/a%2Fb", ok(object{"commit": object{"sha": sha("d")}}))
	c := h.client()
	if got, err := c.MergeBase(t.Context(), here, sha("a"), sha("b")); err != nil || got != sha("c") {
		t.Errorf("MergeBase = %s, %v", got, err)
	}
	if got, err := c.Branch(t.Context(), here, "a/b"); err != nil || got != sha("d") {
		t.Errorf("Branch = %s, %v", got, err)
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		answer answer
		want   string
	}{
		{ok(object{"permission": "read", "role_name": "triage"}), "triage"},
		{ok(object{"permission": "write", "role_name": "maintain"}), "maintain"},
		{ok(object{"permission": "write", "role_name": "release captain"}), "write"},
		{ok(object{"permission": "admin"}), "admin"},
		{ok(object{"permission": "none", "role_name": ""}), "none"},
		{ok(object{}), "none"},
		{refuse(404, "ann is not a user"), "none"},
	} {
		h := newHub(t)
		h.on("GET /repos/o/r/collaborators/ann/permission", tc.answer)
		if got, err := h.client().Permission(t.Context(), here, "ann"); err != nil || got != tc.want {
			t.Errorf("%v: %q, %v", tc.answer, got, err)
		}
	}
	h := newHub(t)
	h.on("GET /repos/o/r/collaborators/ann/permission", refuse(403, "Resource not accessible by integration"))
	if got, err := h.client().Permission(t.Context(), here, "ann"); !errors.Is(err, ErrForbidden) {
		t.Errorf("%q, %v", got, err)
	}
}

func item(mode, path, id string) object {
	return object{"path": path, "mode": mode, "sha": id, "type": "x", "size": 3}
}

func trees(truncated bool, items ...object) answer {
	return ok(object{"sha": sha("0"), "truncated": truncated, "tree": items})
}

func TestATreeListsFilesLinksAndSubmodules(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repos/o/r/git/trees/"+sha("1"), trees(false, item("100644", "a.md", sha("a")), item("040000", "d", sha("d")),
		item("120000", "d/l", sha("b")), item("160000", "d/s", sha("c")), item("100755", "d/x", sha("e"))))
	got, err := h.client().Tree(t.Context(), here, sha("1"))
	if err != nil {
		t.Fatal(err)
	}
	want(t, []tree.Entry{{Path: "a.md", Mode: tree.Regular, ID: sha("a"), Size: 3}, {Path: "d/l", Mode: tree.Symlink, ID: sha("b"), Size: 3},
		{Path: "d/s", Mode: tree.Submodule, ID: sha("c"), Size: 3}, {Path: "d/x", Mode: tree.Executable, ID: sha("e"), Size: 3}}, got)
}

// 2A-36: a truncated list is never taken for the whole.
func TestATruncatedTreeIsWalkedLevelByLevel(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	root, skills, deep := "GET /repos/o/r/git/trees/"+sha("1"), "GET /repos/o/r/git/trees/"+sha("2"), "GET /repos/o/r/git/trees/"+sha("3")
	h.on(root, trees(true, item("100644", "a.md", sha("a"))), trees(false, item("100644", "a.md", sha("a")), item("040000", "skills", sha("2"))))
	h.on(skills, trees(true), trees(false, item("040000", "x", sha("3")), item("100644", "y.md", sha("c"))))
	h.on(deep, trees(false, item("040000", "sub", sha("4")), item("100644", "sub/SKILL.md", sha("b"))))
	got, err := h.client().Tree(t.Context(), here, sha("1"))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, e := range got {
		paths = append(paths, e.Path)
	}
	want(t, []string{"a.md", "skills/x/sub/SKILL.md", "skills/y.md"}, paths)
	if !strings.Contains(h.calls[0], "recursive=1") || strings.Contains(h.calls[1], "recursive") {
		t.Error(h.calls)
	}
}

func TestATreeThatCannotBeHadWholeIsAnError(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answers []answer
		want    error
	}{
		"one level is truncated":      {[]answer{trees(true)}, ErrTooLarge},
		"a level fails":               {[]answer{trees(true), refuse(502, "")}, ErrUnavailable},
		"a mode that git has not":     {[]answer{trees(false, item("100600", "a", sha("a")))}, ErrUnavailable},
		"an entry without an id":      {[]answer{trees(false, item("100644", "a", ""))}, ErrUnavailable},
		"an answer that is no tree":   {[]answer{ok("{}")}, ErrUnavailable},
		"a repository without commit": {[]answer{refuse(409, "Git Repository is empty.")}, ErrConflict},
	} {
		h := newHub(t)
		h.on("GET /repos/o/r/git/trees/"+sha("1"), tc.answers...)
		if got, err := h.client().Tree(t.Context(), here, sha("1")); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestALevelShowsFolders(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on("GET /repos/o/r/git/trees/"+sha("1"), trees(false, item("040000", "skills", sha("2"))))
	got, err := h.client().Level(t.Context(), here, sha("1"))
	if err != nil || len(got) != 1 || got[0].Mode != tree.Directory {
		t.Errorf("%v, %v", got, err)
	}
}

func blobAnswer(data string) answer {
	text := base64.StdEncoding.EncodeToString([]byte(data))
	if len(text) > 8 {
		text = text[:8] + "\n" + text[8:] + "\n"
	}
	return ok(object{"content": text, "encoding": "base64", "sha": tree.BlobID([]byte(data))})
}

func TestBlobsAreFetchedOnceAndChecked(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	files := map[string]string{"a": "alpha\r\n", "b": "", "c": strings.Repeat("日本\x00\xff", 1000)}
	var ids []string
	var entries []tree.Entry
	for name, data := range files {
		id := tree.BlobID([]byte(data))
		ids = append(ids, id, id)
		entries = append(entries, tree.Entry{Path: name, Mode: tree.Regular, ID: id})
		h.on("GET /repos/o/r/git/blobs/"+id, blobAnswer(data))
	}
	got, err := h.client().Blobs(t.Context(), here, ids)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.calls) != len(files) {
		t.Errorf("%d requests for %d blobs", len(h.calls), len(files))
	}
	fsys, err := tree.New(entries, func(id string) ([]byte, error) { return got[id], nil })
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if read, err := fs.ReadFile(fsys, name); err != nil || string(read) != data {
			t.Errorf("%s: %q, %v", name, read, err)
		}
	}
}

// Law 13 and 2A-62: one blob less is no result, and not "does not exist".
func TestALostOrWrongBlobFailsTheWhole(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer answer
		want   error
	}{
		"not there":     {refuse(404, "Not Found"), tree.ErrUnreadable},
		"other content": {blobAnswer("forged"), tree.ErrUnreadable},
		"no base64":     {ok(object{"content": "***", "encoding": "base64"}), ErrUnavailable},
		"server fault":  {refuse(500, ""), ErrUnavailable},
		"an error page": {ok("<html>"), ErrUnavailable},
	} {
		h := newHub(t)
		good, lost := tree.BlobID([]byte("good")), sha("f")
		h.on("GET /repos/o/r/git/blobs/"+good, blobAnswer("good"))
		h.on("GET /repos/o/r/git/blobs/"+lost, tc.answer)
		got, err := h.client().Blobs(t.Context(), here, []string{good, lost})
		if got != nil || !errors.Is(err, tc.want) || errors.Is(err, ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
