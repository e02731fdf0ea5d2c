package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Working is what git would commit of the folder as it lies there: the index,
// with changed, deleted and untracked but not ignored paths taken in. Git itself
// takes them in, so line endings, attributes and clean filters apply. An
// untracked file for which relevant is false is listed and not taken in: it is
// there, but [ErrUnreadable], and its id is no other file's. The repository's
// index and objects are not touched; a clean filter such as git-lfs may write its
// own files.
//
// The untracked paths are returned, sorted, so that a command can name them. An
// untracked repository inside the folder is listed as a submodule and not read.
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
	changed, untracked, nested, err := pending(ctx, g)
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
	taken, left := part(untracked, relevant)
	if err := stage(ctx, g, slices.Concat(there, taken)); err != nil {
		return nil, nil, err
	}
	t, err := r.written(ctx, g)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range nested {
		if err := t.graft(Entry{Path: name, Mode: Submodule}); err != nil {
			return nil, nil, err
		}
	}
	if err := t.leave(dir, left); err != nil {
		return nil, nil, err
	}
	t.sortAll()
	return t, untracked, nil
}

// leave lists untracked files without their content. Their ids are made of their
// names, so that they are equal to nothing that git has.
func (t *Tree) leave(dir string, names []string) error {
	ids := make(map[string]bool, len(names))
	for _, name := range names {
		st, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return &fs.PathError{Op: "stat", Path: name, Err: unreadable(err)}
		}
		e := Entry{Path: name, Mode: Regular, ID: BlobID([]byte("untracked, not taken in: " + name)), Size: st.Size()}
		if err := t.graft(e); err != nil {
			return err
		}
		ids[e.ID] = true
	}
	load := t.load
	t.load = func(e Entry) ([]byte, error) {
		if ids[e.ID] {
			return nil, errLeft
		}
		return load(e)
	}
	return nil
}

var errLeft = errors.New("the file is untracked and was not taken in; run git add on it first")

// part splits paths into those that are relevant and the others.
func part(paths []string, relevant func(string) bool) (yes, no []string) {
	for _, name := range paths {
		if relevant(name) {
			yes = append(yes, name)
		} else {
			no = append(no, name)
		}
	}
	return yes, no
}

// pending lists the paths that differ from the index: tracked ones,
// untracked files, and untracked repositories. All are sorted and relative to
// the Local's root, which is where git runs.
func pending(ctx context.Context, g git) (changed, untracked, nested []string, err error) {
	out, err := g.run(ctx, nil, "ls-files", "-z", "-m")
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: git could not compare the folder with its index", err)
	}
	changed = split(out)
	out, err = g.run(ctx, nil, "ls-files", "-z", "-o", "--exclude-standard")
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: git could not list the untracked files", err)
	}
	for _, name := range split(out) {
		// Git ends the name of an embedded repository with a slash.
		name, repo := strings.CutSuffix(name, "/")
		if repo {
			nested = append(nested, name)
		} else {
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

// graft adds to a finished tree what git was not asked to take in, unless it
// did: a folder where a file was is taken in whole. sortAll comes after it.
func (t *Tree) graft(e Entry) error {
	if !fs.ValidPath(e.Path) {
		t.odd = append(t.odd, e.Path)
		return nil
	}
	if t.nodes[e.Path] != nil {
		return nil
	}
	return t.add(e)
}
