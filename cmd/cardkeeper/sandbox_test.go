package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A sandbox is a temporary folder that commands run on.
type sandbox struct {
	t   *testing.T
	dir string
}

// folder makes a plain folder of files.
func folder(t *testing.T, files map[string]string) sandbox {
	t.Helper()
	s := sandbox{t, t.TempDir()}
	for name, text := range files {
		s.write(name, text)
	}
	return s
}

// repository makes a git repository with one commit of all files.
func repository(t *testing.T, files map[string]string) sandbox {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	s := folder(t, files)
	s.git("init", "-q", "-b", "main")
	s.commit()
	return s
}

func (s sandbox) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s sandbox) write(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s sandbox) read(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(s.path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

func (s sandbox) has(name string) bool {
	_, err := os.Lstat(s.path(name))
	return err == nil
}

func (s sandbox) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(s.path(name)); err != nil {
		s.t.Fatal(err)
	}
}

func (s sandbox) git(args ...string) string {
	s.t.Helper()
	out, err := s.tryGit(args...)
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", args[0], err, out)
	}
	return out
}

// tryGit is git where it may fail.
func (s sandbox) tryGit(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir = s.dir
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (s sandbox) commit() {
	s.t.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "a commit")
}

// snapshot is all files of the folder but git's own.
func (s sandbox) snapshot() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(s.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(s.dir, name)
		if d.Type().IsRegular() {
			out[filepath.ToSlash(rel)] = s.read(filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

// An outcome is what a command line gave.
type outcome struct {
	code           int
	stdout, stderr string
}

// run runs a command on the sandbox.
func (s sandbox) run(args ...string) outcome {
	s.t.Helper()
	return execute(s.t, append(args, "--root", s.dir)...)
}

// expect runs a command and holds its exit code.
func (s sandbox) expect(code int, args ...string) outcome {
	s.t.Helper()
	o := s.run(args...)
	if o.code != code {
		s.t.Fatalf("%v: exit %d, want %d\nstdout: %s\nstderr: %s", args, o.code, code, o.stdout, o.stderr)
	}
	return o
}

func execute(t *testing.T, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(context.WithoutCancel(t.Context()), args, &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

func (o outcome) all() string { return o.stdout + o.stderr }

// want fails where a text lacks any of the parts.
func want(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("lacks %q:\n%s", p, text)
		}
	}
}

// token makes a value that looks like a working one; none stands in the source.
func token(seed uint64) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	r := rand.New(rand.NewPCG(seed, 3))
	b := make([]byte, 36)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return "ghp" + "_" + string(b)
}

// unspoken fails where any eight characters of a token stand in a text (law 8).
func unspoken(t *testing.T, token, text string) {
	t.Helper()
	for i := 0; i+8 <= len(token); i++ {
		if at := strings.Index(text, token[i:i+8]); at >= 0 {
			t.Errorf("a piece of the token is shown, after %q", text[max(0, at-60):at])
			return
		}
	}
}

const alpha = `---
name: alpha
description: Ships parcels
---
# Alpha

## Setup

- install git
- install the parcel tool

## Commands

1. run the first build
2. run the second build
`

const beta = `# Beta

## Refusals

- never push to main
`

const alphaMain, betaMain, alphaCard, betaCard = "skills/alpha/SKILL.md", "skills/beta/SKILL.md", "cards/skills/alpha.md", "cards/skills/beta.md"

func two() map[string]string { return map[string]string{alphaMain: alpha, betaMain: beta} }

// built is a repository with two skills and their cards, all committed.
func built(t *testing.T) sandbox {
	t.Helper()
	s := repository(t, two())
	s.expect(exitOK, "build")
	s.commit()
	return s
}
