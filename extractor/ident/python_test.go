package ident

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPython(t *testing.T) {
	t.Parallel()
	const argparse = "import argparse\n"
	const click = "import click\n"
	tests := map[string]struct {
		src  string
		want []string
	}{
		"a flag":                          {argparse + "p.add_argument('--out')\n", []string{"flag --out 2"}},
		"long and short, in their order":  {argparse + "p.add_argument('-o', \"--out\", help='where')\n", []string{"flag --out 2", "flag -o 2"}},
		"the name on the next line":       {argparse + "p.add_argument(\n    \"--out-dir\",  # \"--no\"\n    default='--dash',\n)\n", []string{"flag --out-dir 2-3"}},
		"a positional argument":           {argparse + "p.add_argument('file', help='--x')\n", nil},
		"a flag in a comment":             {argparse + "# p.add_argument('--old')\n", nil},
		"a flag in a docstring":           {argparse + "\"\"\"Use:\np.add_argument('--old')\n\"\"\"\n", nil},
		"a flag in another string":        {argparse + "s = \"p.add_argument('--old')\"\n", nil},
		"nested quotes before it":         {argparse + "s = 'it\\'s \"\"\" fine'; p.add_argument('--x')\n", []string{"flag --x 2"}},
		"a hash in a string before it":    {argparse + "s = '#'; p.add_argument('--x')\n", []string{"flag --x 2"}},
		"a raw string that ends in \\":    {argparse + "s = r'\\d\\\\'\np.add_argument(r'--x')\n", []string{"flag --x 3"}},
		"triple quotes inside the other":  {argparse + "s = '''a \"\"\" b'''\np.add_argument('--x')\n", []string{"flag --x 3"}},
		"an f-string names nothing":       {argparse + "p.add_argument(f'--{name}')\n", nil},
		"a joined string":                 {argparse + "p.add_argument('--a' '-b')\n", []string{"flag --a-b 2"}},
		"a joined f-string":               {argparse + "p.add_argument('--a-' f'{x}')\n", nil},
		"a computed name":                 {argparse + "p.add_argument('--a' + x)\n", nil},
		"a flag of a browser":             {argparse + "o = webdriver.ChromeOptions()\no.add_argument('--headless')\n", nil},
		"no argparse in the file":         {"o.add_argument('--headless')\n", nil},
		"a continued line":                {argparse + "p \\\n  .add_argument('--x')\n", []string{"flag --x 3"}},
		"a string without an end":         {argparse + "s = 'oops\np.add_argument('--x')\n", []string{"flag --x 3"}},
		"two parsers, one flag":           {argparse + "a.add_argument('--j')\nb.add_argument('--j')\n", []string{"flag --j 2", "flag --j 3"}},
		"a subcommand":                    {"s.add_parser('run', help='x')\ns.add_parser(\n  'stop')\n", []string{"subcommand run 1", "subcommand stop 2-3"}},
		"a subcommand from a variable":    {"s.add_parser(name)\n", nil},
		"a function named so":             {"def add_parser(sub): pass\n", []string{"function add_parser 1"}},
		"a click option with its other":   {click + "@click.option('--shout/--no-shout', '-s', 'loud', default=True)\ndef a(): pass\n", []string{"flag --no-shout 2", "flag --shout 2", "flag -s 2", "function a 3"}},
		"a click argument":                {click + "@click.argument('--x')\ndef a(): pass\n", []string{"function a 3"}},
		"a command by its string":         {click + "@cli.command('do-it')\ndef a(): pass\n", []string{"subcommand do-it 2", "function a 3"}},
		"a command by its name argument":  {click + "@cli.command(help='x', name='go')\ndef a(): pass\n", []string{"subcommand go 2", "function a 3"}},
		"a command by its function":       {click + "@cli.command()\n@click.option('-f')\ndef do_it(): pass\n", []string{"subcommand do-it 2-4", "flag -f 3", "function do_it 4"}},
		"the program itself":              {click + "@click.command()\ndef main(): pass\n", []string{"function main 3"}},
		"a command of another library":    {"@bot.command()\nasync def ping(): pass\n", []string{"function ping 2"}},
		"a typer option":                  {"import typer\ndef a(\n    f: bool = typer.Option(False, '--force', '-f', help='--no'),\n): pass\n", []string{"function a 2", "flag --force 3", "flag -f 3"}},
		"an annotated typer option":       {"import typer\nx: Annotated[str, typer.Option(\n  '--x')]\n", []string{"flag --x 2-3"}},
		"argv compared":                   {"if sys.argv[1] == 'run' or 'stop' == sys.argv[1]: pass\n", []string{"subcommand run 1", "subcommand stop 1"}},
		"argv in a tuple":                 {"if sys.argv[1] in ('a', \"b\",\n  '--c'): pass\n", []string{"flag --c 1-2", "subcommand a 1", "subcommand b 1"}},
		"the second argument's words":     {"if sys.argv[2] == 'fast': pass\n", nil},
		"a flag among the arguments":      {"if '--json' in sys.argv: pass\n", []string{"flag --json 1"}},
		"a variable that holds it":        {"cmd = sys.argv[1] if len(sys.argv) > 1 else 'x'\nif cmd == 'run': pass\ncmd = 1\nif cmd == 'no': pass\n", []string{"subcommand run 2"}},
		"a variable that holds the rest":  {"args = sys.argv[1:]\nif args[0] == 'go' or '-v' in args: pass\n", []string{"flag -v 2", "subcommand go 2"}},
		"each argument in turn":           {"for a in sys.argv[1:]:\n    if a == '--all': pass\n    elif a == 'word': pass\n", []string{"flag --all 2"}},
		"another object's argv":           {"if x.argv[1] == 'run': pass\n", nil},
		"the environment, three ways":     {"os.environ['A']\nos.environ.get(\n  \"B\", 'no')\nos.getenv('C')\n", []string{"env A 1", "env B 2-3", "env C 4"}},
		"the environment, imported":       {"environ['A']; getenv('B')\n", []string{"env A 1", "env B 1"}},
		"a variable that is set":          {"os.environ['A'] = '1'\ndel os.environ['B']\n", nil},
		"a variable compared":             {"os.environ['A'] == '1'\n", []string{"env A 1"}},
		"a variable read twice":           {"os.getenv('A')\nos.getenv('A')\n", []string{"env A 1"}},
		"a variable in question":          {"if 'A' not in os.environ: pass\n", []string{"env A 1"}},
		"another object's environment":    {"request.environ['A']\n", nil},
		"a variable inside an f-string":   {"f\"{os.environ['A']:>{w}} {{os.environ['B']}} {x:#x}\"\nos.getenv('C')\n", []string{"env A 1", "env C 2"}},
		"an f-string with its own quotes": {"f'{os.environ['A']}' # os.getenv('B')\n", []string{"env A 1"}},
		"a broken f-string":               {"f'{a\nos.getenv('C')\n", []string{"env C 2"}},
		"top-level functions alone":       {"def a():\n    def b(): pass\nasync def c(): pass\nclass D:\n    def e(self): pass\nx = 'def f(): pass'\n", []string{"function a 1", "function c 3"}},
		"after a bracket left open":       {"x = (1,\ndef a(): pass\n", []string{"function a 2"}},
		"aliases of a subcommand":         {"s.add_parser('remove', help='x',\n  aliases=['rm', 'del'])\n", []string{"subcommand del 1-2", "subcommand remove 1", "subcommand rm 1-2"}},
		"a match over an argument":        {"match sys.argv[1]:\n    case 'up' | \"down\":\n        pass\n    case '--x': pass\n    case x: pass\ncase 'no': pass\n", []string{"subcommand down 2", "subcommand up 2", "flag --x 4"}},
		"a match over a variable":         {"cmd = sys.argv[1]\nmatch cmd:\n    case 'up': pass\n", []string{"subcommand up 3"}},
		"a match over all arguments":      {"match sys.argv[1:]:\n    case ['add', name]: pass\n    case [x, 'no']: pass\n", []string{"subcommand add 2"}},
		"a match over something else":     {"match x:\n    case 'no': pass\nmatch = sys.argv[1]\nre.match(sys.argv[1])\n", nil},
		"a script's metadata":             {"# /// script\n# dependencies = [\"argparse\"]\n# ///\nimport argparse\n", nil},
		"a group's command":               {click + "@cli.group()\ndef db(): pass\n@db.command()\nasync def Dump_All(): pass\n", []string{"subcommand db 2-3", "function db 3", "subcommand dump-all 4-5", "function Dump_All 5"}},
		"a name that click may cut":       {click + "@cli.command()\ndef run_cmd(): pass\n", []string{"function run_cmd 3"}},
		"a name that typer does not cut":  {"import typer\n@app.command()\ndef run_cmd(): pass\n", []string{"subcommand run-cmd 2-3", "function run_cmd 3"}},
		"a typer option by its parameter": {"import typer\ndef a(\n    dry_run: Annotated[bool, typer.Option(help='x')] = False,\n    b: int = typer.Option(1), c: str = typer.Argument(), d: str = 'x',\n): pass\n", []string{"function a 2", "flag --dry-run 3", "flag --b 4"}},
		"a typer option of no parameter":  {"import typer\nx = Annotated[bool, typer.Option()]\ny = {'a': typer.Option()}\n", nil},
		"line ends of Windows":            {argparse + "x = 1 \\\r\n  + 2\r\np.add_argument(\r\n  '--x')\r\n", []string{"flag --x 4-5"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := Mine("a.py", []byte(tc.src))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, show(r.Idents)); diff != "" {
				t.Errorf("identifiers (-want +got):\n%s", diff)
			}
		})
	}
}
