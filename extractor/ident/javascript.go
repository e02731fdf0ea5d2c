package ident

import (
	"bytes"
	"slices"
)

// jsForms are the words of which a file must hold one to be worth the scan.
func jsForms() []string {
	return []string{"argv", "parseArgs", "ption(", "ptions(", ".command(", "Command(", "env", "Deno.args", "function", "=>", "class ", "interface ", "type ", "enum "}
}

// A jsFile is the state of one scan.
type jsFile struct {
	toks     []jsToken
	fragment bool
	stops    []int32         // where the statement or element at each token ends
	words    map[string]bool // the strings that stand after from, import and require
	parsed   map[string]bool // variables X of "X.parse(": the program itself
	objects  map[string]int  // "const X = {", "[" or "new Set([": where the bracket is
	binds    map[string][]jsBind
	passed   map[jsParam]argPart // what functions of this file are called with
	takers   map[jsParam]taker   // parameters that a function looks up among the arguments
	switches map[int]argPart     // by the bracket that opens the cases
	open     []int               // the brackets around the token at hand
	loop     int                 // the end of the loop at hand
	calls    map[int]bool        // the brackets of "args.find(" and its like
	bodies   []jsBody            // the functions around the token at hand
	parsers  map[string]bool     // functions that read the arguments by themselves
	program  bool                // the file reads arguments at all
	quiet    bool                // looks, and notes nothing
	out      []Ident
}

// mineJavaScript reads both languages with one scanner: types are stepped over.
// It follows the arguments by variables, calls and parameters of the one file, as
// far as names tell; what another file does with them is not seen.
func mineJavaScript(src []byte, fragment bool) ([]Ident, error) {
	if !slices.ContainsFunc(jsForms(), func(form string) bool { return bytes.Contains(src, []byte(form)) }) {
		return nil, nil
	}
	f := &jsFile{toks: jsTokens(src), fragment: fragment, words: map[string]bool{}, parsed: map[string]bool{}, objects: map[string]int{},
		passed: map[jsParam]argPart{}, takers: map[jsParam]taker{}, parsers: map[string]bool{}}
	f.stops = f.jsStops()
	f.survey()
	f.program = bytes.Contains(src, []byte(".argv")) || bytes.Contains(src, []byte("Deno.args"))
	if f.program || bytes.Contains(src, []byte("process")) {
		// A function often stands before the call that hands it the arguments,
		// and hands them to one more.
		f.quiet = true
		f.walk()
		f.walk()
		f.quiet = false
	}
	f.walk()
	return f.out, nil
}

// survey notes what a file imports, its objects, and which variables parse.
func (f *jsFile) survey() {
	for i, t := range f.toks {
		if f.is(i, "[") {
			f.list(i)
		}
		if t.kind == tokString && (f.is(i-1, "from") || f.is(i-1, "import") || f.is(i-2, "require", "(") || f.is(i-2, "import", "(")) {
			f.words[t.text] = true
		}
		if t.kind != tokName && !f.is(i, ")") {
			continue
		}
		if f.is(i+1, "=", "{") {
			f.objects[t.text] = i + 2
		}
		if f.is(i+1, ".", "parse", "(") || f.is(i+1, ".", "parseAsync", "(") {
			f.parsed[t.text] = true
		}
	}
}

// list notes "const X = [" and "const X = new Set([".
func (f *jsFile) list(i int) {
	k := i - 1
	if f.is(k, "(") {
		if k--; f.is(k-2, "<", "string", ">") {
			k -= 3
		}
		if !f.is(k-1, "new", "Set") {
			return
		}
		k -= 2
	}
	if f.is(k, "=") && f.kind(k-1, tokName) {
		f.objects[f.toks[k-1].text] = i
	}
}

// is reports whether token i is this name or operator, and those after it.
func (f *jsFile) is(i int, texts ...string) bool {
	for k, text := range texts {
		if i+k < 0 || i+k >= len(f.toks) {
			return false
		}
		if t := &f.toks[i+k]; t.text != text || t.kind != tokName && t.kind != tokOp {
			return false
		}
	}
	return true
}

func (f *jsFile) kind(i int, k tokenKind) bool {
	return i >= 0 && i < len(f.toks) && f.toks[i].kind == k
}

