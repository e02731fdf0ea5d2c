package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

// A Change is what a new commit does to one file.
type Change struct {
	Path string
	Mode tree.Mode // of the new file
	Data []byte    // the whole file; nil where ID says which, or where it is removed
	ID   string    // of a blob, submodule or folder that the repository holds; "" with Data
	Size int64     // of what ID names, in bytes, where it is known
}

func (c Change) removes() bool { return c.Data == nil && c.ID == "" }

const (
	// treeEntries and treeBytes bound one request that makes a tree. GitHub names no
	// limit for it but ends a request after ten seconds; a card has some 4 KB, so 300
	// cards are one request. What is more is written in several, each upon the last.
	treeEntries = 1000
	treeBytes   = 4 << 20
)

const (
	treesRoute   = "/git/trees"
	commitsRoute = "/git/commits"
	commitAt     = "/git/commits/{commit_sha}"
	refsRoute    = "/git/refs"
	refRoute     = "/git/refs/{ref}"
)

// markRE is the trailer that a commit of this App carries: the key of the effect
// that it is, so that a retry finds it (law 12).
var markRE = regexp.MustCompile(`\nCardkeeper-Key: ([0-9a-f]{32})\n*$`)

// Trailer is the last line of a commit's message with that key, of 32 hex digits.
func Trailer(key string) string { return "Cardkeeper-Key: " + key + "\n" }

// A mark is what is kept of a commit's message, which else is a person's text: the
// key of our trailer, or nothing.
type mark string

// UnmarshalText reads a message.
func (m *mark) UnmarshalText(message []byte) error {
	*m = ""
	if found := markRE.FindSubmatch(message); found != nil {
		*m = mark(found[1])
	}
	return nil
}

// Commit reads one commit by its id.
func (c *Client) Commit(ctx context.Context, repo Repo, id string) (Commit, error) {
	var w struct {
		SHA     string `json:"sha"`
		Message mark   `json:"message"`
		Tree    struct {
			SHA string `json:"sha"`
		} `json:"tree"`
		Parents []struct {
			SHA string `json:"sha"`
		} `json:"parents"`
	}
	if _, err := c.in(ctx, repo, call{route: commitAt, args: []any{id}, out: &w}); err != nil {
		return Commit{}, err
	}
	out := Commit{ID: w.SHA, Tree: w.Tree.SHA, Mark: string(w.Message)}
	for _, p := range w.Parents {
		out.Parents = append(out.Parents, p.SHA)
	}
	for _, id := range append([]string{out.ID, out.Tree}, out.Parents...) {
		if !objectID(id) {
			return Commit{}, odd(http.MethodGet, repoRoute+commitAt)
		}
	}
	return out, nil
}

// errOtherTree: GitHub made another tree than the changes give.
var errOtherTree = errors.New("GitHub made another tree than was asked for; nothing was committed")

// MakeTree makes the tree that the changes give upon another one and returns its
// id. Every folder that changes is hashed here as well, so that the new tree holds
// these changes and no other, byte for byte, or there is none: [ErrInvalid]. The
// contents travel in the request, so that 300 cards cost one; folders that were
// read before cost none.
func (c *Client) MakeTree(ctx context.Context, repo Repo, base string, changes []Change) (string, error) {
	root, err := c.rewrite(ctx, repo, base, changes)
	if err != nil {
		return "", err
	}
	id := base
	for rest := changes; len(rest) > 0; {
		var part []any
		size, n := 0, 0
		for n < len(rest) && n < treeEntries && (n == 0 || size+len(rest[n].Data) <= treeBytes) {
			entry, err := rest[n].wire()
			if err != nil {
				return "", err
			}
			part = append(part, entry)
			size += len(rest[n].Data)
			n++
		}
		if id, err = c.postTree(ctx, repo, id, part); err != nil {
			return "", err
		}
		rest = rest[n:]
	}
	if id != tree.ID(root) {
		return "", &failure{method: http.MethodPost, route: repoRoute + treesRoute, kinds: []error{ErrInvalid, errOtherTree}}
	}
	return id, nil
}

// wire is the change as GitHub takes it: null for what goes.
func (c Change) wire() (any, error) {
	type head struct {
		Path string `json:"path"`
		Mode string `json:"mode"`
		Type string `json:"type"`
	}
	h := head{c.Path, c.Mode.String(), "blob"}
	switch {
	case c.removes():
		h.Mode = tree.Regular.String() // of no meaning, and still demanded
		return struct {
			head
			SHA *string `json:"sha"`
		}{head: h}, nil
	case c.ID != "":
		switch c.Mode {
		case tree.Submodule:
			h.Type = "commit"
		case tree.Directory:
			h.Type = "tree"
		}
		return struct {
			head
			SHA string `json:"sha"`
		}{h, c.ID}, nil
	case !utf8.Valid(c.Data):
		return nil, fmt.Errorf("github.MakeTree: %w: a file is no UTF-8", ErrInvalid)
	}
	return struct {
		head
		Content string `json:"content"`
	}{h, string(c.Data)}, nil
}

