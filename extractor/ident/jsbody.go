package ident

// function binds the parameters between the brackets at i, if they are some.
func (f *jsFile) function(i int) {
	start, ok := f.body(i)
	if !ok {
		return
	}
	end, name := f.bodyEnd(start), f.functionName(i)
	if name != "" {
		f.bodies = append(f.bodies, jsBody{name, end})
	}
	n := 0
	for j := i + 1; j < f.mate(i) && n < maxParams; n++ {
		at := j
		if f.is(at, "...") {
			at++
		}
		if f.kind(at, tokName) {
			f.parameter(at, at, end, jsParam{name, n})
		}
		for j < f.mate(i) && !f.is(j, ",") {
			j = f.step(j)
		}
		j++
	}
}

// body returns where the body of a function begins whose parameters may stand
// between the brackets at i.
func (f *jsFile) body(i int) (start int, ok bool) {
	after := f.mate(i) + 1
	named := f.kind(i-1, tokName) && !controls(f.toks[i-1].text) && !f.is(i-1, "async") && !f.is(i-2, ".") && !f.is(i-2, "new")
	begins := named && (f.toks[i-1].first || f.kind(i-2, tokName)) // a declaration, no call in "a ? b(c) : d"
	if f.is(after, ":") && (begins || !named && !f.is(i-1, "?")) {
		for n := 0; n < maxType && after < len(f.toks) && !f.is(after, "=>") && !f.is(after, ";"); n++ {
			after = f.step(after)
			if begins && f.is(after, "{") && !f.is(after-1, ":") && !f.is(after-1, "|") {
				break
			}
		}
	}
	switch {
	case f.is(after, "=>"):
		return after + 1, true
	case f.is(after, "{") && named:
		return after, true
	}
	return 0, false
}

// functionName names the function whose parameters begin at i, if something does.
func (f *jsFile) functionName(i int) string {
	if f.is(i-1, "async") {
		i--
	}
	switch {
	case f.is(i-1, "function"):
		i--
	case f.kind(i-1, tokName):
		return f.toks[i-1].text
	}
	if (f.is(i-1, "=") || f.is(i-1, ":")) && f.kind(i-2, tokName) {
		return f.toks[i-2].text
	}
	return ""
}

// parameter binds one: to what its function is called with, to what the call of
// a list's method hands over, or to its default.
func (f *jsFile) parameter(name, at, end int, p jsParam) {
	part := f.passed[p]
	switch {
	case f.calls[at-1] || f.calls[at-2] && f.is(at-1, "("):
		part = argEach
	case part == argNone && f.is(at+1, "="):
		part = f.assigned(at + 2)
	case part == argNone && f.is(at+1, ":"):
		if j := f.afterType(at + 2); f.is(j, "=") {
			part = f.assigned(j + 1)
		}
	}
	if p.function == "" {
		p = jsParam{}
	}
	f.bind(f.toks[name].text, jsBind{part: part, end: end, param: p})
}

// bodyEnd is where the statement or expression that begins at i ends.
func (f *jsFile) bodyEnd(i int) int {
	switch {
	case f.is(i, "{"):
		return f.mate(i)
	case i < len(f.toks) && f.statement(i):
		i = f.step(i)
	}
	if i >= len(f.toks) {
		return len(f.toks)
	}
	return int(f.stops[i])
}

// jsStops gives for each token the next one, itself included, at which a
// statement or an element of a list can end in the same brackets.
func (f *jsFile) jsStops() []int32 {
	stops := make([]int32, len(f.toks))
	next := []int32{int32(len(f.toks))} // by depth
	after := 0                          // the depth of the token that follows
	for i := len(f.toks) - 1; i >= 0; i-- {
		d := int(f.toks[i].depth)
		for ; after < d; after++ { // what is deeper ends where that one stands
			next = append(next[:after+1], int32(i+1))
		}
		after = d
		if f.is(i, ";") || f.is(i, ",") || f.statement(i) {
			next[d] = int32(i)
		}
		stops[i] = next[d]
	}
	return stops
}

// statement reports a line that begins with a word no expression goes on with.
func (f *jsFile) statement(i int) bool {
	if !f.toks[i].first || f.toks[i].kind != tokName {
		return false
	}
	switch f.toks[i].text {
	case "const", "let", "var", "function", "class", "return", "if", "for", "while", "switch", "case", "export", "import", "try", "throw":
		return true
	}
	return false
}
