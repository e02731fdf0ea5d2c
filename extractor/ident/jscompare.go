package ident

// A taker is a parameter that a function looks up among the arguments: as it
// is, or with two dashes put before it.
type taker int

const (
	takesNothing taker = iota
	takesFlag
	takesName
)

// argument looks at what is done with a name that stands for arguments or the
// environment.
func (f *jsFile) argument(i int) {
	part, next := f.value(i)
	switch {
	case part == argNone:
		f.reassigned(i)
		f.taken(i)
	case part == argEnv:
		f.environment(i, next)
	case part.list():
		f.listed(next, i)
	case part.single():
		f.single(part, i, next)
	}
	if part != argNone {
		f.reassigned(i)
	}
}

// reassigned notes "x = ..." outside a declaration.
func (f *jsFile) reassigned(i int) {
	if !f.is(i+1, "=") || f.is(i-1, ".") || f.is(i-1, "const") || f.is(i-1, "let") || f.is(i-1, "var") {
		return
	}
	name := f.toks[i].text
	part := f.assigned(i + 2)
	for j := i + 2; part == argNone && j < min(i+maxCondition, len(f.toks)) && !f.toks[j].first; j++ {
		if f.kind(j, tokName) && f.toks[j].text == name {
			return // made from itself: "x = names[x] ?? x"
		}
	}
	if f.bound(i).end > 0 {
		stack := f.binds[name]
		stack[len(stack)-1].part = part
	} else if part != argNone {
		f.bind(name, jsBind{part: part, end: len(f.toks)})
	}
}

// listed takes `args.includes("--x")` and its like.
func (f *jsFile) listed(i, first int) {
	if !f.is(i, ".") || !f.is(i+2, "(") {
		return
	}
	switch f.toks[i+1].text {
	case "includes", "indexOf", "has", "lastIndexOf":
		f.lookedUp(first, i+3)
	}
}

// single takes what one argument, from token i to next, is compared with.
func (f *jsFile) single(part argPart, i, next int) {
	if f.is(next, ".", "startsWith", "(") {
		f.startsWith(part, i, next+3)
		return
	}
	if (f.is(next, "||") || f.is(next, "??") || f.is(next, "as")) && len(f.open) > 0 && f.is(f.open[len(f.open)-1], "(") {
		part, next = f.outside(part)
	}
	switch {
	case f.equality(next):
		f.compared(part, i, next+1)
	case f.equality(i - 1):
		f.compared(part, i-2, i-2)
	case f.is(next, ")") && (f.is(i-3, ".", "includes", "(") || f.is(i-3, ".", "has", "(")):
		f.amongList(part, i-4)
	}
}

// amongList takes the strings of the list that ends at i, or has the name there.
func (f *jsFile) amongList(part argPart, i int) {
	if f.is(i, "]") {
		f.oneOf(part, int(f.toks[i].mate), i)
	} else if open, ok := f.objects[f.text(i)]; ok && f.is(open, "[") {
		f.oneOf(part, open, f.mate(open))
	}
}

// outside goes on after the bracket in which a value has a default.
func (f *jsFile) outside(part argPart) (argPart, int) {
	next := f.end() + 1
	if held, n := f.further(part, next); held == part {
		next = n
	}
	return part, next
}

func (f *jsFile) equality(i int) bool {
	return f.is(i, "===") || f.is(i, "==") || f.is(i, "!==") || f.is(i, "!=")
}

// compared takes the string at j, or notes that a function compares an argument
// with what it is given.
func (f *jsFile) compared(part argPart, first, j int) {
	if j < 0 {
		return
	}
	f.declared(part, first, j)
	if p := f.bound(j).param; p.function != "" {
		f.takers[p] = takesFlag
	}
}

// startsWith takes "--x" and "--x=" of `arg.startsWith("--x=")`.
func (f *jsFile) startsWith(part argPart, first, j int) {
	if f.kind(j, tokString) {
		f.declared(argEach, first, j)
		return
	}
	f.lookedUp(first, j)
}

// oneOf takes the strings of a list.
func (f *jsFile) oneOf(part argPart, open, end int) {
	for j := open + 1; j < end && j < open+reach; j++ {
		f.declared(part, j, j)
	}
}

// switchOn notes the cases that are of one argument.
func (f *jsFile) switchOn(i int) {
	if !f.is(i+1, "(") {
		return
	}
	j := i + 2
	if f.is(j, "(") {
		j++
	}
	part, next := f.value(j)
	if !part.single() && f.program && commandName(f.text(j)) && f.is(j+1, ")") {
		part, next = argNamed, j+1
	}
	if part.single() && f.ends(next) {
		f.switches[f.mate(i+1)+1] = part
	}
}

// switchCase takes the string of a case.
func (f *jsFile) switchCase(i int) {
	if len(f.open) == 0 {
		return
	}
	if part, ok := f.switches[f.open[len(f.open)-1]]; ok && f.is(i+2, ":") {
		switch {
		case part == argSecond, part == argNamed && len(f.toks[i+1].text) > 1: // a letter is a drawing command
			part = argFirst // "app list": no one switches over a file's name
		}
		f.declared(part, i, i+1)
	}
}

// atString takes `"--x" === arg` and `"X" in process.env`.
func (f *jsFile) atString(i int) {
	if f.is(i+1, "in") {
		if part, next := f.value(i + 2); part == argEnv && !f.is(next, ".") {
			f.envName(f.toks[i].text, i, i)
		}
	}
}
