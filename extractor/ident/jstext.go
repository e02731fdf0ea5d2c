package ident

import "strings"

// str reads a string from its opening quote on. The text is as written, escapes
// and all.
func (x *jsLexer) str(quote byte) {
	line := x.line
	start := x.at + 1
	for end := start; ; end++ {
		if end >= len(x.src) || x.src[end] == '\n' || x.src[end] == quote {
			x.passed(min(end, len(x.src)))
			break
		}
		if x.src[end] == '\\' {
			end++
		}
	}
	x.add(tokString, x.src[start:x.at], line)
	if x.at < len(x.src) && x.src[x.at] == quote {
		x.at++
	}
}

// apostrophe reports a quote right after a word: one in the text of a page that
// is written into the code.
func (x *jsLexer) apostrophe() bool {
	if x.at == 0 || !wordByte(x.src[x.at-1]) || len(x.out) == 0 {
		return false
	}
	last := x.out[len(x.out)-1]
	return last.kind == tokName && !beforeValue(last.text) && last.text != "from" && last.text != "import"
}

// template reads the text of a template up to its end or to the next code.
func (x *jsLexer) template(begins bool) {
	line, start := x.line, x.at
	for end := start; ; end++ {
		switch {
		case end >= len(x.src):
			x.passed(len(x.src))
			x.add(tokOther, x.src[start:], line)
			return
		case x.src[end] == '\\':
			end++
		case x.src[end] == '`':
			x.passed(end)
			kind := tokOther
			if begins {
				kind = tokString
			}
			x.add(kind, x.src[start:end], line)
			x.at++
			return
		case x.src[end] == '$' && strings.HasPrefix(x.src[end:], "${"):
			x.passed(end)
			x.add(tokOther, x.src[start:end], line)
			x.at += 2
			x.bracket("${")
			return
		}
	}
}

// slash reads a comment, a regular expression or a division.
func (x *jsLexer) slash() {
	rest := x.src[x.at:]
	switch {
	case strings.HasPrefix(rest, "//"):
		x.comment()
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			x.passed(len(x.src))
		} else {
			x.passed(x.at + end + 4)
		}
	case x.at >= x.noRegex && x.regexHere():
		x.regex()
	default:
		x.at++
		x.add(tokOp, "/", x.line)
	}
}

// regex reads a regular expression; where the line has no end of one, the slash
// and all others up to there are divisions.
func (x *jsLexer) regex() {
	class := false
	for end := x.at + 1; end < len(x.src); end++ {
		switch c := x.src[end]; {
		case c == '\n':
			x.noRegex = end
			return
		case c == '\\' && end+1 < len(x.src) && x.src[end+1] != '\n':
			end++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for end++; end < len(x.src) && x.src[end] >= 'a' && x.src[end] <= 'z'; end++ {
			}
			x.at = end
			x.add(tokOther, "", x.line)
			return
		}
	}
	x.noRegex = len(x.src)
}

// regexHere tells by the token before whether a value can begin at a slash.
func (x *jsLexer) regexHere() bool {
	if len(x.out) == 0 {
		return true
	}
	last := x.out[len(x.out)-1]
	if last.kind == tokName {
		return beforeValue(last.text)
	}
	if last.kind != tokOp {
		return false
	}
	switch last.text {
	case "]", "++", "--":
		return false
	case ")":
		return last.mate > 0 && controls(x.out[last.mate-1].text)
	case "}":
		return x.fresh
	case "<":
		return x.src[x.at-1] != '<' // the end of a page's tag
	}
	return true
}

// beforeValue lists the words after which a value begins.
func beforeValue(word string) bool {
	switch word {
	case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "instanceof", "do", "else", "yield", "await", "default":
		return true
	}
	return false
}

// controls lists the words whose brackets hold a condition, so are no call's.
func controls(word string) bool {
	switch word {
	case "if", "while", "for", "with", "switch", "catch":
		return true
	}
	return false
}
