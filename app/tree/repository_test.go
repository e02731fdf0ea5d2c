package tree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestARepositoryWithoutACommit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	l := s.open(".")
	s.write("a.md", "a\n")
	got, untracked := working(t, l, nil)
	want(t, map[string]string{"a.md": "a\n"}, got)
	want(t, []string{"a.md"}, untracked)
	if _, err := l.Revision(t.Context(), "HEAD"); !errors.Is(err, ErrNoRevision) {
		t.Error(err)
	}
}

func TestRevisionsThatAreNone(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a", "x")
	s.commit()
	l := s.open(".")
	for _, rev := range []string{"", "nowhere", "--all", "-h", "--git-dir", "HEAD:a", "HEAD\nHEAD", strings.Repeat("0", 40)} {
		if _, err := l.Revision(t.Context(), rev); !errors.Is(err, ErrNoRevision) {
			t.Errorf("Revision(%q): %v", rev, err)
		}
		if _, err := l.Commit(t.Context(), rev); !errors.Is(err, ErrNoRevision) {
			t.Errorf("Commit(%q): %v", rev, err)
		}
	}
}

func TestAShallowCloneIsEnough(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a.md", "one\n")
	s.commit()
	s.write("a.md", "two\n")
	s.commit()
	clone := &sandbox{t, t.TempDir()}
	clone.git("clone", "-q", "--depth=1", "file://"+s.dir, ".")
	rev, err := clone.open(".").Revision(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	want(t, map[string]string{"a.md": "two\n"}, contents(t, rev))
}

func TestAMissingObjectIsAnErrorAndTheRestIsRead(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a.md", "lost\n")
	s.write("b.md", "kept\n")
	s.commit()
	id := BlobID([]byte("lost\n"))
	if err := os.Remove(filepath.Join(s.dir, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	rev, err := s.open(".").Revision(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	_, err = fs.ReadFile(rev, "a.md")
	if !errors.Is(err, ErrUnreadable) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadFile of a lost object: %v", err)
	}
	if _, err := fs.Stat(rev, "a.md"); !errors.Is(err, ErrUnreadable) {
		t.Errorf("Stat of a lost object: %v", err)
	}
	if data, err := fs.ReadFile(rev, "b.md"); err != nil || string(data) != "kept\n" {
		t.Errorf("the next file: %q, %v", data, err)
	}
}

func TestManyReadersShareOneProcess(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for _, name := range strings.Split("abcdefghij", "") {
		s.write(name, strings.Repeat(name, 10_000))
	}
	s.commit()
	l := s.open(".")
	rev, err := l.Revision(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, e := range rev.Entries() {
		wg.Go(func() {
			for range 20 {
				data, err := fs.ReadFile(rev, e.Path)
				if err != nil || BlobID(data) != e.ID {
					t.Errorf("%s: %d bytes, %v", e.Path, len(data), err)
				}
			}
		})
	}
	wg.Wait()
	// A process that died is replaced.
	l.repo.content.mu.Lock()
	_ = l.repo.content.cmd.Process.Kill()
	_ = l.repo.content.cmd.Wait()
	l.repo.content.mu.Unlock()
	_, first := fs.ReadFile(rev, "a")
	_, second := fs.ReadFile(rev, "a")
	if first == nil || second != nil {
		t.Errorf("after the process died: %v, then %v", first, second)
	}
	dir := l.repo.scratchDir
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Error(err)
	}
	if _, err := fs.ReadFile(rev, "a"); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the temporary folder stays: %v", err)
	}
}

func TestAnUnfinishedMergeSaysWhatToDo(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a", "base\n")
	s.commit()
	s.git("checkout", "-q", "-b", "other")
	s.write("a", "other\n")
	s.commit()
	s.git("checkout", "-q", "main")
	s.write("a", "main\n")
	s.commit()
	cmd := exec.Command("git", "-c", "user.name=T", "-c", "user.email=t@example.com", "merge", "-q", "other")
	cmd.Dir = s.dir
	if cmd.Run() == nil {
		t.Fatal("the merge should conflict")
	}
	if _, err := s.open(".").Staged(t.Context()); err == nil || !strings.Contains(err.Error(), "unfinished merge") {
		t.Error(err)
	}
}

func TestGitsOwnErrorsCarryNoFileContent(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("config", "filter.leak.clean", "cat >&2; exit 1")
	s.git("config", "filter.leak.required", "true")
	s.write(".gitattributes", "*.md filter=leak\n")
	s.commit()
	s.write("a.md", "confidential words\n")
	_, _, err := s.open(".").Working(t.Context(), all)
	if err == nil || strings.Contains(err.Error(), "confidential") {
		t.Error(err)
	}
}

func TestABareRepositoryIsRefused(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a", "x")
	s.commit()
	bare := t.TempDir()
	s.git("clone", "-q", "--bare", s.dir, bare)
	if _, err := Open(t.Context(), bare); !errors.Is(err, ErrNoWorkingTree) {
		t.Error(err)
	}
}

// A folder that a repository tracks may have the form of a bare repository, with a
// configuration that names programs. Nothing of it is believed, or looking at a
// clone would run what its author chose.
func TestATrackedRepositoryRunsNothing(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	proof := filepath.Join(t.TempDir(), "ran")
	s.write("sub/HEAD", "ref: refs/heads/main\n")
	s.write("sub/refs/.keep", "")
	s.write("sub/objects/.keep", "")
	s.write("sub/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n[filter \"x\"]\n\tclean = touch "+proof+" && cat\n")
	s.write("sub/.gitattributes", "* filter=x\n")
	s.write("sub/s/SKILL.md", "# S\n")
	s.commit()
	l, err := Open(t.Context(), filepath.Join(s.dir, "sub"))
	if err == nil {
		defer l.Close()
		_, _, err = l.Working(t.Context(), all)
	}
	if _, ran := os.Stat(proof); ran == nil {
		t.Error("a program of the tracked folder's configuration was run")
	}
	if !errors.Is(err, ErrNoWorkingTree) {
		t.Errorf("got %v, want it refused", err)
	}
}

func TestOpenRefusesWhatIsNoFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{file, file + "-missing"} {
		if _, err := Open(context.Background(), root); err == nil {
			t.Errorf("Open(%q) = nil error", root)
		}
	}
}

// A damaged repository is an error, never a plain folder.
func TestADamagedRepositoryIsNotAPlainFolder(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIP: no git on the PATH")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: /nowhere/at/all\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if l, err := Open(t.Context(), dir); err == nil {
		t.Errorf("Open = %+v, want an error", l)
	}
}

// Hooks of git commit -a see the commit's own index; the variable of another
// repository is not believed. Not parallel: it sets the environment.
func TestHooksSeeTheirIndex(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "one\n")
	s.commit()
	s.write("a", "two\n")
	hook := filepath.Join(s.dir, ".git", "next-index-1.lock")
	if err := copyFile(hook, filepath.Join(s.dir, ".git", "index")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "add", "a")
	cmd.Dir, cmd.Env = s.dir, append(gitEnv(os.Environ()), "GIT_INDEX_FILE="+hook)
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	other := newSandbox(t)
	other.write("b", "b")
	other.commit()
	for name, index := range map[string]string{
		"two\n": ".git/next-index-1.lock",
		"one\n": filepath.Join(other.dir, ".git", "index"),
	} {
		t.Setenv("GIT_INDEX_FILE", index)
		t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
		staged, err := s.open(".").Staged(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want(t, map[string]string{"a": name}, contents(t, staged))
	}
}