func (c *Client) postTree(ctx context.Context, repo Repo, base string, entries []any) (string, error) {
	in := struct {
		Base string `json:"base_tree"`
		Tree []any  `json:"tree"`
	}{base, entries}
	var made struct {
		SHA string `json:"sha"`
	}
	if _, err := c.in(ctx, repo, call{method: http.MethodPost, route: treesRoute, in: in, out: &made, limit: treeBody}); err != nil {
		return "", err
	}
	return checked(http.MethodPost, treesRoute, made.SHA)
}

// rewrite is the level that the changes give upon a tree, with the ids of all
// folders below it. Git keeps no empty folder.
func (c *Client) rewrite(ctx context.Context, repo Repo, id string, changes []Change) (level, error) {
	var l level
	if id != "" {
		before, err := c.Level(ctx, repo, id)
		if err != nil {
			return nil, err
		}
		if l = before; tree.ID(l) != id {
			if l, err = c.spelled(ctx, repo, id, l); err != nil {
				return nil, err
			}
		}
	}
	below := map[string][]Change{}
	for _, change := range changes {
		name, rest, deeper := strings.Cut(change.Path, "/")
		if deeper {
			change.Path = rest
			below[name] = append(below[name], change)
			continue
		}
		l = l.with(change.entry())
	}
	for name, part := range below {
		folder := ""
		switch i := l.find(name); {
		case i >= 0 && l[i].Mode == tree.Directory:
			folder = l[i].ID
		case i >= 0 && !slices.ContainsFunc(part, func(c Change) bool { return !c.removes() }):
			continue // a file that took the place of the folder they were in
		}
		sub, err := c.rewrite(ctx, repo, folder, part)
		if err != nil {
			return nil, err
		}
		e := tree.Entry{Path: name, Mode: tree.Directory}
		if len(sub) > 0 {
			e.ID = tree.ID(sub)
		}
		l = l.with(e)
	}
	return l, nil
}

// entry is what the change leaves at its place; without an id, nothing.
func (c Change) entry() tree.Entry {
	e := tree.Entry{Path: c.Path, Mode: c.Mode, ID: c.ID}
	if c.Data != nil {
		e.ID = tree.BlobID(c.Data)
	}
	return e
}

func (l level) find(name string) int {
	return slices.IndexFunc(l, func(e tree.Entry) bool { return e.Path == name })
}

// with is the level with an entry in the place of that of its name; one without an
// id only takes the other away.
func (l level) with(e tree.Entry) level {
	l = slices.DeleteFunc(slices.Clone(l), func(other tree.Entry) bool { return other.Path == e.Path })
	if e.ID == "" {
		return l
	}
	return append(l, e)
}

// MakeCommit makes a commit that no branch has yet. Neither author nor committer is
// sent: GitHub takes the App for both, and signs it.
func (c *Client) MakeCommit(ctx context.Context, repo Repo, message, tree string, parents ...string) (string, error) {
	in := struct {
		Message string   `json:"message"`
		Tree    string   `json:"tree"`
		Parents []string `json:"parents"`
	}{message, tree, parents}
	var made struct {
		SHA string `json:"sha"`
	}
	if _, err := c.in(ctx, repo, call{method: http.MethodPost, route: commitsRoute, in: in, out: &made}); err != nil {
		return "", err
	}
	return checked(http.MethodPost, commitsRoute, made.SHA)
}

// MoveBranch moves a branch forward to a commit, never by force. [ErrBehind] means
// that it was moved meanwhile; [ErrForbidden], [ErrInvalid] and [ErrConflict] are
// how GitHub says that the branch is protected.
func (c *Client) MoveBranch(ctx context.Context, repo Repo, branch, commit string) error {
	in := struct {
		SHA   string `json:"sha"`
		Force bool   `json:"force"`
	}{commit, false}
	_, err := c.in(ctx, repo, call{method: http.MethodPatch, route: refRoute, args: []any{"heads/" + branch}, in: in})
	return err
}

// MakeBranch makes a branch at a commit; [ErrInvalid] where it is there already.
func (c *Client) MakeBranch(ctx context.Context, repo Repo, branch, commit string) error {
	in := struct {
		Ref string `json:"ref"`
		SHA string `json:"sha"`
	}{"refs/heads/" + branch, commit}
	_, err := c.in(ctx, repo, call{method: http.MethodPost, route: refsRoute, in: in})
	return err
}
