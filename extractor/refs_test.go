package extractor

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cardkeeper/cardkeeper/extractor/markdown"
	"github.com/google/go-cmp/cmp"
)

// skillFiles are the files of one skill in s/, by name, and of what is around it (names that begin with "/").
func skillFiles(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		full := "s/" + name
		if strings.HasPrefix(name, "/") {
			full = name[1:]
		}
		out[full] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// deadOf extracts the skill in s/ and writes its dead references, "kind file:line target".
func deadOf(t *testing.T, files fs.FS) string {
	t.Helper()
	tree, err := Extract(files, DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range tree.Skills {
		for _, d := range s.Dead {
			out = append(out, fmt.Sprintf("%s %s:%d %s", d.Kind, strings.TrimPrefix(d.File, "s/"), d.Line, d.Target))
		}
	}
	return strings.Join(out, "\n")
}

func TestDeadLinks(t *testing.T) {
	t.Parallel()
	around := map[string]string{"guide.md": "# Guide\n", "references/a b.md": "# A\n", "references/deep.md": "x", "/README.md": "# R\n", "/docs/x.md": "# X\n", "/other/SKILL.md": "# O\n"}
	for name, c := range map[string]struct{ text, want string }{
		"a file that is there":                     {"[a](guide.md) [a](./guide.md) [a](references/) [a](references)", ""},
		"a file that is not":                       {"[a](missing.md)", "link SKILL.md:1 missing.md"},
		"an image that is not":                     {"![a](missing.png)", "link SKILL.md:1 missing.png"},
		"the line is where it stands":              {"one\n\n- two\n  [a](missing.md)", "link SKILL.md:4 missing.md"},
		"percent signs and blanks":                 {"[a](references/a%20b.md) [a](<references/a b.md>)", ""},
		"query and fragment are cut":               {"[a](guide.md?plain=1#L3) [a](gone.md?x#y)", "link SKILL.md:1 gone.md?x#y"},
		"from the root of the repository":          {"[a](/docs/x.md) [a](/docs/y.md)", "link SKILL.md:1 /docs/y.md"},
		"another skill":                            {"[a](../other/SKILL.md) [a](../gone/SKILL.md)", "link SKILL.md:1 ../gone/SKILL.md"},
		"what leaves the root is not judged":       {"[a](../../elsewhere.md)", ""},
		"addresses are not judged":                 {"[a](https://x.example/y) [a](mailto:a@x.example) [a](//x.example/y) [a](tel:1)", ""},
		"templates are not judged":                 {"[a]({base}/x.md) [a](<name>.md) [a]($DIR/x.md) [a](.../x.md) [a](*.md) [a](url) [a](~/x.md)", ""},
		"a path of a web site is not judged":       {"[a](/automation/webhook)", ""},
		"a command with a colon is not judged":     {"[a](/plugin:skill)", ""},
		"code holds no links":                      {"`[a](gone.md)`\n\n```md\n[a](gone.md)\n```", ""},
		"the same link of one line is told once":   {"[a](gone.md) [b](gone.md)", "link SKILL.md:1 gone.md"},
		"a file below a file is not there":         {"[a](guide.md/x.md)", "link SKILL.md:1 guide.md/x.md"},
		"a name that is too long is not there":     {"[a](" + strings.Repeat("x", 300) + ".md)", "link SKILL.md:1 " + strings.Repeat("x", 300) + ".md"},
		"a definition":                             {"[a][b]\n\n[b]: gone/c.md", "link SKILL.md:3 gone/c.md"},
		"a link in a table":                        {"| a |\n|---|\n| [b](gone.md) |", "link SKILL.md:3 gone.md"},
		"an invisible character is not told again": {"[a](go\u200bne.md)", `link SKILL.md:1 gone.md`},
	} {
		files := skillFiles(around)
		files["s/SKILL.md"] = &fstest.MapFile{Data: []byte(c.text + "\n")}
		got := deadOf(t, files)
		if name == "an invisible character is not told again" {
			if !strings.HasPrefix(got, "link SKILL.md:1 ") || strings.Contains(got, "\u200b") {
				t.Errorf("%s: %q", name, got)
			}
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A link is resolved from the file that holds it (the same path is dead in a deeper file).
func TestLinksFromADeeperFile(t *testing.T) {
	t.Parallel()
	got := deadOf(t, skillFiles(map[string]string{"SKILL.md": "[a](references/a.md)\n", "references/a.md": "[b](references/b.md)\n[b](b.md) [c](../SKILL.md)\n", "references/b.md": "x\n"}))
	if got != "link references/a.md:1 references/b.md" {
		t.Error(got)
	}
}

// A file made to be copied elsewhere may lead to what is there.
func TestLinksOfTemplates(t *testing.T) {
	t.Parallel()
	got := deadOf(t, skillFiles(map[string]string{"SKILL.md": "x\n", "templates/issue.md": "[a](../../docs/a.md) [b](../adr/) [c](../gone.md)\n"}))
	if got != "link templates/issue.md:1 ../gone.md" {
		t.Error(got)
	}
}

func TestDeadAnchors(t *testing.T) {
	t.Parallel()
	const page = "# The Page\n\n## Set up: `a_b` & more\n\n## Twice\n\n## Twice\n\n## _Leaning_ words\n\n## ⚙️ Cog\n\n<a id=\"placed\"></a>\n\n## Über uns\n\nPlain\n-----\n"
	for name, c := range map[string]struct{ text, want string }{
		"headings of the file itself":       {"# One\n\n[a](#one) [a](#two)", "anchor SKILL.md:3 #two"},
		"of another file":                   {"[a](page.md#the-page) [a](page.md#gone)", "anchor SKILL.md:1 page.md#gone"},
		"marks and code":                    {"[a](page.md#set-up-a_b--more)", ""},
		"the second of a name":              {"[a](page.md#twice) [a](page.md#twice-1) [a](page.md#twice-2)", "anchor SKILL.md:1 page.md#twice-2"},
		"emphasis in a heading":             {"[a](page.md#leaning-words)", ""},
		"an emoji with an invisible part":   {"[a](page.md#️-cog) [a](page.md#-cog)", ""},
		"a named place":                     {"[a](page.md#placed)", ""},
		"letters of other languages":        {"[a](page.md#über-uns) [a](page.md#%C3%BCber-uns)", ""},
		"an underlined heading":             {"[a](page.md#plain)", ""},
		"the top and lines are not judged":  {"[a](#) [a](#top) [a](page.md#L10-L12) [a](run.py#main)", ""},
		"a page of another skill":           {"[a](../other/SKILL.md#gone)", ""},
		"a heading in a fence is none":      {"```md\n# Fenced\n```\n[a](#fenced)", "anchor SKILL.md:4 #fenced"},
		"a missing file is one fault alone": {"[a](gone.md#x)", "link SKILL.md:1 gone.md#x"},
	} {
		files := skillFiles(map[string]string{"SKILL.md": c.text + "\n", "page.md": page, "run.py": "x\n", "/other/SKILL.md": "# O\n"})
		if diff := cmp.Diff(c.want, deadOf(t, files)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestDeadFiles(t *testing.T) {
	t.Parallel()
	around := map[string]string{"scripts/run.py": "x\n", "references/a.md": "x\n", "references/scripts/deep.sh": "x\n", "/scripts/shared.sh": "x\n"}
	for name, c := range map[string]struct{ text, want string }{
		"a file that is there":                      {"`scripts/run.py` `./scripts/run.py` `references/a.md`", ""},
		"a file that is not":                        {"See `references/b.md` first", "file SKILL.md:1 references/b.md"},
		"a script in a command":                     {"```sh\n# first\npython scripts/gone.py x | sh scripts/lost.sh\n```", "file SKILL.md:3 scripts/gone.py\nfile SKILL.md:3 scripts/lost.sh"},
		"a script that is run by itself":            {"```bash\n./scripts/gone.sh x\n```", "file SKILL.md:2 ./scripts/gone.sh"},
		"a command in a code span":                  {"Run `python3 scripts/gone.py --fast`", "file SKILL.md:1 scripts/gone.py"},
		"behind variables and other launchers":      {"```sh\nA=b uv run --with x scripts/gone.py\n```", "file SKILL.md:2 scripts/gone.py"},
		"what a folder above has":                   {"`scripts/shared.sh`", ""},
		"placeholders and globs":                    {"`scripts/<name>.py` `scripts/*.py` `scripts/{x}.py` `references/...` `scripts/my_tool.py` `assets/example.png`", ""},
		"folders":                                   {"`scripts/` `assets/icons/`", ""},
		"the user's project":                        {"`src/gone.py` `~/scripts/gone.py` `/tmp/scripts/gone.py` `docs/gone.md` `templates/gone.html`", ""},
		"an output or an argument":                  {"```sh\npython scripts/run.py --out assets/gone.png > references/gone.md\n```", ""},
		"elsewhere after cd":                        {"```sh\ncd project\nsh scripts/gone.sh\n```", ""},
		"code of other languages":                   {"```python\nopen('scripts/gone.py')\n```", ""},
		"what is to be made":                        {"Create `scripts/gone.py` first", ""},
		"examples":                                  {"**Examples**: `references/gone.md` for one. `assets/gone.png` for another", ""},
		"another skill's file":                      {"See the other skill's `references/gone.md`", ""},
		"a here-document":                           {"```sh\ncat <<'E'\nsh scripts/gone.sh\nE\n```", ""},
		"a code span that is a link to the same":    {"[`references/gone.md`](references/gone.md)", "link SKILL.md:1 references/gone.md"},
		"a module and a text are no script's names": {"```sh\npython -m scripts/gone.py\npython -c 'scripts/gone.py'\n```", ""},
	} {
		files := skillFiles(around)
		files["s/SKILL.md"] = &fstest.MapFile{Data: []byte(c.text + "\n")}
		files["s/CHANGELOG.md"] = &fstest.MapFile{Data: []byte("`references/gone.md` went\n")}
		if diff := cmp.Diff(c.want, deadOf(t, files)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// Without a folder of that name the paths are as often the project's, but for
// those that only skills have and scripts that SKILL.md starts.
func TestFilesOfAFolderThatIsNotThere(t *testing.T) {
	t.Parallel()
	got := deadOf(t, skillFiles(map[string]string{
		"SKILL.md": "`scripts/a.py` `references/b.md`\n\n```sh\npython scripts/c.py\n./scripts/d.sh\n```\n",
		"more.md":  "```sh\npython scripts/e.py\n```\n",
	}))
	if got != "file SKILL.md:1 references/b.md\nfile SKILL.md:4 scripts/c.py" {
		t.Error(got)
	}
}

const argparsed = `import argparse
p = argparse.ArgumentParser()
p.add_argument("--verbose", "-v")
p.add_argument("--out-dir")
p.parse_args()
`

func TestDeadFlags(t *testing.T) {
	t.Parallel()
	scripts := map[string]string{
		"scripts/run.py":    argparsed,
		"scripts/open.py":   argparsed + "p.parse_known_args()\n",
		"scripts/none.py":   "print(1)\n",
		"scripts/broken.sh": "case $1 in\n  --fast) x ;;\n",
		"scripts/go.sh":     "while [ $# -gt 0 ]; do\n  case \"$1\" in\n    --fast) shift ;;\n    *) exit 1 ;;\n  esac\ndone\n",
		"scripts/pass.sh":   "case \"$1\" in\n  --fast) ;;\nesac\nexec other \"$@\"\n",
		"scripts/uses.py":   argparsed + "from shared import more\nmore(p)\n",
		"scripts/set.mjs":   "import {program} from 'commander'\nprogram.option('--fast')\n",
		"scripts/own.mjs":   "for (const a of process.argv) {\n  if (a === '--fast') x()\n  else if (a.startsWith('--')) y(a)\n}\n",
		"scripts/own.py":    argparsed + "rest = [a for a in argv if a.startswith('--')]\n",
		"scripts/shared.py": "def more(p):\n    p.add_argument('--deep')\n",
	}
	for name, c := range map[string]struct{ text, want string }{
		"a flag that is declared":             {"python scripts/run.py --verbose --out-dir x --out-dir=x", ""},
		"a flag that is not":                  {"python scripts/run.py --quiet", "flag SKILL.md:2 scripts/run.py --quiet"},
		"with a value behind =":               {"python scripts/run.py --quiet=1", "flag SKILL.md:2 scripts/run.py --quiet"},
		"on a continued line":                 {"python scripts/run.py x \\\n  --verbose \\\n  --quiet", "flag SKILL.md:4 scripts/run.py --quiet"},
		"help and version":                    {"python scripts/run.py --help --version -h", ""},
		"the beginning of a flag":             {"python scripts/run.py --verb", ""},
		"its denial":                          {"python scripts/run.py --no-verbose", ""},
		"each command of a pipeline":          {"python scripts/run.py --fast | bash scripts/go.sh --verbose; x --other", "flag SKILL.md:2 scripts/go.sh --verbose\nflag SKILL.md:2 scripts/run.py --fast"},
		"a session":                           {"$ python scripts/run.py --quiet\nprinted --other", "flag SKILL.md:2 scripts/run.py --quiet"},
		"optional ones in brackets":           {"python scripts/run.py [--verbose] [--quiet]", "flag SKILL.md:2 scripts/run.py --quiet"},
		"after two dashes come no flags":      {"python scripts/run.py -- --quiet", ""},
		"in quotes and comments are none":     {"python scripts/run.py \"--x --quiet\" # --other", ""},
		"a script with unknown flags":         {"python scripts/open.py --quiet", ""},
		"a script without flags":              {"python scripts/none.py --quiet", ""},
		"a script that does not parse":        {"bash scripts/broken.sh --quiet", ""},
		"a script that passes all on":         {"bash scripts/pass.sh --quiet", ""},
		"JavaScript with a known parser":      {"node scripts/set.mjs --quiet", "flag SKILL.md:2 scripts/set.mjs --quiet"},
		"a parser of the script's own":        {"node scripts/own.mjs --quiet; python scripts/own.py --quiet", ""},
		"what a helper declares":              {"python scripts/uses.py --deep", ""},
		"another program":                     {"git --quiet; python other.py --quiet", ""},
		"a placeholder is no flag":            {"python scripts/run.py --<name> <args> --flag", ""},
		"behind a variable for the folder":    {"python ${SKILL_DIR}/scripts/run.py --quiet", "flag SKILL.md:2 ${SKILL_DIR}/scripts/run.py --quiet"},
		"by its name alone":                   {"cd scripts && python run.py --quiet", ""},
		"by its name alone where nobody left": {"python run.py --quiet", "flag SKILL.md:2 run.py --quiet"},
	} {
		files := skillFiles(scripts)
		files["s/SKILL.md"] = &fstest.MapFile{Data: []byte("```sh\n" + c.text + "\n```\n")}
		if diff := cmp.Diff(c.want, deadOf(t, files)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestOptOuts(t *testing.T) {
	t.Parallel()
	tree, err := Extract(skillFiles(map[string]string{"a.md": "x\n", "SKILL.md": "[a](gone.md) <!-- cardkeeper: ignore-reference -->\n\n" +
		"<!-- cardkeeper: ignore-reference -->\n[b](a.md) [c](lost.md)\n\n[d](far.md)\n"}), DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	s := tree.Skills[0]
	ref := func(line int, target string, out bool) Reference {
		return Reference{LinkReference, "s/SKILL.md", line, target, out}
	}
	if diff := cmp.Diff([]Reference{ref(1, "gone.md", true), ref(4, "lost.md", true), ref(6, "far.md", false)}, s.Dead); diff != "" {
		t.Errorf("dead:\n%s", diff)
	}
	if diff := cmp.Diff([]Reference{ref(1, "gone.md", true), ref(4, "a.md", true), ref(4, "lost.md", true)}, s.OptOuts); diff != "" {
		t.Errorf("opted out:\n%s", diff)
	}
}

// A statFS fails where it is asked about a name.
type statFS struct{ fs.FS }

var errStat = errors.New("the disk is broken")

func (statFS) Stat(string) (fs.FileInfo, error) { return nil, errStat }

// "Could not look" is not "is not there" (law 13).
func TestReferencesThatCannotBeLookedUp(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"[a](gone.md)", "`references/gone.md`", "```sh\npython scripts/gone.py\n```"} {
		_, err := Extract(statFS{skillFiles(map[string]string{"SKILL.md": text})}, Shape{Cards: "cards", MaxEntriesPerFile: 1})
		if !errors.Is(err, errStat) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Below a symbolic link nothing can be told.
func TestReferencesBelowALink(t *testing.T) {
	t.Parallel()
	files := skillFiles(map[string]string{"SKILL.md": "[a](linked/x.md) [b](linked)\n"})
	files["s/linked"] = &fstest.MapFile{Data: []byte("../other"), Mode: fs.ModeSymlink}
	if got := deadOf(t, lstatFS{files}); got != "" {
		t.Error(got)
	}
}

// A lstatFS describes links themselves, as a tree of git does.
type lstatFS struct{ fstest.MapFS }

func (f lstatFS) Stat(name string) (fs.FileInfo, error) { return f.MapFS.Lstat(name) }

// Eight times the input takes about eight times the time, whatever stands in it, and not
// sixty-four; 24 and half a second leave room for a busy machine.
func TestReferencesAreLinear(t *testing.T) {
	for _, piece := range []string{"[a](x/", "`scripts/a.py` ", "[a](b.md)\n", "scripts/run.py --x ", "<a ", "<<a\n", "\"", "# a\n", "[a](#a)\n", "a/"} {
		took := func(n int) time.Duration {
			body := strings.Repeat(piece, n/len(piece))
			files := skillFiles(map[string]string{"SKILL.md": body + "\n```sh\n" + body + "\n```\n", "scripts/run.py": argparsed})
			r := &reader{files: SkillFiles{Path: "s", Main: "s/SKILL.md", Files: []string{"s/SKILL.md", "s/scripts/run.py"}}, mined: map[string]*mined{}}
			src := files["s/SKILL.md"].Data
			doc, err := markdown.Parse(src)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			r.page("s/SKILL.md", src, doc)
			if _, _, err := r.references(files); err != nil {
				t.Fatal(err)
			}
			return time.Since(start)
		}
		small, large := took(1<<13), took(1<<16)
		if large > 24*small+500*time.Millisecond {
			t.Errorf("%q: %v and %v", piece, small, large)
		}
	}
}
