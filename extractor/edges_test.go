package extractor

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

const edgeDir = "testdata/edges"

// The cases that collections of skills taught, one archive each: NN-name, and
// fm-name for frontmatter. The comment says why the facts are what they are. A
// file stands in the folder of the skill "s", or where its name says if that
// begins with "/"; "links" names symbolic links, "cap" sets the shape's cap. In
// all, <U+200B> is that character, <repeat 9 x> nine of it, and a name in
// double braces a text that must not stand in a source file.
func TestEdges(t *testing.T) {
	for _, name := range edgeFiles(t) {
		t.Run(strings.TrimSuffix(name, ".txtar"), func(t *testing.T) {
			t.Parallel()
			checkEdge(t, filepath.Join(edgeDir, name))
		})
	}
}

// Every one of the 57 measured cases, and every irregularity of frontmatter, has its archive.
func TestEveryEdgeHasItsCase(t *testing.T) {
	t.Parallel()
	have := map[string]int{}
	for _, name := range edgeFiles(t) {
		if number, _, _ := strings.Cut(name, "-"); number != "fm" {
			have[number]++
			continue
		}
		have[strings.TrimSuffix(name, ".txtar")]++
	}
	want := map[string]int{}
	for n := 1; n <= 57; n++ {
		want[fmt.Sprintf("%02d", n)] = 1
	}
	for name := range strings.FieldsSeq(`none invalid name-missing name-differs name-no-slug name-no-text description-missing
		description-long description-angles key-twice bom crlf trailing-blanks blanks-before comment-before heading-before
		fence-around fence-missing never-closed no-body empty-file tabs dots-close lone-cr bad-bytes alias unknown-keys
		description-forms tools-forms flattened`) {
		want["fm-"+name] = 1
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("archives: -want +got\n%s", diff)
	}
}

func edgeFiles(t *testing.T) []string {
	t.Helper()
	list, err := os.ReadDir(edgeDir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		out = append(out, f.Name())
	}
	return out
}

func checkEdge(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(strings.TrimSpace(string(archive.Comment))) == 0 {
		t.Error("no comment that says why")
	}
	w := &spelling{}
	fsys, shape := edgeTree(archive, w)
	want := ""
	kept := slices.DeleteFunc(slices.Clone(archive.Files), func(f txtar.File) bool {
		if f.Name == "want" {
			want = string(f.Data)
		}
		return f.Name == "want"
	})
	got := w.in(facts(t, fsys, shape))
	if *update {
		out := &txtar.Archive{Comment: archive.Comment, Files: append(kept, txtar.File{Name: "want", Data: []byte(got)})}
		if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// edgeTree is the tree that an archive holds, and its shape.
func edgeTree(archive *txtar.Archive, w *spelling) (fstest.MapFS, Shape) {
	fsys, shape := fstest.MapFS{}, DefaultShape()
	for _, f := range archive.Files {
		text := w.out(string(f.Data))
		switch f.Name {
		case "want":
		case "cap":
			shape.MaxEntriesPerFile, _ = strconv.Atoi(strings.TrimSpace(text))
		case "links":
			for name := range strings.FieldsSeq(text) {
				fsys[name] = &fstest.MapFile{Data: []byte("elsewhere"), Mode: fs.ModeSymlink | 0o777}
			}
		default:
			name := "s/" + f.Name
			if rooted, ok := strings.CutPrefix(f.Name, "/"); ok {
				name = rooted
			}
			fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
	}
	return fsys, shape
}

// facts prints what was read of a tree, a line a fact, and holds it to the
// laws: grounded, parsing back, without hidden characters.
func facts(t *testing.T, fsys fs.FS, shape Shape) string {
	t.Helper()
	read, err := Extract(fsys, shape)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	notes := read.Notes
	for _, s := range read.Skills {
		if s.Path != "s" || s.Card.Title != "s" || s.Card.Description != "" {
			fmt.Fprintf(&b, "%s = %s; %s\n", s.Path, s.Card.Title, s.Card.Description)
		}
		g := grounds{fsys: fsys, skill: s, files: map[string][]string{}}
		for _, f := range slices.Concat(s.Facts, s.Rest) {
			for _, p := range f.Places() {
				if err := g.check(f.Entry(), p); err != nil {
					t.Errorf("%s: %v", p, err)
				}
			}
			fmt.Fprintln(&b, factLine(s, f))
		}
		if text := string(card.Render(s.Card)); markdown.Visible(text) != text || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
			t.Errorf("the card of %s holds a hidden character:\n%q", s.Path, text)
		}
		if parsed, err := card.Parse(card.Render(s.Card)); err != nil || !cmp.Equal(parsed, s.Card) {
			t.Errorf("the card of %s does not parse back: %v\n%s", s.Path, err, cmp.Diff(s.Card, parsed))
		}
		notes = append(notes, s.Notes...)
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "note %s %s\n", n.Kind, n)
	}
	return b.String()
}

// factLine is "PLACES SECTION KIND | CONTEXT | TEXT"; the places leave out s/SKILL.md.
func factLine(s Skill, f card.Fact) string {
	e := f.Entry()
	var places []string
	for _, p := range f.Places() {
		at := fmt.Sprintf("%s:%d", p.File, p.First)
		if p.Last > p.First {
			at += fmt.Sprintf("-%d", p.Last)
		}
		places = append(places, strings.TrimPrefix(at, "s/SKILL.md:"))
	}
	kind := string(e.Kind)
	if e.Kind == card.Step {
		kind = fmt.Sprintf("%s %d", kind, e.Ordinal)
	}
	var around []string
	for _, c := range e.Context {
		around = append(around, c.Text)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s | %s | %s", strings.Join(places, ","), e.Section, kind, strings.Join(around, " › "), e.Text))
}

// A spelling turns what an archive can hold into what a file holds, and back.
type spelling struct{ pairs []string }

var spelt = regexp.MustCompile(`<U\+([0-9A-F]{2,6})>|<repeat (\d+) ([^>]+)>|\{\{([a-z ]+)\}\}`)

func (s *spelling) out(text string) string {
	return spelt.ReplaceAllStringFunc(text, func(mark string) string {
		m := spelt.FindStringSubmatch(mark)
		if m[1] != "" {
			n, _ := strconv.ParseUint(m[1], 16, 32)
			if n >= 0x80 && n <= 0xff {
				return string([]byte{byte(n)}) // a bad byte
			}
			return string(rune(n))
		}
		value := map[string]string{
			"flag":        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
			"example key": "AKIA" + "IOSFODNN7" + "EXAMPLE",
			"real key":    "ghp" + "_" + "mJ4kq9Zt7Wb2Xv6Lr1Np8Ys3Ud5Ha0Ce7FgQ",
		}[m[4]]
		if m[4] == "" {
			n, _ := strconv.Atoi(m[2])
			value = strings.Repeat(m[3], n)
		}
		s.pairs = append(s.pairs, value, mark)
		return value
	})
}

func (s *spelling) in(text string) string { return strings.NewReplacer(s.pairs...).Replace(text) }
