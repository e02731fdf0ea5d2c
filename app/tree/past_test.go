package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// changed lists the paths of a commit that no parent has the same.
func changed(c Commit) (out []string) {
	for _, e := range c.Files.Entries() {
		if !slices.ContainsFunc(c.Parents, func(p *Tree) bool { id, ok := p.ID(e.Path); return ok && id == e.ID }) {
			out = append(out, e.Path)
		}
	}
	return out
}

// ofGit lists the same by git's own means: what differs from every parent.
func ofGit(s *sandbox, commit string) (out []string) {
	count := map[string]int{}
	ids := strings.Fields(s.git("rev-list", "--parents", "-1", commit))
	if len(ids) == 1 {
		return strings.Fields(s.git("ls-tree", "-r", "--name-only", commit))
	}
	for _, p := range ids[1:] {
		for name := range strings.FieldsSeq(s.git("diff-tree", "-r", "--no-renames", "--name-only", "--diff-filter=d", p, commit)) {
			if count[name]++; count[name] == len(ids)-1 {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// story is a branch with a removed, a moved and a nested file, a merge with a
// conflict, and an unrelated root merged in.
func story(t *testing.T) (s *sandbox, base string) {
	s = newSandbox(t)
	s.write("a/one.md", "1\n")
	s.write("a/b/two.md", "2\n")
	s.write("c/three.md", "3\n")
	s.commit()
	s.git("checkout", "-q", "-b", "topic")
	s.write("a/b/two.md", "2 of topic\n")
	s.commit()
	s.git("mv", "c", "d")
	s.commit()
	s.write("a/b/new/four.md", "4\n")
	s.git("rm", "-q", "a/one.md")
	s.commit()
	s.git("checkout", "-q", "main")
	s.write("a/b/two.md", "2 of main\n")
	s.write("e.md", "main\n")
	base = s.commit()
	s.git("checkout", "-q", "topic")
	s.git("merge", "-q", "-s", "ours", "--no-commit", "main")
	s.write("a/b/two.md", "2 of both\n")
	s.write("e.md", "main\n")
	s.commit()
	s.git("checkout", "-q", "--orphan", "root")
	s.git("rm", "-q", "-r", "-f", ".")
	s.write("f/root.md", "root\n")
	s.commit()
	s.git("checkout", "-q", "topic")
	s.git("merge", "-q", "--allow-unrelated-histories", "-m", "x", "root")
	return s, base
}

func TestPastIsWhatGitSaysOfEachCommit(t *testing.T) {
	t.Parallel()
	s, base := story(t)
	p, err := s.open("").Past(t.Context(), base, 50)
	if err != nil {
		t.Fatal(err)
	}
	if p.Total != 6 || len(p.Commits) != 6 {
		t.Errorf("%d of %d commits, want 6", len(p.Commits), p.Total)
	}
	seen := map[string]bool{}
	for _, c := range p.Commits {
		want(t, ofGit(s, c.ID), changed(c))
		for parent := range strings.FieldsSeq(s.git("log", "-1", "--format=%P", c.ID)) {
			if s.git("rev-list", base+".."+parent) != "" && !seen[parent] && parent != base {
				t.Errorf("%s comes before its parent", c.ID)
			}
		}
		seen[c.ID] = true
	}
}

func TestPastReadsTheNewestAndCountsAll(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	base := s.commit()
	for i := range 8 {
		s.write("a.md", fmt.Sprint(i))
		s.commit()
	}
	p, err := s.open("").Past(t.Context(), base, 3)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, c := range p.Commits {
		data, err := fs.ReadFile(c.Files, "a.md")
		if err != nil {
			t.Fatal(err)
		}
		before, err := fs.ReadFile(c.Parents[0], "a.md")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(before)+string(data))
	}
	want(t, []string{"45", "56", "67"}, texts)
	if p.Total != 8 {
		t.Errorf("total %d", p.Total)
	}
	if p, err := s.open("").Past(t.Context(), "HEAD", 3); err != nil || p.Total != 0 || p.Commits != nil {
		t.Errorf("nothing in between: %+v, %v", p, err)
	}
	if _, err := s.open("").Past(t.Context(), "nowhere", 3); !errors.Is(err, ErrNoRevision) {
		t.Errorf("no such revision: %v", err)
	}
	if _, err := s.open("").Past(t.Context(), s.git("rev-parse", base+"^{tree}"), 3); !errors.Is(err, ErrNoRevision) {
		t.Errorf("a tree is no commit: %v", err)
	}
}

// A folder inside the repository sees its own part of each commit.
func TestPastOfASubfolder(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	base := s.commit()
	s.write("top.md", "x")
	s.commit() // has no such folder yet
	s.write("sub/a dir/x.md", "x")
	s.write("other/y.md", "y")
	s.commit()
	s.write("sub/a dir/x.md", "xx")
	s.commit()
	p, err := s.open("sub/a dir").Past(t.Context(), base, 50)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, c := range p.Commits {
		got = append(got, changed(c))
	}
	want(t, [][]string{nil, {"x.md"}, {"x.md"}}, got)
}

// What a shallow clone lacks is said, and what it holds is read.
func TestPastInAShallowClone(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	base := s.commit()
	for i := range 6 {
		s.write("a.md", fmt.Sprint(i))
		s.commit()
	}
	for _, tc := range []struct {
		depth int
		want  error
	}{{1, ErrShallow}, {4, ErrShallow}, {7, nil}} {
		clone := &sandbox{t, t.TempDir()}
		clone.git("init", "-q", "-b", "main")
		clone.git("fetch", "-q", fmt.Sprint("--depth=", tc.depth), "file://"+s.dir, "main")
		clone.git("checkout", "-q", "FETCH_HEAD")
		clone.git("fetch", "-q", "--depth=1", "file://"+s.dir, base)
		_, err := clone.open("").Past(t.Context(), base, 50)
		if tc.depth < 7 && !errors.Is(err, tc.want) || tc.depth == 7 && err != nil {
			t.Errorf("depth %d: %v, want %v", tc.depth, err, tc.want)
		}
		if p, err := clone.open("").Past(t.Context(), "HEAD", 50); err != nil || p.Total != 0 {
			t.Errorf("depth %d, against itself: %+v, %v", tc.depth, p, err)
		}
	}
}

func TestPastOutsideGit(t *testing.T) {
	t.Parallel()
	l, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Past(t.Context(), "HEAD", 1); !errors.Is(err, ErrNotGit) {
		t.Error(err)
	}
}

func TestAnObjectIDOfATreeIsNoBlob(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a/b.md", "x")
	s.commit()
	l := s.open("")
	tree := s.git("rev-parse", "HEAD:a")
	if _, _, err := l.repo.content.ask(tree); !errors.Is(err, errOtherKind) {
		t.Errorf("a tree read as a blob: %v", err)
	}
	if _, err := l.repo.level(s.git("rev-parse", "HEAD:a/b.md")); !errors.Is(err, errOtherKind) {
		t.Errorf("a blob listed as a tree: %v", err)
	}
	if _, err := l.repo.level(strings.Repeat("0", 40)); !errors.Is(err, errMissing) {
		t.Errorf("no such object: %v", err)
	}
	if list, err := l.repo.level(tree); err != nil || len(list) != 1 || list[0].Path != "b.md" || list[0].Mode != Regular {
		t.Errorf("%+v, %v", list, err)
	}
	for _, bad := range []string{"100644 a", "100644 a\x00short", "x a\x00" + strings.Repeat("i", 20), "100644\x00" + strings.Repeat("i", 20)} {
		if _, err := parseTree([]byte(bad), 20); err == nil {
			t.Errorf("%q was taken for a tree", bad)
		}
	}
}

// Folders that nobody wants are not listed, and nothing below them has changed.
func TestADeltaCanBePruned(t *testing.T) {
	t.Parallel()
	id := func(c string) string { return strings.Repeat(c, 40) }
	d := NewDelta(id("1"), []string{id("2")})
	want(t, []string{id("1"), id("2")}, d.Wants())
	d.Take(map[string][]Entry{
		id("1"): {{Path: "a", Mode: Directory, ID: id("3")}, {Path: "b", Mode: Directory, ID: id("4")}, {Path: "c", Mode: Directory, ID: id("5")}, {Path: "f", Mode: Regular, ID: id("6")}},
		id("2"): {{Path: "a", Mode: Directory, ID: id("7")}, {Path: "b", Mode: Regular, ID: id("8")}, {Path: "c", Mode: Directory, ID: id("5")}},
	})
	want(t, []string{id("3"), id("4"), id("7")}, d.Wants()) // c is the parent's, b was no folder
	if d.Prune(func(string) bool { return true }) || !d.Prune(func(folder string) bool { return folder != "a" }) {
		t.Error("what was pruned is told wrongly")
	}
	want(t, []string{id("4")}, d.Wants())
	d.Take(map[string][]Entry{id("4"): {{Path: "g", Mode: Regular, ID: id("9")}}})
	own, parents := d.Entries()
	want(t, []Entry{{Path: "f", Mode: Regular, ID: id("6")}, {Path: "b/g", Mode: Regular, ID: id("9")}}, own)
	want(t, [][]Entry{{{Path: "b", Mode: Regular, ID: id("8")}}}, parents)
	if len(d.Wants()) > 0 || len(NewDelta(id("1"), []string{id("2"), id("1")}).Wants()) > 0 {
		t.Error("something is wanted at the end, or of a tree that a parent has")
	}
}
