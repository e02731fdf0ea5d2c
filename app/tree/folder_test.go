package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// plainSandbox is a folder outside git: t.TempDir lies in no repository here, which the
// tests that use it check.
func plainSandbox(t *testing.T) (*sandbox, *Local) {
	t.Helper()
	s := &sandbox{t, t.TempDir()}
	l := s.open(".")
	if l.Git() {
		t.Skip("SKIP: the temporary folder lies in a git repository")
	}
	return s, l
}

func TestAPlainFolderCountsEveryRegularFile(t *testing.T) {
	t.Parallel()
	s, l := plainSandbox(t)
	s.write("a.md", "a\r\n")
	s.write("noise.log", "not ignored\n")
	s.write("sub/.git/config", "skipped")
	s.write("sub/b.md", "b\n")
	if err := os.Chmod(filepath.Join(s.dir, "a.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	tr, untracked, err := l.Working(t.Context(), func(p string) bool { return p != "noise.log" })
	if err != nil || untracked != nil {
		t.Fatal(untracked, err)
	}
	want(t, map[string]string{"a.md": "a\r\n", "noise.log": "not ignored\n", "sub/b.md": "b\n"}, contents(t, tr))
	if err := fstest.TestFS(tr, "sub/b.md"); err != nil {
		t.Error(err)
	}
	if id, ok := tr.ID("noise.log"); !ok || id != BlobID([]byte("not ignored\n")) {
		t.Errorf("a file that was not hashed at once: %q, %v", id, ok)
	}
	if runtime.GOOS != "windows" && tr.Entries()[0].Mode != Executable {
		t.Errorf("mode %v", tr.Entries()[0].Mode)
	}
}

// No link leads out of the folder, also not one that is put there later (2A-38).
func TestAPlainFolderFollowsNoLinks(t *testing.T) {
	t.Parallel()
	s, l := plainSandbox(t)
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.write("a.md", "a\n")
	s.link(outside, "out.md")
	s.link(filepath.Dir(outside), "outdir")
	s.link("loop", "loop")
	s.link("a.md", "in.md")
	tr, _, err := l.Working(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want(t, map[string]string{"a.md": "a\n", "out.md": "120000", "outdir": "120000", "loop": "120000", "in.md": "120000"}, contents(t, tr))
	if id, _ := tr.ID("out.md"); id != BlobID([]byte(outside)) {
		t.Error("a link's id is not that of its target path")
	}
	if err := os.Remove(filepath.Join(s.dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	s.link(outside, "a.md")
	if data, err := fs.ReadFile(tr, "a.md"); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a file that became a link: %q, %v", data, err)
	}
}

func TestAFileThatChangesOrVanishesLaterIsAnError(t *testing.T) {
	t.Parallel()
	s, l := plainSandbox(t)
	s.write("a.md", "a\n")
	s.write("b.md", "b\n")
	tr, _, err := l.Working(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.write("a.md", "other\n")
	if err := os.Remove(filepath.Join(s.dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.md", "b.md"} {
		if _, err := fs.ReadFile(tr, name); !errors.Is(err, ErrUnreadable) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOutsideGitThereAreNoRevisions(t *testing.T) {
	t.Parallel()
	_, l := plainSandbox(t)
	_, rev := l.Revision(t.Context(), "HEAD")
	_, commit := l.Commit(t.Context(), "HEAD")
	_, staged := l.Staged(t.Context())
	for _, err := range []error{rev, commit, staged} {
		if !errors.Is(err, ErrNotGit) || !strings.Contains(err.Error(), "leave --base out") {
			t.Error(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestAFolderThatCannotBeListedIsNotEmpty(t *testing.T) {
	t.Parallel()
	s, l := plainSandbox(t)
	s.write("shut/a.md", "a\n")
	shut := filepath.Join(s.dir, "shut")
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(shut, 0o755) })
	if _, err := os.ReadDir(shut); err == nil {
		t.Skip("SKIP: this user can read every folder")
	}
	if _, _, err := l.Working(t.Context(), nil); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
