package app

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cardkeeper/cardkeeper/checker/answer"
)

const houseModule = "github.com/cardkeeper/cardkeeper"

// houseLevels is the order of the packages: each may import those below it.
func houseLevels() map[string]int {
	return map[string]int{
		"extractor/card": 0, "extractor/markdown": 0, "extractor/ident": 0,
		"webhooks/event": 0, "webhooks/command": 0,
		"extractor": 1, "webhooks": 1, "checker/secret/search": 1, "checker/answer": 1,
		"checker/secret": 2, "checker/drift": 2, "checker/suite": 2,
		"checker": 3, "app/tree": 3, "app/meter": 3, "app/logs": 3, "app/sheets": 3, "app/embed": 3, "app/shelf": 3,
		"app/config": 4, "app/store": 4, "app/github": 4,
		"app/store/storetest": 4, "app/fakehub/openapi": 4, "app/planted": 4, // for tests
		"app/ask": 5, "app/fakehub": 5,
		"app/jobs": 6, "app/setup": 6, "app/web": 6,
		"app": 7, "cmd/cardkeeper": 8,
	}
}

// houseFolders says which folders the packages of each folder may import, tests included.
func houseFolders() map[string][]string {
	return map[string][]string{
		"extractor": {"extractor"},
		"checker":   {"checker", "extractor"},
		"webhooks":  {"webhooks"},
		"app":       {"app", "checker", "extractor", "webhooks"},
		"cmd":       {"app", "checker", "extractor", "webhooks"},
	}
}

// houseOwners says where alone an import may stand, outside tests. A key ends in
// "/" where everything below it is meant as well.
func houseOwners() map[string]*regexp.Regexp {
	database := regexp.MustCompile(`^app/(store|jobs)(/|$)`)
	return map[string]*regexp.Regexp{
		"github.com/google/go-github/":        regexp.MustCompile(`^app/github/`),
		"github.com/bradleyfalzon/":           regexp.MustCompile(`^app/github/`),
		"database/sql":                        database,
		"github.com/riverqueue/":              database,
		"github.com/jackc/":                   database,
		"modernc.org/":                        database,
		"github.com/zricethezav/gitleaks/":    regexp.MustCompile(`^checker/secret/`),
		"github.com/yuin/goldmark/":           regexp.MustCompile(`^extractor/markdown/`),
		"github.com/sergi/go-diff/":           regexp.MustCompile(`^checker/drift/`),
		"github.com/getkin/kin-openapi/":      regexp.MustCompile(`^app/fakehub/openapi/`),
		"github.com/spf13/cobra":              regexp.MustCompile(`^cmd/cardkeeper/`),
		"github.com/prometheus/":              regexp.MustCompile(`^app/meter/`),
		"testing/":                            regexp.MustCompile(`^app/store/storetest/`),
		"github.com/google/go-cmp/":           regexp.MustCompile(`^$`),
		"pgregory.net/rapid":                  regexp.MustCompile(`^$`),
		houseModule + "/app/store/storetest/": regexp.MustCompile(`^$`),
		houseModule + "/app/fakehub/openapi/": regexp.MustCompile(`^$`),
		houseModule + "/app/planted/":         regexp.MustCompile(`^$`),
		houseModule + "/app/fakehub":          regexp.MustCompile(`^(app|cmd/cardkeeper)/demo[a-z_]*\.go$`),
		houseModule + "/cmd/":                 regexp.MustCompile(`^$`),
	}
}

// housePure is what extractor and checker do not see: network, disk, clock, logger, chance.
var housePure = regexp.MustCompile(`^(net(/.*)?|os(/.*)?|syscall|log(/.*)?|database/.*|time|math/rand(/.*)?|crypto/rand)$`)

// A house is the source tree, parsed.
type house struct {
	files fs.FS
	packs map[string]*housePack // by folder
	found []string              // what is wrong
}

type housePack struct {
	fset   *token.FileSet
	source map[string]*ast.File // by path; tests and ignored files are not among them
	tests  map[string]*ast.File
	lines  map[string]int
}

func readHouse(files fs.FS) (*house, error) {
	h := &house{files: files, packs: map[string]*housePack{}}
	return h, fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_'):
			return fs.SkipDir
		case d.IsDir() && name != "." && houseHas(files, name+"/go.mod"): // a module of its own, a neighbour
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		return h.read(name)
	})
}

