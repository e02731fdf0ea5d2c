package checker

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// exists reports whether a path is there. Only "does not exist" is a no: any
// other failure is an error, or an unreadable folder would pass for an empty one.
func exists(files fs.FS, name string) (bool, error) {
	if ids, ok := files.(identifier); ok {
		if _, there := ids.ID(name); there {
			return true, nil
		}
	}
	_, err := fs.Stat(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for %s: %w", name, err)
	}
	return true, nil
}

// readIf reads a file, or returns nil where there is none.
func readIf(files fs.FS, name string) ([]byte, error) {
	b, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return append([]byte{}, b...), nil
}

// id names a file's content: the blob id where the tree knows it, else a hash
// of what was read; "" where there is no such file.
func (v *view) id(name string) (string, error) {
	if ids, ok := v.Files.(identifier); ok {
		if id, there := ids.ID(name); there {
			return id, nil
		}
	}
	b, err := readIf(v.Files, name)
	if err != nil || b == nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// signature names the content of a skill: its files and theirs.
func (v *view) signature(s extractor.SkillFiles) (string, error) {
	var b strings.Builder
	for _, file := range s.Files {
		id, err := v.id(file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%d:%s %s\n", len(file), file, id)
	}
	return b.String(), nil
}

// committed reads a skill's card, or returns nil where there is none. What
// stands there and is no regular file, such as a symbolic link, is none.
func (v *view) committed(folder string) ([]byte, error) {
	file := card.File(v.Shape.Cards, folder)
	if !v.isCard[file] {
		return nil, nil
	}
	b, err := fs.ReadFile(v.Files, file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return append([]byte{}, b...), nil
}

// cardID names the content of a skill's card, "" for none.
func (v *view) cardID(folder string) (string, error) {
	file := card.File(v.Shape.Cards, folder)
	if !v.isCard[file] {
		return "", nil
	}
	return v.id(file)
}

// Marked reports whether bytes are meant as a card: Markdown that someone put
// among the cards is left alone.
func Marked(b []byte) bool { return bytes.HasPrefix(b, []byte("<!-- cardkeeper edition ")) }

// paths returns the skills of both views, sorted.
func paths(base, head *view) []string {
	var out []string
	for p := range head.skills {
		out = append(out, p)
	}
	if base != nil {
		for p := range base.skills {
			if _, both := head.skills[p]; !both {
				out = append(out, p)
			}
		}
	}
	slices.Sort(out)
	return out
}
