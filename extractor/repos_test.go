package extractor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// The cards of the example repositories, to be read by people: under want/ of
// each archive, with what was noted.
func TestRepos(t *testing.T) {
	for file, archive := range archives(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if len(archive.Comment) == 0 {
				t.Error("no comment that says why")
			}
			got := wanted(t, archive)
			if *update {
				rewrite(t, file, archive, got)
				return
			}
			want := map[string]string{}
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, wantDir) {
					want[f.Name] = string(f.Data)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func wanted(t *testing.T, archive *txtar.Archive) map[string]string {
	out := map[string]string{}
	read := extract(t, sources(archive))
	var notes strings.Builder
	for _, n := range read.Notes {
		fmt.Fprintf(&notes, "%s %s\n", n.Kind, n)
	}
	for _, s := range read.Skills {
		out[wantDir+card.File("cards", s.Path)] = string(card.Render(s.Card))
		for _, n := range s.Notes {
			fmt.Fprintf(&notes, "%s %s\n", n.Kind, n)
		}
		fmt.Fprintf(&notes, "%s: %d files, placed %v, left out %d\n", s.Path, s.Stats.Files, s.Stats.Placed, s.Stats.LeftOut)
	}
	out[wantDir+"notes"] = notes.String()
	return out
}

func rewrite(t *testing.T, file string, archive *txtar.Archive, got map[string]string) {
	out := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, wantDir) {
			out.Files = append(out.Files, f)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		out.Files = append(out.Files, txtar.File{Name: name, Data: []byte(got[name])})
	}
	if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A change that gives other bytes for these sources gives other bytes for
// somebody's cards, and must raise the edition: without it, their check would
// call every card stale.
func TestEdition(t *testing.T) {
	h := sha256.New()
	files := archives(t)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		for _, s := range extract(t, sources(files[file])).Skills {
			h.Write(card.Render(s.Card))
		}
	}
	for _, name := range edgeFiles(t) {
		archive, err := txtar.ParseFile(filepath.Join(edgeDir, name))
		if err != nil {
			t.Fatal(err)
		}
		read, err := Extract(edgeTree(archive, &spelling{}))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range read.Skills {
			h.Write(card.Render(s.Card))
		}
	}
	got := fmt.Sprintf("%d %s\n", card.Edition, hex.EncodeToString(h.Sum(nil)))
	const file = "testdata/edition"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("equal sources give other cards than edition %s did.\nRaise card.Edition, then run this test with -update. "+
			"Only before the first release may -update be run alone.", strings.Fields(string(want))[0])
	}
}
