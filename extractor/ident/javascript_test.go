package ident

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mines fails where a file does not give what a table wants.
func mines(t *testing.T, name, src string, want []string) {
	t.Helper()
	r, err := Mine(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, show(r.Idents)); diff != "" {
		t.Errorf("identifiers (-want +got):\n%s", diff)
	}
}

func TestJavaScriptOptions(t *testing.T) {
	t.Parallel()
	const commander = "import { Command } from 'commander';\n"
	const yargs = "const yargs = require('yargs');\n"
	const util = "import { parseArgs } from \"node:util\";\n"
	tests := map[string]struct {
		src  string
		want []string
	}{
		"an option, short and long":            {"program.option('-o, --out <file>', 'not --this')\n", []string{"flag --out 1", "flag -o 1"}},
		"an option on its own lines":           {"program\n  .requiredOption(\n    \"--out-dir <dir>\", // \"--no\"\n    '--text',\n  )\n", []string{"flag --out-dir 2-3"}},
		"an option with an optional value":     {"p.option('--color[=when]', '')\np.option('-p|--port [n]')\n", []string{"flag --color 1", "flag --port 2", "flag -p 2"}},
		"an option object":                     {"p.addOption(new Option('--level <n>', 'x'))\n", []string{"flag --level 1"}},
		"another thing's option":               {"menu.option('large', true); option('--x')\n", nil},
		"an option in a template":              {"p.option(`--x`)\np.option(`--${name}`)\n", []string{"flag --x 1"}},
		"an option in a comment":               {"// p.option('--a')\n/* p.option('--b')\n */ p.option('--c')\n", []string{"flag --c 3"}},
		"an option in another string":          {"const s = \"p.option('--a')\"; const t = `p.option('--b')`\n", nil},
		"a subcommand":                         {commander + "p.command('add <file>', { a: 1 })\n", []string{"subcommand add 2"}},
		"a subcommand's other name":            {commander + "p.command('add').alias('a')\np.alias('no')\n", []string{"subcommand a 2", "subcommand add 2"}},
		"an alias of yargs":                    {yargs + "yargs.command('add', 'x').alias('h', 'help')\n", []string{"subcommand add 2"}},
		"a command of something else":          {"bot.command('start', handler)\n", nil},
		"the program handed over":              {"module.exports = (program) => { program.command('go').option('-q') }\n", []string{"flag -q 1", "subcommand go 1"}},
		"a command object":                     {commander + "export const list = new Command('list')\n", []string{"subcommand list 2"}},
		"a command object, compiled":           {"const commander_1 = require('commander');\nconst a = new commander_1.Command('a1')\n", []string{"subcommand a1 2"}},
		"the program itself":                   {commander + "const p = new Command('tool');\np.parse(process.argv);\n", nil},
		"the program itself, in one chain":     {commander + "new Command('tool').option('-a').parse()\n", []string{"flag -a 2"}},
		"yargs by name":                        {yargs + "yargs.option('dry-run', { alias: ['n', 'dry'], type: 'boolean' })\n", []string{"flag --dry 2", "flag --dry-run 2", "flag -n 2"}},
		"yargs by object":                      {yargs + "yargs.options({\n  out: { alias: 'o', describe: 'x' },\n  'in-dir': {},\n})\n", []string{"flag --in-dir 2-4", "flag --out 2-3", "flag -o 2-3"}},
		"yargs commands":                       {yargs + "yargs.command('$0', 'x').command(['run [x]', 'r'], 'y')\n", []string{"subcommand run 2"}},
		"node's parser":                        {util + "parseArgs({\n  options: {\n    out: { type: 'string', short: 'o' },\n    \"dry-run\": { type: 'boolean', default: { a: 1 } },\n  },\n  strict: true,\n})\n", []string{"flag --out 4", "flag -o 4", "flag --dry-run 5"}},
		"node's parser, options apart":         {util + "const options = {\n  all: { type: 'boolean' }\n} as const\nparseArgs({ args, options })\n", []string{"flag --all 3"}},
		"node's parser, options by another":    {util + "const o = { all: { type: 'boolean' } }\nparseArgs({ options: o })\n", []string{"flag --all 2"}},
		"node's parser, its positionals":       {util + "const { positionals } = parseArgs({ options: {} })\nif (positionals[0] === 'go') {}\n", []string{"subcommand go 3"}},
		"a parser of one's own":                {"parseArgs({ options: { all: { type: 'boolean' } } })\n", nil},
		"a quoted flag alone":                  {"spawn('git', ['--no-pager', 'log']); const a = \"--x\"\n", nil},
		"an option whose text has a \" in it":  {"p.option('--a', 'say \"hi\"').option(\"--b\", 'it\\'s')\n", []string{"flag --a 1", "flag --b 1"}},
		"a string over two lines":              {"p.option('--a', 'x \\\n  y').option('--b')\n", []string{"flag --a 1", "flag --b 2"}},
		"a quote in a regular expression":      {"s.replace(/['\"`]/g, '').x; p.option('--a')\n", []string{"flag --a 1"}},
		"a slash in a class":                   {"if (/[/'\"]+/.test(s)) p.option('--a')\n", []string{"flag --a 1"}},
		"a division is none":                   {"const a = b / c, d = 'x' / 2; p.option('--a'); e(f) / 2\n", []string{"flag --a 1"}},
		"a regular expression after a bracket": {"if (x) /it's/.test(y); p.option('--a')\n", []string{"flag --a 1"}},
		"an apostrophe in a page":              {"const a = <p>Don't {x}</p>; p.option('--a')\n", []string{"flag --a 1"}},
		"a template in a template":             {"const s = `a ${b ? `c ${d} '` : \"`\"} e`; p.option('--a')\n", []string{"flag --a 1"}},
		"an object in a template":              {"`${f({ a: '}' })} p.option('--no')`; p.option('--a')\n", []string{"flag --a 1"}},
		"a template without an end":            {"p.option('--a'); x = `oops\np.option('--b')\n", []string{"flag --a 1"}},
		"a string without an end":              {"x = 'oops\np.option('--b')\n", []string{"flag --b 2"}},
		"line ends of Windows":                 {"p\r\n  .option(\r\n  '--b')\r\n", []string{"flag --b 2-3"}},
		"a shebang with quotes":                {"#!/usr/bin/env node 'x\np.option('--b')\n", []string{"flag --b 2"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mines(t, "a.js", tc.src, tc.want)
		})
	}
}

