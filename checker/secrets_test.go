package checker

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/extractor"
)

// leaks lists the findings of a report as "file:line tier".
func leaksOf(r Report) string {
	var out []string
	for _, f := range r.Secrets {
		out = append(out, fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Tier))
	}
	return strings.Join(out, "; ")
}

func TestWhatIsScannedForSecrets(t *testing.T) {
	t.Parallel()
	token := newMint(10).token()
	leak := "- use " + token + "\n"
	leaky := two().with(alphaMain, alpha+leak).built()
	tests := extractor.DefaultShape()
	open := tests
	open.Exclude = nil
	hiding := tests
	hiding.Exclude = append([]string{"alpha"}, tests.Exclude...)
	for name, c := range map[string]struct {
		base, head             repo
		baseShape, headShape   extractor.Shape
		found, note, notInNote string
	}{
		"in the head alone": {base: two(), head: leaky, found: alphaMain + ":20 block"},
		"in the base already": {base: leaky, head: leaky.with(alphaMain, leaky[alphaMain]+"- more\n").built(),
			note: alphaMain + ":20: a secret"},
		"moved between the files of a skill": {base: leaky, head: two().with("skills/alpha/more.md", leak).built(),
			note: "skills/alpha/more.md:1: a secret"},
		"moved to another skill": {base: leaky, head: two().with(betaMain, beta+leak).built(),
			note: betaMain + ":6: a secret"},
		"in an HTML comment, which is no fact": {base: two(), head: two().with(alphaMain, alpha+"\n<!-- "+token+" -->\n").built(),
			found: alphaMain + ":21 block"},
		"in a code block": {base: two(), head: two().with(alphaMain, alpha+"\n```yaml\nkey: "+token+"\n```\n").built(),
			found: alphaMain + ":22 block"},
		"in a statement that wraps": {base: two(), head: two().with(alphaMain, alpha+"- the password is\n  hunter2 and the key\n  is "+token+"\n").built(),
			found: alphaMain + ":22 block"},
		"in a card edited by hand": {base: two(), head: two().with(alphaCard, strings.Replace(two()[alphaCard], "install git", "install git "+token, 1)),
			found: alphaCard + ":14 block"},
		"in an orphan edited by hand": {base: two(), head: two().with("cards/skills/gone.md", two()[betaCard]+token+"\n"),
			found: "cards/skills/gone.md:"},
		"in the Markdown beside the cards": {base: two(), head: two().with("cards/README.md", "see "+token+"\n"),
			found: "cards/README.md:1 block"},
		"in a file's name": {base: two(), head: two().with("skills/alpha/"+token+".md", "- text\n").built(),
			found: ".md:1 block"},
		"in a script's name": {base: two(), head: two().with("skills/alpha/"+token+".sh", "echo\n").built(),
			found: ".sh:1 block"},
		"in a folder's name": {base: two(), head: two().with("skills/"+token+"/SKILL.md", beta).built(),
			found: ".md:1 block"},
		"in no skill":                {base: two(), head: two().with("docs/a.md", leak)},
		"in what both sides exclude": {base: two(), head: two().with("tests/SKILL.md", leak)},
		"in what the head newly excludes (2A-37)": {base: two(), head: leaky.without(alphaCard), baseShape: tests, headShape: hiding,
			found: alphaMain + ":20 block"},
		"in what the head indexes newly, and the base had": {
			base: two().with("tests/SKILL.md", "# T\n\n<!-- "+token+" -->\n"), head: two().with("tests/SKILL.md", "# T\n\n<!-- "+token+" -->\n").built(open),
			baseShape: tests, headShape: open, found: "tests/SKILL.md:3 block"},
		"in a file that a new SKILL.md makes part of a skill": {
			base: two().with("docs/old.md", "<!-- "+token+" -->\n"), head: two().with("docs/old.md", "<!-- "+token+" -->\n", "docs/SKILL.md", beta).built(),
			found: "docs/old.md:1 block"},
		"in the change that switches the check on": {base: repo{alphaMain: alpha + leak}, head: repo{alphaMain: alpha + leak, ConfigFile: ""}.built(),
			found: alphaMain + ":20 block"},
		"with a comment that asks to be let through (2A-37)": {base: two(), head: two().with(alphaMain, alpha+"- use "+token+" gitleaks:allow\n", ".gitleaksignore", "*\n").built(),
			found: alphaMain + ":20 block"},
		"removed": {base: leaky, head: two()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.baseShape.Cards == "" {
				c.baseShape, c.headShape = tests, tests
			}
			r := compare(t, c.base.side(c.baseShape), c.head.side(c.headShape))
			found := leaksOf(r)
			if strings.Count(found, ";") > 0 || !strings.Contains(found, c.found) || c.found == "" && found != "" {
				t.Errorf("found %q, want %q", found, c.found)
			}
			if (c.found != "") != (r.leaks() > 0) || c.found != "" && !r.Failed() {
				t.Errorf("%s with %d leaks", r.Conclusion, r.leaks())
			}
			if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, c.note) {
				t.Errorf("no note %q among %q", c.note, notes)
			}
			unspoken(t, token, everything(r))
		})
	}
}

