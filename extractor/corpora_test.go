package extractor

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted cards of testdata/repos and the edition's digest")

// long makes the slow properties run over far more inputs.
func long() bool { return os.Getenv("CARDKEEPER_LONG") != "" }

const (
	repos   = "../testdata/repos"
	corpora = "../../shared/corpora"
	wantDir = "want/"
)

// archives returns the example repositories, with the cards they want.
func archives(t testing.TB) map[string]*txtar.Archive {
	t.Helper()
	out, err := readArchives()
	if err != nil || len(out) < 3 {
		t.Fatalf("%d example repositories, %v", len(out), err)
	}
	return out
}

func readArchives() (map[string]*txtar.Archive, error) {
	files, err := filepath.Glob(repos + "/*.txtar")
	out := map[string]*txtar.Archive{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		out[file] = a
	}
	return out, err
}

// sources are an archive's files without the wanted ones.
func sources(a *txtar.Archive) fstest.MapFS {
	out := fstest.MapFS{}
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, wantDir) {
			out[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	return out
}

// tree makes files of pairs of path and text.
func tree(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1]), Mode: 0o644}
	}
	return out
}

// trees returns all example repositories and the collections that are present.
func trees(t testing.TB) map[string]fs.FS {
	t.Helper()
	out, err := allTrees()
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == len(archives(t)) {
		t.Logf("SKIP the collections: there is no %s; the example repositories run", corpora)
	}
	return out
}

func allTrees() (map[string]fs.FS, error) {
	out := map[string]fs.FS{}
	all, err := readArchives()
	for file, a := range all {
		out[filepath.Base(file)] = sources(a)
	}
	found, _ := os.ReadDir(corpora) // missing ones are said by trees
	for _, d := range found {
		if d.IsDir() {
			out[d.Name()] = os.DirFS(filepath.Join(corpora, d.Name()))
		}
	}
	return out, err
}

// readTrees are all trees, each read once for the tests that only look at what came of it.
var readTrees = sync.OnceValues(func() (map[string]Tree, error) {
	all, err := allTrees()
	out := map[string]Tree{}
	for name, fsys := range all {
		read, failed := Extract(fsys, DefaultShape())
		out[name], err = read, errors.Join(err, failed)
	}
	return out, err
})

// skillsOf calls each with every skill of every tree.
func skillsOf(t testing.TB, each func(name string, fsys fs.FS, s Skill)) {
	t.Helper()
	all := trees(t)
	read, err := readTrees()
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range read {
		for _, s := range r.Skills {
			each(name, all[name], s)
		}
	}
}

// extract reads a tree with the default shape.
func extract(t testing.TB, fsys fs.FS) Tree {
	t.Helper()
	out, err := Extract(fsys, DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// one reads a tree that holds one skill.
func one(t testing.TB, fsys fs.FS) Skill {
	t.Helper()
	out := extract(t, fsys)
	if len(out.Skills) != 1 {
		t.Fatalf("%d skills, want one", len(out.Skills))
	}
	return out.Skills[0]
}

// skill reads one SKILL.md.
func skill(t testing.TB, text string) Skill {
	t.Helper()
	return one(t, tree("s/SKILL.md", text))
}
