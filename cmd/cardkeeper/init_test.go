package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInit(t *testing.T) {
	t.Parallel()
	s := repository(t, two())
	o := s.expect(exitOK, "init")
	want(t, o.stdout, "wrote .github/cardkeeper/config.yml", ".gitattributes", "2 cards written", "choose the check \"cardkeeper\"")
	want(t, s.read(".gitattributes"), "cards/** text eol=lf linguist-generated\n")
	s.expect(exitOK, "check")
	s.expect(exitOK, "check", "--base", "HEAD")
	s.commit()
	if tip := s.expect(exitOK, "build").stderr; strings.Contains(tip, "tip:") {
		t.Errorf("a tip that was taken is given again: %s", tip)
	}
	before := s.snapshot()
	o = s.expect(exitOK, "init")
	want(t, o.stdout, "0 cards written, 2 unchanged")
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		t.Errorf("the second init changes files:\n%s", diff)
	}
	other := repository(t, two())
	other.expect(exitOK, "init")
	if other.read(".github/cardkeeper/config.yml") == s.read(".github/cardkeeper/config.yml") {
		t.Error("two repositories have one salt")
	}
}

// What is there is kept, and what is set is heeded.
func TestInitKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	s := folder(t, two())
	s.write(".github/cardkeeper/config.yml", "shape: {cards: index}\n")
	s.write(".gitattributes", "*.png binary")
	s.expect(exitOK, "init")
	if got := s.read(".gitattributes"); got != "*.png binary\nindex/** text eol=lf linguist-generated\n" {
		t.Errorf(".gitattributes: %q", got)
	}
	if s.read(".github/cardkeeper/config.yml") != "shape: {cards: index}\n" || !s.has("index/skills/alpha.md") || s.has("cards") {
		t.Error("the configuration was not kept or not heeded")
	}
}

func TestInitWithASecret(t *testing.T) {
	t.Parallel()
	value := token(40)
	s := repository(t, two())
	s.write(alphaMain, alpha+"3. "+value+"\n")
	o := s.expect(exitFound, "init")
	want(t, o.stderr, alphaMain+":16: secret")
	want(t, o.stdout, "1 card written", "Next:")
	unspoken(t, value, o.all())
	if s.has(alphaCard) || !s.has(betaCard) {
		t.Error("the wrong cards were written")
	}
}

func TestInitWithoutASkill(t *testing.T) {
	t.Parallel()
	s := folder(t, map[string]string{"README.md": "x"})
	o := s.expect(exitUsage, "init")
	want(t, o.stderr, "no skill found")
	if strings.Contains(o.stdout, "Next:") {
		t.Error("it goes on as if it were done")
	}
	if s.has(".github") || s.has(".gitattributes") {
		t.Error("it left files behind")
	}
}

// A salt of digits alone is read back as it was written, whatever YAML takes it for.
func TestWhatInitWritesCanBeRead(t *testing.T) {
	t.Parallel()
	for range 5 {
		s := folder(t, two())
		s.expect(exitOK, "init")
		s.expect(exitOK, "check")
	}
}

// A link in the place of .gitattributes would put what it leads to into a file
// that is committed next: the repository's own configuration, with its passwords.
func TestInitTakesNothingOverFromALink(t *testing.T) {
	t.Parallel()
	s := repository(t, two())
	s.git("config", "remote.origin.url", "https://user:"+"pass"+"word@example.com/x")
	if err := os.Symlink(".git/config", s.path(".gitattributes")); err != nil {
		t.Skip("SKIP: this system makes no symbolic links")
	}
	o := s.expect(exitUsage, "init")
	want(t, o.stderr, ".gitattributes is a link")
	if info, err := os.Lstat(s.path(".gitattributes")); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
}
