package tree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"
)

// Append adds to the end of the file name below root what more makes of its content; nothing
// where that is empty. The file and its parent folders are made where they are not there, with
// 0644 less the umask. What others append by this function meanwhile is waited for, until ctx
// ends, on systems that can lock a file, so that more sees all of it; elsewhere no line is lost
// either, but more may not see it. Where the write fails the file is cut back to what it was.
//
// Links and names are treated as by [WriteFile], but a link with the file's own name is
// [ErrSymlink].
func Append(ctx context.Context, root *os.Root, name string, more func(old []byte) ([]byte, error)) error {
	if err := writable(root, name); err != nil {
		return fmt.Errorf("tree.Append: %w", err)
	}
	f, made, err := locked(ctx, root, name)
	if err != nil {
		return fmt.Errorf("tree.Append: %w", err)
	}
	err = extend(f, more)
	if st, failed := f.Stat(); made && err != nil && failed == nil && st.Size() == 0 {
		_ = Remove(root, name) // still locked: who waits for it looks whether it is there
	}
	return errors.Join(err, f.Close())
}

// extend appends to a locked file.
func extend(f *os.File, more func(old []byte) ([]byte, error)) error {
	old, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("tree.Append: %w", err)
	}
	text, err := more(old)
	if err != nil || len(text) == 0 {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(fmt.Errorf("tree.Append: %w", err), f.Truncate(int64(len(old))))
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("tree.Append: %w", err)
	}
	return nil
}

// lockWait is between two looks at a lock, which is held for a few seconds at most.
const lockWait = 20 * time.Millisecond

// locked opens a file for reading and appending, makes it where it is not there, and locks
// it. A file that was replaced or removed before the lock came is let go.
func locked(ctx context.Context, root *os.Root, name string) (f *os.File, made bool, err error) {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return nil, false, err
	}
	for {
		if f, made, err = openPlain(root, name); err != nil {
			return nil, false, err
		}
		got, err := lockFile(f)
		if err == nil && got && same(root, name, f) {
			return f, made, nil
		}
		_ = f.Close() // nothing was written to it
		if err != nil {
			return nil, false, err
		}
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-time.After(lockWait):
		}
	}
}

// openPlain opens a plain file, or makes one.
func openPlain(root *os.Root, name string) (f *os.File, made bool, err error) {
	st, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f, err = root.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			return f, true, err
		}
	case err != nil:
		return nil, false, err
	case !st.Mode().IsRegular():
		return nil, false, &fs.PathError{Op: "append", Path: name, Err: ErrSymlink}
	}
	f, err = root.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	return f, false, err
}

// same reports whether a name still means an open file.
func same(root *os.Root, name string, f *os.File) bool {
	there, err := root.Lstat(name)
	if err != nil {
		return false
	}
	own, err := f.Stat()
	return err == nil && os.SameFile(there, own)
}
