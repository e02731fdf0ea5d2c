package ident

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show writes identifiers as "kind name first-last".
func show(ids []Ident) []string {
	var out []string
	for _, id := range ids {
		s := fmt.Sprintf("%s %s %d", id.Kind, id.Name, id.First)
		if id.Last != id.First {
			s += fmt.Sprintf("-%d", id.Last)
		}
		out = append(out, s)
	}
	return out
}

func TestLanguageByContentThenExtension(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ name, src, want string }{
		"an extension":                      {"a/b.py", "x = 1\n", "python"},
		"an upper-case extension":           {"A.PY", "x = 1\n", "python"},
		"a shebang without extension":       {"run", "#!/bin/bash\n", "shell"},
		"a shebang against the extension":   {"run.py", "#!/bin/sh\n", "shell"},
		"env with options and a variable":   {"run", "#!/usr/bin/env -S FOO=1 uv run --script\n", "python"},
		"a version in the interpreter":      {"run", "#!/usr/bin/python3.12\n", "python"},
		"a shebang after a byte order mark": {"run", "\ufeff#!/bin/bash\n", "shell"},
		"an unknown interpreter":            {"run.sh", "#!/opt/thing\n", "shell"},
		"node":                              {"run", "#!/usr/bin/env node\n", "javascript"},
		"bun":                               {"run", "#!/usr/bin/env -S bun run\n", "javascript"},
		"deno":                              {"run", "#!/usr/bin/env -S deno run --allow-read\n", "javascript"},
		"tsx":                               {"run", "#!/usr/bin/env tsx\n", "typescript"},
		"pwsh":                              {"run", "#!/usr/bin/pwsh\n", "powershell"},
		"ruby":                              {"run", "#!/usr/bin/ruby\n", "ruby"},
		"video without NUL":                 {"a.ts", strings.Repeat("G\xc1"+strings.Repeat("ab", 93), 9), ""},
		"text that begins its lines with G": {"a.ts", strings.Repeat("G\""+strings.Repeat("ab", 93), 9), "typescript"},
		"NUL bytes":                         {"video.ts", "\x47\x40\x00\x10", ""},
		"many control bytes":                {"a.py", "\x01\x02\x03\x04 abc", ""},
		"colours are text":                  {"a.sh", "echo '\x1b[31m'\n", "shell"},
		"no language":                       {"LICENSE", "text\n", ""},
		"another language":                  {"a.go", "package a\n", "go"},
		"an empty file":                     {"a.py", "", "python"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Mine(tc.name, []byte(tc.src))
			if err != nil || got.Language != tc.want {
				t.Errorf("language %q, %v; want %q", got.Language, err, tc.want)
			}
		})
	}
}

func TestAFileOverTheCapIsNamedAndNotRead(t *testing.T) {
	t.Parallel()
	src := "def a(): pass\n" + strings.Repeat("#", MaxBytes)
	got, err := Mine("a.py", []byte(src))
	if !errors.Is(err, ErrTooLong) || got.Language != "python" || got.Idents != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestFence(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		lang, code string
		want       []string
	}{
		"functions, classes, flags, environment": {"python", "class Job:\n    def inner(self): pass\ndef run(): pass\nparser.add_argument('--dry-run')\nos.environ['KEY']\n",
			[]string{"--dry-run", "Job", "KEY", "run"}},
		"an example indented as a whole": {"py title=x", "    def run():\n        def inner(): pass\n    async def stop(): pass\n", []string{"run", "stop"}},
		"shell":                          {"bash", "deploy() { :; }\ncase $1 in --fast) ;; esac\necho ${REGION:-eu}\n", []string{"--fast", "REGION", "deploy"}},
		"a broken example":               {"sh", "case $1 in\n  --fast) x ;;\n", []string{"--fast"}},
		"another language":               {"ruby", "def a; end\n", nil},
		"no language":                    {"", "def a(): pass\n", nil},
		"at most twelve": {"python", strings.Join(strings.Split("def a(): 0,def b(): 0,def c(): 0,def d(): 0,def e(): 0,def f(): 0,def g(): 0,def h(): 0,def i(): 0,def j(): 0,def k(): 0,def l(): 0,def m(): 0", ","), "\n"),
			strings.Split("abcdefghijkl", "")},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, Fence(tc.lang, []byte(tc.code))); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

// sound fails where a result breaks what Mine promises of every input.
func sound(fail func(string, ...any), src []byte, r Result) {
	lines := strings.Count(string(src), "\n") + 1
	for i, id := range r.Idents {
		if id.Name == "" || id.First < 1 || id.Last < id.First || id.Last > lines {
			fail("a place outside the file: %+v of %d lines", id, lines)
		}
		if strings.ContainsAny(id.Name, " \n\"'") {
			fail("a name that is none: %q", id.Name)
		}
		if i > 0 && id.First < r.Idents[i-1].First {
			fail("not sorted")
		}
	}
}
