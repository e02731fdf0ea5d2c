package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardkeeper/cardkeeper/checker/secret"
)

// hookVariable makes the test binary the program itself, for hooks of git.
const hookVariable = "CARDKEEPER_TEST_HOOK"

func TestMain(m *testing.M) {
	if os.Getenv(hookVariable) != "" {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(apart(m))
}

// apart runs the tests with a cache folder of their own.
func apart(m *testing.M) int {
	cache, err := os.MkdirTemp("", "cardkeeper-cache-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(cache)
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData"} { // macOS has one folder for all
		os.Setenv(name, cache)
	}
	return m.Run()
}

// found lists the findings as file:line.
func found(v scanned) (out []string) {
	for _, f := range v.Findings {
		out = append(out, fmt.Sprintf("%s:%d", f.File, f.Line))
	}
	slices.Sort(out)
	return out
}

// staged runs scan --staged and returns what it found.
func (s sandbox) staged(code int) scanned {
	s.t.Helper()
	return scanJSON(s.t, s.expect(code, "scan", "--staged", "--format", "json"))
}

// What git may hold of a path, staged, and what of it is scanned.
func TestScanOfWhatIsStaged(t *testing.T) {
	t.Parallel()
	value := func(n uint64) string { return "key " + token(n) + "\n" }
	for name, c := range map[string]struct {
		stage func(s sandbox)
		found string
		files int
	}{
		"nothing":                {func(sandbox) {}, "", 0},
		"a new file":             {func(s sandbox) { s.write("a/new.md", "x\n"+value(50)); s.git("add", "-A") }, "a/new.md:2", 1},
		"a changed file":         {func(s sandbox) { s.write("clean.md", "x\n"+value(51)); s.git("add", "-A") }, "clean.md:2", 1},
		"a file of any kind":     {func(s sandbox) { s.write("run.sh", value(52)); s.git("add", "-A") }, "run.sh:1", 1},
		"an old secret":          {func(s sandbox) { s.write("clean.md", "y\n"); s.git("add", "-A") }, "", 1},
		"a file with an old one": {func(s sandbox) { s.write("old.md", s.read("old.md")+"more\n"); s.git("add", "-A") }, "old.md:1", 1},
		"what is not staged":     {func(s sandbox) { s.write("clean.md", value(53)); s.write("other.md", value(54)) }, "", 0},
		"half of a file, which is clean": {func(s sandbox) {
			s.write("clean.md", "text\nmore\n")
			s.git("add", "-A")
			s.write("clean.md", value(55))
		}, "", 1},
		"half of a file, which is not": {func(s sandbox) {
			s.write("clean.md", value(56))
			s.git("add", "-A")
			s.write("clean.md", "text\n")
		}, "clean.md:1", 1},
		"a staged file that is gone": {func(s sandbox) { s.write("new.md", value(57)); s.git("add", "-A"); s.remove("new.md") }, "new.md:1", 1},
		"a deleted file":             {func(s sandbox) { s.git("rm", "-q", "old.md") }, "", 0},
		"a renamed file":             {func(s sandbox) { s.git("mv", "old.md", "new.md") }, "new.md:1", 1},
		"a change of mode alone":     {func(s sandbox) { s.git("update-index", "--chmod=+x", "old.md") }, "", 0},
		"a link":                     {func(s sandbox) { s.link("/etc/passwd", "link.md"); s.git("add", "-A") }, "", 0},
		"a link in a file's place":   {func(s sandbox) { s.remove("clean.md"); s.link("old.md", "clean.md"); s.git("add", "-A") }, "", 0},
		"a file in a link's place": {func(s sandbox) {
			s.remove("linked")
			s.write("linked", value(58))
			s.git("add", "-A")
		}, "linked:1", 1},
		"a submodule": {func(s sandbox) {
			s.git("update-index", "--add", "--cacheinfo", "160000,"+s.git("rev-parse", "HEAD")+",sub")
		}, "", 0},
		"a picture": {func(s sandbox) {
			s.write("big.png", "\x00"+strings.Repeat("x", secret.DefaultMaxBytes))
			s.git("add", "-A")
		}, "", 0},
		"names that need quotes": {func(s sandbox) {
			s.write("a \"b\"\t'c'.md", value(59))
			s.write("line\nbreak.md", value(60))
			s.write("umlaut ü.md", value(61))
			s.git("add", "-A")
		}, "a \"b\"\t'c'.md:1 line\nbreak.md:1 umlaut ü.md:1", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := repository(t, map[string]string{"clean.md": "text\n", "old.md": value(49)})
			s.link("old.md", "linked")
			s.commit()
			c.stage(s)
			code := exitOK
			if c.found != "" {
				code = exitFound
			}
			got := s.staged(code)
			if list := strings.Join(found(got), " "); list != c.found || got.Scanned.Files != c.files {
				t.Errorf("found %q in %d files, want %q in %d", list, got.Scanned.Files, c.found, c.files)
			}
		})
	}
}

