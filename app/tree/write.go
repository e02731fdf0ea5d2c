package tree

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// WriteFile replaces the file name below root by data, whole or not at all: it
// writes a temporary file beside it, syncs it and renames it. Parent folders are
// made. The permissions of an existing file are kept, a new one gets 0644 less
// the umask.
//
// It never goes through a symbolic link: a linked parent folder is [ErrSymlink],
// also where the link stays below root (a link to .git would do harm), and a
// link with the file's own name is replaced, not followed. A name that is not a
// clean relative path, or that has an element ".git", is [ErrBadName].
func WriteFile(root *os.Root, name string, data []byte) error {
	if err := writable(root, name); err != nil {
		return fmt.Errorf("tree.WriteFile: %w", err)
	}
	if err := replace(root, name, data); err != nil {
		return fmt.Errorf("tree.WriteFile: the old file stays as it was: %w", err)
	}
	return nil
}

// Remove removes the file name below root, and parent folders that this leaves
// empty. A file that is not there is no error. Links are treated as by WriteFile.
func Remove(root *os.Root, name string) error {
	if err := writable(root, name); err != nil {
		return fmt.Errorf("tree.Remove: %w", err)
	}
	err := root.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("tree.Remove: %w", err)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if root.Remove(dir) != nil {
			break // not empty, which is the common case
		}
	}
	return nil
}

// writable refuses names that could reach another place than they say.
func writable(root *os.Root, name string) error {
	if !fs.ValidPath(name) || name == "." {
		return ErrBadName
	}
	for i, part := range strings.Split(name, "/") {
		if strings.EqualFold(part, ".git") {
			return ErrBadName
		}
		if i == 0 {
			continue
		}
		parent := strings.Join(strings.Split(name, "/")[:i], "/")
		st, err := root.Lstat(parent)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if st.Mode()&fs.ModeSymlink != 0 {
			return &fs.PathError{Op: "write", Path: parent, Err: ErrSymlink}
		}
	}
	return nil
}

// replace writes beside the file and renames: a rename within one folder is
// atomic, and a reader sees the old file or the new one.
func replace(root *os.Root, name string, data []byte) (err error) {
	perm := fs.FileMode(0o644)
	if st, err := root.Lstat(name); err == nil && st.Mode().IsRegular() {
		perm = st.Mode().Perm()
	}
	dir := path.Dir(name)
	if err := root.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	temp := path.Join(dir, ".cardkeeper-"+rand.Text()+".tmp")
	defer func() {
		if err != nil {
			_ = root.Remove(temp)
		}
	}()
	if err := writeSynced(root, temp, data, perm); err != nil {
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		return err
	}
	// The rename itself is durable once the folder is synced; not every system
	// can sync a folder, and the file is whole either way.
	if d, err := root.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// writeSynced makes a new file and has its content on disk before it returns. The
// name must be free: O_EXCL follows no link that waits there.
func writeSynced(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}
