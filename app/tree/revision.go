package tree

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Revision is the tree of a commit, tag, branch or tree, below the Local's root.
// Only that tree has to be there: a clone of depth 1 is enough. It fails with
// [ErrNotGit] outside git and with [ErrNoRevision] where git does not know rev.
func (l *Local) Revision(ctx context.Context, rev string) (*Tree, error) {
	id, err := l.resolve(ctx, rev, "^{tree}")
	if err != nil {
		return nil, fmt.Errorf("tree.Revision: %w", err)
	}
	t, err := l.repo.list(ctx, l.repo.git, id)
	if err != nil {
		return nil, fmt.Errorf("tree.Revision: %w", err)
	}
	return t, nil
}

// Commit is the id of the commit that rev names, with the errors of Revision.
func (l *Local) Commit(ctx context.Context, rev string) (string, error) {
	id, err := l.resolve(ctx, rev, "^{commit}")
	if err != nil {
		return "", fmt.Errorf("tree.Commit: %w", err)
	}
	return id, nil
}

// resolve turns rev into an object id. A rev that looks like an option is
// refused here and by --end-of-options, which git before 2.30 does not know.
func (l *Local) resolve(ctx context.Context, rev, kind string) (string, error) {
	if l.repo == nil {
		return "", ErrNotGit
	}
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\x00\n") {
		return "", ErrNoRevision
	}
	out, err := l.repo.git.run(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+kind)
	var fail *gitError
	if errors.As(err, &fail) && fail.exit > 0 {
		return "", ErrNoRevision
	}
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(out))
	if !hexID(id) {
		return "", ErrNoRevision
	}
	return id, nil
}

// Staged is the tree that git commit would write now: the index. Inside a hook
// of git it is the index that the hook's commit uses. The repository's own index
// and objects are not touched.
func (l *Local) Staged(ctx context.Context) (*Tree, error) {
	if l.repo == nil {
		return nil, fmt.Errorf("tree.Staged: %w", ErrNotGit)
	}
	g, done, err := l.repo.copyIndex(hookIndex(l.repo.index, l.root))
	if err != nil {
		return nil, fmt.Errorf("tree.Staged: %w", err)
	}
	defer done()
	t, err := l.repo.written(ctx, g)
	if err != nil {
		return nil, fmt.Errorf("tree.Staged: %w", err)
	}
	return t, nil
}

// written writes the tree of g's index and lists it.
func (r *repository) written(ctx context.Context, g git) (*Tree, error) {
	out, err := g.run(ctx, nil, "write-tree")
	if err != nil {
		return nil, fmt.Errorf("%w: git cannot write a tree of the index; finish or abort an unfinished merge (git status shows it)", err)
	}
	id := strings.TrimSpace(string(out))
	if !hexID(id) {
		return nil, errors.New("git write-tree: an answer of an unknown form")
	}
	return r.list(ctx, g, id)
}

// list reads the entries of a tree object below the Local's prefix.
func (r *repository) list(ctx context.Context, g git, id string) (*Tree, error) {
	args := []string{"ls-tree", "-r", "-z", "--full-tree", id}
	if r.prefix != "" {
		args = append(args, "--", r.prefix)
	}
	out, err := g.run(ctx, nil, args...)
	if err != nil {
		return nil, fmt.Errorf("%w: the tree could not be listed; in a shallow or partial clone fetch it first", err)
	}
	entries, err := parseEntries(out, r.prefix)
	if err != nil {
		return nil, err
	}
	return r.tree(entries)
}

// tree is a tree whose blobs are read through git.
func (r *repository) tree(entries []Entry) (*Tree, error) {
	t, err := New(entries, func(id string) ([]byte, error) {
		data, _, err := r.content.ask(id)
		return data, err
	})
	if err != nil {
		return nil, err
	}
	t.size = func(e Entry) (int64, error) {
		_, size, err := r.sizes.ask(e.ID)
		return size, err
	}
	return t, nil
}

// parseEntries reads the output of ls-tree -z: "mode type id<tab>path<NUL>".
func parseEntries(out []byte, prefix string) ([]Entry, error) {
	lines := split(out)
	entries := make([]Entry, 0, len(lines))
	for _, line := range lines {
		head, name, ok := strings.Cut(line, "\t")
		words := strings.Fields(head)
		name, below := strings.CutPrefix(name, prefix)
		if !ok || len(words) != 3 || !below || !hexID(words[2]) {
			return nil, errors.New("git ls-tree: an answer of an unknown form")
		}
		mode, err := ParseMode(words[0])
		if err != nil {
			return nil, fmt.Errorf("git ls-tree: %w", err)
		}
		entries = append(entries, Entry{Path: name, Mode: mode, ID: words[2]})
	}
	return entries, nil
}
