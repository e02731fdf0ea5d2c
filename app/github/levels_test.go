package github

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

func treeRouteOf(id string) string { return "GET /repos/o/r/git/trees/" + id }

func paths(list []tree.Entry) string {
	var names []string
	for _, e := range list {
		names = append(names, e.Path)
	}
	return strings.Join(names, " ")
}

// A commit of which everything below the root was read with another one costs a
// request where GitHub lists it whole, and none the second time.
func TestATreeIsReadOnce(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(treeRouteOf(sha("1")), trees(false, item("040000", "d", sha("d")), item("100644", "d/x", sha("a")), item("040000", "d/e", sha("e"))))
	a := h.app()
	for _, duty := range []Duty{Reading, Committing} {
		list, err := a.For(5, 9, duty).Tree(t.Context(), here, sha("1"))
		if err != nil || paths(list) != "d/x" {
			t.Errorf("%v, %v", list, err)
		}
		list[0].Path = "changed by its reader"
	}
	for id, want := range map[string]string{sha("1"): "d", sha("d"): "x e", sha("e"): ""} {
		if list, err := a.For(5, 9, Reading).Level(t.Context(), here, id); err != nil || paths(list) != want {
			t.Errorf("level %s: %v, %v", id[:1], list, err)
		}
	}
	if len(h.calls) != 1 {
		t.Errorf("calls: %q", h.calls)
	}
	other := here
	other.ID = 10 // another repository has to be let in by GitHub itself
	if _, err := a.For(5, 10, Reading).Tree(t.Context(), other, sha("1")); err != nil || len(h.calls) != 2 {
		t.Errorf("%v, calls: %q", err, h.calls)
	}
	a.Forget(5)
	if _, err := a.For(5, 9, Reading).Tree(t.Context(), here, sha("1")); err != nil || len(h.calls) != 3 {
		t.Errorf("after Forget: %v, calls: %q", err, h.calls)
	}
}

// 2A-36: where the list was cut once, the next commit costs the folders that differ.
func TestOfACutTreeTheFoldersThatDifferAreRead(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	root := func(skills string) answer {
		return trees(false, item("040000", "docs", sha("d")), item("040000", "skills", skills))
	}
	h.on(treeRouteOf(sha("1")), trees(true), root(sha("2")))
	h.on(treeRouteOf(sha("d")), trees(false, item("100644", "page.md", sha("c"))))
	h.on(treeRouteOf(sha("2")), trees(true), trees(false, item("040000", "a", sha("a")), item("040000", "b", sha("b"))))
	h.on(treeRouteOf(sha("a")), trees(false, item("100644", "SKILL.md", sha("e"))))
	h.on(treeRouteOf(sha("b")), trees(false, item("100644", "SKILL.md", sha("f"))))
	// The next commit changes skills/b alone.
	h.on(treeRouteOf(sha("3")), root(sha("4")))
	h.on(treeRouteOf(sha("4")), trees(false, item("040000", "a", sha("a")), item("040000", "b", sha("5"))))
	h.on(treeRouteOf(sha("5")), trees(false, item("040000", "deep", sha("6")), item("100644", "deep/x", sha("e"))))
	c := h.client()
	if list, err := c.Tree(t.Context(), here, sha("1")); err != nil || paths(list) != "docs/page.md skills/a/SKILL.md skills/b/SKILL.md" {
		t.Fatalf("%v, %v", list, err)
	}
	before := len(h.calls)
	if list, err := c.Tree(t.Context(), here, sha("3")); err != nil || paths(list) != "docs/page.md skills/a/SKILL.md skills/b/deep/x" {
		t.Fatalf("%v, %v", list, err)
	}
	want(t, []string{
		"GET /repos/o/r/git/trees/" + sha("3"), "GET /repos/o/r/git/trees/" + sha("4"), "GET /repos/o/r/git/trees/" + sha("5") + "?recursive=1",
	}, h.calls[before:])
}

// skillsAside are n folders with one file each, and their level.
func skillsAside(n int) (ids map[string]level, items []object) {
	ids = map[string]level{}
	for i := range n {
		l := level{{Path: "SKILL.md", Mode: tree.Regular, ID: tree.BlobID(fmt.Append(nil, i)), Size: 3}}
		id := tree.ID(l)
		ids[id] = l
		items = append(items, item("040000", fmt.Sprint("skill-", i), id))
	}
	return ids, items
}

