package jobs

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"golang.org/x/tools/txtar"
)

// files are the text files of one side; links, submodules and the like come beside them.
type files map[string]string

// fixture are the files of both skills.
func fixture() files {
	out := files{"docs/notes.md": "Notes.\n", "docs/old/a.txt": "a\n", ".gitattributes": "cards/** text eol=lf\n", "skills/mail/extra.txt": "x\n"}
	for _, f := range txtar.Parse(skillFiles).Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// with has further files, or without those that are given as "".
func (f files) with(pairs ...string) files {
	out := maps.Clone(f)
	for i := 0; i < len(pairs); i += 2 {
		if out[pairs[i]] = pairs[i+1]; pairs[i+1] == "" {
			delete(out, pairs[i])
		}
	}
	return out
}

// replaced has one piece of a file replaced.
func (f files) replaced(name, old, new string) files {
	return f.with(name, strings.Replace(f[name], old, new, 1))
}

// moved has a folder under another name.
func (f files) moved(from, to string) files {
	out := files{}
	for name, text := range f {
		if rest, ok := strings.CutPrefix(name, from); ok {
			name = to + rest
		}
		out[name] = text
	}
	return out
}

// built has the cards that belong to the files.
func (f files) built(t *testing.T) files {
	t.Helper()
	data := map[string][]byte{}
	for name, text := range f {
		data[name] = []byte(text)
	}
	list := tree.Memory(data)
	cfg := must(configOf(list))(t)
	out := maps.Clone(f)
	for _, s := range must(extractor.Extract(list, cfg))(t).Skills {
		out[card.File(cfg.Cards, s.Path)] = string(card.Render(s.Card))
	}
	return out
}

// edits are what makes a side of another.
func (f files) edits(from files) map[string]fakehub.File {
	out := map[string]fakehub.File{}
	for name := range from {
		if _, kept := f[name]; !kept {
			out[name] = fakehub.Removed()
		}
	}
	for name, text := range f {
		if from[name] != text {
			out[name] = fakehub.Text(text)
		}
	}
	return out
}

// A split is a head and a base branch that parted: two states of the same files,
// with what no text file is.
type split struct {
	head, base       files
	headOdd, baseOdd map[string]fakehub.File
	rootOdd          map[string]fakehub.File
	stale            bool // the head's cards are not rebuilt
}

// parting are the sides of nearly every test: the head changes a line of a skill and
// the base a file beside it, so that both change its card.
func parting() (head, base files) {
	root := fixture()
	return root.replaced(mail, "wait one minute", "wait ten minutes"), root.with("skills/mail/more.md", "# More\n\n## Commands\n\n- `mailrules undo` takes the last move back.\n")
}

// part makes the two branches and opens the pull request.
func (w *world) part(s split) (number int, head string) {
	w.t.Helper()
	root := fixture().built(w.t)
	all := root.edits(nil)
	maps.Copy(all, s.rootOdd)
	all["README.md"] = fakehub.Text(root["README.md"])
	start := w.commit("main", all)
	put := func(branch string, side files, odd map[string]fakehub.File, parents ...string) string {
		edits := side.edits(root)
		maps.Copy(edits, odd)
		return w.commit(branch, edits, parents...)
	}
	ours := s.head
	if !s.stale {
		ours = ours.built(w.t)
	}
	head = put("topic", ours, s.headOdd, start)
	w.main = put("main", s.base.built(w.t), s.baseOdd)
	w.hub.Lose()
	number = must(w.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{}))(w.t)
	w.settled()
	return number, head
}

