package checker

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

func asJSON(r Report) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		panic(err)
	}
	return b.String()
}

// Each testdata/*.txtar holds the files of two sides below base/ and head/, to
// which fresh cards are added where the first lines say "cards base" or "cards
// head", and what a check of them gives.
func TestGolden(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			golden(t, name)
		})
	}
}

func golden(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	base, head, want := repo{}, repo{}, map[string]string{}
	var inputs []txtar.File
	for _, f := range archive.Files {
		side, file, _ := strings.Cut(f.Name, "/")
		switch side {
		case "base":
			base[file] = string(f.Data)
		case "head":
			head[file] = string(f.Data)
		default:
			want[f.Name] = string(f.Data)
			continue
		}
		inputs = append(inputs, f)
	}
	if strings.Contains(string(archive.Comment), "cards base\n") {
		built := base.built()
		for file, text := range built {
			base[file] = text
			if _, own := head[file]; !own && strings.HasPrefix(file, "cards/") {
				head[file] = text
			}
		}
	}
	if strings.Contains(string(archive.Comment), "cards head\n") {
		head = head.built()
	}
	r := compare(t, base.side(), head.side())
	got := map[string]string{"want.json": asJSON(r), "want.md": r.Markdown(), "want.txt": r.Plain()}
	if *update {
		archive.Files = inputs
		for _, file := range []string{"want.json", "want.md", "want.txt"} {
			archive.Files = append(archive.Files, txtar.File{Name: file, Data: []byte(got[file])})
		}
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run with -update if this is meant:\n%s", diff)
	}
}

// The keys that other tools read, whatever there is to tell: lists are never null.
func TestJSONShape(t *testing.T) {
	t.Parallel()
	keys := func(v any) []string {
		var out []string
		for k := range v.(map[string]any) {
			out = append(out, k)
		}
		return out
	}
	want := func(what string, v any, names ...string) {
		t.Helper()
		have := keys(v)
		for _, n := range names {
			found := false
			for _, h := range have {
				found = found || h == n
			}
			if !found {
				t.Errorf("%s lacks %q; it has %v", what, n, have)
			}
		}
	}
	leak := "- use " + newMint(4).token() + "\n"
	for name, r := range map[string]Report{
		"not switched on":  compare(t, repo{}.side(), repo{}.side()),
		"fresh":            compare(t, nil, two().side()),
		"conflict markers": compare(t, two().side(), two().with(alphaCard, "<<<<<<< x\n").side()),
		"a newer edition":  compare(t, two().side(), two().with(alphaCard, "<!-- cardkeeper edition 999 -->\n").side()),
		"an orphan":        compare(t, two().side(), two().with("cards/x.md", two()[betaCard]).side()),
		"a removed skill":  compare(t, two().side(), two().without(betaMain).side()),
		"everything":       compare(t, two().side(), two().with(alphaMain, edit("install git", "install jj")+leak).side()),
	} {
		text := asJSON(r)
		if strings.Contains(text, "null") {
			t.Errorf("%s: a list is null:\n%s", name, text)
		}
		var v map[string]any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		want(name, v, "conclusion", "cards", "secrets", "references", "questions", "notes", "scanned")
		want(name, v["scanned"], "files", "bytes", "skills", "facts")
		for _, c := range v["cards"].([]any) {
			want(name, c, "card", "skill", "state", "added", "removed", "changed", "moved")
			for _, f := range c.(map[string]any)["added"].([]any) {
				want(name, f, "section", "context", "text", "places")
				want(name, f.(map[string]any)["places"].([]any)[0], "file", "line", "end")
			}
		}
		for _, f := range v["secrets"].([]any) {
			want(name, f, "rule", "tier", "file", "line", "fingerprint")
		}
	}
}