func houseHas(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

func (h *house) read(name string) error {
	text, err := fs.ReadFile(h.files, name)
	if err != nil {
		return err
	}
	p := h.packs[path.Dir(name)]
	if p == nil {
		p = &housePack{token.NewFileSet(), map[string]*ast.File{}, map[string]*ast.File{}, map[string]int{}}
		h.packs[path.Dir(name)] = p
	}
	file, err := parser.ParseFile(p.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	switch {
	case err != nil:
		return err
	case strings.HasSuffix(name, "_test.go"):
		p.tests[name] = file
		return nil
	case !strings.HasPrefix(string(text), "//go:build ignore"): // a generator is a program of its own
		p.source[name] = file
	}
	p.lines[name] = strings.Count(string(text), "\n")
	return nil
}

func (h *house) fault(format string, args ...any) {
	h.found = append(h.found, fmt.Sprintf(format, args...))
}

// houseImports calls see for every import of the files.
func houseImports(files map[string]*ast.File, see func(file, imported string)) {
	for name, file := range files {
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
			see(name, imported)
		}
	}
}

// imports holds the arrows: down only, and out only where they belong.
func (h *house) imports() {
	levels := houseLevels()
	for folder, p := range h.packs {
		level, known := levels[folder]
		if !known {
			h.fault("%s has no level: give it one in houseLevels, and a line in app/doc.go", folder)
			continue
		}
		houseImports(p.source, func(file, imported string) {
			if ours, ok := strings.CutPrefix(imported, houseModule+"/"); ok && levels[ours] >= level {
				h.fault("%s (level %d) imports %s (level %d): arrows point down only", file, level, ours, levels[ours])
			}
			h.outside(file, imported)
		})
		for _, files := range []map[string]*ast.File{p.source, p.tests} {
			houseImports(files, func(file, imported string) {
				ours, ok := strings.CutPrefix(imported, houseModule+"/")
				if ok && !slices.Contains(houseFolders()[houseTop(file)], houseTop(ours)) {
					h.fault("%s imports %s: not a folder that %s may know", file, ours, houseTop(file))
				}
			})
		}
	}
}

func houseTop(name string) string { first, _, _ := strings.Cut(name, "/"); return first }

// outside holds the imports that one package alone may have.
func (h *house) outside(file, imported string) {
	for key, owner := range houseOwners() {
		if key == imported || strings.HasSuffix(key, "/") && strings.HasPrefix(imported+"/", key) {
			if !owner.MatchString(file) {
				h.fault("%s imports %s: only %s may", file, imported, owner)
			}
		}
	}
	if t := houseTop(file); t != "extractor" && t != "checker" || !housePure.MatchString(imported) {
		return
	}
	switch { // net/url only takes strings apart; a scan has a deadline (law 13)
	case imported == "net/url", imported == "time" && strings.HasPrefix(file, "checker/secret/"):
	default:
		h.fault("%s imports %s: extractor and checker see no network, disk, clock, logger or chance", file, imported)
	}
}

// tour holds the package comments and app/doc.go.
func (h *house) tour() {
	text, err := fs.ReadFile(h.files, "app/doc.go")
	if err != nil {
		h.fault("app/doc.go: %v", err)
		return
	}
	for folder, p := range h.packs {
		if folder != "app" && !strings.Contains(string(text), "\n//   - "+folder+": ") {
			h.fault("app/doc.go does not list %s", folder)
		}
		if !slices.ContainsFunc(p.sources(), func(f *ast.File) bool {
			first, _, _ := strings.Cut(f.Doc.Text(), " ")
			return first == "Package" || first == "Command"
		}) {
			h.fault("%s has no package comment", folder)
		}
	}
	for _, name := range regexp.MustCompile(`\b(?:app|checker|extractor|webhooks|cmd|testdata)/[\w./-]*\w`).FindAllString(string(text), -1) {
		if _, err := fs.Stat(h.files, name); err != nil {
			h.fault("app/doc.go names %s, which is not there", name)
		}
	}
}

func (p *housePack) sources() []*ast.File {
	var out []*ast.File
	for _, file := range p.source {
		out = append(out, file)
	}
	return out
}

// entrance holds what stands at the top: four folders, the commands, and what a repository has.
func (h *house) entrance() {
	ignored, _ := fs.ReadFile(h.files, ".gitignore")
	entries, err := fs.ReadDir(h.files, ".")
	if err != nil {
		h.fault("the top folder: %v", err)
	}
	folders := []string{"cmd", "app", "checker", "extractor", "webhooks", "testdata", "deploy"}
	files := []string{"go.mod", "go.sum", "README.md", "LICENSE"}
	for _, e := range entries {
		name, allowed := e.Name(), files
		if e.IsDir() {
			allowed = folders
		}
		if !slices.Contains(allowed, name) && name[0] != '.' && !slices.Contains(strings.Fields(string(ignored)), "/"+name) {
			h.fault("%s stands at the top, where it has no place", name)
		}
	}
}

// rules runs all of them and returns what is wrong, sorted.
func (h *house) rules() []string {
	h.imports()
	h.tour()
	h.sizes()
	h.variables()
	h.entrance()
	slices.SortFunc(h.found, cmp.Compare[string])
	return slices.Compact(h.found)
}

func TestTheHouseIsInOrder(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	h, err := readHouse(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if len(h.packs) < 20 {
		t.Errorf("only %d packages were looked at", len(h.packs))
	}
	for _, fault := range h.rules() {
		t.Error(fault)
	}
}

// TestTheReadmeShowsARealCard finds each line of the README's card in the example's, in order, and the floor's figure.
func TestTheReadmeShowsARealCard(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	card, err := os.ReadFile("../testdata/example/cards/skills/backup-check.md")
	if err != nil {
		t.Fatal(err)
	}
	if floor := fmt.Sprintf("at least %.2f, the floor", answer.Floor/10_000.0); !strings.Contains(string(readme), floor) {
		t.Errorf("the README does not say %q", floor)
	}
	_, excerpt, _ := strings.Cut(string(readme), "```markdown\n")
	excerpt, _, ok := strings.Cut(excerpt, "```")
	if !ok {
		t.Fatal("the README shows no card")
	}
	rest := "\n" + string(card)
	for line := range strings.Lines(excerpt) {
		if _, rest, ok = strings.Cut(rest, "\n"+line); !ok {
			t.Fatalf("not a line of the card, or not in this order: %s", line)
		}
		rest = "\n" + rest
	}
}

// TestDisorderIsNoticed gives every rule a house that breaks it.
func TestDisorderIsNoticed(t *testing.T) {
	t.Parallel()
	const ours = `import _ "` + houseModule + "/"
	long := "// Package card is long.\npackage card\n" + strings.Repeat("\n", 400)
	for name, tc := range map[string]struct{ file, text, want string }{
		"an arrow up":                       {"extractor/card/a.go", "package card\n" + ours + `extractor"`, "arrows point down only"},
		"an arrow sideways":                 {"checker/drift/a.go", "package drift\n" + ours + `checker/secret"`, "arrows point down only"},
		"a folder that may not be known":    {"checker/a.go", "package checker\n" + ours + `webhooks"`, "not a folder that checker may know"},
		"a test that looks upward":          {"checker/a_test.go", "package checker\n" + ours + `app/tree"`, "not a folder that checker may know"},
		"a package without a level":         {"app/other/a.go", "package other", "app/other has no level"},
		"the fake GitHub in the App":        {"app/serve.go", "package app\n" + ours + `app/fakehub"`, "app/fakehub: only"},
		"another package that calls GitHub": {"app/jobs/a.go", "package jobs\n" + `import _ "github.com/google/go-github/v66/github"`, "only ^app/github/ may"},
		"another package that speaks SQL":   {"app/ask/a.go", "package ask\n" + `import _ "database/sql"`, "imports database/sql: only"},
		"another package with gitleaks":     {"checker/a.go", "package checker\n" + `import _ "github.com/zricethezav/gitleaks/v8/detect"`, "only ^checker/secret/ may"},
		"a clock in the checker":            {"checker/drift/a.go", "package drift\n" + `import _ "time"`, "no network, disk, clock"},
		"a network in the extractor":        {"extractor/a.go", "package extractor\n" + `import _ "net/http"`, "no network, disk, clock"},
		"a logger in the extractor":         {"extractor/a.go", "package extractor\n" + `import _ "log/slog"`, "no network, disk, clock"},
		"testing outside tests":             {"app/a.go", "package app\n" + `import _ "testing"`, "imports testing: only"},
		"no package comment":                {"extractor/card/a.go", "package card", "extractor/card has no package comment"},
		"a package missing from the tour":   {"extractor/card/a.go", "package card", "does not list extractor/card"},
		"a tour of what is not there":       {"app/doc.go", "//   - app/gone: a package\npackage app", "names app/gone, which is not there"},
		"a long file":                       {"extractor/card/a.go", long, "has 402 lines"},
		"a junk drawer":                     {"app/utils/a.go", "package utils", "utils is no duty"},
		"a wide interface":                  {"app/a.go", "package app\ntype r interface{ a(); b() }\ntype w interface{ r; c(); d() }", "an interface of 4 methods"},
		"an assigned package variable":      {"app/a.go", "package app\nvar n int\nfunc f() { n = 1 }", "app/a.go:3 changes the package variable n"},
		"a package map that is written":     {"app/a.go", "package app\nvar m = map[int]int{}\nfunc f() { m[1]++ }", "changes the package variable m"},
		"a package variable lent out":       {"app/a.go", "package app\nvar n int\nfunc f() *int { return &n }", "changes the package variable n"},
		"a fifth folder":                    {"pkg/a.go", "package pkg", "pkg stands at the top"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{"app/doc.go": {Data: []byte("package app")}}
			files[tc.file] = &fstest.MapFile{Data: []byte(tc.text)}
			h, err := readHouse(files)
			if err != nil {
				t.Fatal(err)
			}
			if found := strings.Join(h.rules(), "\n"); !strings.Contains(found, tc.want) {
				t.Errorf("not noticed: %s\nfound:\n%s", tc.want, found)
			}
		})
	}
	h, err := readHouse(fstest.MapFS{"app/a.go": {Data: []byte("package app\nvar n int\nfunc f() (n int) { n = 1; n++; return }")}})
	if err != nil {
		t.Fatal(err)
	}
	if found := strings.Join(h.rules(), "\n"); strings.Contains(found, "package variable") {
		t.Errorf("a local variable was taken for a package variable:\n%s", found)
	}
	h, err = readHouse(fstest.MapFS{"app/beside/go.mod": {}, "app/beside/a.go": {Data: []byte("package main")}})
	if err != nil || len(h.packs) > 0 {
		t.Errorf("a module of its own was taken for a part of the house: %v", err)
	}
}