// merged is the tree that git makes of the two branches where a person rebuilds the
// cards, and the paths that git calls conflicting.
func (w *world) merged() (tree string, conflicts []string) {
	w.t.Helper()
	dir := w.t.TempDir()
	git := func(fine bool, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.quotepath=off"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.Output()
		if err != nil && !fine {
			w.t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git(false, "clone", "-q", "--branch", "topic", w.repo.GitDir(), ".")
	git(true, "merge", "-q", "--no-edit", "origin/main")
	conflicts = strings.Fields(git(false, "diff", "--name-only", "--diff-filter=U"))
	rebuild(w.t, dir)
	git(false, "add", "-A")
	return git(false, "write-tree"), conflicts
}

// rebuild does to a folder what the command build does.
func rebuild(t *testing.T, dir string) {
	t.Helper()
	now := files{}
	check(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		rel := strings.TrimPrefix(name, dir+"/")
		if d.Type().IsRegular() {
			now[rel] = string(must(os.ReadFile(name))(t))
		}
		return nil
	}))
	want := now.built(t)
	for name := range want {
		folder, ok := card.Folder("cards", name)
		if _, skill := want[folder+"/SKILL.md"]; ok && !skill && checker.Marked([]byte(want[name])) {
			check(t, os.Remove(filepath.Join(dir, name)))
		} else if now[name] != want[name] {
			check(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			check(t, os.WriteFile(filepath.Join(dir, name), []byte(want[name]), 0o644))
		}
	}
}

// What the button merges is, to the id of its tree, what git merges and a person
// rebuilds (2A-44).
func TestTheButtonMergesWhereOnlyCardsConflict(t *testing.T) {
	t.Parallel()
	head, base := parting()
	const third = "---\nname: third\ndescription: A third.\n---\n\n# Third\n\n## Setup\n\n- Read it.\n"
	module := strings.Repeat("5", 40)
	for name, s := range map[string]split{
		"cards alone":                     {head: head, base: base},
		"the cards of the head are stale": {head: head.built(t).replaced(mail, "ten", "nine"), base: base, stale: true},
		"other files on different sides":  {head: head.with("docs/a.md", "A\n", "docs/notes.md", ""), base: base.with("docs/old/a.txt", "b\n", "docs/b.md", "B\n")},
		"the head renames a skill":        {head: head.moved("skills/backup/", "skills/dumps/"), base: base},
		"the base renames a skill":        {head: head, base: base.moved("skills/backup/", "skills/deep/dumps/")},
		"the head removes a skill":        {head: head.with(backup, ""), base: base},
		"the base removes a skill":        {head: head, base: base.with(backup, "")},
		"a new skill on each side":        {head: head.with("skills/third/SKILL.md", third), base: base.with("skills/fourth/SKILL.md", third)},
		"the same change on both sides": {
			head: head.with("docs/both.md", "B\n").replaced(backup, "10 GB", "20 GB"), base: base.with("docs/both.md", "B\n").replaced(backup, "10 GB", "20 GB")},
		"the base has another configuration": {head: head, base: base.with(checker.ConfigFile, "shape:\n  exclude: [skills/backup]\n")},
		"the head has another configuration": {head: head.with(checker.ConfigFile, "shape:\n  exclude: [skills/backup]\n"), base: base},
		"a folder takes the place of a file": {head: head.with("docs/notes.md", "", "docs/notes.md/a", "A\n"), base: base},
		"a file takes the place of a folder": {head: head.with("docs/old/a.txt", "", "docs/old", "A\n"), base: base.with("docs/b.md", "B\n")},
		"links, submodules, modes and names that are no UTF-8": {
			head: head, base: base,
			rootOdd: map[string]fakehub.File{"odd\xff.txt": fakehub.Text("x"), "cards/no\xfe": fakehub.Text("y"), "skills/mail/\xff": fakehub.Text("z"), "tool": fakehub.Text("t"), "sub": fakehub.Submodule(module)},
			headOdd: map[string]fakehub.File{"tool": fakehub.Exec("t"), "new/\xff/a": fakehub.Text("n"), "new/b": fakehub.Text("n"), "more": fakehub.Submodule(module), "skills/mail/link": fakehub.Link("../../docs")},
			baseOdd: map[string]fakehub.File{"run.sh": fakehub.Exec("r"), "here": fakehub.Link("docs"), "sub": fakehub.Submodule(strings.Repeat("6", 40)), "\xff\xfe": fakehub.Text("base")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWriterWorld(t, options{})
			number, head := w.part(s)
			check(t, w.repo.DoubtMerge(number, 2)) // the field says nothing at first
			run := w.only(head)
			if !strings.Contains(run.Title, "1 card conflicts with the base branch") || len(run.Actions) != 1 || !strings.Contains(run.Summary, "git merge origin/BASE") {
				t.Fatalf("%d buttons, %q\n%s", len(run.Actions), run.Title, run.Summary)
			}
			want, conflicts := w.merged()
			for _, path := range conflicts {
				if !strings.HasPrefix(path, "cards/") {
					t.Errorf("git finds a conflict in %s as well", path)
				}
			}
			w.press(head, writer)
			w.rest()
			tip := w.tip("topic")
			if got := w.git("rev-list", "--parents", "-n1", tip); got != tip+" "+head+" "+w.main {
				t.Fatalf("commit and parents: %s, want %s and %s\n%s", got, head, w.main, w.only(head).Summary)
			}
			if got := w.git("rev-parse", tip+"^{tree}"); got != want {
				t.Errorf("the tree is another:\n%s", w.git("diff", "--raw", want, got))
			}
			if run := w.want(tip, "success", ""); strings.Contains(run.Title, "conflict") || len(run.Actions) != 0 {
				t.Errorf("after the merge: %q, %d buttons", run.Title, len(run.Actions))
			}
			if state := must(w.repo.Mergeable(number))(t); state != "clean" {
				t.Errorf("after the merge GitHub calls it %s", state)
			}
		})
	}
}

// The message has the key that a retry looks for, and nothing of the repository.
func TestTheMessageOfAMerge(t *testing.T) {
	t.Parallel()
	w := newWriterWorld(t, options{})
	head, base := parting()
	_, at := w.part(split{head: head, base: base})
	w.press(at, writer)
	w.rest()
	message := w.git("log", "-1", "--format=%B", "refs/heads/topic")
	if message != strings.TrimSpace(mergeMessage)+"\n\nCardkeeper-Key: "+effectMark(store.UpdateKey(w.repo.ID(), at)) {
		t.Errorf("message: %q", message)
	}
	for _, r := range w.hub.Requests() {
		if r.Method != "GET" && strings.Contains(r.Path, "/git/") {
			w.holdWrite(r)
		}
	}
}

// configOf is the shape of a list of files.
func configOf(list fs.FS) (extractor.Shape, error) {
	c, err := config.Load(list)
	return c.Shape, err
}
