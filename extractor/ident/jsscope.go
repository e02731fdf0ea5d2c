package ident

// A jsBind says what a variable holds until a token.
type jsBind struct {
	part  argPart
	end   int
	param jsParam // the parameter that it is, if it is one
}

// A jsParam is a parameter of a function, by its place.
type jsParam struct {
	function string
	at       int
}

// A jsBody is a function with a name, and the token where it ends.
type jsBody struct {
	name string
	end  int
}

const (
	// maxParams is how many arguments of a call are looked at.
	maxParams = 8
	// maxType is how many words of a type or of a condition are stepped over. What
	// stands in brackets counts as one.
	maxType = 32
)

func (f *jsFile) bind(name string, b jsBind) { f.binds[name] = append(f.binds[name], b) }

// bound returns what a name stands for at token i.
func (f *jsFile) bound(i int) jsBind {
	if !f.kind(i, tokName) {
		return jsBind{}
	}
	name := f.toks[i].text
	stack := f.binds[name]
	for len(stack) > 0 && stack[len(stack)-1].end <= i {
		stack = stack[:len(stack)-1]
		f.binds[name] = stack
	}
	if len(stack) == 0 {
		return jsBind{}
	}
	return stack[len(stack)-1]
}

// declaration binds what "const x = ...", "const [a, ...b] = ..." and
// "const {a, b} = ..." name, and the variable of "for (const x of ...)".
func (f *jsFile) declaration(i int) {
	end := f.end()
	if n := len(f.open); n > 0 && f.is(f.open[n-1]-1, "for") {
		end = max(end, f.bodyEnd(f.mate(f.open[n-1])+1))
	}
	target, next := i+1, i+2
	pattern := f.is(target, "[") || f.is(target, "{")
	if pattern {
		next = f.mate(target) + 1
	} else if !f.kind(target, tokName) {
		return
	}
	if f.is(next, ":") {
		next = f.afterType(next + 1)
	}
	each := f.is(next, "of")
	if !each && !f.is(next, "=") {
		return
	}
	part := f.assigned(next + 1)
	if each {
		part = part.element(-1)
	}
	switch {
	case f.is(target, "["):
		f.arrayPattern(target, part, each, end)
	case pattern:
		f.objectPattern(i, target, part, end)
	default:
		f.variable(i, next+1)
		f.bind(f.toks[target].text, jsBind{part: part, end: end})
	}
}

// arrayPattern binds "[, , command, ...rest]"; each says that it is one of
// several pairs, with the argument in second place.
func (f *jsFile) arrayPattern(open int, part argPart, each bool, end int) {
	n := 0
	for j := open + 1; j < f.mate(open) && n < maxParams; j++ {
		rest := f.is(j, "...")
		if rest {
			j++
		}
		if f.kind(j, tokName) && f.toks[j].depth == f.toks[open].depth+1 {
			held := part.element(n)
			if rest {
				held = part.from(n)
			}
			if each {
				held = part
			}
			f.bind(f.toks[j].text, jsBind{part: held, end: end})
		}
		for j < f.mate(open) && !f.is(j, ",") {
			j = f.step(j)
		}
		n++
	}
}

// objectPattern takes the names of "{ A, B: b } = process.env", and binds what
// a parser of the file's own hands back.
func (f *jsFile) objectPattern(first, open int, part argPart, end int) {
	command := false
	f.keys(open, func(key, _ int) { command = command || parsedField(f.toks[key].text) == argFirst })
	f.keys(open, func(key, value int) {
		name := key
		if value > 0 && f.kind(value, tokName) {
			name = value
		}
		switch part {
		case argEnv:
			f.envName(f.toks[key].text, first, key)
		case argParsed:
			held := parsedField(f.toks[key].text)
			if command && held == argRest {
				held = argTail // the first one was taken out of them
			}
			f.bind(f.toks[name].text, jsBind{part: held, end: end})
		default:
			f.bind(f.toks[name].text, jsBind{end: end})
		}
	})
}

// keys calls visit for each key of an object, with the token where its value
// begins, or 0 for a key alone. What stands inside the values is stepped over.
func (f *jsFile) keys(open int, visit func(key, value int)) {
	end, steps := f.mate(open), 0
	for j := open + 1; j < end && steps < reach; steps++ {
		if f.kind(j, tokName) || f.kind(j, tokString) {
			value := 0
			if f.is(j+1, ":") {
				value = j + 2
			}
			if value > 0 || f.is(j+1, ",") || f.is(j+1, "=") || j+1 == end {
				visit(j, value)
			}
		}
		for j < end && !f.is(j, ",") && steps < reach {
			j = f.step(j)
			steps++
		}
		j++
	}
}

// step is the token after this one and all that stands in its brackets.
func (f *jsFile) step(i int) int {
	if f.is(i, "(") || f.is(i, "[") || f.is(i, "{") || f.is(i, "${") {
		return f.mate(i) + 1
	}
	return i + 1
}

// afterType steps over a type up to the "=", "of", "=>" or ";" that ends it.
func (f *jsFile) afterType(i int) int {
	for n := 0; n < maxType && i < len(f.toks); n++ {
		if f.is(i, "=") || f.is(i, "of") || f.is(i, ";") || f.is(i, ")") || f.is(i, ",") {
			return i
		}
		i = f.step(i)
	}
	return i
}
