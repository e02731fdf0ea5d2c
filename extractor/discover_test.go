package extractor

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// found prints a layout: a line a skill with its files, a line a note.
func found(t *testing.T, fsys fs.FS, shape Shape) string {
	t.Helper()
	layout, err := Discover(fsys, shape)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range layout.Skills {
		b.WriteString(s.Path + ": " + strings.Join(s.Files, " ") + "\n")
	}
	for _, n := range layout.Notes {
		b.WriteString(string(n.Kind) + " " + n.String() + "\n")
	}
	return b.String()
}

func misspelt(file string) string {
	return "skipped " + file + ": only a file named SKILL.md, in capitals, makes a skill without saying its name and description; rename it if it is one\n"
}

// A file in other letter case is a skill where it says so. A tree that cannot
// read it gives no layout.
func TestAnotherCaseIsASkillThatSaysSo(t *testing.T) {
	t.Parallel()
	says := "---\nname: a\ndescription: b\n---\n- x\n"
	fsys := tree("a/skill.md", says, "b/Skill.md", "---\nname: a\n---\n", "c/skill.md", says, "c/SKILL.md", "", "a/x.md", "")
	want := "a: a/skill.md a/x.md\nc: c/SKILL.md c/skill.md\n" +
		"skipped a/skill.md: taken for a skill's SKILL.md; other tools look for the capitals, so rename it\n" + misspelt("b/Skill.md")
	if diff := cmp.Diff(want, found(t, fsys, DefaultShape())); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	layout, err := Discover(fsys, DefaultShape())
	if err != nil || strings.Join(layout.Asked, " ") != "a/skill.md b/Skill.md" {
		t.Errorf("asked %v, %v", layout.Asked, err)
	}
	s, err := layout.Skills[0].Read(fsys, DefaultShape())
	if err != nil || len(s.Facts) != 2 || s.Card.Title != "a" {
		t.Errorf("%+v, %v", s.Card, err)
	}
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ files, want string }{
		"any depth, sorted by path":                {"b/SKILL.md a/x/y/SKILL.md", "a/x/y: a/x/y/SKILL.md\nb: b/SKILL.md\n"},
		"a file belongs to the nearest skill":      {"a/SKILL.md a/x.md a/in/SKILL.md a/in/y.md a/in/z/w.md", "a: a/SKILL.md a/x.md\na/in: a/in/SKILL.md a/in/y.md a/in/z/w.md\n"},
		"what is above and beside belongs to none": {"README.md a/SKILL.md b/x.md", "a: a/SKILL.md\n"},
		"a root skill owns its files and three folders": {"SKILL.md x.md references/a.md scripts/in/b.py assets/c docs/d.md",
			".: SKILL.md assets/c references/a.md scripts/in/b.py x.md\n"},
		"a skill in a root skill's folder":           {"SKILL.md references/in/SKILL.md references/in/a.md", ".: SKILL.md\nreferences/in: references/in/SKILL.md references/in/a.md\n"},
		"tests, fixtures, node_modules, cards, .git": {"a/SKILL.md tests/b/SKILL.md a/fixtures/x.md node_modules/c/SKILL.md cards/d/SKILL.md a/.git/e.md", "a: a/SKILL.md\n"},
		"a name that only begins like an exclude":    {"tests2/SKILL.md cardsandmore/SKILL.md", "cardsandmore: cardsandmore/SKILL.md\ntests2: tests2/SKILL.md\n"},
		"other cases are no skills":                  {"a/skill.md b/Skill.md c/SKILL.markdown", misspelt("a/skill.md") + misspelt("b/Skill.md")},
		"nor noted where a skill owns them":          {"a/SKILL.md a/in/skill.md tests/skill.md", "a: a/SKILL.md a/in/skill.md\n"},
		"blanks come as they are":                    {"日本語/SKILL.md é/SKILL.md", "é: é/SKILL.md\n日本語: 日本語/SKILL.md\n"},
		"nothing at all":                             {"README.md", ""},
	} {
		fsys := tree()
		for file := range strings.FieldsSeq(c.files) {
			fsys[file] = &fstest.MapFile{}
		}
		if diff := cmp.Diff(c.want, found(t, fsys, DefaultShape())); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if diff := cmp.Diff("my skills/a (1): my skills/a (1)/SKILL.md\n", found(t, tree("my skills/a (1)/SKILL.md", ""), DefaultShape())); diff != "" {
		t.Errorf("a name with spaces: -want +got\n%s", diff)
	}
}

