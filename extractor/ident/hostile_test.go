package ident

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// samples holds a piece of source with each form, by extension.
func samples() map[string]string {
	return map[string]string{
		"py":  "import argparse, click, typer\np.add_argument(\n '--x')\nf'{a[\"x\"]:{w}}' \"\"\"\n@click.option('--a/--b')\nif sys.argv[1] in (\"a\", 'b'):\nmatch sys.argv[1:]:\n case ['x']:\n",
		"sh":  "case $1 in a|--b=*) ;; esac\ncat <<E\n--x)\nE\ngetopts 'ab:' o\n${A:-${B:?x}}\nf() { shift; g \"$@\"; }\n",
		"ts":  "import { parseArgs } from 'util'\nconst [,, a = 'x', ...b] = process.argv;\nswitch (a) { case 'go': }\nparseArgs({ options: { x: { short: 'y' } } })\nconst f = (n: string): void => b.includes(`--${n}`);\nf('x'); /[/]'/.test(process.env.X ?? `a${`b`}`)\nfor (const c of b) if (c.split('=')[0] === '--z') {}\n",
		"go":  "package a\nimport (\"os\"; \"flag\"; \"github.com/spf13/cobra\")\nvar x = &cobra.Command{Use: \"a b\"}\nfunc f() { flag.StringVar(&v, \"n\", os.Getenv(\"A\"), ``); switch os.Args[1] { case \"x\": } }\n",
		"ps1": "<# x #>\nparam([Alias('a')][string]$B = \"$env:C\", $D)\nfunction Get-X { [CmdletBinding()]param($Y) }\n@'\nx\n'@\nif ($args[0] -eq '--x') { ${env:Z} }\n",
	}
}

// FuzzMine: no file makes a miner panic or leave the file.
func FuzzMine(f *testing.F) {
	for _, src := range samples() {
		for cut := 0; cut < len(src); cut += 40 {
			f.Add(src[cut:])
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		for ext := range samples() {
			r, _ := Mine("a."+ext, []byte(src))
			sound(t.Fatalf, []byte(src), r)
			Fence(ext, []byte(src))
		}
	})
}

func TestAnyMixOfFormsIsSound(t *testing.T) {
	t.Parallel()
	for ext, src := range samples() {
		parts := strings.SplitAfter(src, " ")
		parts = append(parts, "(", ")", "[", "]", "{", "}", "'", "\"", "`", "${", "\n", "\\", "\\\n", "#", "//", "/*", "<#", "@'", "日", "\xff", "$env:", "=>", "=", ",", ".", "/", "process.argv", "args", "--x")
		rapid.Check(t, func(rt *rapid.T) {
			src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 60).Draw(rt, "parts"), "")
			r, _ := Mine("a."+ext, []byte(src))
			sound(rt.Fatalf, []byte(src), r)
		})
	}
}

// hostile holds what files repeat to be slow or deep, by extension.
func hostile() map[string][]string {
	return map[string][]string{
		"py":  {"(", "[", "f'{", "f\"{f'{", "Option(", "x.add_argument(", "@a.command\n", "sys.argv[1] in (", "\"a\" ", "'''", "a = ", "a.", "x=sys.argv[1]\nx in (", "f'{\"", "{:{", "match x:\n ", "add_parser(a,aliases=[", "a:Option(),"},
		"sh":  {"((", "$((", "$(", "(", "{ ", "if a; then ", "\"$(", "${a:-", "case a in b) ", "`", "a[", "<(", "[[ ( ", "f() ", "! ", "while a; do ", "<<a\n", "$((-", "$((a?", "@(", "a|", "a&&", "$((a,", "$((a**", "a=("},
		"js":  {"(", "[", "{", "`${", "${", "a=>", "(a)=>", "(a=>", "f(", "f(a,", "function f(", "function f(a){", "const {", "const {a:{", "const [", "const a=", "const a:", "x=x=", "x?", "args.find(", "args.find(a=>", "args[args[", "args.slice(1)", "String(args,", "f(args)", "/", "/[", "a/*", "switch(args[0]){", "case 'a':", "[...", "parseArgs({options:{", "yargs.options({a:{alias:[", "p.option('--a')", "['a',", "].includes(x)", "x===", "process.env.A", "'", "`", "\\", "for(", "while(1)", "new Set([", "<p>it's", ")", "}", "async", "args.", "!", "(args||", "class A{"},
		"go":  {"(", "[", "{", "func(){", "x.", "-", "*", "!", "<-", "[]", "a+", "a:=", "if a {} else ", "f(", "map[a]", "chan ", "func(", "flag.Bool(\"a\",", "`", "/*", "a(", "struct{a ", "\"a\"+", "switch{case a:", "&T{", "a;", "a\n", "a,"},
		"ps1": {"(", "{", "param(", "param($a,", "function A{[CmdletBinding()]param(", "$env:A", "\"$env:A", "\"$(", "@'\n", "@\"\n", "'", "<#", "`", "${", "$a:", "[Alias('a'", "$args[", "$args -eq 'a'", "function A {", "[CmdletBinding()]"},
	}
}

// heads holds what a file begins with so that its miner looks further.
func heads() map[string]string {
	return map[string]string{
		"py": "import argparse, typer, click\nimport sys\nx = sys.argv[1]\n",
		"js": "const yargs = require('yargs'); const util = require('util'); const args = process.argv.slice(2), x = args[0];\n",
		"go": "package a\nimport (\"flag\"; \"os\")\nvar x = ",
	}
}

// Files made to be slow or deep: they must end, and in about the time of others.
// A parser without a limit overflows the stack here, which ends the process: Go
// and shell have one that calls itself, so get files as long as any is read. For
// the scanners an eighth shows a square.
func TestHostileFilesEnd(t *testing.T) {
	t.Parallel()
	for ext, units := range hostile() {
		size := MaxBytes / 8
		if ext == "go" || ext == "sh" {
			size = MaxBytes
		}
		for _, unit := range append(units, strings.Join(units, " ")) {
			src := heads()[ext] + strings.Repeat(unit, (size-len(heads()[ext]))/len(unit))
			r, _ := Mine("a."+ext, []byte(src))
			sound(t.Errorf, []byte(src), r)
		}
	}
}
