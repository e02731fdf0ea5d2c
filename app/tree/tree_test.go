package tree

import (
	"errors"
	"io/fs"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestBlobIDIsGits(t *testing.T) {
	t.Parallel()
	// git hash-object of an empty file and of "hello\n".
	for data, want := range map[string]string{
		"":        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
		"hello\n": "ce013625030ba8dba906f756967f9e9ca394464a",
	} {
		if got := BlobID([]byte(data)); got != want {
			t.Errorf("BlobID(%q) = %s, want %s", data, got, want)
		}
	}
}

func TestMemoryIsAnFS(t *testing.T) {
	t.Parallel()
	fsys := Memory(map[string][]byte{
		"SKILL.md":              []byte("root"),
		"skills/a/SKILL.md":     []byte("a"),
		"skills/a/empty":        nil,
		"skills/a/scripts/x.sh": []byte("echo"),
		"skills/ünïcode/日本.md":  []byte("wide"),
		"skills.md":             []byte("beside the folder"),
	})
	if err := fstest.TestFS(fsys, "SKILL.md", "skills/a/scripts/x.sh", "skills/ünïcode/日本.md", "skills.md"); err != nil {
		t.Fatal(err)
	}
}

func TestUnknownSizesAreLookedUp(t *testing.T) {
	t.Parallel()
	blobs := map[string][]byte{"1": []byte("one"), "2": nil}
	fsys, err := New([]Entry{{Path: "d/a", Mode: Regular, ID: "1"}, {Path: "d/b", Mode: Executable, ID: "2"}},
		func(id string) ([]byte, error) { return blobs[id], nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(fsys, "d/a", "d/b"); err != nil {
		t.Fatal(err)
	}
	if st, err := fs.Stat(fsys, "d/a"); err != nil || st.Size() != 3 {
		t.Errorf("Stat(d/a) = %v, %v; want size 3", st, err)
	}
}

// Links and submodules are shown and never followed or read (2A-38).
func TestLinksAndSubmodulesAreNamedNotFollowed(t *testing.T) {
	t.Parallel()
	fsys, err := New([]Entry{
		{Path: "skills/x/SKILL.md", Mode: Symlink, ID: "link"},
		{Path: "skills/sub", Mode: Submodule, ID: "commit"},
		{Path: "skills/x/run.sh", Mode: Executable, ID: "run", Size: 1},
		{Path: "skills", Mode: Directory, ID: "tree"},
	}, func(id string) ([]byte, error) {
		if id == "commit" {
			t.Error("a submodule's id was loaded as a blob")
		}
		return []byte("/etc/passwd"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{"skills/x/SKILL.md": ErrSymlink, "skills/sub": ErrSubmodule} {
		_, open := fsys.Open(name)
		_, read := fs.ReadFile(fsys, name)
		if !errors.Is(open, want) || !errors.Is(read, want) {
			t.Errorf("%s: Open %v, ReadFile %v; want %v", name, open, read, want)
		}
	}
	types := map[string]fs.FileMode{}
	_ = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			t.Error(err)
		}
		types[name] = d.Type()
		return nil
	})
	want := map[string]fs.FileMode{".": fs.ModeDir, "skills": fs.ModeDir, "skills/x": fs.ModeDir,
		"skills/x/SKILL.md": fs.ModeSymlink, "skills/sub": fs.ModeIrregular, "skills/x/run.sh": 0}
	if d := cmp.Diff(want, types); d != "" {
		t.Error(d)
	}
	if _, ok := fsys.ID("skills/sub"); ok {
		t.Error("a submodule has a blob id")
	}
	if id, ok := fsys.ID("skills/x/SKILL.md"); !ok || id != "link" {
		t.Errorf("ID of a link = %q, %v", id, ok)
	}
}

// Law 13: a file that cannot be had is not a file that is not there.
func TestALostBlobIsNotAMissingFile(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{errors.New("timeout"), fs.ErrNotExist, &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}} {
		fsys, err := New([]Entry{{Path: "a", Mode: Regular, ID: "1"}}, func(string) ([]byte, error) { return nil, cause })
		if err != nil {
			t.Fatal(err)
		}
		_, open := fsys.Open("a")
		_, read := fs.ReadFile(fsys, "a")
		_, stat := fs.Stat(fsys, "a")
		for _, err := range []error{open, read, stat} {
			if !errors.Is(err, ErrUnreadable) || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("cause %v: got %v", cause, err)
			}
		}
		if _, err := fsys.Open("b"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a path outside the tree: %v", err)
		}
	}
}

func TestEntriesThatNoTreeCanHold(t *testing.T) {
	t.Parallel()
	none := func(string) ([]byte, error) { return nil, nil }
	for name, list := range map[string][]Entry{
		"one path twice":               {{Path: "a", Mode: Regular}, {Path: "a", Mode: Symlink}},
		"a file below a file":          {{Path: "a", Mode: Regular}, {Path: "a/b", Mode: Regular}},
		"a file where a folder stands": {{Path: "a/b/c", Mode: Regular}, {Path: "a", Mode: Regular}},
	} {
		if _, err := New(list, none); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	fsys, err := New([]Entry{{Path: "ok", Mode: Regular}, {Path: "../up", Mode: Regular}, {Path: "bad\xff", Mode: Regular}, {Path: "a//b", Mode: Regular}}, none)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"../up", "a//b", "bad\xff"}, fsys.Odd()); d != "" {
		t.Error(d)
	}
	if got := Memory(map[string][]byte{"a": nil, "a/b": nil}).Odd(); len(got) != 1 {
		t.Errorf("a file below a file in memory: odd %q", got)
	}
}

func TestModesAreGits(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Mode{"100644": Regular, "100664": Regular, "100755": Executable, "120000": Symlink, "160000": Submodule, "040000": Directory, "40000": Directory} {
		if got, err := ParseMode(in); err != nil || got != want {
			t.Errorf("ParseMode(%q) = %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "100600", "rw-r--r--", "-1"} {
		if m, err := ParseMode(in); err == nil {
			t.Errorf("ParseMode(%q) = %v, want an error", in, m)
		}
	}
	if Directory.String() != "040000" {
		t.Error(Directory.String())
	}
}

// The id of a level is git's, whatever its order; git sorts "a" before "a-b" as a
// file and after it as a folder.
func TestALevelsIDIsGits(t *testing.T) {
	t.Parallel()
	const blob, none = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	if id := ID(nil); id != none {
		t.Errorf("an empty tree: %s", id)
	}
	level := []Entry{{Path: "a-b", Mode: Regular, ID: blob}, {Path: "a", Mode: Directory, ID: none}, {Path: "z", Mode: Symlink, ID: blob}}
	cmd := exec.Command("git", "mktree", "--missing")
	cmd.Dir = t.TempDir()
	cmd.Stdin = strings.NewReader("100644 blob " + blob + "\ta-b\n040000 tree " + none + "\ta\n120000 blob " + blob + "\tz\n")
	if out, err := exec.Command("git", "init", "--quiet", "--object-format=sha1", cmd.Dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v %s", err, out)
	}
	want, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if id := ID(level); id != strings.TrimSpace(string(want)) {
		t.Errorf("ID = %s, git says %s", id, want)
	}
	if id := ID([]Entry{{Path: "a", Mode: Regular, ID: blob + none[:24]}}); id != "" {
		t.Errorf("an id that is no SHA-1: %s", id)
	}
}
