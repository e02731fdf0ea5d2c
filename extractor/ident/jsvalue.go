package ident

import (
	"strconv"
	"strings"
)

// value reads what begins at i and stands for arguments or the environment, as
// far as it does, and returns the token after it.
func (f *jsFile) value(i int) (part argPart, next int) {
	part, next = f.base(i)
	for part != argNone {
		p, n := f.further(part, next)
		if n == next {
			break
		}
		part, next = p, n
	}
	return part, next
}

// base reads a name that stands for them.
func (f *jsFile) base(i int) (argPart, int) {
	switch {
	case f.is(i, "[", "...") && f.kind(i+2, tokName): // a copy
		if part, next := f.value(i + 2); part.list() && next == f.mate(i) {
			return part, next + 1
		}
	case !f.kind(i, tokName) || f.is(i-1, ".") && !f.is(i-2, "globalThis"):
	case f.is(i, "process", ".", "argv"), f.is(i, "Bun", ".", "argv"):
		if n := len(f.bodies); n > 0 {
			f.parsers[f.bodies[n-1].name] = true
		}
		return argWhole, i + 3
	case f.is(i, "Deno", ".", "args"):
		return argRest, i + 3
	case f.is(i, "process", ".", "env"), f.is(i, "Bun", ".", "env"), f.is(i, "Deno", ".", "env"):
		return argEnv, i + 3
	case f.is(i, "import", ".", "meta", ".", "env"):
		return argEnv, i + 5
	case f.is(i+1, "("):
		return f.called(i)
	default:
		return f.bound(i).part, i + 1
	}
	return argNone, i
}

// called reads a call with arguments: a wrapper that keeps what it gets, or a
// parser.
func (f *jsFile) called(i int) (argPart, int) {
	part, next := argNone, f.mate(i+1)+1
	if f.kind(i+2, tokName) && !f.is(i+3, "(") { // one level: nested calls cost a square
		part, _ = f.value(i + 2)
	}
	switch f.toks[i].text {
	case "String", "hideBin", "Set":
		if f.is(i, "hideBin") {
			part = part.from(2)
		}
		return part, next
	case "parseArgs":
		if f.is(i+2, "{") {
			return argParsed, next
		}
	}
	if part.list() || f.is(i+2, ")") && f.parsers[f.toks[i].text] && parserName(f.toks[i].text) {
		return argParsed, next
	}
	return argNone, i
}

// parserName reports a name under which files keep a parser of their own.
func parserName(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "arg") || strings.Contains(name, "parse")
}

// further reads one step on from a value: an index, a method, a field.
func (f *jsFile) further(part argPart, i int) (argPart, int) {
	switch {
	case f.is(i, "!"): // "this is never null"
		return part, i + 1
	case f.is(i, "[") && part.list():
		return part.element(f.number(i + 1)), f.mate(i) + 1
	case !f.is(i, ".") || !f.kind(i+1, tokName):
		return part, i
	case f.is(i+2, "("):
		if held := f.method(part, i); held != argNone {
			return held, f.mate(i+2) + 1
		}
	case part == argParsed:
		if held := parsedField(f.toks[i+1].text); held != argNone {
			return held, i + 2
		}
	}
	return part, i
}

// method is what a method at i hands back, if it is arguments.
func (f *jsFile) method(part argPart, i int) argPart {
	switch name := f.toks[i+1].text; {
	case part.list():
		switch name {
		case "slice":
			if n := f.number(i + 3); n >= 0 {
				return part.from(n)
			}
			return argTail
		case "filter", "map":
			f.calls[i+2] = true
			return part
		case "concat":
			return part
		case "entries":
			return argTail
		case "shift":
			if i >= f.loop {
				return part.element(0)
			}
			return argEach
		case "find":
			f.calls[i+2] = true
			return argFirst
		case "findIndex", "some", "every", "forEach", "findLast", "flatMap":
			f.calls[i+2] = true
		case "at", "pop":
			return argEach
		}
	case part.single():
		switch name {
		case "toLowerCase", "toUpperCase", "trim", "toString":
			return part
		case "split": // "--x=1"
			return argTail
		}
	}
	return argNone
}

// number reads the index at i: -1 if it is computed.
func (f *jsFile) number(i int) int {
	if f.kind(i, tokNumber) && (f.is(i+1, "]") || f.is(i+1, ")")) {
		if n, err := strconv.Atoi(f.toks[i].text); err == nil {
			return n
		}
	}
	return -1
}

// assigned is what a variable holds after an assignment of what begins at i:
// "(process.argv[2] || 'help')" or "args.length > 0 ? args[0] : 'help'" too.
func (f *jsFile) assigned(i int) argPart {
	for f.is(i, "(") || f.is(i, "await") || f.is(i, "new") {
		if i++; i >= len(f.toks) {
			return argNone
		}
	}
	part, next := f.value(i)
	if next >= len(f.toks) || part != argNone && f.ends(next) {
		return part
	}
	for n := 0; n < maxCondition && next < len(f.toks) && (n == 0 || !f.ends(next)); n++ {
		if f.is(next, "?") {
			part, _ = f.value(next + 1)
			return part
		}
		next = f.step(next)
	}
	return argNone
}

// maxCondition is how many tokens of a condition before a "?" are looked at.
const maxCondition = 8

// ends reports a token with which the value before it can end.
func (f *jsFile) ends(i int) bool {
	if i >= len(f.toks) || f.toks[i].kind == tokName && f.toks[i].first {
		return true
	}
	switch f.toks[i].text {
	case ";", ",", ")", "]", "}", ":", "||", "??", "as":
		return f.toks[i].kind != tokString
	}
	return false
}
