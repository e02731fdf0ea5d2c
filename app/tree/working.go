package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

// Working is what git would commit of the folder as it lies there: the index,
// with those changed, deleted and untracked but not ignored paths taken in for
// which relevant is true. Git itself takes them in, so line endings, attributes
// and clean filters apply. Paths that are not relevant stay as the index has
// them. The repository's index and objects are not touched; a clean filter such
// as git-lfs may write its own files.
//
// The untracked paths that were taken in are returned, sorted, so that a command
// can name them. An untracked repository inside the folder is listed as a
// submodule and not read.
//
// Outside git every regular file counts and untracked is nil; relevant files are
// hashed at once, and one that changes later fails to load.
func (l *Local) Working(ctx context.Context, relevant func(path string) bool) (*Tree, []string, error) {
	if relevant == nil {
		relevant = func(string) bool { return true }
	}
	if l.repo == nil {
		t, err := plainFolder(ctx, l.root, relevant)
		if err != nil {
			return nil, nil, fmt.Errorf("tree.Working: %w", err)
		}
		return t, nil, nil
	}
	t, untracked, err := l.repo.working(ctx, l.root, relevant)
	if err != nil {
		return nil, nil, fmt.Errorf("tree.Working: %w", err)
	}
	return t, untracked, nil
}

// working takes the pending paths into a copy of the index and lists its tree.
func (r *repository) working(ctx context.Context, dir string, relevant func(string) bool) (*Tree, []string, error) {
	if r.bare {
		return nil, nil, ErrNoWorkingTree
	}
	g, done, err := r.copyIndex(r.index)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	changed, untracked, nested, err := pending(ctx, g, relevant)
	if err != nil {
		return nil, nil, err
	}
	gone, there, err := absent(dir, changed)
	if err != nil {
		return nil, nil, err
	}
	if err := unstage(ctx, g, gone); err != nil {
		return nil, nil, err
	}
	if err := stage(ctx, g, slices.Concat(there, untracked)); err != nil {
		return nil, nil, err
	}
	t, err := r.written(ctx, g)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range nested {
		if err := t.graft(name); err != nil {
			return nil, nil, err
		}
	}
	return t, untracked, nil
}

// pending lists the relevant paths that differ from the index: tracked ones,
// untracked files, and untracked repositories. All are sorted and relative to
// the Local's root, which is where git runs.
func pending(ctx context.Context, g git, relevant func(string) bool) (changed, untracked, nested []string, err error) {
	out, err := g.run(ctx, nil, "ls-files", "-z", "-m")
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: git could not compare the folder with its index", err)
	}
	for _, name := range split(out) {
		if relevant(name) {
			changed = append(changed, name)
		}
	}
	out, err = g.run(ctx, nil, "ls-files", "-z", "-o", "--exclude-standard")
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: git could not list the untracked files", err)
	}
	for _, name := range split(out) {
		// Git ends the name of an embedded repository with a slash.
		name, repo := strings.CutSuffix(name, "/")
		switch {
		case !relevant(name):
		case repo:
			nested = append(nested, name)
		default:
			untracked = append(untracked, name)
		}
	}
	slices.Sort(changed)
	slices.Sort(untracked)
	return slices.Compact(changed), untracked, nested, nil
}

// absent parts paths into those that are gone from the folder and those that are
// there. A path whose parent folder became a symbolic link is gone: git add
// refuses it as "beyond a symbolic link", although a commit just drops it.
func absent(dir string, paths []string) (gone, there []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("the folder cannot be opened: %w", err)
	}
	defer root.Close()
	for _, name := range paths {
		_, err := root.Lstat(name)
		switch {
		case linked(root, name), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			gone = append(gone, name)
		case err != nil:
			return nil, nil, &fs.PathError{Op: "stat", Path: name, Err: unreadable(err)}
		default:
			there = append(there, name)
		}
	}
	return gone, there, nil
}

// linked reports whether a parent folder of name is a symbolic link.
func linked(root *os.Root, name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if st, err := root.Lstat(dir); err == nil && st.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// unstage drops paths from g's index.
func unstage(ctx context.Context, g git, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	stdin := []byte(strings.Join(paths, "\x00") + "\x00")
	if _, err := g.run(ctx, stdin, "update-index", "--force-remove", "-z", "--stdin"); err != nil {
		return fmt.Errorf("%w: git could not drop the deleted files from a copy of its index", err)
	}
	return nil
}

// stage takes paths into g's index. Git's message is not shown: a clean filter
// writes to it, and a filter reads file contents.
func stage(ctx context.Context, g git, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	stdin := []byte(strings.Join(paths, "\x00") + "\x00")
	_, err := g.run(ctx, stdin, "add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul")
	if err != nil {
		return fmt.Errorf("%w: git could not take in the changed files; try git add --dry-run on them (an unreadable file, a missing filter program, or a file that changed meanwhile)", err)
	}
	return nil
}

// graft adds an untracked repository to a finished tree, as git would commit it.
func (t *Tree) graft(name string) error {
	if !fs.ValidPath(name) {
		t.odd = append(t.odd, name)
		return nil
	}
	if err := t.add(Entry{Path: name, Mode: Submodule}); err != nil {
		return err
	}
	t.sortAll()
	return nil
}
