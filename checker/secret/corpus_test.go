package secret

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A leakCase is one page of the generator of leaks and look-alikes.
type leakCase struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Where    string `json:"where"`
	Markdown string `json:"markdown"`
	Secret   string `json:"secret"`
	Expect   string `json:"expect"`
}

const sharedDir = "../../../shared"

// generated runs the generator once.
func generated(t testing.TB, seed int) []leakCase {
	t.Helper()
	program := filepath.Join(sharedDir, "secrets-gen.py")
	if _, err := os.Stat(program); err != nil {
		t.Skip("SKIP: no generator of leaks beside the repository")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIP: no python3 to run the generator of leaks")
	}
	out := filepath.Join(t.TempDir(), "cases.jsonl")
	if msg, err := exec.CommandContext(t.Context(), python, program, strconv.Itoa(seed), out).CombinedOutput(); err != nil {
		t.Fatalf("the generator failed: %v, %d bytes of output", err, len(msg))
	}
	file, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var cases []leakCase
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c leakCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// touches reports whether a finding stands on the secret's own bytes; where the
// page holds it only in another form, any finding of the page will do.
func touches(c leakCase, found []Finding) bool {
	at := strings.Index(c.Markdown, c.Secret)
	if at < 0 {
		return len(found) > 0
	}
	breaks := lineBreaks(c.Markdown)
	first, firstCol := position(breaks, at)
	last, lastCol := position(breaks, at+len(c.Secret)-1)
	for _, f := range found {
		before := f.Last < first || f.Last == first && f.LastCol < firstCol
		after := f.First > last || f.First == last && f.FirstCol > lastCol
		if !before && !after {
			return true
		}
	}
	return false
}

// tally scans one seed's pages.
func tally(t *testing.T, s *Scanner, seed int) (leaks, hits, clean, flagged int) {
	for _, c := range generated(t, seed) {
		found := mustScan(t, s, c.Markdown)
		if c.Expect == "leak" {
			leaks++
			if touches(c, found) {
				hits++
			} else {
				t.Logf("seed %d, %s: missed %s in %s", seed, c.ID, c.Kind, c.Where)
			}
			continue
		}
		clean++
		if len(found) > 0 {
			flagged++
			t.Logf("seed %d, %s: %s in %s is found: %v", seed, c.ID, c.Kind, c.Where, rulesOf(found))
		}
	}
	return leaks, hits, clean, flagged
}

// 2A-57, 2A-59: common leaks are found, look-alikes pass. The long form runs 20
// seeds.
func TestRecallAndLookAlikes(t *testing.T) {
	t.Parallel()
	seeds := 3
	if os.Getenv("CARDKEEPER_LONG") != "" {
		seeds = 20
	}
	s := newScanner(t, Options{})
	var leaks, hits int
	for seed := range seeds {
		l, h, c, f := tally(t, s, seed+1)
		leaks, hits = leaks+l, hits+h
		if f > 1 {
			t.Errorf("seed %d: %d of %d look-alikes are found, at most one may be", seed+1, f, c)
		}
	}
	t.Logf("%d of %d leaks found over %d seeds", hits, leaks, seeds)
	if float64(hits) < 0.98*float64(leaks) {
		t.Errorf("%d of %d leaks found, fewer than 98 in 100", hits, leaks)
	}
}

// Real collections of skills hold no secret that blocks.
func TestCollectionsHaveNoBlockFinding(t *testing.T) {
	t.Parallel()
	root := filepath.Join(sharedDir, "corpora")
	if _, err := os.Stat(root); err != nil {
		t.Skip("SKIP: no collections beside the repository")
	}
	if testing.Short() {
		t.Skip("SKIP: eight megabytes take long")
	}
	s := newScanner(t, Options{})
	warned, files := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for _, f := range mustScan(t, s, string(text)) {
			if f.Tier == Block {
				t.Errorf("%s:%d: blocked by %s", path, f.First, f.Rule)
				continue
			}
			warned++
			t.Logf("%s:%d: warned of by %s", path, f.First, f.Rule)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d warnings", files, warned)
}
