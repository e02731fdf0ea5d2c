package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func openRoot(t *testing.T) (*sandbox, *os.Root) {
	t.Helper()
	s := &sandbox{t, t.TempDir()}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return s, root
}

func (s *sandbox) files() map[string]string {
	got := map[string]string{}
	_ = filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(s.dir, name)
		data, _ := os.ReadFile(name)
		got[filepath.ToSlash(rel)] = string(data)
		return nil
	})
	return got
}

func TestWriteFileReplacesWholeAndLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s, root := openRoot(t)
	s.write("cards/old.md", "old")
	if err := os.Chmod(filepath.Join(s.dir, "cards/old.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"cards/a/日本/b.md": "new", "cards/old.md": "newer"} {
		if err := WriteFile(root, name, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	want(t, map[string]string{"cards/a/日本/b.md": "new", "cards/old.md": "newer"}, s.files())
	if st, err := os.Stat(filepath.Join(s.dir, "cards/old.md")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("permissions of a replaced file: %v, %v", st.Mode(), err)
	}
}

func TestWriteFileNeverGoesThroughALink(t *testing.T) {
	t.Parallel()
	s, root := openRoot(t)
	outside := &sandbox{t, t.TempDir()}
	outside.write("victim.md", "untouched")
	s.write("inner/victim.md", "untouched")
	s.link(outside.dir, "out")
	s.link("inner", "in")
	s.link(filepath.Join(outside.dir, "victim.md"), "link.md")
	for _, name := range []string{"out/victim.md", "out/new/x.md", "in/victim.md"} {
		if err := WriteFile(root, name, []byte("x")); !errors.Is(err, ErrSymlink) {
			t.Errorf("WriteFile(%s): %v", name, err)
		}
		if err := Remove(root, name); !errors.Is(err, ErrSymlink) {
			t.Errorf("Remove(%s): %v", name, err)
		}
	}
	if err := WriteFile(root, "link.md", []byte("mine")); err != nil {
		t.Fatal(err)
	}
	want(t, map[string]string{"victim.md": "untouched"}, outside.files())
	if st, err := os.Lstat(filepath.Join(s.dir, "link.md")); err != nil || !st.Mode().IsRegular() {
		t.Errorf("the link was not replaced: %v, %v", st, err)
	}
}

func TestNamesThatLeadElsewhereAreRefused(t *testing.T) {
	t.Parallel()
	_, root := openRoot(t)
	for _, name := range []string{"", ".", "..", "../x", "/x", "a/../b", "a//b", ".git/hooks/x", "a/.GIT/config", "bad\xff"} {
		if err := WriteFile(root, name, nil); !errors.Is(err, ErrBadName) {
			t.Errorf("WriteFile(%q): %v", name, err)
		}
		if err := Remove(root, name); !errors.Is(err, ErrBadName) {
			t.Errorf("Remove(%q): %v", name, err)
		}
	}
}

func TestAFailedWriteKeepsTheOldFile(t *testing.T) {
	t.Parallel()
	s, root := openRoot(t)
	s.write("cards/a.md/below.md", "a folder stands where the card should go")
	if err := WriteFile(root, "cards/a.md", []byte("x")); err == nil {
		t.Fatal("a folder was replaced by a file")
	}
	want(t, map[string]string{"cards/a.md/below.md": "a folder stands where the card should go"}, s.files())
}

func TestRemoveTakesEmptyFoldersAlong(t *testing.T) {
	t.Parallel()
	s, root := openRoot(t)
	s.write("cards/a/b/x.md", "x")
	s.write("cards/y.md", "y")
	for _, name := range []string{"cards/a/b/x.md", "cards/a/b/x.md", "cards/none.md"} {
		if err := Remove(root, name); err != nil {
			t.Errorf("Remove(%s): %v", name, err)
		}
	}
	want(t, map[string]string{"cards/y.md": "y"}, s.files())
	if _, err := os.Stat(filepath.Join(s.dir, "cards", "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder stays: %v", err)
	}
}
