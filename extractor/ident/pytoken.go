package ident

import "strings"

// A pyToken of Python is a name, a literal string or an operator. Numbers and
// comments are passed over; only the ends of logical lines are kept of layout.
type pyToken struct {
	kind  tokenKind
	text  string // a string's is what stands between its quotes, escapes as written
	line  int
	col   int
	depth int  // brackets open around it
	first bool // begins a logical line
}

// maxFields is how deep fields of f-strings are followed into each other.
const maxFields = 16

type pyLexer struct {
	src    string
	at     int
	line   int
	bol    int // where the physical line begins
	depth  int
	fields int
	fresh  bool // no token of this logical line yet
	out    []pyToken
}

// pyTokens splits a file in one pass. It never fails: a string without an end
// ends with its line, or with the file if it is a triple one.
func pyTokens(src []byte) []pyToken {
	x := &pyLexer{src: string(src), line: 1, fresh: true}
	for x.at < len(x.src) {
		x.next()
	}
	x.add(tokEnd, "", x.line, x.at)
	return x.out
}

func (x *pyLexer) add(kind tokenKind, text string, line, at int) {
	x.out = append(x.out, pyToken{kind, text, line, at - x.bol, x.depth, x.fresh && kind != tokEnd})
	x.fresh = kind == tokEnd
}

// next reads one token, or passes over a blank or a comment.
func (x *pyLexer) next() {
	switch c := x.src[x.at]; {
	case c == '\n':
		if x.depth == 0 && !x.fresh {
			x.add(tokEnd, "", x.line, x.at)
		}
		x.newline()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		x.at++
	case c == '#':
		x.comment()
	case c == '\\':
		x.continued()
	case c == '"' || c == '\'':
		x.str("")
	case wordByte(c):
		x.word()
	default:
		x.op(c)
	}
}

func (x *pyLexer) newline() {
	x.at++
	x.line++
	x.bol = x.at
}

func (x *pyLexer) comment() {
	if i := strings.IndexByte(x.src[x.at:], '\n'); i >= 0 {
		x.at += i
		return
	}
	x.at = len(x.src)
}

// continued joins the next line to this one.
func (x *pyLexer) continued() {
	x.at++
	if strings.HasPrefix(x.src[x.at:], "\r\n") {
		x.at++
	}
	if x.at < len(x.src) && x.src[x.at] == '\n' {
		x.newline()
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

func (x *pyLexer) word() {
	start := x.at
	for x.at < len(x.src) && wordByte(x.src[x.at]) {
		x.at++
	}
	word := x.src[start:x.at]
	if x.at < len(x.src) && (x.src[x.at] == '"' || x.src[x.at] == '\'') && stringPrefix(word) {
		x.str(strings.ToLower(word))
		return
	}
	if start == x.bol && (word == "def" || word == "class") {
		x.depth = 0 // no bracket can be open here: one before was never closed
		x.fresh = true
	}
	kind := tokName
	if word[0] >= '0' && word[0] <= '9' {
		kind = tokNumber
	}
	x.add(kind, word, x.line, start)
}

func stringPrefix(word string) bool {
	return len(word) <= 2 && strings.Trim(strings.ToLower(word), "rubft") == ""
}

func (x *pyLexer) op(c byte) {
	text := x.src[x.at : x.at+1]
	if x.at+1 < len(x.src) && x.src[x.at+1] == '=' && strings.IndexByte("=!<>+-*/|&^%@:", c) >= 0 {
		text = x.src[x.at : x.at+2]
	}
	if strings.IndexByte(")]}", c) >= 0 && x.depth > 0 {
		x.depth--
	}
	x.add(tokOp, text, x.line, x.at)
	if strings.IndexByte("([{", c) >= 0 {
		x.depth++
	}
	x.at += len(text)
}

// str reads a string from its opening quote on.
func (x *pyLexer) str(prefix string) {
	line, at := x.line, x.at
	quote := x.src[x.at : x.at+1]
	if strings.HasPrefix(x.src[x.at:], strings.Repeat(quote, 3)) {
		quote = x.src[x.at : x.at+3]
	}
	x.at += len(quote)
	kind := tokString
	if strings.ContainsAny(prefix, "bft") {
		kind = tokOther
	}
	slot := len(x.out)
	x.add(kind, "", line, at)
	start := x.at
	end := x.strEnd(quote, strings.ContainsAny(prefix, "ft"))
	x.out[slot].text = x.src[start:end]
}

// strEnd passes over a string and its closing quote; it returns where the text
// ends. Fields of an f-string are read as the code they are.
func (x *pyLexer) strEnd(quote string, fields bool) int {
	for x.at < len(x.src) {
		switch c := x.src[x.at]; {
		case c == '\\' && x.at+1 < len(x.src):
			x.at++
			if x.src[x.at] == '\n' {
				x.newline()
			} else {
				x.at++
			}
		case c == '\n' && len(quote) == 1:
			return x.at
		case c == '\n':
			x.newline()
		case c == quote[0] && strings.HasPrefix(x.src[x.at:], quote):
			end := x.at
			x.at += len(quote)
			return end
		case c == '{' && fields && strings.HasPrefix(x.src[x.at:], "{{"):
			x.at += 2
		case c == '{' && fields && x.fields < maxFields:
			x.field(quote)
		default:
			x.at++
		}
	}
	return len(x.src)
}

// field reads what stands between the braces of an f-string, as the code it is
// up to the colon of a format.
func (x *pyLexer) field(quote string) {
	outer := x.depth
	x.fields++
	x.op('{')
	for x.at < len(x.src) && x.depth > outer {
		own := x.depth == outer+1
		switch c := x.src[x.at]; {
		case c == '\n' && len(quote) == 1, own && x.closes(quote):
			x.depth = outer // never closed: the string ends here
		case c == ':' && own:
			x.format(quote)
		case c == '#':
			x.at++
		default:
			x.next()
		}
	}
	x.depth = min(x.depth, outer)
	x.fields--
}

// format passes over the format of a field; it stops at the brace that closes
// the field, or at the end of the string.
func (x *pyLexer) format(quote string) {
	for x.at < len(x.src) {
		switch c := x.src[x.at]; {
		case c == '}' || c == '\n' || strings.HasPrefix(x.src[x.at:], quote):
			return
		case c == '{' && x.fields < maxFields:
			x.field(quote)
		default:
			x.at++
		}
	}
}

// closes reports whether the string's quote is at hand, and not one that opens a
// string inside a field, as newer Python allows: that one closes again on its
// line, before the brace does.
func (x *pyLexer) closes(quote string) bool {
	if !strings.HasPrefix(x.src[x.at:], quote) {
		return false
	}
	rest := x.src[x.at+len(quote):]
	rest = rest[:min(len(rest), 256)] // keeps the whole pass linear
	rest, _, _ = strings.Cut(rest, "\n")
	i := strings.Index(rest, quote)
	return i < 0 || !strings.Contains(rest[i:], "}")
}
