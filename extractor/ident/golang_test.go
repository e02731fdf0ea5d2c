package ident

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGo(t *testing.T) {
	t.Parallel()
	const std = "package a\nimport (\"flag\"; \"os\")\n"
	const cobra = "package a\nimport \"github.com/spf13/cobra\"\n"
	tests := map[string]struct {
		src  string
		want []string
	}{
		"a flag of the standard library":    {std + "var x = flag.String(\"out\", \"\", \"use -no\")\n", []string{"flag -out 3"}},
		"a flag into a variable":            {std + "func f() {\n\tflag.BoolVar(\n\t\t&x,\n\t\t\"dry-run\",\n\t\tfalse, \"\")\n}\n", []string{"function f 3", "flag -dry-run 4-6"}},
		"a flag set":                        {std + "func f() { fs := flag.NewFlagSet(\"sub\", 0); fs.Int(\"n\", 1, \"\"); fs.Func(\"f\", \"\", g); fs.Var(&v, \"v\", \"\"); fs.Duration(\"d\", 1, \"\") }\n", []string{"flag -d 3", "flag -f 3", "flag -n 3", "flag -v 3", "function f 3"}},
		"a flag whose name is a constant":   {std + "const name = \"out\"\nfunc f() { flag.String(name, \"\", \"\") }\n", []string{"flag -out 3", "function f 4"}},
		"a flag with a computed name":       {std + "func f() { flag.String(\"a\"+b, \"\", \"\") }\n", []string{"function f 3"}},
		"methods of the same names":         {std + "func f() { b.String(); x.Int(\"n\"); strs.Var(1); url.String(\"a\") }\n", []string{"function f 3"}},
		"flags without a flag library":      {"package a\nfunc f() { q.String(\"limit\", \"\", \"\") }\n", []string{"function f 2"}},
		"another package's function":        {"package a\nimport (\"flag\"; \"x.org/y\")\nfunc f() { y.String(\"limit\", \"\", \"\"); _ = flag.Parse }\n", []string{"function f 3"}},
		"a raw string":                      {std + "var x = flag.Bool(`all`, false, ``)\n", []string{"flag -all 3"}},
		"a flag in a comment or string":     {std + "// flag.Bool(\"no\", false, \"\")\nvar x = \"flag.Bool(`no`, false, 1)\"\n", nil},
		"flags of a command":                {cobra + "func init() {\n\tcmd.Flags().StringP(\"name\", \"n\", \"\", \"\")\n\tcmd.PersistentFlags().BoolVarP(&v, \"all\", \"\", false, \"\")\n\tcmd.Flags().CountP(\"verbose\", \"v\", \"\")\n\tcmd.Flags().GetString(\"no\")\n}\n", []string{"function init 3", "flag --name 4", "flag -n 4", "flag --all 5", "flag --verbose 6", "flag -v 6"}},
		"flags of an IP":                    {cobra + "func init() { cmd.Flags().IP(\"a\", nil, \"\"); cmd.Flags().IPP(\"b\", \"b\", nil, \"\") }\n", []string{"flag --a 3", "flag --b 3", "flag -b 3", "function init 3"}},
		"pflag by another name":             {"package a\nimport flag \"github.com/spf13/pflag\"\nvar x = flag.StringSlice(\"tag\", nil, \"\")\n", []string{"flag --tag 3"}},
		"a subcommand":                      {cobra + "var addCmd = &cobra.Command{\n\tShort: \"x\",\n\tUse: \"add <file>\",\n}\n", []string{"subcommand add 5"}},
		"the program itself":                {cobra + "var rootCmd = &cobra.Command{Use: \"tool\"}\nfunc main() { rootCmd.Execute() }\n", []string{"function main 4"}},
		"the program, made by a function":   {cobra + "func newRootCmd() *cobra.Command {\n\treturn &cobra.Command{Use: \"tool\"}\n}\nfunc newAdd() *cobra.Command { return &cobra.Command{Use: \"add\"} }\n", []string{"function newRootCmd 3", "function newAdd 6", "subcommand add 6"}},
		"another type of that name":         {"package a\nimport \"os/exec\"\nvar x = exec.Command{Use: \"no\"}\n", nil},
		"the environment":                   {std + "func f() { os.Getenv(\"A\"); os.LookupEnv(\"B\"); os.Setenv(\"C\", \"\"); x.Getenv(\"D\"); os.Getenv(\"A\") }\n", []string{"env A 3", "env B 3", "function f 3"}},
		"the environment by a constant":     {std + "const (\n\tkey = \"TOKEN\"\n)\nfunc f() { os.Getenv(key); os.Getenv(other) }\n", []string{"env TOKEN 4", "function f 6"}},
		"the environment by another name":   {"package a\nimport sys \"os\"\nvar x = sys.Getenv(\"A\")\n", []string{"env A 3"}},
		"the arguments":                     {std + "func f() {\n\tswitch os.Args[1] {\n\tcase \"up\", \"--v\":\n\t}\n\tfor _, a := range os.Args[1:] { if a == \"--x\" || a == \"word\" {} }\n\tcmd := os.Args[1]\n\tif cmd == \"down\" || \"stop\" == cmd || os.Args[2] == \"no\" || os.Args[0] == \"no\" {}\n\tif flag.Arg(0) == \"run\" {}\n\trest := os.Args[2:]\n\tif rest[i] == \"-q\" {}\n}\n", []string{"function f 3", "flag --v 5", "subcommand up 5", "flag --x 7", "subcommand down 9", "subcommand stop 9", "subcommand run 10", "flag -q 12"}},
		"a switch with its own variable":    {std + "func f() { switch c := flag.Args()[0]; c { case \"go\": } }\n", []string{"function f 3", "subcommand go 3"}},
		"functions, no methods":             {"package a\nfunc a[T any]() { func() {}() }\nfunc (x *T) b() {}\ntype T struct{}\nfunc _() {}\n", []string{"function a 2"}},
		"lines by a comment that claims so": {"package a\n//line b.go:900\nfunc a() {}\n", []string{"function a 3"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mines(t, "a.go", tc.src, tc.want)
		})
	}
}

