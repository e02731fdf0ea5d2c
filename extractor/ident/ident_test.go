package ident

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
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
		"another language":               {"go", "func a() {}\n", nil},
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

// FuzzMine: no file makes a miner panic or leave the file.
func FuzzMine(f *testing.F) {
	for _, seed := range []string{
		"import argparse\np.add_argument(\n  '--x')\n", "f'{a[\"x\"]:{w}}' \"\"\"\n", "case $1 in a|--b=*) ;; esac\n", "((", "cat <<E\n--x)\nE\n",
		"getopts 'ab:' o\n", "${A:-${B:?x}}", "if sys.argv[1] in (\"a\", 'b'):\n", "@click.option('--a/--b')\n", "x = '\\", "f'{",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, src string, python bool) {
		name := "a.sh"
		if python {
			name = "a.py"
		}
		r, _ := Mine(name, []byte(src))
		sound(t.Fatalf, []byte(src), r)
		Fence("python", []byte(src))
		Fence("sh", []byte(src))
	})
}

func TestAnyMixOfFormsIsSound(t *testing.T) {
	t.Parallel()
	parts := []string{"import argparse\n", "p.add_argument(", "'--x'", "\"", "'", "'''", "f'{", "}", ")", "(", "\n", "#", "\\\n", "def a", ":", "sys.argv[1]", "==", " in ", "os.environ[", "]",
		"case $1 in ", "a)", ";;", " esac\n", "${A:-", "$(", "<<E\n", "E\n", "getopts ab o", "f() {", "|", "日", "\xff", "@click.option(", "@x.command()\n", "add_parser(", ","}
	rapid.Check(t, func(rt *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 60).Draw(rt, "parts"), "")
		for _, name := range []string{"a.py", "a.sh"} {
			r, _ := Mine(name, []byte(src))
			sound(rt.Fatalf, []byte(src), r)
		}
	})
}

// Files made to be slow or deep: they must end, and in about the time of others.
// A parser without a limit overflows the stack here, which ends the process.
func TestHostileFilesEnd(t *testing.T) {
	t.Parallel()
	python := []string{"(", "[", "f'{", "f\"{f'{", "Option(", "x.add_argument(", "@a.command\n", "sys.argv[1] in (", "\"a\" ", "'''", "a = ", "a.", "x=sys.argv[1]\nx in (", "f'{\"", "{:{"}
	shell := []string{"((", "$((", "$(", "(", "{ ", "if a; then ", "\"$(", "${a:-", "case a in b) ", "`", "a[", "<(", "[[ ( ", "f() ", "! ", "while a; do ", "<<a\n", "$((-", "$((a?", "@(", "a|", "a&&", "$((a,", "$((a**", "a=("}
	for lang, units := range map[string][]string{"py": python, "sh": shell} {
		for _, unit := range units {
			head := "import argparse, typer, click\nimport sys\n"
			if lang == "sh" {
				head = ""
			}
			src := head + strings.Repeat(unit, (MaxBytes-len(head))/len(unit))
			r, _ := Mine("a."+lang, []byte(src))
			sound(t.Errorf, []byte(src), r)
		}
	}
}
