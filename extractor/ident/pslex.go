package ident

import "strings"

// A psToken of PowerShell. Variables carry their "$", and are tokOther; a string
// that variables are read into is a tokString all the same, with what it reads
// before it.
type psToken struct {
	kind  tokenKind
	text  string
	line  int
	depth int
	mate  int // of an open bracket: where it closes
	first bool
}

type psLexer struct {
	src   string
	at    int
	line  int
	fresh bool
	open  []int
	out   []psToken
}

// psTokens splits a file in one pass and never fails.
func psTokens(src []byte) []psToken {
	x := &psLexer{src: string(src), line: 1, fresh: true}
	for x.at < len(x.src) {
		x.next()
	}
	for _, i := range x.open {
		x.out[i].mate = len(x.out)
	}
	return x.out
}

func (x *psLexer) add(kind tokenKind, text string, line int) {
	x.out = append(x.out, psToken{kind: kind, text: text, line: line, depth: len(x.open), first: x.fresh})
	x.fresh = false
}

func (x *psLexer) next() {
	rest := x.src[x.at:]
	switch c := rest[0]; {
	case c == '\n':
		x.passed(x.at + 1)
		x.fresh = true
	case c == ' ' || c == '\t' || c == '\r':
		x.at++
	case strings.HasPrefix(rest, "<#"):
		x.until("#>", 2)
	case c == '#':
		x.until("\n", 0)
	case strings.HasPrefix(rest, "@'") && x.lineEnds(x.at+2):
		x.here("\n'@")
	case strings.HasPrefix(rest, "@\"") && x.lineEnds(x.at+2):
		x.here("\n\"@")
	case c == '\'' || c == '"':
		x.str(c)
	case c == '`':
		x.passed(min(x.at+2, len(x.src)))
	case c == '$':
		x.variable()
	case wordByte(c):
		x.word()
	case c == '-' && len(rest) > 1 && wordByte(rest[1]):
		x.word()
	default:
		x.op(c)
	}
}

// passed moves on to end and counts the lines on the way.
func (x *psLexer) passed(end int) {
	x.line += strings.Count(x.src[x.at:end], "\n")
	x.at = end
}

// until passes over all up to a mark, which is left in place if skip is 0.
func (x *psLexer) until(mark string, skip int) {
	end := strings.Index(x.src[x.at+skip:], mark)
	switch {
	case end < 0:
		x.passed(len(x.src))
	case skip == 0:
		x.passed(x.at + end)
	default:
		x.passed(x.at + skip + end + len(mark))
	}
}

// lineEnds reports that nothing but blanks follows on the line: only then does a
// here-document begin.
func (x *psLexer) lineEnds(i int) bool {
	rest := x.src[i:]
	rest = strings.TrimLeft(rest[:min(len(rest), 64)], " \t\r")
	return strings.HasPrefix(rest, "\n")
}

// here reads a here-document, which ends at the beginning of a line.
func (x *psLexer) here(mark string) {
	line, start := x.line, x.at+2
	end := strings.Index(x.src[start:], mark)
	if end < 0 {
		end = len(x.src) - start
	}
	if mark[1] == '"' {
		x.expand(start, start+end)
	}
	x.add(tokOther, "", line)
	x.passed(min(start+end+len(mark), len(x.src)))
}

// str reads a string; a doubled quote stands for itself. It may span lines.
func (x *psLexer) str(quote byte) {
	line, start := x.line, x.at+1
	end := start
	for ; end < len(x.src); end++ {
		c := x.src[end]
		if c == '`' && quote == '"' {
			end++
		} else if c == quote {
			if end+1 >= len(x.src) || x.src[end+1] != quote {
				break
			}
			end++
		}
	}
	end = min(end, len(x.src))
	if quote == '"' {
		x.expand(start, end)
	}
	x.add(tokString, x.src[start:end], line)
	x.passed(min(end+1, len(x.src)))
}

// expand adds the variables of the environment that a text reads.
func (x *psLexer) expand(start, end int) {
	line, from := x.line, start
	for i := start; i < end; i++ {
		if x.src[i] == '`' {
			i++
			continue
		}
		if x.src[i] != '$' {
			continue
		}
		name, after := x.name(i)
		if strings.HasPrefix(strings.ToLower(name), "$env:") {
			line += strings.Count(x.src[from:i], "\n")
			from = i
			x.add(tokOther, name, line)
			x.out[len(x.out)-1].first = false
		}
		i = max(i, after-1)
	}
}

// name reads "$name", "$scope:name" or "${name}" at i.
func (x *psLexer) name(i int) (name string, next int) {
	j := i + 1
	if strings.HasPrefix(x.src[j:], "{") {
		end := strings.IndexAny(x.src[j:min(len(x.src), j+maxName)], "}\n")
		if end < 0 || x.src[j+end] == '\n' {
			return "$", j
		}
		return "$" + x.src[j+1:j+end], j + end + 1
	}
	for j < len(x.src) && (wordByte(x.src[j]) || x.src[j] == ':' && j+1 < len(x.src) && wordByte(x.src[j+1])) {
		j++
	}
	return x.src[i:j], j
}

func (x *psLexer) variable() {
	name, next := x.name(x.at)
	if name == "$" {
		x.op('$')
		return
	}
	x.add(tokOther, name, x.line)
	x.at = next
}

// word reads a name or an operator like "-eq"; verbs and nouns are one name.
func (x *psLexer) word() {
	start := x.at
	for x.at++; x.at < len(x.src) && (wordByte(x.src[x.at]) || x.src[x.at] == '-'); x.at++ {
	}
	x.add(tokName, x.src[start:x.at], x.line)
}

func (x *psLexer) op(c byte) {
	text := x.src[x.at : x.at+1]
	if x.at+1 < len(x.src) && strings.IndexByte("+-*/=:", c) >= 0 && (x.src[x.at+1] == '=' || x.src[x.at+1] == ':') {
		text = x.src[x.at : x.at+2]
	}
	if strings.IndexByte(")]}", c) >= 0 && len(x.open) > 0 {
		x.out[x.open[len(x.open)-1]].mate = len(x.out)
		x.open = x.open[:len(x.open)-1]
	}
	x.add(tokOp, text, x.line)
	if strings.IndexByte("([{", c) >= 0 {
		x.open = append(x.open, len(x.out)-1)
	}
	x.at += len(text)
}
