package ident

import "strings"

// option takes the flags that typer.Option names, or else the one that typer
// makes of the parameter's name: "dry_run: bool = typer.Option(False)" and
// "dry_run: Annotated[bool, typer.Option()]" are "--dry-run".
func (f *pyFile) option(i int) {
	if f.anyFlags(i) {
		return
	}
	j := i - 1
	if f.is(j, ".") {
		j -= 2
	}
	depth := f.toks[i].depth
	for n := 0; n < reach && j > 0; n++ {
		t := f.toks[j]
		if t.depth < depth-1 || t.kind == tokEnd {
			return
		}
		name := f.toks[j-1]
		if f.is(j, ":") && name.kind == tokName && (f.is(j-2, "(") || f.is(j-2, ",") || name.first) && t.depth <= depth {
			f.derived(i, j-1)
			return
		}
		j--
	}
}

// derived adds the flag that typer makes of the parameter at a token.
func (f *pyFile) derived(i, at int) {
	if flag := "--" + strings.ReplaceAll(strings.ToLower(f.toks[at].text), "_", "-"); flagForm.MatchString(flag) {
		f.add(Flag, flag, at, at)
	}
}

// shortened reports a function's name that click cuts in newer editions and keeps
// in older ones, so that nobody can tell the subcommand's.
func (f *pyFile) shortened(name string) bool {
	if f.names["typer"] {
		return false
	}
	for _, end := range [...]string{"_command", "_cmd", "_group", "_grp"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// aliases takes the strings of aliases=[...] in a call.
func (f *pyFile) aliases(i int) {
	open := f.toks[i+1].depth
	for k := i + 2; k < f.end(i) && f.toks[k].depth > open; k++ {
		if f.toks[k].depth != open+1 || !f.is(k, "aliases", "=") || !f.is(k+2, "[") && !f.is(k+2, "(") {
			continue
		}
		for k += 3; k < f.end(i) && f.toks[k].depth > open+1; k++ {
			if text := f.toks[k].text; f.toks[k].kind == tokString && wordForm.MatchString(text) {
				f.add(Subcommand, text, i, k)
			}
		}
		return
	}
}

// match takes the strings of "match sys.argv[1]:" and its like, and the first of
// each list of "match sys.argv[1:]:".
func (f *pyFile) match(i int) {
	part, next, ok := f.matched(i + 1)
	if !f.toks[i].first || !ok || !f.is(next, ":") {
		return
	}
	for k := next + 2; k < len(f.toks) && k < next+maxMatch; k++ {
		t := f.toks[k]
		if t.first && t.col <= f.toks[i].col {
			return
		}
		if t.first && f.is(k, "case") {
			f.pattern(part, k)
		}
	}
}

// maxMatch is how many tokens of a match statement are looked at: many screens.
// One match inside the other, each to its end, would cost a square.
const maxMatch = 8 * reach

// matched reads the arguments that a match is over.
func (f *pyFile) matched(i int) (part, next int, ok bool) {
	if f.is(i, "sys", ".", "argv") {
		return f.subscript(i + 3)
	}
	if i >= len(f.toks) {
		return 0, 0, false
	}
	part, ok = f.args[f.toks[i].text]
	return part, i + 1, ok && f.toks[i].kind == tokName
}

// pattern takes the strings of one case, with "|" between them.
func (f *pyFile) pattern(part, i int) {
	k := i + 1
	if f.is(k, "[") && part == argvRest {
		part, k = 1, k+1
	}
	for f.kindAt(k) == tokString {
		f.argument(part, k, k)
		if k++; !f.is(k, "|") {
			return
		}
		k++
	}
}

func (f *pyFile) kindAt(i int) tokenKind {
	if i >= len(f.toks) {
		return tokEnd
	}
	return f.toks[i].kind
}
