package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBuildTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]sandbox{"in git": repository(t, two()), "outside git": folder(t, two())} {
		o := s.expect(exitOK, "build")
		want(t, o.stdout, "2 cards written, 0 unchanged, 0 removed")
		before := s.snapshot()
		if len(before) != 4 {
			t.Errorf("%s: files %v", name, before)
		}
		o = s.expect(exitOK, "build")
		want(t, o.stdout, "0 cards written, 2 unchanged, 0 removed")
		s.expect(exitOK, "build", "--all")
		if diff := cmp.Diff(before, s.snapshot()); diff != "" {
			t.Errorf("%s: the second build changes files:\n%s", name, diff)
		}
		s.expect(exitOK, "check")
	}
}

func TestBuildWritesWhatChanged(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write(alphaMain, alpha+"3. run the third build\n")
	s.write("skills/new/SKILL.md", beta)
	s.remove("skills/beta")
	s.write("cards/README.md", "# About cards\n")
	o := s.expect(exitOK, "build")
	want(t, o.stdout, "2 cards written, 0 unchanged, 1 removed")
	if s.has(betaCard) || !s.has("cards/README.md") || !s.has("cards/skills/new.md") {
		t.Error("the wrong cards are left")
	}
	want(t, s.read(alphaCard), "run the third build")
	s.expect(exitOK, "check")
}

// A card with a secret keeps its old bytes or stays away; all others are written.
func TestBuildWithASecret(t *testing.T) {
	t.Parallel()
	s := built(t)
	before := s.read(alphaCard)
	old, fresh, named := token(1), token(2), token(3)
	s.write(alphaMain, alpha+"3. log in with "+old+"\n")
	s.write(betaMain, beta+"- nor to a release\n")
	s.write("skills/new/SKILL.md", beta+"\n<!-- "+fresh+" -->\n")
	s.write("skills/named/SKILL.md", beta)
	s.write("skills/named/"+named+".md", "- text\n")
	o := s.expect(exitFound, "build")
	want(t, o.stdout, "1 card written")
	want(t, o.stderr, alphaMain+":16: secret (github-pat)", "skills/new/SKILL.md:7: secret", "Its card was not written")
	for _, value := range []string{old, fresh, named} {
		unspoken(t, value, o.all())
	}
	if s.read(alphaCard) != before || s.has("cards/skills/new.md") || s.has("cards/skills/named.md") {
		t.Error("a card with a secret was written")
	}
	want(t, s.read(betaCard), "nor to a release")
}

// A build that fails half-way leaves every card whole, old or new.
func TestAFailingBuildLeavesWholeCards(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write(alphaMain, alpha+"3. run the third build\n")
	s.remove("cards/skills/beta.md")
	s.write("cards/skills/beta.md/in/the/way", "x")
	o := s.expect(exitFailed, "build")
	want(t, o.stderr, "cardkeeper: ")
	for name, text := range s.snapshot() {
		if strings.HasPrefix(name, "cards/") && name != "cards/skills/beta.md/in/the/way" && (name != alphaCard || !strings.HasSuffix(text, "\n")) {
			t.Errorf("%s was left behind", name)
		}
	}
	s.remove("cards/skills/beta.md")
	s.expect(exitOK, "build")
	s.expect(exitOK, "check")
}

// A card of a newer edition is not overwritten, and does not stop the others.
func TestBuildKeepsANewerCard(t *testing.T) {
	t.Parallel()
	s := built(t)
	const newer = "<!-- cardkeeper edition 999 -->\n# Alpha\n"
	s.write(alphaCard, newer)
	s.write(betaMain, beta+"- nor to a release\n")
	o := s.expect(exitFailed, "build")
	want(t, o.stderr, alphaCard, "newer cardkeeper", "upgrade")
	if s.read(alphaCard) != newer {
		t.Error("the newer card was overwritten")
	}
	want(t, s.read(betaCard), "nor to a release")
	want(t, s.expect(exitFound, "check").stdout, "newer edition")
}

func TestBuildMendsDamagedCards(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"conflict markers": "<<<<<<< HEAD\n=======\n>>>>>>> x\n", "edited by hand": "# Mine\n", "other line ends": strings.ReplaceAll(built(t).read(alphaCard), "\n", "\r\n"), "empty": "",
	} {
		s := built(t)
		s.write(alphaCard, text)
		s.expect(exitFound, "check")
		s.expect(exitOK, "build")
		if o := s.run("check"); o.code != exitOK {
			t.Errorf("%s: %s", name, o.stdout)
		}
	}
}

