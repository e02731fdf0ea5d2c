package shelf

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

func shelved(t *testing.T) *Shelf {
	t.Helper()
	return Open(filepath.Join(t.TempDir(), "cache", "indexes"))
}

func keep(t *testing.T, s *Shelf, name, text string) {
	t.Helper()
	if err := s.Keep(name, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsKeptIsThereForItsUserAlone(t *testing.T) {
	t.Parallel()
	s := shelved(t)
	if s.Load("a") != nil {
		t.Error("something stands in a folder that is not there")
	}
	keep(t, s, "a", "first")
	keep(t, s, "b", "other")
	keep(t, s, "a", "second")
	if got := s.Load("a"); string(got) != "second" {
		t.Errorf("%q", got)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for name, want := range map[string]fs.FileMode{"": 0o700, "a": 0o600, "b": 0o600} {
		info, err := os.Stat(filepath.Join(s.dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
	if names, _ := filepath.Glob(filepath.Join(s.dir, "*")); len(names) != 2 {
		t.Errorf("files %q", names)
	}
}

func TestTheOldestGo(t *testing.T) {
	t.Parallel()
	s := shelved(t)
	day := time.Now()
	s.now = func() time.Time { return day }
	for i, name := range []string{"a", "b", "c", "d"} {
		keep(t, s, name, "0123456789")
		at := day.Add(time.Duration(i-4) * time.Minute)
		if err := os.Chtimes(filepath.Join(s.dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	left := func(most int64) (names string) {
		t.Helper()
		root, err := os.OpenRoot(s.dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if err := s.prune(root, most); err != nil {
			t.Fatal(err)
		}
		entries, _ := os.ReadDir(s.dir)
		for _, e := range entries {
			names += e.Name()
		}
		return names
	}
	s.Load("a") // which makes it the newest
	if got := left(35); got != "acd" {
		t.Errorf("of forty bytes, thirty-five: %s", got)
	}
	keep(t, s, "e.part", "x")
	day = day.Add(2 * time.Hour)
	keep(t, s, "f", "x")
	if got := left(100); got != "acdf" {
		t.Errorf("what was never finished: %s", got)
	}
	day = day.Add(mostAge + time.Hour)
	if got := left(100); got != "" {
		t.Errorf("after a month: %s", got)
	}
}

func TestAFolderThatOthersMayWriteToIsNotUsed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("SKIP: Windows tells by other means who may write")
	}
	s := shelved(t)
	keep(t, s, "a", "x")
	if err := os.Chmod(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if got := s.Load("a"); got != nil {
		t.Errorf("%q", got)
	}
	if err := s.Keep("a", []byte("y")); !errors.Is(err, ErrUnfit) {
		t.Error(err)
	}
	linked := Open(filepath.Join(t.TempDir(), "link"))
	if err := os.Symlink(t.TempDir(), linked.dir); err != nil {
		t.Fatal(err)
	}
	if err := linked.Keep("a", []byte("y")); !errors.Is(err, ErrUnfit) || linked.Load("a") != nil {
		t.Error(err)
	}
}

func TestALinkOutOfTheFolderIsNotRead(t *testing.T) {
	t.Parallel()
	s := shelved(t)
	keep(t, s, "a", "x")
	outside := filepath.Join(t.TempDir(), "outside")
	if err := errors.Join(os.WriteFile(outside, []byte("outside"), 0o600), os.Symlink(outside, filepath.Join(s.dir, "b"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b", "../indexes/a", "", ".", "none"} {
		if got := s.Load(name); got != nil {
			t.Errorf("%q: %q", name, got)
		}
	}
	keep(t, s, "b", "mine")
	if was, err := os.ReadFile(outside); err != nil || string(was) != "outside" || string(s.Load("b")) != "mine" {
		t.Errorf("%q, %v", was, err)
	}
}

func TestManyAtOnceReadWholeFiles(t *testing.T) {
	t.Parallel()
	s := shelved(t)
	keep(t, s, "a", "000000")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 20 {
				if err := s.Keep("a", bytes.Repeat([]byte(fmt.Sprint(i)), 6)); err != nil {
					t.Error(err)
				}
				if got := s.Load("a"); len(got) != 6 || !bytes.Equal(got, bytes.Repeat(got[:1], 6)) {
					t.Errorf("%q", got)
				}
			}
		})
	}
	group.Wait()
}

func TestWhatIsTooLargeIsNotKept(t *testing.T) {
	t.Parallel()
	s := shelved(t)
	if err := s.Keep("a", make([]byte, MostFile+1)); err != nil || s.Load("a") != nil {
		t.Error(err)
	}
}