// Thousands of folders side by side, in one that cannot be listed with all below
// it, are asked for a hundred at a time. What does not hash to its id is not taken.
func TestManyFoldersAreAFewQueries(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	folders, items := skillsAside(250)
	h.on(treeRouteOf(sha("1")), trees(true), trees(false, items...))
	var forged string
	for id := range folders {
		forged = id
	}
	h.dynamic[graphCall] = func(body string) answer {
		found := object{}
		for i, part := range strings.Split(body, ":object(oid:")[1:] {
			id := part[2:42]
			e := folders[id][0]
			entry := object{"name": e.Path, "mode": uint32(e.Mode), "oid": e.ID, "size": e.Size}
			if id == forged {
				entry["name"] = "README.md"
			}
			found[alias(i)] = object{"oid": id, "entries": []object{entry}}
		}
		return ok(object{"data": object{"repository": found}})
	}
	h.on(treeRouteOf(forged), trees(false, item("100644", "SKILL.md", folders[forged][0].ID)))
	c := h.client()
	list, err := c.Tree(t.Context(), here, sha("1"))
	if err != nil || len(list) != 250 || strings.Contains(paths(list), "README") {
		t.Fatalf("%d files, %v", len(list), err)
	}
	if len(h.calls) != 2+3+1 || h.count(graphCall) != 3 {
		t.Errorf("%d requests, %d queries", len(h.calls), h.count(graphCall))
	}
	before := len(h.calls)
	if _, err := c.Tree(t.Context(), here, sha("1")); err != nil || len(h.calls) != before {
		t.Errorf("the second time: %d requests, %v", len(h.calls)-before, err)
	}
}

// Levels that were read with a whole are not asked for again, few are by REST, and
// many in a query; a commit's id, which is no tree's, is left to REST.
func TestManyLevels(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	folders, items := skillsAside(40)
	h.on(treeRouteOf(sha("1")), trees(false, items[:2]...))
	c := h.client()
	var some []string
	for id := range folders {
		some = append(some, id)
	}
	for _, id := range some[:3] {
		h.on(treeRouteOf(id), trees(false, item("100644", "SKILL.md", folders[id][0].ID)))
	}
	got, err := c.Levels(t.Context(), here, some[:3])
	if err != nil || len(got) != 3 || len(h.calls) != 3 {
		t.Fatalf("%v, %v, calls %q", got, err, h.calls)
	}
	h.dynamic[graphCall] = func(body string) answer {
		found := object{}
		for i, part := range strings.Split(body, ":object(oid:")[1:] {
			found[alias(i)] = object{}
			if l, ok := folders[part[2:42]]; ok {
				e := l[0]
				found[alias(i)] = object{"oid": part[2:42], "entries": []object{{"name": e.Path, "mode": uint32(e.Mode), "oid": e.ID, "size": e.Size}}}
			}
		}
		return ok(object{"data": object{"repository": found}})
	}
	got, err = c.Levels(t.Context(), here, append(some, sha("1")))
	if err != nil || len(got) != 41 || len(h.calls) != 5 || len(got[sha("1")]) != 2 {
		t.Errorf("%d levels, %v, %d requests", len(got), err, len(h.calls))
	}
	root := tree.ID(level{{Path: "skill-0", Mode: tree.Directory, ID: items[0]["sha"].(string)}, {Path: "skill-1", Mode: tree.Directory, ID: items[1]["sha"].(string)}})
	if _, err := c.Levels(t.Context(), here, []string{root}); err != nil || len(h.calls) != 5 {
		t.Errorf("the commit's tree by its own id: %v, %d requests", err, len(h.calls))
	}
}

// A tree that holds one folder over and over grows without end when it is spelled out.
func TestATreeThatUnfoldsWithoutEndIsTooLarge(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	for depth := range 4 {
		var items []object
		for i := range 2000 {
			items = append(items, item("040000", fmt.Sprint(i), sha(fmt.Sprint(depth+1))))
		}
		h.on(treeRouteOf(sha(fmt.Sprint(depth))), trees(true), trees(false, items...))
	}
	if list, err := h.client().Tree(t.Context(), here, sha("0")); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d entries, %v", len(list), err)
	}
}

func TestAListWithAFileWithoutItsFolderIsNoTree(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.on(treeRouteOf(sha("1")), trees(false, item("100644", "d/x", sha("a"))))
	if list, err := h.client().Tree(t.Context(), here, sha("1")); !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v, %v", list, err)
	}
}
