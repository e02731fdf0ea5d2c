package markdown

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted parts of testdata/*.txtar")

// Each archive holds pairs NAME.md and NAME.want. Its comment says what the
// cases are about and why the blocks come out as they do.
func TestBlocks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d archives, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			checkArchive(t, file)
		})
	}
}

func checkArchive(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(strings.TrimSpace(string(archive.Comment))) == 0 {
		t.Error("no comment that says why")
	}
	wants := map[string]string{}
	var inputs []txtar.File
	for _, f := range archive.Files {
		if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
			wants[name] = string(f.Data)
			continue
		}
		inputs = append(inputs, f)
	}
	out := txtar.Archive{Comment: archive.Comment}
	for _, f := range inputs {
		name := strings.TrimSuffix(f.Name, ".md")
		got := dump(t, f.Data)
		out.Files = append(out.Files, f, txtar.File{Name: name + ".want", Data: []byte(got)})
		if diff := cmp.Diff(wants[name], got); diff != "" && !*update {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(&out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// dump prints a document: what the frontmatter says, each block with its lines
// and context, the notes.
func dump(t *testing.T, src []byte) string {
	t.Helper()
	doc, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	checkDocument(t, src, doc)
	var b strings.Builder
	for _, v := range [][2]string{{"name", doc.Name}, {"description", doc.Description}, {"title", doc.Title}} {
		if v[1] != "" {
			fmt.Fprintf(&b, "%s = %s\n", v[0], v[1])
		}
	}
	for _, bl := range doc.Blocks {
		b.WriteString(lines(bl.First, bl.Last) + " " + kindName(bl))
		if bl.Text != "" {
			b.WriteString(" " + bl.Text)
		}
		b.WriteByte('\n')
		for _, c := range bl.Code {
			fmt.Fprintf(&b, "\t%d: %s\n", c.Line, c.Text)
		}
		for _, e := range bl.Context {
			fmt.Fprintf(&b, "    %s @%d %s\n", roleName(e), e.Line, e.Text)
		}
	}
	for _, n := range doc.Notes {
		fmt.Fprintf(&b, "note %s @%d %s\n", [...]string{"damaged", "hidden"}[n.Kind], n.Line, n.Text)
	}
	return b.String()
}

func lines(first, last int) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

func kindName(b Block) string {
	name := [...]string{"item", "step", "task", "row", "paragraph", "quote", "fence", "field"}[b.Kind]
	switch {
	case b.Kind == Step:
		return fmt.Sprintf("%s %d (list %d)", name, b.Ordinal, b.List)
	case b.List > 0:
		return fmt.Sprintf("%s (list %d)", name, b.List)
	case b.Info != "":
		return name + " " + b.Info
	}
	return name
}

func roleName(e Element) string {
	name := [...]string{"heading", "label", "tag", "lead", "parent", "columns", "key"}[e.Role]
	if e.Level > 0 {
		return fmt.Sprintf("%s %d", name, e.Level)
	}
	return name
}
