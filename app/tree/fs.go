package tree

import (
	"bytes"
	"io"
	"io/fs"
	"time"
)

var (
	_ fs.ReadDirFS  = (*Tree)(nil)
	_ fs.ReadFileFS = (*Tree)(nil)
	_ fs.StatFS     = (*Tree)(nil)
)

// Open opens a file or folder. A symbolic link is [ErrSymlink], a submodule
// [ErrSubmodule], a file whose blob cannot be loaded [ErrUnreadable].
func (t *Tree) Open(name string) (fs.File, error) {
	n, err := t.find("open", name)
	if err != nil {
		return nil, err
	}
	if n.Mode == Directory {
		return &folder{tree: t, node: n}, nil
	}
	data, err := t.content(n)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{info: info{n, int64(len(data))}, Reader: bytes.NewReader(data)}, nil
}

// ReadFile returns the whole content of a file, with the errors of Open.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	n, err := t.find("read", name)
	if err != nil {
		return nil, err
	}
	if n.Mode == Directory {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errIsFolder}
	}
	data, err := t.content(n)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

// ReadDir lists a folder, sorted by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := t.find("readdir", name)
	if err != nil {
		return nil, err
	}
	if n.Mode != Directory {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNotFolder}
	}
	return t.list(n.children), nil
}

// Stat describes a path. A symbolic link is described itself, never its target.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	n, err := t.find("stat", name)
	if err != nil {
		return nil, err
	}
	return t.describe(n)
}

// find looks a path up. What lies below a link is not there: a git tree has no
// such path, and the link is not followed.
func (t *Tree) find(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	n := t.nodes[name]
	if n == nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return n, nil
}

// list makes directory entries, which read no blob until Info is asked.
func (t *Tree) list(nodes []*node) []fs.DirEntry {
	list := make([]fs.DirEntry, len(nodes))
	for i, n := range nodes {
		list[i] = dirEntry{t, n}
	}
	return list
}

// describe makes the FileInfo of a node; a size that is not known is looked up.
func (t *Tree) describe(n *node) (fs.FileInfo, error) {
	if n.Size > 0 || !n.Mode.blob() {
		return info{n, max(n.Size, 0)}, nil
	}
	size, err := t.measure(n.Entry)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: n.Path, Err: unreadable(err)}
	}
	return info{n, size}, nil
}

// measure finds a size without the content, where the tree can.
func (t *Tree) measure(e Entry) (int64, error) {
	if t.size != nil {
		return t.size(e)
	}
	data, err := t.load(e)
	return int64(len(data)), err
}

// info is the FileInfo of a node. Trees have no times: a commit's files carry none.
type info struct {
	node *node
	size int64
}

func (i info) Name() string       { return i.node.name() }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.node.Mode.FileMode() }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.node.Mode == Directory }
func (i info) Sys() any           { return i.node.Entry }

// dirEntry is a node in a listing.
type dirEntry struct {
	tree *Tree
	node *node
}

func (d dirEntry) Name() string               { return d.node.name() }
func (d dirEntry) IsDir() bool                { return d.node.Mode == Directory }
func (d dirEntry) Type() fs.FileMode          { return d.node.Mode.FileMode().Type() }
func (d dirEntry) Info() (fs.FileInfo, error) { return d.tree.describe(d.node) }
func (d dirEntry) String() string             { return fs.FormatDirEntry(d) }

// file is an open regular file; the reader gives Seek and ReadAt as well.
type file struct {
	info
	*bytes.Reader
}

func (f *file) Size() int64                { return f.info.size }
func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// folder is an open folder with the position of its listing.
type folder struct {
	tree *Tree
	node *node
	next int
}

func (f *folder) Stat() (fs.FileInfo, error) { return info{f.node, 0}, nil }
func (f *folder) Close() error               { return nil }
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.node.Path, Err: errIsFolder}
}

// ReadDir goes on where the last call stopped, as [fs.ReadDirFile] wants it.
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := f.node.children[f.next:]
	if n > 0 {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		rest = rest[:min(n, len(rest))]
	}
	f.next += len(rest)
	return f.tree.list(rest), nil
}
