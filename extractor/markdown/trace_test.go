package markdown

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTrace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"a link and an image":             {"see [a](b.md) and ![c](d.png)\n", "link 1 b.md; link 1 d.png"},
		"a title is no target":            {"[a](b.md \"t\") [c](d.md 't') [e](f.md (t))\n", "link 1 b.md; link 1 d.md; link 1 f.md"},
		"angle brackets hold blanks":      {"[a](<b c.md>)\n", "link 1 b c.md"},
		"brackets inside a target":        {"[a](b(1).md)\n", "link 1 b(1).md"},
		"words in brackets are no target": {"[a](b c)\n", ""},
		"an image in a link":              {"[![a](b.png)](c.md)\n", "link 1 b.png; link 1 c.md"},
		"the line is the link's own":      {"- one\n  two [a](b.md)\n\n> [c](d.md)\n", "link 2 b.md; link 4 d.md"},
		"a definition":                    {"[a]: b/c.md \"t\"\n", "link 1 b/c.md"},
		"a footnote is no definition":     {"[^a]: b/c.md\n", ""},
		"an explanation is no definition": {"[a]: word and more\n", ""},
		"code points nowhere":             {"```\n[a](b.md)\n```\n\n    [c](d.md)\n\n`[e](f.md)`\n", "span 7 [e](f.md)"},
		"an escaped bracket":              {"\\[a](b.md)\n", ""},
		"a comment points nowhere":        {"x <!-- [a](b.md) --> y\n\n<!--\n[c](d.md)\n-->\n", ""},
		"tags":                            {"<img src=\"a.png\">\n\nx <a href='b.md'>y</a>\n", "link 1 a.png; link 3 b.md"},
		"a table":                         {"| a |\n|---|\n| [b](c.md) `d` |\n", "link 3 c.md; span 3 d"},
		"headings":                        {"# A `b`\n\nC\n---\n", "head 1 A `b`; head 3 C; span 1 b"},
		"a named place":                   {"<a name=\"x\"></a>\n\n## Y {#z}\n", "head 3 Y {#z}; name x; name z"},
		"frontmatter keeps the lines":     {"---\nname: a\n---\n[a](b.md)\n", "link 4 b.md"},
	} {
		doc, err := Parse([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, kind := range []struct {
			name  string
			marks []Mark
		}{{"head", doc.Headings}, {"link", doc.Links}} {
			for _, m := range kind.marks {
				got = append(got, fmt.Sprintf("%s %d %s", kind.name, m.Line, m.Text))
			}
		}
		for _, a := range doc.Anchors {
			got = append(got, "name "+a)
		}
		for _, m := range doc.Spans {
			got = append(got, fmt.Sprintf("span %d %s", m.Line, m.Text))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// Eight times the input takes about eight times the time, whatever stands in it, and not
// sixty-four; 24 and half a second leave room for a busy machine.
func TestTraceIsLinear(t *testing.T) {
	for _, piece := range []string{"[a](", "[](<", "[a](b(", "]( ", "<a href=\"", "<!-- ", "`", "[", "\\[", "[a]: ", "<img src='x' ", "![", "[](a"} {
		took := func(n int) time.Duration {
			lines := []string{strings.Repeat(piece, n/len(piece))}
			start := time.Now()
			w := &walker{doc: &Document{}}
			w.traceLines(lines, []int{1})
			return time.Since(start)
		}
		small, large := took(1<<16), took(1<<19)
		if large > 24*small+500*time.Millisecond {
			t.Errorf("%q: %v for 64 kB and %v for 512 kB", piece, small, large)
		}
	}
}
