package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// ownTemp gives the test a folder of its own for temporary files, and returns a
// check that nothing was left in it.
func ownTemp(t *testing.T) (empty func()) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return func() {
		t.Helper()
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

func TestTheDemoShowsTheWholeStory(t *testing.T) {
	empty := ownTemp(t)
	var out, complaints bytes.Buffer
	if code := run(t.Context(), []string{"demo"}, &out, &complaints); code != exitOK || complaints.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, &complaints)
	}
	text := out.String()
	rest := text
	for _, want := range []string{
		"A pull request is opened", "failure: 1 secret found, 2 cards stale",
		"A secret was found.** Rotate it first", "| `github-pat` | `skills/release/SKILL.md:16` | block |",
		"| `cards/skills/mail-rules.md` | stale | 1 | 1 | 0 | 0 | 2 |",
		"skills/backup: its files changed and its card says the same; no answer changes",
		"wait [-one minute,-] {+ten minutes,+} then run the plan again.  (skills/mail-rules/SKILL.md:27)",
		"[withheld: skills/release/SKILL.md:16]", "skills/mail-rules/SKILL.md:16: Stale card",
		"success: 1 card updated, all fresh", "card rebuilt",
		"A comment: /ask What does mailrules apply refuse?", "skills/mail-rules/SKILL.md?plain=1#L17)", "refuses every other thread",
		"A comment: /ask How many people may share one mailbox?", "Not documented",
		"What to try next", "cardkeeper setup",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is not there, or not in its place, in:\n%s", want, text)
		}
		rest = after
	}
	empty()
}

// No eight letters in a row of the leaked token show, which git can tell us whole.
func TestTheDemoShowsNoPieceOfItsToken(t *testing.T) {
	t.Parallel()
	w, err := newWorld(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	var out bytes.Buffer
	s := &story{w, &out}
	if err := s.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	history, err := exec.Command("git", "--git-dir", w.repo.GitDir(), "log", "--all", "-p").Output()
	if err != nil {
		t.Fatal(err)
	}
	token := regexp.MustCompile("gh" + "p_[A-Z2-7]{36}").FindString(string(history))
	if token == "" {
		t.Fatal("no token was committed")
	}
	for i := range len(token) - 7 {
		if strings.Contains(out.String(), token[i:i+8]) {
			t.Error("a piece of the token shows")
		}
	}
}

// screen collects output and tells when a text has come.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	want string
	come chan struct{}
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := strings.Contains(s.text.String(), s.want)
	n, err := s.text.Write(p)
	if !before && strings.Contains(s.text.String(), s.want) {
		close(s.come)
	}
	return n, err
}

func TestDemoServeRunsUntilItIsInterrupted(t *testing.T) {
	empty := ownTemp(t)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out := &screen{want: "Ctrl-C ends both.", come: make(chan struct{})}
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"demo", "--serve"}, out, io.Discard) }()
	select {
	case <-out.come:
	case code := <-ended:
		t.Fatalf("it ended by itself with %d", code)
	case <-time.After(2 * time.Minute):
		t.Fatal("it does not come to serve")
	}
	interrupt()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
	empty()
}

// Whatever goes wrong, nothing stays behind.
func TestADemoThatFailsCleansUp(t *testing.T) {
	empty := ownTemp(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := run(ctx, []string{"demo"}, io.Discard, io.Discard); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	empty()
	t.Setenv("PATH", t.TempDir()) // no git
	var complaints bytes.Buffer
	if code := run(t.Context(), []string{"demo"}, io.Discard, &complaints); code != exitFailed || !strings.Contains(complaints.String(), "git") {
		t.Errorf("without git: exit code %d: %s", code, &complaints)
	}
	empty()
	t.Setenv("TMPDIR", filepath.Join(os.TempDir(), "missing"))
	if code := run(t.Context(), []string{"demo"}, io.Discard, io.Discard); code != exitFailed {
		t.Errorf("without a folder for temporary files: exit code %d", code)
	}
}