func (s sandbox) link(target, name string) {
	s.t.Helper()
	if err := os.Symlink(target, s.path(name)); err != nil {
		s.t.Skip("SKIP: symbolic links cannot be made here")
	}
}

// Before the first commit everything that is staged is new.
func TestScanStagedWithoutACommit(t *testing.T) {
	t.Parallel()
	s := folder(t, map[string]string{"a.md": "key " + token(62) + "\n", "b.md": "text\n"})
	s.git("init", "-q")
	if got := s.staged(exitOK); got.Scanned.Files != 0 {
		t.Errorf("scanned %+v before anything is staged", got.Scanned)
	}
	s.git("add", "-A")
	if got := s.staged(exitFound); got.Scanned.Files != 2 || found(got)[0] != "a.md:1" {
		t.Errorf("scanned %+v", got)
	}
}

// In a subfolder the whole repository is scanned, with names from its top, and
// with the salt of the staged configuration.
func TestScanStagedInASubfolder(t *testing.T) {
	t.Parallel()
	s := repository(t, map[string]string{"deep/er/a.md": "text\n"})
	s.write("top.md", "key "+token(63)+"\n")
	s.write("deep/er/b.md", "key "+token(63)+"\n")
	s.git("add", "-A")
	below := sandbox{t, s.path("deep/er")}
	got := below.staged(exitFound)
	if list := strings.Join(found(got), " "); list != "deep/er/b.md:1 top.md:1" {
		t.Errorf("found %q", list)
	}
	s.write(".github/cardkeeper/config.yml", "policy: {salt: 000102030405060708090a0b0c0d0e0f}\n")
	if unsalted := s.staged(exitFound); unsalted.Findings[0].Fingerprint != got.Findings[0].Fingerprint {
		t.Error("a configuration that is not staged counts")
	}
	s.git("add", "-A")
	if salted := s.staged(exitFound); salted.Findings[0].Fingerprint == got.Findings[0].Fingerprint {
		t.Error("the staged configuration does not count")
	}
	o := s.expect(exitFound, "scan", "--staged")
	want(t, o.stdout, "top.md:1: github-pat (block)", "2 findings in 3 files")
	unspoken(t, token(63), o.all())
}

// A hook of git runs it as git commit does, also for a part of the index.
func TestScanStagedInAHook(t *testing.T) {
	t.Parallel()
	s := repository(t, map[string]string{"a.md": "text\n"})
	hook := filepath.Join(s.dir, ".git", "hooks", "pre-commit")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\n" + hookVariable + "=1 exec \"" + os.Args[0] + "\" scan --staged >\"" + s.path("said") + "\" 2>&1\n"
	if err := os.WriteFile(hook, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("a.md", "more text\n")
	s.write("b.md", "key "+token(64)+"\n")
	s.git("add", "a.md", "b.md")
	s.git("commit", "-q", "-m", "only a", "a.md") // the index of this commit has no b.md
	want(t, s.read("said"), "0 findings in 1 file")
	if out, err := s.tryGit("commit", "-q", "-m", "b"); err == nil {
		t.Errorf("the hook let the secret through: %s", out)
	}
	want(t, s.read("said"), "b.md:1: github-pat (block)", "1 finding in 1 file")
}

// What cannot be scanned to its end, and where there is no git, is said.
func TestScanStagedThatCannot(t *testing.T) {
	t.Parallel()
	s := repository(t, map[string]string{"a.md": "text\n"})
	s.write("long.md", strings.Repeat("a ", secret.DefaultMaxBytes/2+1))
	s.git("add", "-A")
	want(t, s.expect(exitFailed, "scan", "--staged").stderr, "not scanned to the end", "long.md")
	want(t, folder(t, map[string]string{"a.md": "x"}).expect(exitUsage, "scan", "--staged").stderr, "git repository")
	want(t, s.expect(exitUsage, "scan", "--staged", "a.md").stderr, "1 argument given")
	want(t, s.expect(exitUsage, "scan").stderr, "0 arguments given")
	s.git("reset", "-q", "--hard")
	s.git("checkout", "-q", "-b", "other")
	s.write("a.md", "theirs\n")
	s.commit()
	s.git("checkout", "-q", "main")
	s.write("a.md", "ours\n")
	s.commit()
	if _, err := s.tryGit("merge", "other"); err == nil {
		t.Fatal("the merge has no conflict")
	}
	want(t, s.expect(exitFailed, "scan", "--staged").stderr, "unfinished merge")
}
