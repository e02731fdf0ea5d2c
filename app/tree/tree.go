package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Tree is an immutable tree of files. It implements [fs.FS], [fs.ReadDirFS],
// [fs.ReadFileFS] and [fs.StatFS] and is safe for concurrent use where its load
// function is.
type Tree struct {
	nodes map[string]*node
	odd   []string
	load  func(Entry) ([]byte, error)
	size  func(Entry) (int64, error) // nil: the size is len(load)
}

// node is a path of the tree: a folder with its children, or an entry.
type node struct {
	Entry
	children []*node // sorted by name; folders only
}

// name is the last element of the path, "." for the root.
func (n *node) name() string { return path.Base(n.Path) }

// New makes a tree of entries; load gives the content of a blob by its id and
// is called once for each Open or ReadFile. Folders are implied, so entries of
// mode Directory are left out. The order of entries is free.
//
// Two entries for one path, or a file where another entry needs a folder, is
// [ErrConflict]: git cannot write such a tree. Paths that io/fs cannot express
// (not UTF-8, or with an empty, "." or ".." element) are kept out and listed by
// [Tree.Odd].
func New(entries []Entry, load func(id string) ([]byte, error)) (*Tree, error) {
	return build(entries, func(e Entry) ([]byte, error) { return load(e.ID) })
}

// Memory is a tree of regular files held in memory, path to content. Its
// entries have true git blob ids. A path that is no valid fs path, or that lies
// below another file, is left out and listed by [Tree.Odd].
func Memory(files map[string][]byte) *Tree {
	blobs := make(map[string][]byte, len(files))
	var entries []Entry
	var odd []string
	for name, data := range files {
		if below(name, files) {
			odd = append(odd, name)
			continue
		}
		id := BlobID(data)
		blobs[id] = data
		entries = append(entries, Entry{Path: name, Mode: Regular, ID: id, Size: int64(len(data))})
	}
	t, err := New(entries, func(id string) ([]byte, error) { return blobs[id], nil })
	if err != nil { // unreachable: a map has no path twice, and below removed the rest
		t = &Tree{nodes: map[string]*node{".": {Entry: Entry{Path: ".", Mode: Directory}}}}
	}
	t.odd = append(t.odd, odd...)
	slices.Sort(t.odd)
	return t
}

// below reports whether a parent folder of name is itself a file.
func below(name string, files map[string][]byte) bool {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		if _, ok := files[name[:i]]; ok {
			return true
		}
	}
	return false
}

// build is New for a load function that needs more of an entry than its id.
func build(entries []Entry, load func(Entry) ([]byte, error)) (*Tree, error) {
	t := &Tree{
		nodes: make(map[string]*node, len(entries)+1),
		load:  load,
	}
	t.nodes["."] = &node{Entry: Entry{Path: ".", Mode: Directory}}
	for _, e := range entries {
		if e.Mode == Directory {
			continue
		}
		if !fs.ValidPath(e.Path) || e.Path == "." {
			t.odd = append(t.odd, e.Path)
			continue
		}
		if err := t.add(e); err != nil {
			return nil, err
		}
	}
	t.sortAll()
	return t, nil
}

// sortAll gives every folder the order of its names. Children of one folder share
// their prefix, so whole paths sort as names do.
func (t *Tree) sortAll() {
	for _, n := range t.nodes {
		slices.SortFunc(n.children, func(a, b *node) int { return strings.Compare(a.Path, b.Path) })
	}
	slices.Sort(t.odd)
}

// add puts an entry and its implied folders into the tree.
func (t *Tree) add(e Entry) error {
	if t.nodes[e.Path] != nil {
		return fmt.Errorf("tree.New: %w", ErrConflict)
	}
	n := &node{Entry: e}
	t.nodes[e.Path] = n
	for dir := path.Dir(e.Path); ; dir = path.Dir(dir) {
		parent, known := t.nodes[dir]
		if !known {
			parent = &node{Entry: Entry{Path: dir, Mode: Directory}}
			t.nodes[dir] = parent
		}
		if parent.Mode != Directory {
			return fmt.Errorf("tree.New: %w", ErrConflict)
		}
		parent.children = append(parent.children, n)
		if known {
			return nil
		}
		n = parent
	}
}

// Odd lists, sorted, the paths that could not become part of the tree because
// io/fs cannot express them. They were not looked at: a caller that answers for
// the whole tree has to say so.
func (t *Tree) Odd() []string { return slices.Clone(t.odd) }

// Entries lists all entries, sorted by path; folders are not among them.
func (t *Tree) Entries() []Entry {
	var list []Entry
	for _, n := range t.nodes {
		if n.Mode != Directory {
			list = append(list, n.Entry)
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// ID is the git blob id of a file or symbolic link, without reading it where the
// tree came with ids. It is false for folders, submodules and paths that the
// tree does not hold, and where an id had to be made but the file was unreadable.
func (t *Tree) ID(name string) (string, bool) {
	n := t.nodes[name]
	if n == nil || !n.Mode.blob() {
		return "", false
	}
	if n.ID != "" {
		return n.ID, true
	}
	data, err := t.load(n.Entry)
	if err != nil {
		return "", false
	}
	return BlobID(data), true
}

// content loads a regular file. Its errors are never fs.ErrNotExist (law 13).
func (t *Tree) content(n *node) ([]byte, error) {
	switch n.Mode {
	case Symlink:
		return nil, ErrSymlink
	case Submodule:
		return nil, ErrSubmodule
	}
	data, err := t.load(n.Entry)
	if err != nil {
		return nil, unreadable(err)
	}
	// The caller of fs.ReadFile owns the result, the tree's blob may be shared.
	return slices.Clone(data), nil
}

// unreadable wraps the cause of a failed read, unless the cause would make the
// failure look like a missing path.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrUnreadable
	}
	return fmt.Errorf("%w: %w", ErrUnreadable, err)
}
