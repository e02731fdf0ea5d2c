package tree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// hookIndex is the index to read: git commit -a and git commit PATH run their
// hooks with GIT_INDEX_FILE naming a temporary index beside the real one. Only
// such a sibling is believed; the variable may belong to another repository.
func hookIndex(index, root string) string {
	name := os.Getenv("GIT_INDEX_FILE")
	if name == "" {
		return index
	}
	for _, base := range []string{root, filepath.Dir(filepath.Dir(index))} {
		file := within(base, name)
		if filepath.Dir(file) != filepath.Dir(index) {
			continue
		}
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return index
}

// copyIndex copies an index file and returns git that uses the copy, and how to
// remove it. The copy keeps the time of the original: git trusts a file's
// recorded time only if the index is younger than the file, so a younger copy
// would hide a file that changed right after it was added.
func (r *repository) copyIndex(index string) (git, func(), error) {
	g, err := r.scratchGit()
	if err != nil {
		return git{}, nil, err
	}
	dir, err := os.MkdirTemp(r.scratchDir, "index-")
	if err != nil {
		return git{}, nil, fmt.Errorf("a temporary folder is needed: %w", err)
	}
	done := func() { _ = os.RemoveAll(dir) }
	file := filepath.Join(dir, "index")
	// A repository without its first git add has no index, which git reads as empty.
	if err := copyFile(file, index); err != nil && !errors.Is(err, fs.ErrNotExist) {
		done()
		return git{}, nil, fmt.Errorf("the index could not be copied: %w", err)
	}
	return g.with("GIT_INDEX_FILE=" + file), done, nil
}

// copyFile copies content and modification time. Git replaces its index by a
// rename, so one open file is always one whole index.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Chtimes(to, st.ModTime(), st.ModTime())
}
