package tree

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestRevisionStagedAndWorkingSeeThreeStates(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a.md", "one\n")
	s.write("gone.md", "gone\n")
	s.write(".gitignore", "*.log\n")
	first := s.commit()
	s.write("a.md", "two\n")
	s.git("add", "a.md")
	s.write("a.md", "three\n")
	s.write("new.md", "new\n")
	s.write("noise.log", "ignored\n")
	if err := os.Remove(filepath.Join(s.dir, "gone.md")); err != nil {
		t.Fatal(err)
	}
	index, objects := s.snapshot()
	l := s.open(".")

	rev, err := l.Revision(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	want(t, map[string]string{".gitignore": "*.log\n", "a.md": "one\n", "gone.md": "gone\n"}, contents(t, rev))
	if err := fstest.TestFS(rev, "a.md"); err != nil {
		t.Error(err)
	}
	staged, err := l.Staged(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want(t, map[string]string{".gitignore": "*.log\n", "a.md": "two\n", "gone.md": "gone\n"}, contents(t, staged))
	got, untracked := working(t, l, all)
	want(t, map[string]string{".gitignore": "*.log\n", "a.md": "three\n", "new.md": "new\n"}, got)
	want(t, []string{"new.md"}, untracked)

	index2, objects2 := s.snapshot()
	if index != index2 {
		t.Error("the user's index was changed")
	}
	want(t, objects, objects2)
	if sha, err := l.Commit(t.Context(), "main"); err != nil || sha != first {
		t.Errorf("Commit(main) = %s, %v; want %s", sha, err, first)
	}
}

// What is tracked is told as it lies there; what is not is there in any case.
func TestOnlyRelevantUntrackedFilesAreTakenIn(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("skills/a.md", "one\n")
	s.write("other.md", "one\n")
	s.commit()
	s.write("skills/a.md", "two\n")
	s.write("skills/b.md", "new\n")
	s.write("other.md", "two\n")
	s.write("stray.md", "new\n")
	got, untracked := working(t, s.open("."), func(p string) bool { return strings.HasPrefix(p, "skills/") })
	want(t, map[string]string{"other.md": "two\n", "skills/a.md": "two\n", "skills/b.md": "new\n", "stray.md": "listed"}, got)
	want(t, []string{"skills/b.md", "stray.md"}, untracked)
}

// Git takes in whole what stands where a tracked file was, relevant or not.
func TestAFolderWhereAFileWas(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a", "one\n")
	s.commit()
	if err := os.Remove(filepath.Join(s.dir, "a")); err != nil {
		t.Fatal(err)
	}
	s.write("a/b", "two\n")
	got, untracked := working(t, s.open("."), func(string) bool { return false })
	want(t, map[string]string{"a/b": "two\n"}, got)
	want(t, []string{"a/b"}, untracked)
}

// Line endings, attributes and clean filters are git's own (2A-42).
func TestWorkingIsNormalisedAsACommitWouldBe(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("config", "core.autocrlf", "true")
	s.git("config", "filter.up.clean", "tr a-z A-Z")
	s.write(".gitattributes", "*.bin -text\n*.up filter=up\n")
	s.commit()
	s.git("config", "core.safecrlf", "true") // would refuse the next file
	s.write("mixed.md", "a\r\nb\n")
	s.write("crlf.md", "a\r\nb\r\n")
	s.write("raw.bin", "a\r\n")
	s.write("x.up", "shout\n")
	got, _ := working(t, s.open("."), all)
	want(t, map[string]string{".gitattributes": "*.bin -text\n*.up filter=up\n", "mixed.md": "a\nb\n", "crlf.md": "a\nb\n", "raw.bin": "a\r\n", "x.up": "SHOUT\n"}, got)
	s.git("-c", "core.safecrlf=false", "add", "-A")
	tree := s.git("write-tree")
	tr, _, err := s.open(".").Working(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	rev, err := s.open(".").Revision(t.Context(), tree)
	if err != nil {
		t.Fatal(err)
	}
	want(t, rev.Entries(), tr.Entries())
}

func TestNamesThatAreHardForGit(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("SKIP: such names cannot exist on Windows")
	}
	s := newSandbox(t)
	names := map[string]string{}
	for _, name := range []string{"日本/ü.md", "with space.md", "tab\tand\nline.md", `quote".md`, "*.md", ":(glob)x.md", "-dash.md", "a[1].md", `back\slash.md`, "🙂.md"} {
		s.write(name, name)
		names[name] = name
	}
	s.write("plain.md", "not to be matched by *.md\n")
	l := s.open(".")
	got, untracked := working(t, l, func(p string) bool { return p != "plain.md" })
	names["plain.md"] = "listed"
	want(t, names, got)
	if len(untracked) != len(names) {
		t.Errorf("untracked %q", untracked)
	}
	names["plain.md"] = "not to be matched by *.md\n"
	s.commit()
	rev, err := l.Revision(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	want(t, names, contents(t, rev))

	s.write("bad\xff.md", "x")
	s.commit()
	rev, err = l.Revision(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	want(t, []string{"bad\xff.md"}, rev.Odd())
}

func TestASubfolderIsARootOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("top.md", "top\n")
	s.write("sub/[x]/a.md", "one\n")
	s.write("sub/[x]/del.md", "del\n")
	s.write("subway/b.md", "not below\n")
	s.commit()
	s.write("sub/[x]/a.md", "two\n")
	s.write("sub/[x]/n/new.md", "new\n")
	s.write("elsewhere.md", "outside\n")
	if err := os.Remove(filepath.Join(s.dir, "sub/[x]/del.md")); err != nil {
		t.Fatal(err)
	}
	l := s.open("sub/[x]")
	got, untracked := working(t, l, all)
	want(t, map[string]string{"a.md": "two\n", "n/new.md": "new\n"}, got)
	want(t, []string{"n/new.md"}, untracked)
	rev, err := l.Revision(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	want(t, map[string]string{"a.md": "one\n", "del.md": "del\n"}, contents(t, rev))

	s.write("empty/x.log", "")
	s.write(".gitignore", "*.log\n")
	empty, err := s.open("empty").Revision(t.Context(), "HEAD")
	if err != nil || len(empty.Entries()) != 0 {
		t.Errorf("a folder that the revision does not have: %v, %v", empty, err)
	}
}

func TestLinksAndSubmodulesOfARepository(t *testing.T) {
	t.Parallel()
	lib := newSandbox(t)
	lib.write("lib.md", "lib\n")
	lib.commit()
	s := newSandbox(t)
	s.write("a.md", "a\n")
	s.write("dir/file.md", "file\n")
	s.write("was/file.md", "another\n")
	s.git("submodule", "add", "-q", lib.dir, "sub")
	s.commit()
	s.link("/etc/passwd", "out.md")
	s.link("out.md", "chain.md")
	s.link("loop.md", "loop.md")
	if err := os.RemoveAll(filepath.Join(s.dir, "dir")); err != nil {
		t.Fatal(err)
	}
	s.link("was", "dir") // a tracked folder became a link to one with a file of that name
	nested := &sandbox{t, filepath.Join(s.dir, "nested")}
	if err := os.Mkdir(nested.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	nested.git("init", "-q")
	nested.write("n.md", "n\n")
	got, untracked := working(t, s.open("."), all)
	delete(got, ".gitmodules")
	want(t, map[string]string{"a.md": "a\n", "was/file.md": "another\n", "sub": "160000", "nested": "160000",
		"out.md": "120000", "chain.md": "120000", "loop.md": "120000", "dir": "120000"}, got)
	want(t, []string{"chain.md", "dir", "loop.md", "out.md"}, untracked)
}

func TestAFileAndAFolderChangePlaces(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a", "file\n")
	s.write("b/c", "file\n")
	s.commit()
	for _, name := range []string{"a", "b"} {
		if err := os.RemoveAll(filepath.Join(s.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s.write("a/c", "below\n")
	s.write("b", "now a file\n")
	got, _ := working(t, s.open("."), all)
	want(t, map[string]string{"a/c": "below\n", "b": "now a file\n"}, got)
}

// Git trusts recorded times only in an index younger than the file; a copy of
// the index with a new time would hide this change.
func TestAChangeInTheSameSecondAsTheIndexIsSeen(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("config", "core.trustctime", "false")
	s.git("config", "core.checkstat", "minimal")
	s.write("a.md", "one\n")
	when := time.Unix(1_600_000_000, 0)
	file, index := filepath.Join(s.dir, "a.md"), filepath.Join(s.dir, ".git", "index")
	touch := func(name string) {
		if err := os.Chtimes(name, when, when); err != nil {
			t.Fatal(err)
		}
	}
	touch(file)
	s.git("add", "a.md")
	s.write("a.md", "two\n") // same size, same time
	touch(file)
	touch(index)
	got, _ := working(t, s.open("."), all)
	want(t, map[string]string{"a.md": "two\n"}, got)
}
