package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/google/go-cmp/cmp"
)

// An agreement is a change whose verdict does not depend on where it is looked
// for: in a commit, in the working tree, in the index, or by the App.
type agreement struct {
	settings  []string      // of git, in every repository: "core.autocrlf=true"
	base      func(sandbox) // what the base has besides two skills; their cards are built after it
	late      func(sandbox) // what the base has that no card is built of
	edit      func(sandbox)
	later     func(sandbox) // what the base's branch goes on with; of the commands the shallow merge alone sees it
	fails     bool
	says      []string // parts of the verdict
	silent    []string // no parts of it
	stderr    []string // said beside it by the command
	untracked []string // said beside it of uncommitted edits
	faulty    bool     // the base's configuration is: the App says so above its summary
	refused   string   // the head's is: the App fails and says this, a command gives no verdict and says it too
}

// A judgement is a verdict with all that a person sees of it.
type judgement struct {
	Conclusion checker.Conclusion
	checker.Output
}

// git runs git under the case's settings.
func (a agreement) git(s sandbox, args ...string) string {
	s.t.Helper()
	var all []string
	for _, kv := range a.settings {
		all = append(all, "-c", kv) // a sandbox's git has settings of its own, which these come after
	}
	return s.git(append(all, args...)...)
}

// repository makes an empty one with the case's settings, for cardkeeper's git to find.
func (a agreement) repository(t *testing.T) sandbox {
	t.Helper()
	s := sandbox{t, t.TempDir()}
	s.git("init", "-q", "-b", "main")
	for _, kv := range a.settings {
		key, value, _ := strings.Cut(kv, "=")
		s.git("config", key, value)
	}
	return s
}

func (a agreement) commit(s sandbox) {
	s.t.Helper()
	a.git(s, "add", "-A")
	s.git("commit", "-q", "-m", "a commit")
}

// publish makes the base, the head and, since the base's branch goes on, the
// commit that tries the merge, and pushes them.
func (a agreement) publish(t *testing.T, to string) (base string) {
	t.Helper()
	s := a.repository(t)
	for name, text := range two() {
		s.write(name, text)
	}
	for _, step := range []func(sandbox){a.base, func(s sandbox) { s.expect(exitOK, "build") }, a.late} {
		if step != nil {
			step(s)
		}
	}
	a.commit(s)
	base = s.git("rev-parse", "HEAD")
	s.git("checkout", "-q", "-b", "topic")
	a.edit(s)
	a.commit(s)
	a.git(s, "checkout", "-q", "-f", "main")
	s.git("clean", "-q", "-f", "-f", "-d", "-x")
	s.write("README.md", "The base goes on.\n")
	if a.later != nil {
		a.later(s)
	}
	a.commit(s)
	s.git("push", "-q", to, "main", "topic")
	a.git(s, "merge", "-q", "--no-ff", "-m", "a merge", "topic")
	s.git("push", "-q", to, "HEAD:refs/test/merge")
	return base
}

// judge checks a folder without the commits, which only some of the ways have;
// the report in JSON comes beside the verdict.
func judge(s sandbox, base string) (j judgement, raw, stderr string) {
	s.t.Helper()
	var said, out bytes.Buffer
	r, err := check(s.t.Context(), where{root: s.dir}, checking{base: base, noHistory: true}, &said)
	if err != nil {
		s.t.Fatalf("no verdict: %v", err)
	}
	if err := writeJSON(&out, r); err != nil {
		s.t.Fatal(err)
	}
	return judgement{r.Conclusion, r.Output()}, out.String(), said.String()
}

// judgeAll checks a folder with its commits, and gives what these told as well.
func judgeAll(s sandbox, base string) (judgement, *checker.History) {
	s.t.Helper()
	r, err := check(s.t.Context(), where{root: s.dir}, checking{base: base}, &bytes.Buffer{})
	if err != nil {
		s.t.Fatalf("no verdict: %v", err)
	}
	if r.History != nil {
		r.History.Brought = map[string]string{}
		for _, f := range r.Secrets {
			r.History.Brought[f.Fingerprint] = f.Commit
		}
	}
	return judgement{r.Conclusion, r.Output()}.shown(), r.History
}

// with is the judgement with what the commits told, as a person sees it.
func (j judgement) with(h *checker.History) judgement {
	if h != nil {
		j.Output = j.WithHistory(*h)
	}
	return j.shown()
}

