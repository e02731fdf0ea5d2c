// Package shelf keeps files that can be made again in the user's cache folder: readable by
// the user alone, exchanged whole, and bounded. Whoever reads one must be able to tell whether
// it is what was kept: the disk may hold anything.
package shelf

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

const (
	// MostFile is the largest file that is kept or read, in bytes: an index of a million facts.
	MostFile = 256 << 20
	// mostBytes is what all files may have together: two of the largest, or twenty repositories of 100,000 facts.
	mostBytes = 512 << 20
	// mostAge ends what nobody used for a month.
	mostAge = 30 * 24 * time.Hour
	// partAge is how old an unfinished file is when whoever wrote it is gone.
	partAge = time.Hour
)

// ErrUnfit means that the folder is a link or no folder, or open to others; name another one.
var ErrUnfit = errors.New("the folder is a link or no folder, or others may write to it")

// A Shelf is a folder of files. It is safe for concurrent use, also by several processes:
// who writes last wins.
type Shelf struct {
	dir string
	now func() time.Time
}

// Open names the folder; nothing is touched yet.
func Open(dir string) *Shelf { return &Shelf{dir, time.Now} }

// Ready makes the folder where it is missing. It fails with [ErrUnfit], or where the folder cannot be made.
func (s *Shelf) Ready() error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("shelf: make the folder: %w", err)
	}
	return s.fit()
}

// fit refuses a folder in which others could put something. Windows tells by other means.
func (s *Shelf) fit() error {
	info, err := os.Lstat(s.dir)
	switch {
	case err != nil:
		return fmt.Errorf("shelf: look at the folder: %w", err)
	case !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0:
		return ErrUnfit
	}
	return nil
}

// Load returns what is kept under a name, or nil. What is used stays longer.
func (s *Shelf) Load(name string) []byte {
	if s.fit() != nil {
		return nil
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > MostFile {
		return nil
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil
	}
	_ = root.Chtimes(name, time.Time{}, s.now()) // a file of a disk that is full now may go earlier
	return data
}

// Keep puts data under a name, a plain word, in the place of what was there, and removes what is too old
// or too much. What is larger than [MostFile] is not kept.
func (s *Shelf) Keep(name string, data []byte) error {
	if len(data) > MostFile {
		return nil
	}
	if err := s.Ready(); err != nil {
		return err
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return fmt.Errorf("shelf: open the folder: %w", err)
	}
	defer root.Close()
	part := name + "." + rand.Text() + partMark
	err = root.WriteFile(part, data, 0o600)
	if err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		_ = root.Remove(part) // the first error is the one to tell
		return fmt.Errorf("shelf: write a file: %w", err)
	}
	return s.prune(root, mostBytes)
}

// partMark ends the name of a file that is being written.
const partMark = ".part"

// prune removes what is too old, and the oldest until the rest has few enough bytes.
func (s *Shelf) prune(root *os.Root, most int64) error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("shelf: list the folder: %w", err)
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	var failed error
	for _, f := range files {
		age := s.now().Sub(f.ModTime())
		over := age > mostAge || strings.HasSuffix(f.Name(), partMark) && age > partAge
		if !over {
			most -= f.Size()
		}
		if !over && most >= 0 {
			continue
		}
		if err := root.Remove(f.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = fmt.Errorf("shelf: remove an old file: %w", err)
		}
	}
	return failed
}

// In is a name in our part of the user's cache folder; false where the user has none.
func In(name string) (path string, ok bool) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "cardkeeper", name), err == nil
}
