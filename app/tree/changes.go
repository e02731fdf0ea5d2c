package tree

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// StagedChanges lists the regular files of the index whose content HEAD has not
// at the same path, in the order of git: what the next commit would bring. A
// repository without commits brings everything. Deleted files, changes of mode
// alone, links and submodules are not listed.
//
// Unlike those of a tree, the paths are relative to the working tree's top, which
// the Local may lie below, and are git's own bytes, not always UTF-8. Inside a
// hook of git the index is the one that the hook's commit uses. [Local.Blob]
// reads the contents.
func (l *Local) StagedChanges(ctx context.Context) ([]Entry, error) {
	list, err := l.stagedChanges(ctx)
	if err != nil {
		return nil, fmt.Errorf("tree.StagedChanges: %w", err)
	}
	return list, nil
}

func (l *Local) stagedChanges(ctx context.Context) ([]Entry, error) {
	if l.repo == nil {
		return nil, ErrNotGit
	}
	if l.repo.bare {
		return nil, ErrNoWorkingTree
	}
	head, err := l.resolve(ctx, "HEAD", "^{tree}")
	if errors.Is(err, ErrNoRevision) { // no commit yet
		head, err = l.repo.emptyTree(ctx)
	}
	if err != nil {
		return nil, err
	}
	g, done, err := l.repo.copyIndex(hookIndex(l.repo.index, l.root))
	if err != nil {
		return nil, err
	}
	defer done()
	out, err := g.run(ctx, nil, "-c", "diff.relative=false", "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", head)
	if err != nil {
		return nil, fmt.Errorf("%w: git could not compare the index with HEAD", err)
	}
	return parseChanges(out)
}

// emptyTree is the id of a tree of nothing, which depends on the repository's hash.
func (r *repository) emptyTree(ctx context.Context) (string, error) {
	out, err := r.git.run(ctx, nil, "hash-object", "-t", "tree", "--stdin")
	return strings.TrimSpace(string(out)), err
}

// errUnmerged: the index holds several versions of a path, none of which would be committed.
var errUnmerged = errors.New("the index holds an unfinished merge; finish or abort it (git status shows it)")

// parseChanges reads raw diff output: ":mode mode id id status<NUL>path<NUL>".
func parseChanges(out []byte) (list []Entry, err error) {
	parts := split(out)
	if len(parts)%2 != 0 {
		return nil, errors.New("git diff-index: an answer of an unknown form")
	}
	for i := 0; i < len(parts); i += 2 {
		words := strings.Fields(strings.TrimPrefix(parts[i], ":"))
		if len(words) != 5 || !hexID(words[2]) || !hexID(words[3]) {
			return nil, errors.New("git diff-index: an answer of an unknown form")
		}
		switch words[4] {
		case "U":
			return nil, errUnmerged
		case "D":
			continue
		}
		mode, err := ParseMode(words[1])
		if err != nil {
			return nil, fmt.Errorf("git diff-index: %w", err)
		}
		before, err := ParseMode(words[0])
		wasFile := err == nil && (before == Regular || before == Executable) // a new path was nothing, 000000
		if (mode == Regular || mode == Executable) && !(wasFile && words[2] == words[3]) {
			list = append(list, Entry{Path: parts[i+1], Mode: mode, ID: words[3]})
		}
	}
	return list, nil
}

// Blob reads a blob by its id. Its errors wrap [ErrUnreadable].
func (l *Local) Blob(id string) ([]byte, error) {
	if l.repo == nil {
		return nil, fmt.Errorf("tree.Blob: %w", ErrNotGit)
	}
	data, _, err := l.repo.content.ask(id)
	if err != nil {
		return nil, fmt.Errorf("tree.Blob: %w", unreadable(err))
	}
	return data, nil
}