// shown leaves out what is not shown.
func (j judgement) shown() judgement {
	j.Table = checker.Table{}
	return j
}

// open opens the pull request of topic into main, and returns how to wait for the App's verdict on it.
func (a agreement) open(t *testing.T, w *world, repo *fakehub.Repo) (verdict func() judgement) {
	t.Helper()
	if _, err := repo.OpenPull("topic", "main", "contributor", fakehub.PullOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := w.deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	head := sandbox{t, repo.GitDir()}.git("--git-dir=.", "rev-parse", "topic")
	return func() judgement {
		t.Helper()
		var run fakehub.CheckRun
		if err := await(t.Context(), "the check run", func() bool {
			for _, r := range w.hub.CheckRuns(repo, head) {
				run = r
			}
			off := run.Title == "Not switched on here" || a.refused != ""
			return run.Status == "completed" && (off || strings.Contains(run.Summary, "Looked at 1 of 1 commit."))
		}); err != nil {
			t.Fatal(err)
		}
		j := judgement{checker.Conclusion(run.Conclusion), checker.Output{Title: run.Title, Summary: run.Summary, Text: run.Text}}
		for _, n := range run.Annotations {
			j.Annotations = append(j.Annotations, checker.Annotation{
				File: n.Path, Line: n.StartLine, End: n.EndLine, Level: checker.Level(n.Level), Title: n.Title, Message: n.Message,
			})
		}
		a.told(t, j)
		return j
	}
}

// told holds the App's verdict to what the case expects.
func (a agreement) told(t *testing.T, j judgement) {
	t.Helper()
	text := j.Title + "\n" + j.Summary + j.Text
	want(t, text, a.says...)
	for _, no := range a.silent {
		if strings.Contains(text, no) {
			t.Errorf("says %q:\n%s", no, text)
		}
	}
	if (j.Conclusion == checker.Failure) != a.fails {
		t.Errorf("the App says %s: %s", j.Conclusion, text)
	}
}

// hold judges the change in every way.
func (a agreement) hold(t *testing.T, w *world, repo *fakehub.Repo) {
	t.Helper()
	base := a.publish(t, repo.GitDir())
	verdict := a.open(t, w, repo)
	clone := a.repository(t)
	clone.git("fetch", "-q", repo.GitDir(), "main", "topic:topic")
	a.git(clone, "checkout", "-q", "topic")
	if a.refused != "" {
		want(t, clone.expect(exitUsage, "check", "--base", base).stderr, a.refused)
		want(t, verdict().Annotations[0].Message, a.refused)
		return
	}
	whole, commits := judgeAll(clone, base)
	merged, rawMerged, said := judge(a.shallow(t, repo.GitDir()))
	want(t, said, a.stderr...)
	app := verdict()
	// What only the App can offer.
	app.Summary = strings.Replace(app.Summary, "Press **Update cards**, which commits the rebuilt cards to this branch, or rebuild", "Rebuild", 1)
	if a.faulty {
		note, summary, _ := strings.Cut(app.Summary, "\n\n")
		want(t, note, "The configuration on the base branch has faults")
		app.Summary = summary
	}
	agree(t, "the App (-) and a shallow merge commit (+)", app, merged.with(commits))
	if a.later != nil {
		return
	}
	_, raw, _ := judge(clone, base)
	agree(t, "the App (-) and a clean checkout (+)", app, whole)
	agree(t, "a clean checkout (-) and a shallow merge commit (+), in JSON", raw, rawMerged)
	a.git(clone, "checkout", "-q", "-f", base)
	clone.git("clean", "-q", "-f", "-f", "-d", "-x")
	a.edit(clone)
	edited, rawEdited, said := judge(clone, base)
	agree(t, "the App (-) and uncommitted edits (+)", app, edited.with(commits))
	agree(t, "a clean checkout (-) and uncommitted edits (+), in JSON", raw, rawEdited)
	want(t, said, a.untracked...)
	a.git(clone, "add", "-A")
	agree(t, "the trees of head (-) and index (+)", clone.git("rev-parse", "topic^{tree}"), clone.git("write-tree"))
	code := map[bool]int{true: exitFound, false: exitOK}[a.fails]
	staged := clone.expect(code, "check", "--base", base, "--staged", "--no-history", "--format", "json").stdout
	agree(t, "a clean checkout (-) and staged edits (+), in JSON", raw, staged)
}

// shallow makes what a runner of Actions has: the merge commit, and the base's
// tip, without the history of either.
func (a agreement) shallow(t *testing.T, from string) (s sandbox, base string) {
	t.Helper()
	s = a.repository(t)
	s.git("fetch", "-q", "--depth", "1", "file://"+from, "refs/test/merge")
	a.git(s, "checkout", "-q", "FETCH_HEAD")
	s.git("fetch", "-q", "--depth", "1", "file://"+from, "main")
	if n := s.git("rev-list", "--count", "--all", "HEAD"); n != "1" {
		t.Errorf("%s commits, want 1", n)
	}
	return s, s.git("rev-parse", "FETCH_HEAD")
}

func agree[T any](t *testing.T, what string, a, b T) {
	t.Helper()
	if d := cmp.Diff(a, b); d != "" {
		t.Errorf("%s do not agree:\n%s", what, d)
	}
}

func file(name, text string) func(sandbox) { return func(s sandbox) { s.write(name, text) } }

func configured(text string) func(sandbox) { return file(checker.ConfigFile, text+"\n") }

// all makes one edit of several.
func all(edits ...func(sandbox)) func(sandbox) {
	return func(s sandbox) {
		for _, e := range edits {
			e(s)
		}
	}
}

func rebuild(s sandbox) { s.t.Helper(); s.run("build") }

// swap changes the file as it lies in the folder, as an editor would.
func swap(name, before, after string) func(sandbox) {
	return func(s sandbox) {
		s.t.Helper()
		text := s.read(name)
		if !strings.Contains(text, before) {
			s.t.Fatalf("%s does not hold %q", name, before)
		}
		s.write(name, strings.Replace(text, before, after, 1))
	}
}

func gone(names ...string) func(sandbox) {
	return func(s sandbox) {
		for _, name := range names {
			s.remove(name)
		}
	}
}

func executable(name string) func(sandbox) {
	return func(s sandbox) {
		s.t.Helper()
		if err := os.Chmod(s.path(name), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
}

// link puts a symbolic link where a file may stand.
func link(name, target string) func(sandbox) {
	return func(s sandbox) {
		s.t.Helper()
		s.remove(name)
		_ = os.MkdirAll(filepath.Dir(s.path(name)), 0o755) // what is missing fails next
		if err := os.Symlink(target, s.path(name)); err != nil {
			s.t.Skip("SKIP: symbolic links cannot be made here")
		}
	}
}

// submodule puts a repository into the folder, with a commit that is always the same.
func submodule(name string) func(sandbox) {
	return func(s sandbox) {
		s.t.Helper()
		s.write(name+"/README.md", "- of the other repository\n")
		sub := sandbox{s.t, s.path(name)}
		sub.git("init", "-q", "-b", "main")
		sub.git("add", "-A")
		who := "t <t@example.com> 1767225600 +0000"
		sub.write(".git/made", fmt.Sprintf("tree %s\nauthor %s\ncommitter %s\n\na commit\n", sub.git("write-tree"), who, who))
		sub.git("update-ref", "HEAD", sub.git("hash-object", "-w", "-t", "commit", ".git/made"))
	}
}

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// windows fails where the checkout has no CRLF to begin with, and then edits.
func windows(edit func(sandbox)) func(sandbox) {
	return func(s sandbox) {
		s.t.Helper()
		if s.git("rev-list", "--count", "--all") != "1" && !strings.Contains(s.read(alphaMain), "\r\n") {
			s.t.Fatal("the checkout has plain line feeds")
		}
		s.write(alphaMain, crlf(alpha))
		edit(s)
	}
}

// jj makes alpha's card stale.
func jj(s sandbox) { s.t.Helper(); swap(alphaMain, "install git", "install jj")(s) }

func changes() map[string]agreement {
	stale := []string{"1 card stale", "[-git-] {+jj+}"}
	attributes := func(line string) func(sandbox) { return file(".gitattributes", line+"\n") }
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	const gamma, wide, combined = "skills/gamma/SKILL.md", "skills/日本 語/SKILL.md", "skills/u\u0308nı and more/SKILL.md"
	salt := strings.Repeat("0", 32)
	big := strings.Repeat("a line\n", small/6) // more than is taken in of what is untracked
	return map[string]agreement{
		"a card left stale":                {edit: jj, fails: true, says: stale},
		"a card rebuilt":                   {edit: all(jj, rebuild), says: []string{"1 card updated, all fresh"}},
		"lines that only moved":            {edit: swap(alphaMain, "# Alpha\n", "# Alpha\n\n\n"), says: []string{"No answer changes"}},
		"a new skill without its card":     {edit: file(gamma, beta), fails: true, says: []string{"cards/skills/gamma.md", "missing"}},
		"a new skill with its card":        {edit: all(file(gamma, beta), rebuild), says: []string{"cards/skills/gamma.md"}},
		"a skill removed with its card":    {edit: gone("skills/beta", betaCard), says: []string{betaCard}},
		"a skill removed without its card": {edit: gone("skills/beta"), fails: true, says: []string{betaCard, "orphan"}},
		"a skill renamed with its card":    {edit: all(gone("skills/beta", betaCard), file(gamma, beta), rebuild), says: []string{"cards/skills/gamma.md"}},
		"a card deleted alone":             {edit: gone(betaCard), fails: true, says: []string{betaCard}},
		"an ignored file and an untracked one": {
			base:  file(".gitignore", "*.draft.md\n"),
			edit:  all(file("skills/alpha/more.md", "- one more fact\n"), file("skills/alpha/new.draft.md", "- a draft\n")),
			fails: true, says: []string{"one more fact"}, silent: []string{"draft"},
			untracked: []string{`untracked, but counted: "skills/alpha/more.md"`},
		},
		"core.autocrlf, and CRLF in the working files": {settings: []string{"core.autocrlf=true"}, edit: windows(jj), fails: true, says: stale},
		"text eol=crlf":                           {base: attributes("*.md text eol=crlf"), edit: windows(jj), fails: true, says: stale},
		"-text, CRLF and all":                     {base: all(attributes("*.md -text"), file(alphaMain, crlf(alpha))), edit: windows(jj), fails: true, says: stale},
		"-text, and only the line endings change": {base: attributes("*.md -text"), edit: file(alphaMain, crlf(alpha)), says: []string{"No answer changes"}},
		"ident": {base: all(attributes("*.md ident"), file(alphaMain, alpha+"\nThis is $Id$ here.\n")), edit: jj, fails: true, says: stale},
		"a clean filter": {
			settings: []string{"filter.up.clean=tr a-z A-Z"}, base: attributes("skills/alpha/*.md filter=up"),
			edit:  file(alphaMain, strings.Replace(alpha, "install git", "install jj", 1)),
			fails: true, says: []string{"1 card stale", "[-GIT-] {+JJ+}"},
		},
		"a pointer of Git LFS":           {base: attributes("skills/alpha/big.md filter=lfs diff=lfs merge=lfs -text"), edit: file("skills/alpha/big.md", pointer), fails: true, says: []string{"skills/alpha/big.md", "size 12345"}},
		"the executable bit alone":       {base: file("skills/alpha/run.sh", "echo\n"), edit: executable("skills/alpha/run.sh"), says: []string{"No cards affected"}},
		"a new skill that is a link":     {edit: link(gamma, "../alpha/SKILL.md"), says: []string{gamma}},
		"a skill that becomes a link":    {edit: link(alphaMain, "../beta/SKILL.md"), fails: true, says: []string{alphaCard, "orphan"}},
		"a card that becomes a link":     {edit: link(alphaCard, "beta.md"), fails: true, says: []string{alphaCard}},
		"a folder that becomes a link":   {edit: link("skills/alpha", "beta"), fails: true, says: []string{alphaCard, "orphan"}},
		"a submodule in a skill":         {edit: submodule("skills/alpha/sub"), silent: []string{"of the other repository"}},
		"other words, cards not rebuilt": {base: configured("shape: {vocabulary: {}}"), edit: configured("shape: {vocabulary: {setup: refusals}}"), fails: true, says: []string{"1 card stale", alphaCard}},
		"conflict markers in a card":     {edit: swap(alphaCard, "\n## ", "\n<<<<<<< ours\n=======\n>>>>>>> theirs\n## "), fails: true, says: []string{"1 card", alphaCard}},
		"a secret in a fact":             {edit: swap(alphaMain, "install git", "install "+token(71)), fails: true, says: []string{"1 secret found", "[withheld: " + alphaMain + ":9]"}, silent: []string{token(71)[8:16]}},
		"a secret, and another salt": {
			base:  configured("policy: {salt: " + salt + "ab}"),
			edit:  all(swap(alphaMain, "install git", "install "+token(72)), configured("policy: {salt: "+salt+"cd}")),
			fails: true, says: []string{"1 secret found"}, silent: []string{token(72)[8:16]},
		},
		"a dead reference":                      {edit: all(swap(alphaMain, "install git", "install git, see [the map](map.md)"), rebuild), says: []string{"1 dead reference", "map.md"}},
		"names that are not ASCII, with blanks": {edit: all(file(wide, beta), file(combined, beta), file("skills/alpha/ö ß.md", "- one\n")), fails: true, says: []string{"日本 語", "u\u0308nı and more", "ö ß.md"}},
		"a base whose configuration is faulty":  {late: configured("policy: {nope: 1, block: []}"), edit: all(jj, configured("policy: {block: []}")), fails: true, says: stale, faulty: true, stderr: []string{strictest}},
		"a base whose configuration is a link": {
			late: link(checker.ConfigFile, "../../README.md"),
			edit: all(jj, gone(checker.ConfigFile), configured("policy: {block: []}")), fails: true, says: stale, faulty: true, stderr: []string{strictest},
		},
		"a large file that a link leads to": {
			edit:   all(file("skills/alpha/big.bin", big), swap(alphaMain, "install git", "install git, see [the dump](big.bin)"), rebuild),
			silent: []string{"dead"}, untracked: []string{`untracked, but counted: "skills/alpha/big.bin"`},
		},
		"a large file that changes":                           {base: file("skills/alpha/big.bin", big), edit: file("skills/alpha/big.bin", "x"+big)},
		"what is not switched on":                             {late: gone(alphaCard, betaCard), edit: jj, says: []string{"Not switched on here"}},
		"the change that switches it on":                      {late: gone(alphaCard, betaCard), edit: rebuild, says: []string{"All 2 cards fresh"}},
		"a policy that came after the change left":            {base: configured("policy: {}"), edit: jj, says: stale, later: configured("policy: {block: [], salt: " + salt + "ab}")},
		"another skill that went stale after the change left": {edit: all(jj, rebuild), later: swap(betaMain, "never push", "always push"), says: []string{"1 card updated, all fresh"}},
		"an answer that is lost, where that blocks": {
			base:  all(configured("policy: {questions: block}"), file(suite.File, `{"id":"a","question":"What must be installed?","expect":["install git"]}`+"\n")),
			edit:  all(jj, rebuild, swap(suite.File, "install git", "install jj")),
			fails: true, says: []string{"1 answer lost", "merge the edited question first", "Asked 2 questions: 1 right, 1 wrong", alphaMain + ":9"},
		},
		"answers that stay, and one that is gained": {
			base: file(suite.File, `{"id":"a","question":"What must be installed?","expect":["the parcel tool"]}`+"\n"+`{"id":"b","question":"Which jj must be installed?","expect":["install jj"]}`+"\r\n"),
			edit: all(jj, rebuild), says: []string{"1 card updated, all fresh", "gained; right", "Asked 2 questions: 2 right, 0 wrong"},
		},
		"a secret in a question": {
			base:  file(suite.File, `{"id":"a","question":"What must be installed?","refuse":true}`+"\n"),
			edit:  file(suite.File, `{"id":"a","question":"Is `+token(73)+` installed?","refuse":true}`+"\n"),
			fails: true, says: []string{"1 secret found", suite.File + ":1"}, silent: []string{token(73)[8:16]},
		},
		"a head whose configuration is faulty": {edit: configured("policy: {nope: 1}"), fails: true, refused: "unknown key"},
		"a head whose configuration is a link": {edit: link(checker.ConfigFile, "../../README.md"), fails: true, refused: "commit a plain file"},
	}
}

// Whoever looks at a change, and wherever, sees the same to the byte.
func TestTheAppAndTheCommandLineAgree(t *testing.T) {
	t.Parallel()
	w, err := newWorld(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	all := changes()
	for i, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo, err := w.hub.AddRepo("example", fmt.Sprintf("case-%d", i), fakehub.RepoOptions{})
			if err != nil {
				t.Fatal(err)
			}
			all[name].hold(t, w, repo)
		})
	}
}
