package tree

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sandbox is a real git repository in a temporary folder.
type sandbox struct {
	t   *testing.T
	dir string
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIP: no git on the PATH")
	}
	s := &sandbox{t, t.TempDir()}
	s.git("init", "-q", "-b", "main")
	return s
}

// git runs git with an identity and without the configuration of the machine.
func (s *sandbox) git(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = s.dir
	cmd.Env = append(gitEnv(os.Environ()), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *sandbox) write(name, data string) {
	s.t.Helper()
	file := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) link(target, name string) {
	s.t.Helper()
	if err := os.Symlink(target, filepath.Join(s.dir, name)); err != nil {
		s.t.Skip("SKIP: symbolic links cannot be made here")
	}
}

func (s *sandbox) commit() string {
	s.t.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "x", "--allow-empty")
	return s.git("rev-parse", "HEAD")
}

// open opens a folder of the sandbox and closes it with the test.
func (s *sandbox) open(sub string) *Local {
	s.t.Helper()
	l, err := Open(s.t.Context(), filepath.Join(s.dir, sub))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = l.Close() })
	return l
}

// contents reads a whole tree; links and submodules show as their mode, and
// files that are listed alone as such.
func contents(t *testing.T, tr *Tree) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, e := range tr.Entries() {
		if e.Mode == Symlink || e.Mode == Submodule {
			got[e.Path] = e.Mode.String()
			continue
		}
		data, err := fs.ReadFile(tr, e.Path)
		if errors.Is(err, errLeft) && errors.Is(err, ErrUnreadable) {
			got[e.Path] = "listed"
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got[e.Path] = string(data)
		if id := BlobID(data); e.ID != "" && e.ID != id {
			t.Errorf("%s: id %s, content hashes to %s", e.Path, e.ID, id)
		}
	}
	return got
}

func all(string) bool { return true }

func working(t *testing.T, l *Local, relevant func(string) bool) (map[string]string, []string) {
	t.Helper()
	tr, untracked, err := l.Working(t.Context(), relevant)
	if err != nil {
		t.Fatal(err)
	}
	return contents(t, tr), untracked
}

func want[T any](t *testing.T, want, got T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// snapshot is the index and the list of objects of a repository.
func (s *sandbox) snapshot() (string, []string) {
	s.t.Helper()
	index, err := os.ReadFile(filepath.Join(s.dir, ".git", "index"))
	if err != nil {
		s.t.Fatal(err)
	}
	var objects []string
	_ = filepath.WalkDir(filepath.Join(s.dir, ".git", "objects"), func(name string, _ fs.DirEntry, _ error) error {
		objects = append(objects, name)
		return nil
	})
	return string(index), objects
}