func TestJavaScriptArguments(t *testing.T) {
	t.Parallel()
	const args = "const args = process.argv.slice(2);\n"
	tests := map[string]struct {
		src  string
		want []string
	}{
		"compared at once":                    {"if (process.argv[2] === 'run' || 'stop' == process.argv[2]) {}\n", []string{"subcommand run 1", "subcommand stop 1"}},
		"the name of the script":              {"if (process.argv[1] === 'run') {}\n", nil},
		"the second argument's word":          {"if (process.argv[3] === 'fast' || process.argv[3] === '--slow') {}\n", []string{"flag --slow 1"}},
		"a flag among them":                   {"process.argv.includes('--json') || Bun.argv.indexOf(\"-v\") > 0 || Deno.args.includes('--x')\n", []string{"flag --json 1", "flag --x 1", "flag -v 1"}},
		"a flag among another list":           {"list.includes('--json'); x.process.argv.includes('--no')\n", nil},
		"a variable that holds them":          {args + "if (args[0] === 'go' || args.includes('--a')) {}\n", []string{"flag --a 2", "subcommand go 2"}},
		"a loop over them":                    {args + "for (let i = 0; i < args.length; i++) {\n  const a = args[i];\n  if (a === '--a' || a === 'word') x = args[++i];\n  else if (a.startsWith('--b=')) {}\n}\n", []string{"flag --a 4", "flag --b 5"}},
		"each of them":                        {args + "for (const a of args) switch (a) {\n  case '--a': case '-b':\n    break\n  case 'word': break\n}\n", []string{"flag --a 3", "flag -b 3"}},
		"each with its place":                 {args + "for (const [i, a] of args.entries()) { if (a === '--a') {} }\n", []string{"flag --a 2"}},
		"each by a function":                  {args + "args.forEach((a, i) => { if (a === '--a') x(); });\nargs.find(a => a.startsWith('--b='))\nif (a === '--no') {}\n", []string{"flag --a 2", "flag --b 3"}},
		"shifted off":                         {args + "const cmd = args.shift();\nwhile (args.length) {\n  const a = args.shift();\n  if (a === 'word' || a === '--x') {}\n}\nif (cmd === 'go') {}\n", []string{"flag --x 5", "subcommand go 7"}},
		"taken apart":                         {"const [,, cmd = 'x', ...rest] = process.argv;\nswitch (cmd) {\n  case \"up\":\n  case 'down': {}\n}\nrest.includes('-q')\n", []string{"subcommand up 3", "subcommand down 4", "flag -q 6"}},
		"with a default":                      {"const cmd = process.argv[2] || 'help'\nif (cmd === 'a1') {}\nconst two = (process.argv[2] ?? '').toLowerCase()\nif (two === 'b1') {}\nif ((process.argv[2] || '') === 'c1') {}\n", []string{"subcommand a1 2", "subcommand b1 4", "subcommand c1 5"}},
		"with a condition":                    {args + "const cmd = args.length > 0 ? args[0] : 'help';\nif (cmd === 'go') {}\n", []string{"subcommand go 3"}},
		"in a function called later":          {"function parse(argv) {\n  for (const a of argv) if (a === '--a') {}\n}\nfunction main(list) { return parse(list); }\nmain(process.argv.slice(2));\n", []string{"function parse 1", "flag --a 2", "function main 4"}},
		"in a function called otherwise":      {"function git(argv) {\n  if (argv[0] === 'status' || argv.includes('--no')) {}\n}\ngit(['a']);\n", []string{"function git 1"}},
		"by a default of a parameter":         {"export function main(argv = process.argv.slice(2)) {\n  if (argv[0] === 'go') {}\n}\n", []string{"function main 1", "subcommand go 2"}},
		"in a typed function":                 {"const run = async (argv: string[], n?: number): Promise<void> => {\n  const a = argv[0]!;\n  if (a === '--a') {}\n};\nrun(Bun.argv.slice(2));\n", []string{"function run 1", "flag --a 3"}},
		"a variable of the same name":         {args + "function f() { const args = other(); if (args[0] === 'no' || args.includes('--no')) {} }\n", []string{"function f 2"}},
		"a variable that changed":             {"let cmd = process.argv[2];\ncmd = other();\nif (cmd === 'no') {}\n", nil},
		"a variable made from itself":         {"let a = process.argv[2];\na = names[a] ?? a;\nif (a === 'go') {}\n", []string{"subcommand go 3"}},
		"a function that looks up":            {args + "function has(name) { return args.includes(name); }\nconst get = (n) => { const i = args.indexOf(`--${n}`); return args[i + 1] };\nhas('--all'); get('out-dir'); other('--no');\n", []string{"function has 2", "function get 3", "flag --all 4", "flag --out-dir 4"}},
		"among a list of words":               {"const cmd = process.argv[2];\nif (['on', 'off'].includes(cmd)) {}\nconst KNOWN = new Set([\n  'up'])\nif (!KNOWN.has(cmd)) {}\n", []string{"subcommand off 2", "subcommand on 2", "subcommand up 4"}},
		"a word of a word":                    {args + "const [a, b] = args;\nswitch (a) { case 'app': switch (b) { case 'list': } }\nif (b === 'no') {}\n", []string{"subcommand app 3", "subcommand list 3"}},
		"from a parser of one's own":          {"function parseArgs() { return f(process.argv) }\nconst { command, opts } = parseArgs();\nif (command === 'go') {}\nconst o = parseArgs()\nif (o._[0] === 'a1' || o.command === 'a2' || o.name === 'no') {}\n", []string{"function parseArgs 1", "subcommand go 3", "subcommand a1 5", "subcommand a2 5"}},
		"beside a command":                    {"const { command, positionals } = parseArgs(process.argv);\nif (positionals[0] === 'no') {}\n", nil},
		"by the name of the variable":         {"run(process.argv);\nfunction run2(x) { switch (x.command) { case 'no': }\n  switch (command) { case 'go': case 'M': } }\n", []string{"function run2 2", "subcommand go 3"}},
		"by the name, in no program":          {"switch (command) { case 'no': }\n", nil},
		"split at the sign":                   {args + "for (const a of args) { const [k, v] = a.split('='); if (k === '--a') {} }\n", []string{"flag --a 2"}},
		"a copy":                              {"const args = [...process.argv.slice(2)]; if (args.includes('-h')) {}\n", []string{"flag -h 1"}},
		"text around them":                    {args + "const line = args.join(' '); if (line === 'no') {}\nif (args.length === 'no') {}\n", nil},
		"the environment":                     {"process.env.A; process.env[\"B\"]; process.env?.C; Bun.env.D; Deno.env.get('E'); import.meta.env.VITE_F; import.meta.env.MODE\n", []string{"env A 1", "env B 1", "env C 1", "env D 1", "env E 1", "env VITE_F 1"}},
		"the environment, taken apart":        {"const {\n  A,\n  B: b,\n  C = 'x',\n} = process.env;\n", []string{"env A 1-2", "env B 1-3", "env C 1-4"}},
		"the environment by another name":     {"const env = process.env;\nenv.A; function f(e = process.env) { return e.B }\n({}).env.C\n", []string{"env A 2", "env B 2", "function f 2"}},
		"a variable that is set":              {"process.env.A = '1'; delete process.env.B; process.env['C'] = 2; process.env.D === 3; process.env.E ??= 4\n", []string{"env D 1", "env E 1"}},
		"a variable in question":              {"if ('A' in process.env) {}\n", []string{"env A 1"}},
		"a computed variable":                 {"process.env[name]; process.env[`X_${y}`]; process.env.hasOwnProperty('no')\n", nil},
		"a variable in a template":            {"const u = `http://${process.env.HOST_A || 'x'}:${1}` + ' process.env.NO'\n", []string{"env HOST_A 1"}},
		"functions of the top level":          {"function a() { function b() {} }\nexport default async function c() {}\nexport const d = async (x) => x;\nconst e = function () {}, f = 1\nexport const g = x => x\nlet h = (1)\nclass I { j() {} }\nfunction* k() {}\n", []string{"function a 1", "function c 2", "function d 3", "function e 4", "function g 5", "function k 8"}},
		"functions after a bracket left open": {"x(\nexport function a() {}\n", []string{"function a 2"}},
		"functions that are typed":            {"declare function a(x: number): void\nexport const b = (x: { y: string }): Promise<void> => {}\nconst c: (x: number) => void = (x) => {}\nfunction d<T>(x: T) {}\n", []string{"function a 1", "function b 2", "function c 3", "function d 4"}},
		"words that are no declarations":      {"x.function; const type = 1; a.class = 2; ({ function: 1, enum: 2 })\n", nil},
		"stray brackets":                      {")}]\nfunction a() { ( } \nfunction b() {}\n", []string{"function a 2", "function b 3"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mines(t, "a.ts", tc.src, tc.want)
		})
	}
}
