package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func opened(t *testing.T) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root, dir
}

// Whoever appends at the same time sees what the others wrote, and no line is lost: also
// where the file is not there at first and some of them fail.
func TestManyAppendAtOnce(t *testing.T) {
	t.Parallel()
	root, dir := opened(t)
	const name, many = "a/b/list", 60
	failed := errors.New("no")
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			err := Append(t.Context(), root, name, func(old []byte) ([]byte, error) {
				if i%3 == 0 {
					return nil, failed
				}
				return fmt.Appendf(nil, "%d %d\n", strings.Count(string(old), "\n"), i), nil
			})
			if (i%3 == 0) != errors.Is(err, failed) {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	wg.Wait()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for n, line := range lines {
		if !strings.HasPrefix(line, fmt.Sprint(n, " ")) {
			t.Errorf("line %d was written by one who saw less: %q", n, line)
		}
	}
	if len(lines) != many*2/3 {
		t.Errorf("%d lines, want %d", len(lines), many*2/3)
	}
}

func TestWhatIsNotAppended(t *testing.T) {
	t.Parallel()
	root, dir := opened(t)
	refuses := func([]byte) ([]byte, error) { return nil, errors.New("no") }
	if err := Append(t.Context(), root, "new/list", refuses); err == nil {
		t.Error("an error is lost")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.Symlink("elsewhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{"link": ErrSymlink, "../x": ErrBadName, ".git/x": ErrBadName} {
		if err := Append(t.Context(), root, name, func([]byte) ([]byte, error) { return []byte("x"), nil }); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// Who waits for a lock gives up when nobody wants the line any more.
func TestWaitingForALockEnds(t *testing.T) {
	t.Parallel()
	root, _ := opened(t)
	var order []string
	err := Append(t.Context(), root, "list", func([]byte) ([]byte, error) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := Append(ctx, root, "list", nil); !errors.Is(err, context.Canceled) {
			t.Skipf("no locks here: %v", err)
		}
		order = append(order, "outer")
		return []byte("x\n"), nil
	})
	if err != nil || !slices.Equal(order, []string{"outer"}) {
		t.Errorf("%v, %v", err, order)
	}
}