// Links and submodules are named where they could have been part of a skill.
func TestWhatIsNotFollowedIsNoted(t *testing.T) {
	t.Parallel()
	link := func(mode fs.FileMode) *fstest.MapFile { return &fstest.MapFile{Data: []byte("../b"), Mode: mode} }
	fsys := tree("a/SKILL.md", "", "a/x.md", "")
	fsys["a/z-link.md"] = link(fs.ModeSymlink | 0o777)
	fsys["a/module"] = link(fs.ModeIrregular)
	fsys["b/SKILL.md"] = link(fs.ModeSymlink | 0o777)
	fsys["elsewhere/link"] = link(fs.ModeSymlink | 0o777)
	fsys["tests/SKILL.md"] = link(fs.ModeSymlink | 0o777)
	fsys["a/new\nline.md"] = &fstest.MapFile{}
	fsys["hid\u200bden/SKILL.md"] = &fstest.MapFile{}
	want := `a: a/SKILL.md a/x.md
skipped a/module: a submodule or special file is not indexed
skipped a/new` + "\ufffd" + `line.md: a path with control or invisible characters is not indexed; rename it
skipped a/z-link.md: a symbolic link is not indexed; commit the file itself
skipped b/SKILL.md: a symbolic link is not indexed; commit the file itself
skipped hidden/SKILL.md: a path with control or invisible characters is not indexed; rename it
`
	for seed := range uint64(5) { // in whatever order folders are listed
		if diff := cmp.Diff(want, found(t, shuffled{fsys, seed}, DefaultShape())); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
}

func TestCardsThatWouldCollide(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b    string
		collide bool
	}{
		"letter case":                   {"skills/Mail", "skills/mail", true},
		"composed and decomposed":       {"caf\u00e9", "cafe\u0301", true},
		"both at once":                  {"CAF\u00c9", "cafe\u0301", true},
		"folds of several letters":      {"Straße", "STRASSE", true},
		"the two small sigmas":          {"σας", "σασ", true},
		"the name of the root's card":   {".", "_root", false},
		"and in capitals":               {".", "_ROOT", true},
		"a card where a folder must be": {"x", "x.md/y", true},
		"and in another case":           {"X", "x.MD/y", true},
		"different names":               {"a", "b", false},
		"a nested skill":                {"a", "a/b", false},
		"accents do count":              {"cafe", "café", false},
	} {
		fsys := tree(c.a+"/SKILL.md", "", c.b+"/SKILL.md", "")
		if c.a == "." {
			fsys = tree("SKILL.md", "", c.b+"/SKILL.md", "")
		}
		_, err := Discover(fsys, DefaultShape())
		if got := errors.Is(err, ErrCollision); got != c.collide {
			t.Errorf("%s: got %v", name, err)
		}
		if c.collide && (!strings.Contains(err.Error(), c.a) || !strings.Contains(err.Error(), c.b)) {
			t.Errorf("%s: the error does not name both: %v", name, err)
		}
		if out, err := Extract(fsys, DefaultShape()); (err != nil) != c.collide || err != nil && out.Skills != nil {
			t.Errorf("%s: Extract gave %v and %d skills", name, err, len(out.Skills))
		}
	}
}

func TestExcludes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"tests", "tests", true},
		{"tests", "a/tests/b", true},
		{"tests", "a/tests2/b", false},
		{"tests/", "a/tests/b", true},
		{"/tests", "tests/b", true},
		{"/tests", "a/tests/b", false},
		{"*.tmp", "a/b.tmp", true},
		{"a/b", "a/b/c", true},
		{"a/b", "x/a/b", false},
		{"a/*", "a/b/c", true},
		{"a/*/c", "a/b/d/c", false},
		{"a/**/c", "a/c", true},
		{"a/**/c", "a/b/d/c/e", true},
		{"**/c", "a/b/c", true},
		{"**/c", "c", true},
		{"a/**", "a/b", true},
		{"a/**", "b/a", false},
		{"**/**/x/**/y", "a/x/x/b/y/z", true},
		{"a/?", "a/bc", false},
		{"[", "[", false}, // malformed: the configuration refuses it
	} {
		shape := Shape{Cards: "cards", Exclude: []string{c.pattern}}
		if got := shape.Excluded(c.path); got != c.want {
			t.Errorf("%q excludes %q: %v, want %v", c.pattern, c.path, got, c.want)
		}
	}
}

// The shape comes from the head, which is hostile: a pattern costs no more than
// its length times the path's.
func TestExcludesStayFast(t *testing.T) {
	t.Parallel()
	shape := Shape{Exclude: []string{strings.Repeat("**/a/", 40) + "b"}}
	if shape.Excluded(strings.Repeat("a/", 200) + "c") {
		t.Error("excluded")
	}
}
