package tree

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A Past is what lies between two commits.
type Past struct {
	Total   int      // commits of the one that the other does not reach
	Commits []Commit // the newest of them, each after its parents
}

// A Commit is one of them. Of the trees the folders are left out that are the
// same in a parent; what is there is whole, as it is for a [Delta].
type Commit struct {
	ID      string
	Files   *Tree
	Parents []*Tree
}

// Past reads the commits that HEAD has and base has not, the newest most. It
// fails with [ErrShallow] where the clone does not hold all of them, and with
// the errors of Revision. It reads trees; blobs are read with the Local's trees.
func (l *Local) Past(ctx context.Context, base string, most int) (Past, error) {
	p, err := l.past(ctx, base, most)
	if err != nil {
		return Past{}, fmt.Errorf("tree.Past: %w", err)
	}
	return p, nil
}

func (l *Local) past(ctx context.Context, base string, most int) (p Past, err error) {
	from, err := l.resolve(ctx, base, "^{commit}")
	if err != nil {
		return p, err
	}
	head, err := l.resolve(ctx, "HEAD", "^{commit}")
	if err != nil {
		return p, err
	}
	if err := l.repo.reaches(ctx, from, head); err != nil {
		return p, err
	}
	out, err := l.repo.git.run(ctx, nil, "rev-list", "--count", head, "--not", from)
	if err != nil {
		return p, err
	}
	if p.Total, err = strconv.Atoi(strings.TrimSpace(string(out))); err != nil {
		return p, errors.New("git rev-list: an answer of an unknown form")
	}
	list, err := l.repo.between(ctx, from, head, most)
	if err != nil {
		return p, err
	}
	levels := map[string][]Entry{}
	for i := len(list) - 1; i >= 0; i-- {
		c, err := l.repo.commit(ctx, list[i], levels)
		if err != nil {
			return p, err
		}
		p.Commits = append(p.Commits, c)
	}
	return p, nil
}

// reaches makes sure that a shallow clone is deep enough: the two have a common
// commit, and no commit between them has lost its parents.
func (r *repository) reaches(ctx context.Context, from, head string) error {
	out, err := r.git.run(ctx, nil, "rev-parse", "--git-path", "shallow")
	if err != nil {
		return err
	}
	data, err := os.ReadFile(within(r.git.dir, strings.TrimSuffix(string(out), "\n")))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return errors.New("git's list of cut commits cannot be read")
	}
	var fail *gitError
	if _, err := r.git.run(ctx, nil, "merge-base", from, head); errors.As(err, &fail) && fail.exit == 1 {
		return ErrShallow
	} else if err != nil {
		return err
	}
	cut := map[string]bool{}
	for id := range strings.FieldsSeq(string(data)) {
		cut[id] = true
	}
	if cut[from] { // its history is cut off: where another road leads to the very first commit, older ones would pass for new
		roots, err := r.git.run(ctx, nil, "rev-list", "--max-parents=0", head, "--not", from)
		if err != nil {
			return err
		}
		if len(roots) > 0 {
			return ErrShallow
		}
	}
	out, err = r.git.run(ctx, nil, "rev-list", head, "--not", from)
	if err != nil {
		return err
	}
	for id := range strings.FieldsSeq(string(out)) {
		if cut[id] {
			return ErrShallow
		}
	}
	return nil
}

// between lists commits with their parents, newest first: "id parent parent".
func (r *repository) between(ctx context.Context, from, head string, most int) (list [][]string, err error) {
	out, err := r.git.run(ctx, nil, "rev-list", "--topo-order", "--parents", "--max-count="+strconv.Itoa(most), head, "--not", from)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		ids := strings.Fields(line)
		for _, id := range ids {
			if !hexID(id) {
				return nil, errors.New("git rev-list: an answer of an unknown form")
			}
		}
		list = append(list, ids)
	}
	return list, nil
}

// commit reads the levels in which a commit differs from its parents. Levels are
// kept by id: most are shared by many commits.
func (r *repository) commit(ctx context.Context, ids []string, levels map[string][]Entry) (c Commit, err error) {
	roots := make([]string, len(ids))
	for i, id := range ids {
		if roots[i], err = r.root(id); err != nil {
			return c, err
		}
	}
	d := NewDelta(roots[0], roots[1:])
	for wants := d.Wants(); len(wants) > 0; wants = d.Wants() {
		for _, id := range wants {
			if _, known := levels[id]; known {
				continue
			}
			if ctx.Err() != nil {
				return c, ctx.Err()
			}
			if levels[id], err = r.level(id); err != nil {
				return c, err
			}
		}
		d.Take(levels)
	}
	own, parents := d.Entries()
	c.ID = ids[0]
	if c.Files, err = r.tree(own); err != nil {
		return c, err
	}
	for _, p := range parents {
		t, err := r.tree(p)
		if err != nil {
			return c, err
		}
		c.Parents = append(c.Parents, t)
	}
	return c, nil
}

// root is the tree of a commit at the Local's folder, "" where it has no such folder.
func (r *repository) root(commit string) (string, error) {
	id, _, err := r.content.object(commit+"^{tree}", "tree")
	if err != nil || r.prefix == "" {
		return id, err
	}
	id, _, err = r.content.object(id+":"+strings.TrimSuffix(r.prefix, "/"), "tree")
	if errors.Is(err, errMissing) || errors.Is(err, errOtherKind) {
		return "", nil
	}
	return id, err
}

// level lists one tree.
func (r *repository) level(id string) ([]Entry, error) {
	_, data, err := r.content.object(id, "tree")
	if err != nil {
		return nil, err
	}
	return parseTree(data, len(id)/2)
}

// parseTree reads a tree object: "mode name<NUL>" and the id in so many bytes, one
// after the other.
func parseTree(data []byte, size int) (list []Entry, err error) {
	odd := errors.New("git cat-file: a tree of an unknown form")
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, named := strings.Cut(string(head), " ")
		if !ok || !named || name == "" || len(rest) < size {
			return nil, odd
		}
		m, err := ParseMode(mode)
		if err != nil {
			return nil, odd
		}
		list = append(list, Entry{Path: name, Mode: m, ID: hex.EncodeToString(rest[:size])})
		data = rest[size:]
	}
	return list, nil
}
