package ident

import (
	"strconv"
	"strings"
)

// Scripts without an argument parser compare sys.argv, or a variable that holds
// a part of it, with words. The first argument's words are subcommands; words
// with a dash are flags wherever they are compared.

// argv stands at the name argv: a comparison, or an assignment from it.
func (f *pyFile) argv(i int) {
	start := i
	if f.is(i-2, "sys", ".") {
		start = i - 2
	} else if f.is(i-1, ".") {
		return
	}
	part, next, ok := f.subscript(i + 1)
	if !ok {
		return
	}
	f.compared(part, start, next)
	switch {
	case start >= 2 && f.is(start-1, "=") && f.toks[start-2].kind == tokName:
		f.args[f.toks[start-2].text] = part
	case start >= 3 && f.is(start-1, "in") && f.toks[start-2].kind == tokName && f.is(start-3, "for"):
		f.args[f.toks[start-2].text] = argvEach
	}
}

// subscript reads "[n]" or "[1:]" at i.
func (f *pyFile) subscript(i int) (part, next int, ok bool) {
	if !f.is(i, "[") || i+2 >= len(f.toks) || f.toks[i+1].kind != tokNumber {
		return 0, 0, false
	}
	n, err := strconv.Atoi(f.toks[i+1].text)
	switch {
	case err != nil:
		return 0, 0, false
	case f.is(i+2, "]"):
		return n, i + 3, true
	case f.is(i+2, ":", "]"):
		return argvRest, i + 4, true
	}
	return 0, 0, false
}

// variable looks at a name that may hold a part of sys.argv, and notes the
// option objects of browsers.
func (f *pyFile) variable(i int) {
	if f.is(i-1, ".") {
		return
	}
	if f.is(i+1, "=") {
		f.assigned(i)
		return
	}
	part, known := f.args[f.toks[i].text]
	if !known {
		return
	}
	if part != argvRest {
		f.compared(part, i, i+1)
	} else if n, next, ok := f.subscript(i + 1); ok && n >= 0 {
		f.compared(n+1, i, next)
	}
}

// assigned forgets what a variable held and notes "x = ...Options(".
func (f *pyFile) assigned(i int) {
	name := f.toks[i].text
	delete(f.args, name)
	delete(f.notParse, name)
	j := i + 2
	for j+2 < len(f.toks) && f.is(j+1, ".") {
		j += 2
	}
	if j+1 < len(f.toks) && f.is(j+1, "(") && strings.HasSuffix(f.toks[j].text, "Options") {
		f.notParse[name] = true
	}
}

// compared takes the words that a part of the arguments, from token start to
// next, is compared with.
func (f *pyFile) compared(part, start, next int) {
	if f.is(next, "==") || f.is(next, "!=") {
		f.argument(part, start, next+1)
		return
	}
	if f.is(start-1, "==") || f.is(start-1, "!=") {
		f.argument(part, start-2, start-2)
		return
	}
	j := next
	if f.is(j, "not") {
		j++
	}
	if !f.is(j, "in") || !f.is(j+1, "(") && !f.is(j+1, "[") && !f.is(j+1, "{") {
		return
	}
	open := f.toks[j+1].depth
	for k := j + 2; k < f.end(j) && f.toks[k].depth > open; k++ {
		if f.toks[k].depth == open+1 {
			f.argument(part, start, k)
		}
	}
}

// argument adds the string at j as what it is on a command line.
func (f *pyFile) argument(part, first, j int) {
	if j < 0 || j >= len(f.toks) || f.toks[j].kind != tokString {
		return
	}
	switch text := f.toks[j].text; {
	case flagForm.MatchString(text):
		f.add(Flag, text, first, j)
	case part == 1 && wordForm.MatchString(text):
		f.add(Subcommand, text, first, j)
	}
}
