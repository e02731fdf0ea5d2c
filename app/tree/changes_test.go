package tree

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Only files that are new to their path are listed, from the top of the
// repository, with the names that git has.
func TestStagedChanges(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a/kept.md", "kept\n")
	s.write("a/moved.md", "moved\n")
	s.commit()
	s.write("a/kept.md", "changed\n")
	s.write("b\xff.md", "no UTF-8 in the name\n")
	s.git("mv", "a/moved.md", "c.md")
	s.git("add", "-A")
	s.write("a/kept.md", "not staged\n")
	index, objects := s.snapshot()
	for _, below := range []string{".", "a"} {
		l := s.open(below)
		list, err := l.StagedChanges(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, e := range list {
			data, err := l.Blob(e.ID)
			if err != nil {
				t.Fatal(err)
			}
			got[e.Path] = string(data)
		}
		want(t, map[string]string{"a/kept.md": "changed\n", "b\xff.md": "no UTF-8 in the name\n", "c.md": "moved\n"}, got)
	}
	after, objectsAfter := s.snapshot()
	want(t, index, after)
	want(t, objects, objectsAfter)
}

func TestStagedChangesThatCannotBeTold(t *testing.T) {
	t.Parallel()
	plain, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.StagedChanges(t.Context()); !errors.Is(err, ErrNotGit) {
		t.Errorf("outside git: %v", err)
	}
	if _, err := plain.Blob(BlobID(nil)); !errors.Is(err, ErrNotGit) {
		t.Errorf("a blob outside git: %v", err)
	}
	s := newSandbox(t)
	s.write("a.md", "a\n")
	s.commit()
	s.write("a.md", "b\n")
	s.git("add", "-A")
	l := s.open(".")
	lost := BlobID([]byte("b\n"))
	if err := os.Remove(filepath.Join(s.dir, ".git", "objects", lost[:2], lost[2:])); err != nil {
		t.Fatal(err)
	}
	list, err := l.StagedChanges(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d changes, %v", len(list), err)
	}
	if _, err := l.Blob(list[0].ID); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a lost blob: %v", err)
	}
	for text, fine := range map[string]bool{
		"": true, ":x\x00a\x00": false, ":000000 100644 0 0 A\x00": false, "a\x00b\x00c\x00": false,
	} {
		if _, err := parseChanges([]byte(text)); (err == nil) != fine {
			t.Errorf("%q: %v", text, err)
		}
	}
}