func TestGoThatDoesNotParse(t *testing.T) {
	t.Parallel()
	r, err := Mine("a.go", []byte("package a\nfunc a() {}\nfunc privateName( {\n"))
	if !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "line 3") || strings.Contains(err.Error(), "private") {
		t.Errorf("error %v: want line and kind alone", err)
	}
	if got := show(r.Idents); len(got) == 0 || got[0] != "function a 2" {
		t.Errorf("identifiers %v: want what was read", got)
	}
	deep := "package a\nvar x = " + strings.Repeat("(", 2*maxGoDepth) + "1\n"
	if _, err := Mine("a.go", []byte(deep)); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v: want nested too deep", err)
	}
	if _, err := Mine("a.go", []byte("private text")); !errors.Is(err, ErrSyntax) || strings.Contains(err.Error(), "private") {
		t.Errorf("error %v: want line and kind alone", err)
	}
}

func TestPowerShell(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		src  string
		want []string
	}{
		"parameters of a script":             {"<# .SYNOPSIS param([string]$No) #>\n[CmdletBinding()]\nparam(\n  [Parameter(Mandatory = $true, HelpMessage = \"a, $b\")]\n  [ValidateSet('x', 'y')]\n  [string]$Name = \"z\", # $Not\n  [int] $Count = (Get-Count -Of $other, $more),\n  [switch]$Force\n)\n", []string{"flag -Name 6", "flag -Count 7", "flag -Force 8"}},
		"a parameter without a type":         {"Param ($A, $B=@{ x = $c }, $script:D)\n", []string{"flag -A 1", "flag -B 1"}},
		"an alias":                           {"param([Alias('n', \"Nm\")][string]$Name, $Other)\n", []string{"flag -Name 1", "flag -Nm 1", "flag -Other 1", "flag -n 1"}},
		"functions in a script with its own": {"param($A)\nfunction Get-X {\n  [CmdletBinding()] param([string]$Inner)\n}\n", []string{"flag -A 1", "function Get-X 2"}},
		"functions made for a person":        {"function Get-X {\n  [CmdletBinding()]\n  param([string]$Y)\n  & { param($No) }\n}\nfunction helper { param($No) }\n", []string{"function Get-X 1", "flag -Y 3", "function helper 6"}},
		"functions in other forms":           {"function script:Set-Y($a) { function inner {} }\nfilter Only-Z { $_ }\n'function No'\nclass C { }\n", []string{"function Set-Y 1", "function Only-Z 2"}},
		"the environment":                    {"$env:A; ${env:B}; \"x $env:C `$env:NO ${Env:D}\" + '$env:NO'; [Environment]::GetEnvironmentVariable(\"E\")\n", []string{"env A 1", "env B 1", "env C 1", "env D 1", "env E 1"}},
		"a variable that is set":             {"$env:A = 'x'\n$env:PATH += ';y'\nif ($env:B -eq 'x') {}\n$x = $env:A\n", []string{"env B 3", "env A 4"}},
		"the arguments":                      {"if ($args[0] -eq '--help' -or $args[$i] -ne \"-v\" -or $args -contains '--x' -or $args[0] -eq 'word') {}\n", []string{"flag --help 1", "flag --x 1", "flag -v 1"}},
		"here-documents":                     {"$a = @'\nfunction No {}\n' '@ $env:NO\n'@\n$b = @\"\n$env:A \" function No\n\"@\nfunction Get-B {}\n", []string{"env A 6", "function Get-B 8"}},
		"quotes in strings":                  {"$a = 'it''s'; $b = \"say `\"hi`\" \"\"x\"\" # no\"; $env:A # $env:NO\n", []string{"env A 1"}},
		"a string over lines":                {"$a = \"x\n$env:A\n\"\nfunction Get-B {}\n", []string{"env A 2", "function Get-B 4"}},
		"a line that goes on":                {"Get-X `\n  -Y $env:A\n", []string{"env A 2"}},
		"texts without an end":               {"function A {}\n\"oops $env:B\nfunction No {}\n", []string{"function A 1", "env B 2"}},
		"a comment without an end":           {"function A {}\n<# oops\nfunction No {}\n", []string{"function A 1"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mines(t, "a.ps1", tc.src, tc.want)
		})
	}
}

