package ident

import "strings"

// A psFile is the state of one scan.
type psFile struct {
	toks   []psToken
	script bool // the file has parameters of its own
	out    []Ident
}

// minePowerShell takes the parameters that a person can give, which are named with
// one dash, and the environment. Names keep the case in which they are written.
func minePowerShell(src []byte, _ bool) ([]Ident, error) {
	f := &psFile{toks: psTokens(src)}
	for i := range f.toks {
		if f.is(i, "param") && f.is(i+1, "(") && f.toks[i].depth == 0 && f.toks[i].first {
			f.script = true
		}
	}
	for i := range f.toks {
		switch t := &f.toks[i]; {
		case t.kind == tokOther:
			f.variable(i)
		case t.kind == tokName:
			f.atName(i)
		}
	}
	return f.out, nil
}

// is reports whether token i is this name or operator; case does not count.
func (f *psFile) is(i int, text string) bool {
	return i >= 0 && i < len(f.toks) && f.toks[i].kind != tokString && f.toks[i].kind != tokOther && strings.EqualFold(f.toks[i].text, text)
}

func (f *psFile) kind(i int, k tokenKind) bool {
	return i >= 0 && i < len(f.toks) && f.toks[i].kind == k
}

func (f *psFile) add(kind Kind, name string, first, last int) {
	f.out = append(f.out, Ident{kind, name, f.toks[first].line, f.toks[last].line})
}

func (f *psFile) atName(i int) {
	t := &f.toks[i]
	switch strings.ToLower(t.text) {
	case "function", "filter", "class", "enum":
		f.definition(i)
	case "param":
		if f.is(i+1, "(") && f.open(i) {
			f.parameters(i)
		}
	case "getenvironmentvariable":
		if f.is(i-1, "::") && f.is(i+1, "(") && f.kind(i+2, tokString) && envForm.MatchString(f.toks[i+2].text) {
			f.add(Env, f.toks[i+2].text, i, i+2)
		}
	}
}

// definition takes functions, and for fences classes, of the top level.
func (f *psFile) definition(i int) {
	if f.toks[i].depth != 0 || !f.toks[i].first || !f.kind(i+1, tokName) {
		return
	}
	j, kind := i+1, Function
	if f.is(j+1, ":") && f.kind(j+2, tokName) { // "function script:Name"
		j += 2
	}
	if f.is(i, "class") || f.is(i, "enum") {
		kind = class
	}
	if name := f.toks[j].text; wordForm.MatchString(name) && len(name) <= maxName {
		f.add(kind, name, i, j)
	}
}

// open reports whether a person can give the parameters at i: those of the
// script, or, where it has none, of functions that are made for it.
func (f *psFile) open(i int) bool {
	if f.toks[i].depth == 0 {
		return f.toks[i].first
	}
	if f.script || f.toks[i].depth != 1 {
		return false
	}
	for j := i; j > 0 && j > i-reach && f.toks[j].depth > 0; j-- {
		if f.is(j, "CmdletBinding") {
			return true
		}
	}
	return false
}

// parameters takes "$Name" of each parameter, and the names in its Alias.
func (f *psFile) parameters(i int) {
	open := i + 1
	depth := f.toks[open].depth + 1
	var aliases []int
	value := false // behind a default's "="
	for j := open + 1; j < f.toks[open].mate; j++ {
		t := &f.toks[j]
		switch {
		case t.depth == depth && f.is(j, ","):
			value, aliases = false, nil
		case t.depth == depth && f.is(j, "="):
			value = true
		case value:
		case f.is(j, "Alias") && f.is(j-1, "[") && f.is(j+1, "("):
			for k := j + 2; k < f.toks[j+1].mate && k < j+reach; k++ {
				if f.kind(k, tokString) {
					aliases = append(aliases, k)
				}
			}
		case t.depth == depth && t.kind == tokOther:
			f.flag(strings.TrimPrefix(t.text, "$"), j)
			for _, k := range aliases {
				f.flag(f.toks[k].text, k)
			}
			aliases = nil
		}
	}
}

func (f *psFile) flag(name string, at int) {
	if flag := "-" + name; flagForm.MatchString(flag) && len(name) <= maxName {
		f.add(Flag, flag, at, at)
	}
}

// variable takes $env:NAME where it is read, and what $args is compared with.
func (f *psFile) variable(i int) {
	name := f.toks[i].text
	if scope, env, ok := strings.Cut(name, ":"); ok && strings.EqualFold(scope, "$env") {
		if envForm.MatchString(env) && !f.is(i+1, "=") && !f.is(i+1, "+=") {
			f.add(Env, env, i, i)
		}
		return
	}
	if !strings.EqualFold(name, "$args") {
		return
	}
	next := i + 1
	if f.is(next, "[") {
		next = f.toks[next].mate + 1
	}
	for _, op := range [...]string{"-eq", "-ne", "-ceq", "-cne", "-ieq", "-contains"} {
		if f.is(next, op) && f.kind(next+1, tokString) && flagForm.MatchString(f.toks[next+1].text) {
			f.add(Flag, f.toks[next+1].text, i, next+1)
		}
	}
}
