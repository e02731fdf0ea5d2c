package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A command typed below a repository works on the repository, and not on the
// folder as if it were one.
func TestTheFolderAroundACommand(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for _, dir := range []string{".git", "skills/x/references", "example/.github/cardkeeper", "example/skills/y"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(top, "example/.github/cardkeeper/config.yml")
	if err := os.WriteFile(config, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{".": ".", "skills/x/references": ".", "example/skills/y": "example", "example": "example"} {
		if got := around(filepath.Join(top, from)); got != filepath.Join(top, want) {
			t.Errorf("from %s: got %s, want %s", from, got, filepath.Join(top, want))
		}
	}
	alone := t.TempDir()
	if got := around(alone); got != alone {
		t.Errorf("outside a repository: got %s, want %s", got, alone)
	}
}