// unspoken fails where any eight characters of a token stand in a text (law 8).
func unspoken(t *testing.T, token, text string) {
	t.Helper()
	for _, p := range piecesOf(token) {
		if i := strings.Index(text, p); i >= 0 {
			t.Errorf("a piece of the token is shown, after %q", text[max(0, i-60):i])
			return
		}
	}
}

// A token in every place that a repository has for text is shown by no output,
// in the base and in the head, as it comes and as it goes (law 8).
func TestNoTextLeavesUnscanned(t *testing.T) {
	t.Parallel()
	m := newMint(11)
	places := map[string]func(token string) repo{
		"a statement":           func(s string) repo { return two().with(alphaMain, alpha+"- use "+s+" now\n") },
		"a heading":             func(s string) repo { return two().with(alphaMain, alpha+"\n## Key "+s+"\n\n- text\n") },
		"a lead-in":             func(s string) repo { return two().with(alphaMain, alpha+"\nWith "+s+":\n\n- text\n") },
		"a parent item":         func(s string) repo { return two().with(alphaMain, alpha+"- "+s+"\n  - child\n") },
		"a table's head":        func(s string) repo { return two().with(alphaMain, alpha+"\n| "+s+" | b |\n|---|---|\n| c | d |\n") },
		"the name":              func(s string) repo { return two().with(alphaMain, edit("name: alpha", "name: "+s)) },
		"the description":       func(s string) repo { return two().with(alphaMain, edit("Ships parcels", "Ships "+s)) },
		"a command":             func(s string) repo { return two().with(alphaMain, alpha+"\n```sh\nlogin "+s+"\n```\n") },
		"a fence's language":    func(s string) repo { return two().with(alphaMain, alpha+"\n```"+s+"\ncode\n```\n") },
		"a link":                func(s string) repo { return two().with(alphaMain, alpha+"- [x](https://example.com/?t="+s+")\n") },
		"a file's name":         func(s string) repo { return two().with("skills/alpha/"+s+".md", "- text\n") },
		"a skill's folder":      func(s string) repo { return two().with("skills/"+s+"/SKILL.md", beta) },
		"a symbolic name":       func(s string) repo { return two().with("skills/alpha/a\u202e"+s+".md", "- text\n") },
		"an orphan's name":      func(s string) repo { return two().with("cards/"+s+".md", two()[betaCard]) },
		"a stray's name":        func(s string) repo { return two().with("cards/"+s+".md", "# Not a card\n") },
		"a card edited by hand": func(s string) repo { return two().with(betaCard, strings.Replace(two()[betaCard], "never", s, 1)) },
		"a card's title": func(s string) repo {
			return two().with(betaCard, strings.Replace(two()[betaCard], "# beta", "# "+s, 1))
		},
		"an environment's name": func(s string) repo { return two().with("skills/alpha/run.sh", "echo ${"+s+":?}\n") },
		"a word that is changed": func(s string) repo {
			return two().with(alphaMain, edit("install the parcel tool", "install the parcel "+s))
		},
		"invalid frontmatter": func(s string) repo { return two().with(alphaMain, "---\nkey: ["+s+"\n---\n"+alpha) },
		"an excluded file":    func(s string) repo { return two().with("tests/a/SKILL.md", s) },
	}
	for name, place := range places {
		token := m.token()
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with := place(token)
			for what, r := range map[string]Report{
				"comes":                 compare(t, two().side(), with.side()),
				"comes with cards":      compare(t, two().side(), with.built().side()),
				"goes":                  compare(t, with.side(), two().side()),
				"goes, the cards stay":  compare(t, with.built().side(), two().with(alphaCard, with.built()[alphaCard]).side()),
				"stays":                 compare(t, with.side(), with.with(alphaMain, with[alphaMain]+"- more\n").side()),
				"is there without base": compare(t, nil, with.side()),
			} {
				t.Log(what)
				unspoken(t, token, everything(r))
			}
		})
	}
}

func TestWarningsNeverBlock(t *testing.T) {
	t.Parallel()
	head := two().with(alphaMain, alpha+"- use "+newMint(12).token()+"\n").built()
	r, err := Check(t.Context(), Input{Base: two().side(), Head: *head.side(), Scanner: tieredScanner{testScanner()}})
	if err != nil || r.Failed() || len(r.Secrets) != 1 || r.leaks() != 0 {
		t.Errorf("%v, %v: %s", err, r.Conclusion, leaksOf(r))
	}
	if a := r.Output().Annotations; len(a) != 1 || a[0].Level != Warning {
		t.Errorf("annotated as %v", a)
	}
}

