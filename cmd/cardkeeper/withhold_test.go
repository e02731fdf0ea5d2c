package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// feed runs a command with a standard input and holds its exit code.
func (s sandbox) feed(code int, stdin string, args ...string) outcome {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	got := runOn(context.WithoutCancel(s.t.Context()), strings.NewReader(stdin), append(args, "--root", s.dir), &stdout, &stderr)
	if got != code {
		s.t.Fatalf("%v: exit %d, want %d\nstdout: %s\nstderr: %s", args, got, code, stdout.String(), stderr.String())
	}
	return outcome{got, stdout.String(), stderr.String()}
}

// keyFile makes a key outside of any repository.
func keyFile(t *testing.T) string {
	t.Helper()
	o := execute(t, "withhold", "key")
	if o.code != exitOK || len(strings.TrimSpace(o.stdout)) != 64 {
		t.Fatalf("withhold key: %d, %d characters", o.code, len(o.stdout))
	}
	want(t, o.stderr, "no repository", keyVariable, "--withhold-key-file", "withhold_key_file")
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(o.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// unnamed fails where texts show the withheld value in a form that a reader knows again.
func unnamed(t *testing.T, texts ...string) {
	t.Helper()
	plain := strings.Join(strings.FieldsFunc(strings.ToLower(strings.Join(texts, "\n")), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	}), " ")
	if i := strings.Index(plain, "quiet heron"); i >= 0 {
		t.Errorf("the value is shown after %q", plain[max(0, i-80):i])
	}
}

const (
	heron     = "- ask **Quiet**\n  Heron for ladders\n"
	heronLine = alphaMain + ":16"
)

// ready is a repository with a configuration, cards and a key beside it.
func ready(t *testing.T) (s sandbox, key string) {
	t.Helper()
	s = repository(t, two())
	s.expect(exitOK, "init")
	s.commit()
	return s, "--withhold-key-file=" + keyFile(t)
}

func TestWithholdingAValue(t *testing.T) {
	t.Parallel()
	s, key := ready(t)
	before := s.read(".github/cardkeeper/config.yml")
	o := s.feed(exitOK, "Quiet Heron\n", "withhold", "add", key, "--reason", "a bird's name")
	want(t, o.stdout, "withheld: ", "does not stand in the index")
	after := s.read(".github/cardkeeper/config.yml")
	head, tail, _ := strings.Cut(before, "# What the cards are")
	if !strings.HasPrefix(after, head) || !strings.HasSuffix(after, "# What the cards are"+tail) || strings.Count(after, "\n") != strings.Count(before, "\n")+5 {
		t.Errorf("more than the entry was written:\n%s", after)
	}
	hash := strings.Fields(o.stdout)[1]
	want(t, s.feed(exitOK, "quiet-heron", "withhold", "add", key).stdout, "withheld already: "+hash)
	want(t, s.feed(exitOK, "", "withhold", "list").stdout, hash, "a bird's name", "20")
	o = s.feed(exitFound, "a\nthe quiet\nheron and QUIET_HERON, quiet heron\n", "withhold", "test", key)
	if o.stdout != "lines 2-3\nline 3\n" {
		t.Errorf("test: %q", o.stdout)
	}
	want(t, s.feed(exitOK, "quiet herons\n", "withhold", "test", key).stdout, "no line")
	s.feed(exitFailed, "quiet heron\n", "withhold", "test")
	s.feed(exitFailed, "quiet heron\n", "withhold", "test", "--withhold-key-file="+keyFile(t))
	s.expect(exitOK, "check", key)
	s.write(alphaMain, alpha+heron)
	o = s.feed(exitFound, "Quiet Heron", "withhold", "add", key)
	want(t, o.stdout, "withheld already", "in the index now, 1 time", heronLine)
	unnamed(t, o.all(), after)
	o = s.feed(exitUsage, "", "withhold", "remove", hash[:7])
	unnamed(t, o.all())
	want(t, s.feed(exitOK, "", "withhold", "remove", hash[:8]).stdout, hash)
	want(t, s.feed(exitOK, "", "withhold", "list").stderr, "nothing is withheld")
	want(t, s.feed(exitOK, "x", "withhold", "test").stderr, "nothing is withheld")
}

func TestAWithheldValueStaysOutOfTheIndex(t *testing.T) {
	t.Parallel()
	s, key := ready(t)
	s.feed(exitOK, "Quiet Heron", "withhold", "add", key)
	s.commit()
	old := s.read(alphaCard)
	s.write(alphaMain, alpha+heron)
	s.write("skills/quiet-heron/SKILL.md", beta)
	all := ""
	for _, c := range []struct {
		code int
		args []string
		want []string
	}{
		{exitFound, []string{"build"}, []string{heronLine + ": withheld value", "Its card was not written"}},
		{exitFound, []string{"check"}, []string{heronLine + ": withheld value, fingerprint", "take it out", "2 withheld values found"}},
		{exitFound, []string{"check", "--base", "HEAD"}, []string{heronLine, "2 withheld values found"}},
		{exitFound, []string{"check", "--format", "json"}, []string{`"rule": "withheld-value"`, `"tier": "block"`}},
		{exitFound, []string{"check", "--format", "github"}, []string{"title=Withheld value::The policy says"}},
		{exitFound, []string{"check", "--format", "sarif"}, []string{`"ruleId": "withheld-value"`, "must not be indexed"}},
		{exitFound, []string{"check", "--format", "markdown"}, []string{"**A withheld value was found.**"}},
		{exitFound, []string{"ask", "Whom to ask for ladders?"}, []string{"Withheld. What would answer", "is withheld"}},
		{exitFound, []string{"ask", "Who is Quiet Heron?"}, []string{"must not be indexed"}},
		{exitFound, []string{"ask", "--format", "json", "--explain", "Who is Quiet Heron?"}, []string{`"answered":false`}},
		{exitOK, []string{"show", "skills/alpha"}, []string{"[withheld: " + alphaMain + "]"}},
		{exitUsage, []string{"show", "nothing"}, []string{"no skill of that name", "[withheld: line 1]"}},
		{exitFound, []string{"scan", s.path("skills/alpha")}, []string{"withheld-value (block)"}},
	} {
		o := s.expect(c.code, append(c.args, key)...)
		want(t, o.all(), c.want...)
		unnamed(t, o.all())
		all += o.all()
	}
	if strings.Contains(strings.ToLower(all), "rotate") {
		t.Error("a withheld value is to be rotated")
	}
	if s.read(alphaCard) != old {
		t.Error("the card was written")
	}
}

// Law 13, without a key and with a wrong one.
func TestWithoutTheKeyNothingIsGreen(t *testing.T) {
	t.Parallel()
	s, key := ready(t)
	s.feed(exitOK, "Quiet Heron", "withhold", "add", key)
	s.commit()
	s.write(alphaMain, alpha+"- go on\n")
	for why, extra := range map[string][]string{
		"there is no key":    nil,
		"key is not the one": {"--withhold-key-file=" + keyFile(t)},
	} {
		run := func(code int, args ...string) outcome { return s.expect(code, append(args, extra...)...) }
		for _, format := range []string{"text", "json", "markdown", "github", "sarif"} {
			text := strings.ReplaceAll(run(exitFound, "check", "--format", format).stdout, "-", " ")
			want(t, strings.ToLower(text), "could not look for withheld values", why, strings.ToLower(keyVariable))
		}
		want(t, run(exitFound, "check").stdout, "1 card stale")
		want(t, run(exitFound, "check", "--base", "HEAD").stdout, "Could not look for withheld values, 1 card stale")
		want(t, run(exitFailed, "ask", "How do I install the parcel tool?").stderr, "could not look", why)
		want(t, run(exitFailed, "scan", s.path("skills")).stderr, "could not look", why)
		want(t, run(exitOK, "build").stderr, "could not look", why, "cardkeeper check fails")
		want(t, run(exitOK, "show", "alpha").stderr, "could not look", why)
		s.git("checkout", "-q", "cards")
	}
	leak := "- use " + token(50) + "\n"
	s.write(alphaMain, alpha+leak)
	want(t, s.expect(exitFound, "scan", s.path("skills")).stderr, "could not look")
}

// Law 7: what is withheld, and how, is read from the base alone.
func TestTheBaseSaysWhatIsWithheld(t *testing.T) {
	t.Parallel()
	s, key := ready(t)
	bare := s.read(".github/cardkeeper/config.yml")
	s.feed(exitOK, "Quiet Heron", "withhold", "add", key)
	listed := s.read(".github/cardkeeper/config.yml")
	s.write(alphaMain, alpha+heron)
	want(t, s.expect(exitFound, "check", "--base", "HEAD", key).stdout, "1 card stale")
	if o := s.expect(exitFound, "check", "--base", "HEAD"); strings.Contains(o.all(), "withheld") {
		t.Errorf("the head's own list counts: %s", o.all())
	}
	s.write(alphaMain, alpha)
	s.commit()
	s.write(".github/cardkeeper/config.yml", bare)
	s.write(alphaMain, alpha+heron)
	o := s.expect(exitFound, "check", "--base", "HEAD", key)
	want(t, o.stdout, "1 withheld value found")
	unnamed(t, o.all())
	s.write(".github/cardkeeper/config.yml", strings.Replace(listed, "block: [stale", "block: [stale, other", 1))
	s.commit()
	s.write(".github/cardkeeper/config.yml", listed)
	s.write(alphaMain, alpha+heron+"- more\n")
	want(t, s.expect(exitFound, "check", "--base", "HEAD", key).stdout, "Could not look for withheld values", "mend it there")
	s.write(alphaMain, alpha+heron)
	want(t, s.expect(exitOK, "check", "--base", "HEAD", key).stdout, "No cards affected")
}

func TestWhatWithholdRefuses(t *testing.T) {
	t.Parallel()
	s, key := ready(t)
	s.write("inner", s.keyText(key))
	short := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(short, []byte("QQQ"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		stdin string
		args  []string
		want  string
	}{
		"a value as an argument":       {"", []string{"add", key, "Quiet Heron"}, "shell's history"},
		"a value instead of a hash":    {"", []string{"remove", "Quiet Heron"}, "not the hash"},
		"two arguments for a hash":     {"", []string{"remove", "Quiet", "Heron"}, "give one hash"},
		"a text as an argument":        {"", []string{"test", key, "Quiet Heron"}, "standard input"},
		"no key":                       {"Quiet Heron", []string{"add"}, keyVariable},
		"a key in the repository":      {"Quiet Heron", []string{"add", "--withhold-key-file", s.path("inner")}, "must not lie in the repository"},
		"a key that is none":           {"Quiet Heron", []string{"add", "--withhold-key-file", short}, "withhold key makes one"},
		"a key that is gone":           {"Quiet Heron", []string{"add", "--withhold-key-file", short + "QQQ"}, "cannot be read"},
		"two lines":                    {"Quiet Heron\nanother\n", []string{"add", key}, "one value at a time"},
		"too much":                     {strings.Repeat("quiet heron ", 1000), []string{"add", key}, "one value at a time"},
		"too many words":               {strings.Repeat("quiet heron ", 5), []string{"add", key}, "more than 8 words"},
		"a year":                       {"2026", []string{"add", key}, "of digits alone"},
		"nothing":                      {"\n", []string{"add", key}, "no letter and no digit"},
		"a reason that says it":        {"Quiet Heron", []string{"add", key, "--reason", "it is quiet-heron"}, "hold neither the value"},
		"a reason that holds a secret": {"Quiet Heron", []string{"add", key, "--reason", "as " + token(51)}, "nor a secret"},
		"no reason at all":             {"Quiet Heron", []string{"add", key, "--reason", " "}, "must say why"},
	} {
		o := s.feed(exitUsage, c.stdin, append([]string{"withhold"}, c.args...)...)
		want(t, o.stderr, c.want)
		unnamed(t, o.all())
		unspoken(t, token(51), o.all())
		if strings.Contains(o.all(), "QQQ") && name != "a key that is gone" {
			t.Errorf("%s: the key is shown: %s", name, o.all())
		}
	}
	o := execute(t, "withhold", "Quiet Heron")
	want(t, o.stderr, "withhold knows: add, key, list, remove, test")
	unnamed(t, o.all())
	if o.code != exitUsage {
		t.Errorf("a value after withhold: exit %d", o.code)
	}
	s.feed(exitOK, "Quiet Heron", "withhold", "add", key)
	want(t, s.feed(exitUsage, "another", "withhold", "add", "--withhold-key-file="+keyFile(t)).stderr, "not the one that the list was made with")
	s.write(".github/cardkeeper/config.yml", "policy: {block: [stale]}\n")
	want(t, s.feed(exitUsage, "another", "withhold", "add", key).stderr, "policy.salt")
	s.write(".github/cardkeeper/config.yml", "policy: {salt: 00112233445566778899aabbccddeeff}\n")
	want(t, s.feed(exitUsage, "another", "withhold", "add", key).stderr, "by hand", "withhold_check: ")
	s.remove(".github/cardkeeper/config.yml")
	want(t, s.feed(exitUsage, "another", "withhold", "add", key).stderr, "run: cardkeeper init")
	s.write(".github/cardkeeper/config.yml", "x: [\n")
	want(t, s.feed(exitUsage, "another", "withhold", "list").stderr, "not valid YAML")
}

// keyText is the key in the file of a flag.
func (s sandbox) keyText(flag string) string {
	s.t.Helper()
	_, file, _ := strings.Cut(flag, "=")
	b, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

func TestTheKeyInTheEnvironment(t *testing.T) {
	s, key := ready(t)
	t.Setenv(keyVariable, s.keyText(key))
	s.feed(exitOK, "Quiet Heron", "withhold", "add")
	s.expect(exitOK, "check")
	s.expect(exitOK, "check", key)
	t.Setenv(keyVariable, "QQQ")
	o := s.expect(exitUsage, "check")
	want(t, o.stderr, "shorter than 32 bytes")
	if strings.Contains(o.all(), "QQQ") {
		t.Errorf("the variable is shown: %s", o.all())
	}
	s.feed(exitOK, "", "withhold", "remove", strings.Fields(s.feed(exitOK, "", "withhold", "list", key).stdout)[0])
	s.expect(exitOK, "check") // nothing to look for: the variable is not read
}