func TestFencesOfOtherLanguages(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		lang, code string
		want       []string
	}{
		"javascript":             {"js", "export const run = () => process.env.KEY\nclass Job {}\nprogram.option('--fast').command('go')\n", []string{"--fast", "Job", "KEY", "run"}},
		"typescript":             {"ts title=\"x\"", "interface A { b: string }\ntype C = A | null\nenum D { E }\nconst enum F { G }\nabstract class H {}\ntype\n", []string{"A", "C", "D", "F", "H"}},
		"node's parser":          {"{.typescript}", "parseArgs({ options: { out: { type: 'string' } } })\n", []string{"--out"}},
		"go, a whole file":       {"go", "package a\nimport \"os\"\ntype T struct{}\nfunc (t T) M() {}\nfunc run() { os.Getenv(\"KEY\") }\n", []string{"KEY", "T", "run"}},
		"go, declarations":       {"golang", "func run() { flag.Bool(\"all\", false, \"\") }\n", []string{"-all", "run"}},
		"go, statements":         {"go", "x := os.Getenv(\"KEY\")\nfmt.Println(x)\n", []string{"KEY"}},
		"go, something else":     {"go", "func run() {}\n...\n", []string{"run"}},
		"powershell":             {"pwsh", "function Get-X { $env:KEY }\nclass Y {}\n", []string{"Get-X", "KEY", "Y"}},
		"powershell, a call":     {"powershell", "./run.ps1 -Name x\n", nil},
		"a language not read":    {"rust", "fn a() {}\n", nil},
		"an info string of none": {"{}", "x\n", nil},
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

func TestIsSource(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a/b.py": true, "a.PYW": true, "a.bash": true, "a.mjs": true, "a.tsx": true, "a.cts": true, "a.go": true, "a.psm1": true, "bin/run": true, "a.b/run": true,
		"a.rb": false, "a.md": false, "a.json": false, ".py": false, ".bashrc": false, "LICENSE": false, "LICENSE-MIT": false, "sub/Makefile": false, "a.": false, "": false,
		"a_test.go": false, "a.test.ts": false, "a.spec.js": false, "A.Tests.ps1": false, "test_connection.py": true, "latest.ts": true, "contest.go": true,
	} {
		if got := IsSource(name); got != want {
			t.Errorf("IsSource(%q) = %v, want %v", name, got, want)
		}
	}
}

// A name of a language in the table is one that Mine and Fence know, and none is
// given to two.
func TestTheTableOfLanguagesIsSound(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, n := range languages() {
		for column, words := range map[string]string{"interpreter ": n.interpreters, "extension ": n.extensions, "fence ": n.fences} {
			for _, word := range strings.Fields(words) {
				if other := seen[column+word]; other != "" {
					t.Errorf("%s%s is of %s and of %s", column, word, other, n.language)
				}
				seen[column+word] = n.language
			}
		}
		if (n.fences != "") != (minerFor(n.language) != nil) {
			t.Errorf("%s: fences and miner go together", n.language)
		}
	}
}