func TestSkillLeaksIsAllThatBlocks(t *testing.T) {
	t.Parallel()
	m := newMint(13)
	in, out, named := m.token(), m.token(), m.token()
	files := repo{"a/SKILL.md": "- " + in + "\n", "a/more.md": "<!-- " + out + " -->\n", "a/" + named + ".sh": "echo\n"}.files()
	tree, err := extractor.Extract(files, extractor.DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	layout, err := extractor.Discover(files, extractor.DefaultShape())
	if err != nil {
		t.Fatal(err)
	}
	found, err := SkillLeaks(context.Background(), testScanner(), files, layout.Skills[0], tree.Skills[0])
	if err != nil || len(found) != 3 {
		t.Errorf("%v, %d findings, want 3: %v", err, len(found), found)
	}
	quiet := tieredScanner{testScanner()}
	if found, err := SkillLeaks(context.Background(), quiet, files, layout.Skills[0], tree.Skills[0]); err != nil || len(found) != 0 {
		t.Errorf("%v, %d warnings block", err, len(found))
	}
}

// Texts are scanned in chunks, and one that is longer than a chunk alone, so that
// no size of a skill makes the check fail for ever.
func TestChunks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sizes []int
		want  int
	}{
		"none":                       {nil, 0},
		"all fit":                    {[]int{10, 10}, 2},
		"one is too long":            {[]int{scanChunk * 3}, 1},
		"a long one after short one": {[]int{10, scanChunk * 3, 10}, 1},
		"exactly full":               {[]int{scanChunk - 1}, 1},
	} {
		if got := chunk(len(c.sizes), func(i int) int { return c.sizes[i] }); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
	long := strings.Repeat("plain words here. ", scanChunk/18+100)
	token := newMint(14).token()
	head := two().with("skills/alpha/a.md", long+"\n\n- "+token+"\n").built()
	if r := compare(t, two().side(), head.side()); leaksOf(r) != "skills/alpha/a.md:3 block" {
		t.Errorf("found %q behind a long paragraph", leaksOf(r))
	}
}

func TestWhatIsNeverIndexedIsNotScanned(t *testing.T) {
	t.Parallel()
	files := repo{"a.md": "x\x00" + newMint(15).token(), "b.md": strings.Repeat("a ", 3<<20)}.files()
	for _, name := range []string{"a.md", "b.md"} {
		if found, err := ScanFile(context.Background(), testScanner(), files, name); err != nil || found != nil {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	if _, err := ScanFile(context.Background(), testScanner(), files, "c.md"); err == nil {
		t.Error("a file that is not there counts as clean")
	}
}

// A value that the base holds where nothing is indexed, such as a comment, is
// new to the index once it stands in a sentence.
func TestAValueThatEntersTheIndexIsNew(t *testing.T) {
	t.Parallel()
	token := newMint(11).token()
	base := two().with(alphaMain, alpha+"\n<!-- "+token+" -->\n").built()
	if r := compare(t, base.side(), base.with(alphaMain, alpha+"- use "+token+"\n").side()); leaksOf(r) == "" {
		t.Errorf("nothing found; %s", r.Title)
	}
	if r := compare(t, base.side(), base.with(alphaMain, alpha+"- more\n\n<!-- "+token+" -->\n").built().side()); leaksOf(r) != "" {
		t.Errorf("a comment that stays is found as new: %s", leaksOf(r))
	}
}

// A name in one statement and its value in the next are found in the file alone:
// where the base held both in a comment, they enter the index all the same. What
// the base's index held stays its own, whatever changes beside it.
func TestAValueApartFromItsNameThatEntersTheIndexIsNew(t *testing.T) {
	t.Parallel()
	value := "Ab3" + newMint(14).token()[4:34]
	apart := "\napi_key:\n\n\"" + value + "\" is it.\n"
	hidden := two().with(alphaMain, alpha+"\n<!--\napi_key:\n\n\""+value+"\"\n-->\n").built()
	shown := two().with(alphaMain, alpha+apart).built()
	for name, c := range map[string]struct {
		base, head repo
		fails      bool
	}{
		"out of a comment":         {hidden, shown, true},
		"held, and another change": {shown, shown.with(alphaMain, shown[alphaMain]+"\nMore.\n").built(), false},
	} {
		if r := compare(t, c.base.side(), c.head.side()); r.Failed() != c.fails {
			t.Errorf("%s: %s, %s", name, r.Conclusion, leaksOf(r))
		}
	}
}