// text is a name's, or nothing.
func (f *jsFile) text(i int) string {
	if !f.kind(i, tokName) {
		return ""
	}
	return f.toks[i].text
}

// mate returns the bracket that goes with the one at i, always after it.
func (f *jsFile) mate(i int) int { return max(int(f.toks[i].mate), i+1) }

// end is where the brackets around the token at hand close.
func (f *jsFile) end() int {
	if len(f.open) == 0 {
		return len(f.toks)
	}
	return f.mate(f.open[len(f.open)-1])
}

func (f *jsFile) add(kind Kind, name string, first, last int) {
	if !f.quiet {
		f.out = append(f.out, Ident{kind, name, int(f.toks[first].line), int(f.toks[last].line)})
	}
}

// walk passes over all tokens once. Bindings end with their brackets, so that a
// name means in each place what it means there.
func (f *jsFile) walk() {
	f.binds, f.switches, f.calls = map[string][]jsBind{}, map[int]argPart{}, map[int]bool{}
	f.open, f.bodies, f.loop = nil, nil, 0
	for i := range f.toks {
		for len(f.open) > 0 && f.end() <= i {
			f.open = f.open[:len(f.open)-1]
		}
		for len(f.bodies) > 0 && f.bodies[len(f.bodies)-1].end <= i {
			f.bodies = f.bodies[:len(f.bodies)-1]
		}
		switch t := &f.toks[i]; {
		case t.kind == tokName:
			f.atName(i)
		case t.kind == tokString:
			f.atString(i)
		case t.kind != tokOp:
		case t.text == "(":
			f.function(i)
			f.open = append(f.open, i)
		case t.text == "[" || t.text == "{" || t.text == "${":
			f.open = append(f.open, i)
		case t.text == "=>" && f.kind(i-1, tokName) && !f.is(i-2, ":"):
			f.parameter(i-1, i-1, f.bodyEnd(i+1), jsParam{f.functionName(i - 1), 0})
		}
	}
}

// atName looks at a word for all that can begin with it.
func (f *jsFile) atName(i int) {
	switch f.toks[i].text {
	case "const", "let", "var":
		f.declaration(i)
	case "for", "while":
		if f.is(i+1, "(") {
			f.loop = max(f.loop, f.bodyEnd(f.mate(i+1)+1))
		}
	case "switch":
		f.switchOn(i)
	case "case":
		f.switchCase(i)
	case "function", "class", "interface", "type", "enum":
		f.definition(i)
	case "option", "requiredOption", "options", "command", "alias", "Option", "Command":
		f.commander(i)
	case "parseArgs":
		f.parseArgs(i)
	}
	f.argument(i)
	f.call(i)
}

// definition takes functions, and for fences classes and types, of the top level.
func (f *jsFile) definition(i int) {
	j := i + 1
	if f.is(j, "*") {
		j++
	}
	if f.toks[i].depth != 0 || !f.kind(j, tokName) {
		return
	}
	kind := class
	switch f.toks[i].text {
	case "function":
		kind = Function
		if !f.is(j+1, "(") && !f.is(j+1, "<") {
			return
		}
	case "type":
		if !f.is(j+1, "=") && !f.is(j+1, "<") {
			return
		}
	}
	if first := f.begin(i); f.toks[first].first || f.is(first-1, ";") || f.is(first-1, "}") {
		f.add(kind, f.toks[j].text, first, j)
	}
}

// begin steps back over the words that stand before a declaration.
func (f *jsFile) begin(i int) int {
	for f.is(i-1, "export") || f.is(i-1, "default") || f.is(i-1, "async") || f.is(i-1, "declare") || f.is(i-1, "abstract") || f.is(i-1, "const") {
		i--
	}
	return i
}

// variable takes a constant of the top level that holds a function.
func (f *jsFile) variable(i, value int) {
	if f.toks[i].depth != 0 {
		return
	}
	if f.is(value, "async") {
		value++
	}
	arrow := false
	switch {
	case f.is(value, "function"):
		arrow = true
	case f.is(value, "("):
		_, arrow = f.body(value)
		arrow = arrow || f.is(f.mate(value)+1, "=>")
	case f.kind(value, tokName):
		arrow = f.is(value+1, "=>")
	}
	if arrow {
		f.add(Function, f.toks[i+1].text, f.begin(i), i+1)
	}
}
