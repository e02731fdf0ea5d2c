package extractor

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// What stands under a name.
type presence int

const (
	absent presence = iota
	aFile
	aFolder
	beyond // something, below which names cannot be told: a link, a submodule, or a file known by id alone
)

// names answers what stands in a tree under a name. It asks for no content, and
// for each name once.
type names struct {
	fsys fs.FS
	own  []string // the skill's files, sorted
	seen map[string]presence
}

func newNames(fsys fs.FS, files SkillFiles) *names {
	return &names{fsys, files.Files, map[string]presence{".": aFolder, files.Path: aFolder}}
}

// Longer names are no file on any system, and asking for one fails in other
// ways than for one that is not there.
const (
	maxName = 255
	maxPath = 1024
)

// at tells what stands under a path from the root. It asks for the folders above first:
// below a file, systems answer in different ways. Any answer but yes and no is an error.
func (n *names) at(name string) (presence, error) {
	if found, known := n.seen[name]; known {
		return found, nil
	}
	if !fs.ValidPath(name) || !utf8.ValidString(name) || strings.Contains(name, "\x00") || len(name) > maxPath || len(path.Base(name)) > maxName {
		return absent, nil
	}
	found := aFile
	if _, ok := slices.BinarySearch(n.own, name); !ok {
		above, err := n.at(path.Dir(name))
		if err != nil {
			return absent, err
		}
		switch above {
		case aFolder:
			found, err = n.stat(name)
		case aFile:
			found = absent
		default:
			found = above
		}
		if err != nil {
			return absent, err
		}
	}
	n.seen[name] = found
	return found, nil
}

// stat asks the tree. One that knows ids is asked for them first, since some
// read a file to tell its size.
func (n *names) stat(name string) (presence, error) {
	if ids, ok := n.fsys.(interface{ ID(string) (string, bool) }); ok {
		if _, there := ids.ID(name); there {
			return beyond, nil
		}
	}
	info, err := fs.Stat(n.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return absent, nil
	case err != nil:
		return absent, fmt.Errorf("look for %s: %w", safeName(name), err)
	case info.IsDir():
		return aFolder, nil
	case info.Mode().IsRegular():
		return aFile, nil
	}
	return beyond, nil
}
