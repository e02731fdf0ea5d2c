package github

import (
	"errors"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/google/go-cmp/cmp"
)

const (
	postTrees   = "POST /repos/o/r/git/trees"
	postCommits = "POST /repos/o/r/git/commits"
)

// wireTreeOf is a listing as GitHub gives it.
func wireTreeOf(id string, list ...tree.Entry) answer {
	entries := []object{}
	for _, e := range list {
		entries = append(entries, object{"path": e.Path, "mode": e.Mode.String(), "sha": e.ID})
	}
	return ok(object{"sha": id, "tree": entries, "truncated": false})
}

// The tree that comes back has to be the one that the changes give: folders on the
// way are hashed here, and an empty one goes.
func TestANewTreeHoldsTheChangesAndNoOther(t *testing.T) {
	t.Parallel()
	card, other := tree.BlobID([]byte("old")), tree.BlobID([]byte("other"))
	cards := []tree.Entry{{Path: "a.md", Mode: tree.Regular, ID: card}}
	gone := []tree.Entry{{Path: "b.md", Mode: tree.Regular, ID: card}}
	root := []tree.Entry{
		{Path: "cards", Mode: tree.Directory, ID: tree.ID(cards)}, {Path: "gone", Mode: tree.Directory, ID: tree.ID(gone)},
		{Path: "run.sh", Mode: tree.Executable, ID: other},
	}
	want := tree.ID([]tree.Entry{
		{Path: "cards", Mode: tree.Directory, ID: tree.ID([]tree.Entry{{Path: "a.md", Mode: tree.Regular, ID: tree.BlobID([]byte("new"))}})},
		{Path: "run.sh", Mode: tree.Executable, ID: other},
	})
	changes := []Change{{Path: "cards/a.md", Mode: tree.Regular, Data: []byte("new")}, {Path: "gone/b.md"}}
	for name, c := range map[string]struct {
		answered string
		fails    error
	}{
		"the same": {want, nil}, "another one": {tree.ID(root), ErrInvalid},
	} {
		h := newHub(t)
		for id, l := range map[string][]tree.Entry{tree.ID(root): root, tree.ID(cards): cards, tree.ID(gone): gone} {
			h.on("GET /repos/o/r/git/trees/"+id, wireTreeOf(id, l...))
		}
		h.on(postTrees, answer{status: 201, body: object{"sha": c.answered}})
		got, err := h.client().MakeTree(t.Context(), here, tree.ID(root), changes)
		if !errors.Is(err, c.fails) || c.fails == nil && got != want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		sent := decode[map[string]any](t, h.sent[postTrees][0])
		wire := map[string]any{"base_tree": tree.ID(root), "tree": []any{
			map[string]any{"path": "cards/a.md", "mode": "100644", "type": "blob", "content": "new"},
			map[string]any{"path": "gone/b.md", "mode": "100644", "type": "blob", "sha": nil},
		}}
		if d := cmp.Diff(wire, sent); d != "" {
			t.Errorf("sent (-want +got):\n%s", d)
		}
	}
}

// A folder may hold a name that is no UTF-8, which REST spells in another way: it is
// asked for to the byte, or there is no tree.
func TestANameThatIsNoUTF8StaysAsItIs(t *testing.T) {
	t.Parallel()
	blob := tree.BlobID([]byte("x"))
	as := func(name string) []tree.Entry {
		return []tree.Entry{{Path: name, Mode: tree.Regular, ID: blob}, {Path: "run", Mode: tree.Executable, ID: blob}}
	}
	root := tree.ID(as("\xff"))
	want := tree.ID(append(as("\xff"), tree.Entry{Path: "a.md", Mode: tree.Regular, ID: tree.BlobID([]byte("new"))}))
	for name, c := range map[string]struct {
		raw   string
		fails error
	}{"to the byte": {"\xff", nil}, "still another": {"\xfe", ErrInvalid}} {
		h := newHub(t)
		h.on("GET /repos/o/r/git/trees/"+root, wireTreeOf(root, as("\uFFFD")...))
		h.on("POST /graphql", ok(object{"data": object{"repository": object{"o0": object{"oid": root, "entries": []object{
			{"nameRaw": []byte(c.raw), "mode": 0o100644, "oid": blob}, {"nameRaw": []byte("run"), "mode": 0o100755, "oid": blob},
		}}}}}))
		h.on("GET /repos/o/r/git/commits/"+root, refuse(404, "Not Found"))
		h.on(postTrees, answer{status: 201, body: object{"sha": want}})
		got, err := h.client().MakeTree(t.Context(), here, root, []Change{{Path: "a.md", Mode: tree.Regular, Data: []byte("new")}})
		if !errors.Is(err, c.fails) || c.fails == nil && got != want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

// Of a message nothing is kept but the key of our own trailer, at its end.
func TestTheMarkOfACommit(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("ab", 16)
	for message, want := range map[string]string{
		"Update cards\n\n" + Trailer(key):                    key,
		"Update cards\n\n" + strings.TrimSpace(Trailer(key)): key,
		"Cardkeeper-Key: " + key:                             "",
		"see\n" + Trailer(key) + "above":                     "",
		"a secret\n\nCardkeeper-Key: of somebody":            "",
	} {
		h := newHub(t)
		h.on("GET /repos/o/r/git/commits/"+sha("a"), ok(object{
			"sha": sha("a"), "message": message, "tree": object{"sha": sha("b")}, "parents": []object{{"sha": sha("c")}},
		}))
		got, err := h.client().Commit(t.Context(), here, sha("a"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(Commit{ID: sha("a"), Tree: sha("b"), Parents: []string{sha("c")}, Mark: want}, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", message, d)
		}
	}
}

// A branch that moved is told from one that is protected.
func TestABranchIsMovedForwardOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer answer
		want   error
		not    error
	}{
		"moved meanwhile": {refuse(422, "Update is not a fast forward"), ErrBehind, nil},
		"a ruleset":       {refuse(422, "Repository rule violations found"), ErrInvalid, ErrBehind},
		"protection":      {refuse(403, "Protected branch update failed"), ErrForbidden, ErrBehind},
	} {
		h := newHub(t)
		h.on("PATCH /repos/o/r/git/refs/heads%2Ffeature%2Fx", c.answer)
		err := h.client().MoveBranch(t.Context(), here, "feature/x", sha("a"))
		if !errors.Is(err, c.want) || c.not != nil && errors.Is(err, c.not) {
			t.Errorf("%s: %v", name, err)
		}
		want := map[string]any{"sha": sha("a"), "force": false}
		if d := cmp.Diff(want, decode[map[string]any](t, h.sent["PATCH /repos/o/r/git/refs/heads%2Ffeature%2Fx"][0])); d != "" {
			t.Errorf("sent (-want +got):\n%s", d)
		}
	}
}

// GitHub signs what comes without an author and a committer.
func TestACommitNamesNobody(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(postCommits, answer{status: 201, body: object{"sha": sha("d")}})
	got, err := h.client().MakeCommit(t.Context(), here, "m", sha("b"), sha("a"))
	if err != nil || got != sha("d") {
		t.Fatal(got, err)
	}
	want := map[string]any{"message": "m", "tree": sha("b"), "parents": []any{sha("a")}}
	if d := cmp.Diff(want, decode[map[string]any](t, h.sent[postCommits][0])); d != "" {
		t.Errorf("sent (-want +got):\n%s", d)
	}
}
