package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Local is a folder on disk: a git repository, a subfolder of one, or a plain
// folder. Its trees read blobs lazily through it, so Close it last.
type Local struct {
	root string
	repo *repository // nil outside git
}

// repository is where git keeps things for a Local, and what was made beside it.
type repository struct {
	git     git
	prefix  string // of root below the working tree's top, "" or "a/b/"
	index   string // the index file
	objects string // the object folder
	bare    bool

	scratchOnce sync.Once
	scratchDir  string
	scratchErr  error

	content *blobs // git cat-file --batch
	sizes   *blobs // git cat-file --batch-check
}

// Open opens a folder. Where git finds a repository around it, the Local reads
// through git and paths are relative to root; elsewhere files are read as they
// lie there. A repository that git refuses (its owner, damage) is an error and
// not a plain folder.
//
// The context bounds the whole life of the Local: once it is done, trees of the
// Local stop loading.
func Open(ctx context.Context, root string) (*Local, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("tree.Open: the folder cannot be made absolute: %w", err)
	}
	st, err := os.Stat(abs)
	if err != nil {
		return nil, fmt.Errorf("tree.Open: the folder cannot be read; give an existing one as --root: %w", err)
	}
	if !st.IsDir() {
		return nil, fmt.Errorf("tree.Open: --root is a file; give the folder that holds it")
	}
	repo, err := discover(ctx, abs)
	if err != nil {
		return nil, fmt.Errorf("tree.Open: %w", err)
	}
	return &Local{root: abs, repo: repo}, nil
}

// discover asks git for the repository around root; nil, nil outside of one.
func discover(ctx context.Context, root string) (*repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		if gitAbove(root) {
			return nil, errors.New("the folder is in a git repository, but no git was found on the PATH; install git")
		}
		return nil, nil
	}
	g := git{dir: root}
	out, err := g.run(ctx, nil, "rev-parse", "--is-inside-work-tree", "--git-path", "index", "--git-path", "objects", "--show-prefix")
	var fail *gitError
	if errors.As(err, &fail) {
		if strings.Contains(fail.stderr, "not a git repository (or any") {
			return nil, nil
		}
		if strings.Contains(fail.stderr, "safe.bareRepository") {
			return nil, ErrNoWorkingTree
		}
		// Only paths and advice can stand in this message.
		return nil, fmt.Errorf("%w: %s", err, fail.stderr)
	}
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) < 4 || len(lines) > 5 {
		return nil, errors.New("git rev-parse: an answer of an unknown form (a line break in the folder's path?)")
	}
	r := &repository{git: g, index: within(root, lines[1]), objects: within(root, lines[2]), prefix: lines[3]}
	r.bare = lines[0] != "true"
	r.content = &blobs{start: r.batch(ctx, "--batch"), body: true}
	r.sizes = &blobs{start: r.batch(ctx, "--batch-check")}
	return r, nil
}

// within reads a path as git prints it: absolute, or relative to where git ran.
func within(root, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(root, name)
}

// gitAbove reports whether root or a folder above it holds .git.
func gitAbove(root string) bool {
	for dir := root; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// Git reports whether the folder lies in a git repository.
func (l *Local) Git() bool { return l.repo != nil }

// Prefix is the folder's path below the top of its working tree, with a slash at
// its end; "" at the top and outside git.
func (l *Local) Prefix() string {
	if l.repo == nil {
		return ""
	}
	return l.repo.prefix
}

// Root is the absolute path of the folder.
func (l *Local) Root() string { return l.root }

// Close ends the git processes and removes temporary files. Trees of the Local
// cannot be read afterwards. It may be called again.
func (l *Local) Close() error {
	r := l.repo
	if r == nil {
		return nil
	}
	r.content.close()
	r.sizes.close()
	r.scratchOnce.Do(func() { r.scratchErr = ErrClosed })
	if r.scratchDir == "" {
		return nil
	}
	if err := os.RemoveAll(r.scratchDir); err != nil {
		return fmt.Errorf("tree.Close: a temporary folder stays behind: %w", err)
	}
	return nil
}

// scratch is the folder for copies of the index and for objects that only a
// working tree has. It is private: those objects hold file contents.
func (r *repository) scratch() (string, error) {
	r.scratchOnce.Do(func() {
		dir, err := os.MkdirTemp("", "cardkeeper-")
		if err == nil {
			r.scratchDir = dir
			err = os.Mkdir(filepath.Join(dir, "objects"), 0o700)
		}
		r.scratchErr = err
	})
	if r.scratchErr != nil {
		return "", fmt.Errorf("a temporary folder is needed: %w", r.scratchErr)
	}
	return r.scratchDir, nil
}

// scratchGit is git that writes objects to the scratch folder and reads those of
// the repository as well.
func (r *repository) scratchGit() (git, error) {
	dir, err := r.scratch()
	if err != nil {
		return git{}, err
	}
	return r.git.with(
		"GIT_OBJECT_DIRECTORY="+filepath.Join(dir, "objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES="+quoteAlternate(r.objects),
	), nil
}

// quoteAlternate writes one path for a list that git splits at the list
// separator: quoted, so that a separator inside the path is not one.
func quoteAlternate(path string) string {
	if !strings.ContainsAny(path, `"`+string(os.PathListSeparator)) {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}

// batch starts the reader process over both object folders.
func (r *repository) batch(ctx context.Context, how string) func() (*exec.Cmd, error) {
	return func() (*exec.Cmd, error) {
		g, err := r.scratchGit()
		if err != nil {
			return nil, err
		}
		return g.command(ctx, "cat-file", how), nil
	}
}
