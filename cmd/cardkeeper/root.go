package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/cardkeeper/cardkeeper/checker"
)

// folder returns the folder to work on: what --root names, or the repository
// around the current folder. Without that, a command typed in a skill's folder would
// write cards into the skill.
func (w *where) folder() (string, error) {
	if w.root == "" {
		here, err := os.Getwd()
		if err != nil {
			return "", fmt.Errorf("the current folder cannot be read; name one with --root: %w", err)
		}
		return around(here), nil
	}
	if info, err := os.Stat(w.root); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%w: --root must name a folder that exists", errUsage)
	}
	return w.root, nil
}

// around returns the nearest folder from dir upwards that holds a configuration
// or is the top of a git working tree; dir itself where there is none.
func around(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		for _, mark := range []string{filepath.FromSlash(checker.ConfigFile), ".git"} {
			if _, err := os.Stat(filepath.Join(at, mark)); err == nil {
				return at
			}
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
