package ident

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var (
	flagForm = regexp.MustCompile(`^--?[A-Za-z0-9?][A-Za-z0-9_.-]*$`)
	wordForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:-]*$`)
	envForm  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// pyForms are the words of which a file must hold one to be worth the scan.
func pyForms() []string {
	return []string{"add_argument", "add_option", "add_parser", ".command", ".option", "Option(", "argv", "environ", "getenv", "def ", "class "}
}

// A pyFile is the state of one scan.
type pyFile struct {
	toks     []pyToken
	fragment bool
	names    map[string]bool // every name that the file uses
	notParse map[string]bool // variables that hold a browser's options, whose add_argument is no flag of ours
	args     map[string]int  // variables that hold sys.argv[n], or a part of it
	left     int             // the column at which top level stands
	out      []Ident
}

// Parts of sys.argv that a variable can hold besides one element.
const (
	argvRest = -1 // sys.argv[1:]
	argvEach = -2 // each of them in turn
)

func minePython(src []byte, fragment bool) ([]Ident, error) {
	if !slices.ContainsFunc(pyForms(), func(form string) bool { return bytes.Contains(src, []byte(form)) }) {
		return nil, nil
	}
	f := &pyFile{toks: pyTokens(src), fragment: fragment, names: map[string]bool{}, notParse: map[string]bool{}, args: map[string]int{}}
	f.left = f.survey()
	for i, t := range f.toks {
		switch {
		case t.kind == tokName:
			f.atName(i)
		case t.kind == tokString:
			f.atString(i)
		case t.first && t.text == "@":
			f.atDecorator(i)
		}
	}
	return f.out, nil
}

// survey collects the file's names and returns the column of its top level: an
// example may be indented as a whole.
func (f *pyFile) survey() int {
	left := -1
	for _, t := range f.toks {
		if t.kind == tokName {
			f.names[t.text] = true
		}
		if t.first && (left < 0 || t.col < left) {
			left = t.col
		}
	}
	if !f.fragment {
		return 0
	}
	return left
}

func (f *pyFile) atName(i int) {
	t := f.toks[i]
	switch t.text {
	case "def", "class":
		f.definition(i)
	case "add_argument", "add_option":
		if f.is(i-1, ".") && f.is(i+1, "(") && f.parser(i) {
			f.leadingFlags(i)
		}
	case "add_parser":
		if f.is(i-1, ".") && f.is(i+1, "(") {
			f.literalName(i, i+2)
			f.aliases(i)
		}
	case "Option":
		if f.is(i+1, "(") && (f.fragment || f.names["typer"]) {
			f.option(i)
		}
	case "match":
		f.match(i)
	case "environ", "getenv":
		f.environment(i)
	case "argv":
		f.argv(i)
	default:
		f.variable(i)
	}
}

// is reports whether token i is this name or operator.
func (f *pyFile) is(i int, texts ...string) bool {
	for k, text := range texts {
		if i+k < 0 || i+k >= len(f.toks) {
			return false
		}
		if t := f.toks[i+k]; t.text != text || t.kind == tokString || t.kind == tokOther {
			return false
		}
	}
	return true
}

// literal reads the string at i, with those that stand right after it. A text
// longer than any name is none.
func (f *pyFile) literal(i int) (text string, next int, ok bool) {
	for i >= 0 && i < len(f.toks) && f.toks[i].kind == tokString {
		text += f.toks[i].text
		ok = true
		i++
		if len(text) > maxName {
			return "", i, false
		}
	}
	if i >= 0 && i < len(f.toks) && f.toks[i].kind == tokOther {
		return "", i, false
	}
	return text, i, ok
}

// end is the token up to which a form that begins at i is followed.
func (f *pyFile) end(i int) int { return min(len(f.toks), i+reach) }

func (f *pyFile) add(kind Kind, name string, first, last int) {
	f.out = append(f.out, Ident{kind, name, f.toks[first].line, f.toks[last].line})
}

// definition takes "def name" and "class Name" of the top level.
func (f *pyFile) definition(i int) {
	t := f.toks[i]
	head := t
	if f.is(i-1, "async") {
		head = f.toks[i-1]
	}
	if !head.first || head.col != f.left || t.depth != 0 || i+1 >= len(f.toks) {
		return
	}
	name := f.toks[i+1]
	if name.kind != tokName || !utf8.ValidString(name.text) {
		return
	}
	kind := Function
	if t.text == "class" {
		kind = class
	}
	f.add(kind, name.text, i, i+1)
}

// parser reports whether what stands before ".add_argument" may be an argument
// parser: browsers' option objects have a method of that name.
func (f *pyFile) parser(i int) bool {
	if i >= 2 && f.notParse[f.toks[i-2].text] {
		return false
	}
	return f.fragment || f.names["argparse"] || f.names["ArgumentParser"] || f.names["optparse"] || f.names["OptionParser"] || f.names["add_parser"]
}

// leadingFlags takes the strings that a call begins with.
func (f *pyFile) leadingFlags(i int) {
	for j := i + 2; ; {
		text, next, ok := f.literal(j)
		if !ok || !f.is(next, ",") && !f.is(next, ")") {
			return
		}
		f.flags(text, i, j)
		if !f.is(next, ",") {
			return
		}
		j = next + 1
	}
}

// anyFlags takes the strings among a call's own arguments that look like flags,
// and reports whether there were any.
func (f *pyFile) anyFlags(i int) (found bool) {
	open := f.toks[i+1].depth
	for j := i + 2; j < f.end(i); j++ {
		t := f.toks[j]
		if t.depth <= open || t.kind == tokEnd {
			return found
		}
		if t.kind == tokString && t.depth == open+1 && (f.is(j-1, "(") || f.is(j-1, ",")) {
			n := len(f.out)
			f.flags(t.text, i, j)
			found = found || len(f.out) > n
		}
	}
	return found
}

// flags adds "--on/--off" as the two that it declares.
func (f *pyFile) flags(text string, first, last int) {
	for _, name := range strings.Split(text, "/") {
		if name = strings.TrimSpace(name); flagForm.MatchString(name) {
			f.add(Flag, name, first, last)
		}
	}
}

// literalName adds the subcommand that a string at j names.
func (f *pyFile) literalName(i, j int) bool {
	text, next, ok := f.literal(j)
	if !ok || !wordForm.MatchString(text) || !f.is(next, ",") && !f.is(next, ")") {
		return false
	}
	f.add(Subcommand, text, i, j)
	return true
}

// atDecorator takes "@x.option(...)", "@x.command(...)" and "@x.group(...)".
func (f *pyFile) atDecorator(i int) {
	j := i + 1
	for j+2 < len(f.toks) && f.is(j+1, ".") {
		j += 2
	}
	if j == i+1 || !f.fragment && !f.names["click"] && !f.names["typer"] {
		return
	}
	switch f.toks[j].text {
	case "option":
		if f.is(j+1, "(") {
			f.leadingFlags(j)
		}
	case "command", "group":
		if !f.is(j-2, "click") && !f.is(j-2, "typer") { // that one is the program itself
			f.command(i, j)
		}
	}
}

// command names a subcommand by its string, its name argument or its function.
func (f *pyFile) command(i, j int) {
	if f.is(j+1, "(") {
		if f.literalName(i, j+2) {
			return
		}
		open := f.toks[j+1].depth
		for k := j + 2; k < f.end(j) && f.toks[k].depth > open; k++ {
			if f.toks[k].depth == open+1 && f.is(k, "name", "=") && f.literalName(i, k+2) {
				return
			}
		}
	}
	for k := j + 1; k+1 < f.end(j); k++ {
		if !f.toks[k].first || f.toks[k].text == "@" && f.toks[k].kind == tokOp {
			continue
		}
		if f.is(k, "async") {
			k++
		}
		if name := f.toks[k+1].text; f.is(k, "def") && wordForm.MatchString(name) && !f.shortened(name) {
			f.add(Subcommand, strings.ReplaceAll(strings.ToLower(name), "_", "-"), i, k+1)
		}
		return
	}
}

// environment takes os.environ["X"], os.environ.get("X") and os.getenv("X").
func (f *pyFile) environment(i int) {
	if f.is(i-1, ".") && !f.is(i-2, "os") {
		return // another object's environ
	}
	j := i + 2
	switch {
	case f.is(i, "getenv", "("), f.is(i, "environ", "["):
	case f.is(i, "environ", ".", "get", "("), f.is(i, "environ", ".", "setdefault", "("):
		j = i + 4
	default:
		return
	}
	name, next, ok := f.literal(j)
	if !ok || !envForm.MatchString(name) || f.is(next, "]", "=") || f.is(i-3, "del") {
		return // set or removed, not read
	}
	first := i
	if f.is(i-2, "os", ".") {
		first = i - 2
	}
	f.add(Env, name, first, j)
}

// atString takes `"X" in os.environ` and `"--x" in sys.argv`.
func (f *pyFile) atString(i int) {
	j := i + 1
	if f.is(j, "not") {
		j++
	}
	if !f.is(j, "in") || j+1 >= len(f.toks) {
		return
	}
	name := f.toks[i].text
	rest, known := f.args[f.toks[j+1].text]
	switch {
	case f.is(j+1, "os", ".", "environ") && !f.is(j+4, "."):
		if envForm.MatchString(name) {
			f.add(Env, name, i, i)
		}
	case f.is(j+1, "sys", ".", "argv"), known && rest == argvRest && f.toks[j+1].kind == tokName:
		if flagForm.MatchString(name) {
			f.add(Flag, name, i, i)
		}
	}
}