// No link leads a card's bytes out of its place.
func TestBuildDoesNotFollowLinks(t *testing.T) {
	t.Parallel()
	s := repository(t, two())
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.path("cards/skills"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, s.path(alphaCard)); err != nil {
		t.Skip("no symbolic links here")
	}
	s.expect(exitFound, "check")
	s.expect(exitOK, "build")
	if b, err := os.ReadFile(victim); err != nil || string(b) != "mine" {
		t.Errorf("the link was followed: %q, %v", b, err)
	}
	s.expect(exitOK, "check")
	s.remove("cards")
	if err := os.Symlink(t.TempDir(), s.path("cards")); err != nil {
		t.Fatal(err)
	}
	s.expect(exitFailed, "build")
}

func TestBuildWithoutASkill(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]sandbox{
		"nothing":           folder(t, nil),
		"only excluded":     folder(t, map[string]string{"tests/SKILL.md": beta}),
		"excluded by shape": folder(t, map[string]string{"a/SKILL.md": beta, ".github/cardkeeper/config.yml": "shape: {exclude: [a]}\n"}),
	} {
		o := s.run("build")
		if o.code != exitUsage || o.stdout != "" || !strings.Contains(o.stderr, "no skill found") {
			t.Errorf("%s: exit %d, %q, %q", name, o.code, o.stdout, o.stderr)
		}
	}
}

// What is damaged is named, and the rest is built.
func TestDamageDoesNotAbort(t *testing.T) {
	t.Parallel()
	s := repository(t, map[string]string{
		"a/SKILL.md":       "---\nname: [a\n---\n# A\n\n- a fact of a\n",
		"b/SKILL.md":       "# B\n\n- a fact \xff of b\n",
		"b/hidden.md":      "- a\u202efact\n",
		"c/SKILL.md":       beta,
		"c/run.sh":         "if then fi ((\n",
		"c/picture.png":    "\x89PNG\x00",
		"c/lfs.md":         "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
		"untracked.md":     "x",
		"ignored/SKILL.md": beta,
		".gitignore":       "ignored/\n",
	})
	if err := os.Symlink("/etc/passwd", s.path("c/etc.md")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.MkdirAll(s.path("d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", s.path("d/SKILL.md")); err != nil {
		t.Fatal(err)
	}
	o := s.expect(exitOK, "build")
	want(t, o.stderr, "a/SKILL.md", "b/SKILL.md", "b/hidden.md:1", "c/etc.md: a symbolic link is not indexed", "d/SKILL.md: a symbolic link is not indexed")
	if strings.Contains(o.all(), "root:") || s.has("cards/d.md") || s.has("cards/ignored.md") {
		t.Errorf("a link was followed or an ignored skill indexed:\n%s", o.all())
	}
	want(t, s.read("cards/a.md"), "a fact of a")
	want(t, s.read("cards/c.md"), "never push to main")
	for name, text := range s.snapshot() {
		if strings.HasPrefix(name, "cards/") && strings.Contains(text, "root:") {
			t.Errorf("%s holds what a link led to", name)
		}
	}
	want(t, s.expect(exitOK, "check").stdout, "d/SKILL.md: a symbolic link is not indexed")
}

// An object that git lost is a failed read and never an absent file (law 13).
func TestALostObjectIsAFailure(t *testing.T) {
	t.Parallel()
	s := built(t)
	id := s.git("rev-parse", "HEAD:"+alphaMain)
	s.remove(".git/objects/" + id[:2] + "/" + id[2:])
	s.write(alphaMain, alpha+"3. changed\n")
	s.expect(exitFailed, "check", "--base", "HEAD")
	s.git("checkout", "-q", "--", betaMain)
	for _, args := range [][]string{{"check", "--staged"}, {"build", "--staged"}, {"ask", "--staged", "how to install git"}, {"show", "--staged", "alpha"}} {
		if o := s.run(args...); o.code != exitFailed || o.stdout != "" {
			t.Errorf("%v: exit %d, %q", args, o.code, o.stdout)
		}
	}
}

func TestStagedReadsTheIndex(t *testing.T) {
	t.Parallel()
	s := built(t)
	s.write(alphaMain, alpha+"3. a staged step\n")
	s.git("add", "-A")
	s.write(alphaMain, alpha+"3. an unstaged step\n")
	s.expect(exitFound, "check", "--staged")
	s.expect(exitOK, "build", "--staged")
	want(t, s.read(alphaCard), "a staged step")
	s.expect(exitFound, "check", "--staged") // the card is not staged yet
	s.git("add", "cards")
	s.expect(exitOK, "check", "--staged")
	s.expect(exitFound, "check")
	o := folder(t, two()).run("check", "--staged")
	if o.code != exitUsage || o.stdout != "" {
		t.Errorf("--staged outside git: exit %d, %q", o.code, o.stderr)
	}
}
