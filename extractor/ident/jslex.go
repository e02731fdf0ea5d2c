package ident

import "strings"

// A jsToken of JavaScript or TypeScript. A template with code in it is several:
// its texts, and the code between "${" and "}".
type jsToken struct {
	kind  tokenKind
	first bool // begins a line
	depth int32
	line  int32
	mate  int32 // of a bracket: the other one; of one left open: the file's end
	text  string
}

// A jsLexer splits a file in one pass, with no recursion: what is open stands on
// a stack of its own.
type jsLexer struct {
	src     string
	at      int
	line    int32
	bol     int // where the line begins
	fresh   bool
	noRegex int     // up to here no slash begins a regular expression
	open    []int32 // the brackets open at hand
	out     []jsToken
}

// jsTokens never fails: a string without an end ends with its line, a template
// with the file.
func jsTokens(src []byte) []jsToken {
	x := &jsLexer{src: string(src), line: 1, fresh: true, out: make([]jsToken, 0, len(src)/5)} // five bytes a token in the wild
	if strings.HasPrefix(x.src, "#!") {
		x.comment()
	}
	for x.at < len(x.src) {
		x.next()
	}
	x.abandon()
	return x.out
}

func (x *jsLexer) add(kind tokenKind, text string, line int32) {
	x.out = append(x.out, jsToken{kind: kind, first: x.fresh, depth: int32(len(x.open)), line: line, text: text})
	x.fresh = false
}

// next reads one token, or passes over a blank or a comment.
func (x *jsLexer) next() {
	switch c := x.src[x.at]; {
	case c == '\n':
		x.newline()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		x.at++
	case c == '/':
		x.slash()
	case (c == '"' || c == '\'') && !x.apostrophe():
		x.str(c)
	case c == '`':
		x.at++
		x.template(true)
	case c == '}' && x.inTemplate():
		x.close("}")
		x.at++
		x.template(false)
	case wordByte(c) || c == '$' || c == '#':
		x.word()
	default:
		x.op()
	}
}

func (x *jsLexer) newline() {
	x.at++
	x.line++
	x.bol = x.at
	x.fresh = true
}

func (x *jsLexer) comment() {
	if i := strings.IndexByte(x.src[x.at:], '\n'); i >= 0 {
		x.at += i
		return
	}
	x.at = len(x.src)
}

// passed moves on to end and counts the lines on the way.
func (x *jsLexer) passed(end int) {
	for x.at < end {
		if x.src[x.at] == '\n' {
			fresh := x.fresh
			x.newline()
			x.fresh = fresh
		} else {
			x.at++
		}
	}
}

// word reads a name or a number; "#private" and "$" are part of names.
func (x *jsLexer) word() {
	start := x.at
	for x.at < len(x.src) && (wordByte(x.src[x.at]) || x.src[x.at] == '$' || x.src[x.at] == '#') {
		x.at++
	}
	word := x.src[start:x.at]
	kind := tokName
	if word[0] >= '0' && word[0] <= '9' {
		kind = tokNumber
	} else if start == x.bol && (word == "export" || word == "import" || word == "function") {
		x.abandon() // at the left margin no bracket can be open: one before was misread
	}
	x.add(kind, word, x.line)
}

// abandon closes all brackets.
func (x *jsLexer) abandon() {
	for _, i := range x.open {
		x.out[i].mate = int32(len(x.out))
	}
	x.open = x.open[:0]
}

// op reads an operator. The optional dot reads as the plain one.
func (x *jsLexer) op() {
	text := x.src[x.at : x.at+1]
	for _, long := range [...]string{"===", "!==", "...", "||=", "&&=", "??=", "=>", "==", "!=", "<=", ">=", "?.", "??", "||", "&&", "+=", "-=", "++", "--"} {
		if strings.HasPrefix(x.src[x.at:], long) {
			text = x.src[x.at : x.at+len(long)]
			break
		}
	}
	x.at += len(text)
	switch text {
	case "(", "[", "{":
		x.bracket(text)
	case ")", "]", "}":
		x.close(text)
	case "?.":
		if x.at >= len(x.src) || x.src[x.at] != '[' && x.src[x.at] != '(' {
			x.add(tokOp, ".", x.line)
		}
	default:
		x.add(tokOp, text, x.line)
	}
}

func (x *jsLexer) bracket(text string) {
	x.add(tokOp, text, x.line)
	x.open = append(x.open, int32(len(x.out)-1))
}

// close ends the nearest bracket of its kind. Up to two others inside, left open
// by a misread line, end with it; a closer of nothing is passed over.
func (x *jsLexer) close(text string) {
	want := map[string]string{")": "(", "]": "[", "}": "{"}[text]
	for n := 1; n <= 3 && n <= len(x.open); n++ {
		if begin := x.out[x.open[len(x.open)-n]].text; begin != want && (begin != "${" || want != "{") {
			continue
		}
		for _, i := range x.open[len(x.open)-n:] {
			x.out[i].mate = int32(len(x.out))
		}
		mate := x.open[len(x.open)-n]
		x.open = x.open[:len(x.open)-n]
		x.add(tokOp, text, x.line)
		x.out[len(x.out)-1].mate = mate
		return
	}
}

// inTemplate reports that the nearest open bracket is the code of a template.
func (x *jsLexer) inTemplate() bool {
	return len(x.open) > 0 && x.out[x.open[len(x.open)-1]].text == "${"
}
