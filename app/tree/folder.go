package tree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

var errChanged = errors.New("the file changed while it was read; run the command again")

// plainFolder is the tree of a folder outside git. It is read through an
// [os.Root], so that no link leads out of it, whatever happens meanwhile.
func plainFolder(ctx context.Context, dir string, relevant func(string) bool) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder cannot be opened: %w", err)
	}
	defer root.Close()
	var entries []Entry
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err // a folder that cannot be listed is never an empty one (law 13)
		case d.Name() == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		e, ok, err := folderEntry(root, name, d, relevant)
		if ok {
			entries = append(entries, e)
		}
		if err != nil {
			return &fs.PathError{Op: "read", Path: name, Err: unreadable(err)}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the folder could not be read whole: %w", err)
	}
	t, err := build(entries, func(e Entry) ([]byte, error) { return reread(dir, e) })
	if err != nil {
		return nil, err
	}
	t.size = func(e Entry) (int64, error) { return e.Size, nil }
	return t, nil
}

// folderEntry makes the entry of a file or link; false for sockets and the like.
func folderEntry(root *os.Root, name string, d fs.DirEntry, relevant func(string) bool) (Entry, bool, error) {
	st, err := d.Info()
	if err != nil {
		return Entry{}, false, err
	}
	e := Entry{Path: name, Mode: Regular, Size: st.Size()}
	switch {
	case st.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		e.Mode, e.ID, e.Size = Symlink, BlobID([]byte(target)), int64(len(target))
		return e, true, err
	case !st.Mode().IsRegular():
		return Entry{}, false, nil
	case st.Mode()&0o111 != 0:
		e.Mode = Executable
	}
	if !relevant(name) || st.Size() > MaxBlob {
		return e, true, nil
	}
	data, err := slurp(root, name)
	if err != nil {
		return Entry{}, false, err
	}
	e.ID, e.Size = BlobID(data), int64(len(data))
	return e, true, nil
}

// reread loads a file again and refuses one that is not what was hashed.
func reread(dir string, e Entry) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := slurp(root, e.Path)
	if err == nil && e.ID != "" && BlobID(data) != e.ID {
		err = errChanged
	}
	return data, err
}

// slurp reads a regular file, never through a link put in its place.
func slurp(root *os.Root, name string) ([]byte, error) {
	st, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errChanged
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBlob+1))
	if err == nil && len(data) > MaxBlob {
		return nil, ErrTooLarge
	}
	return data, err
}
