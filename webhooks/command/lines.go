package command

import "strings"

// indent measures the blanks in front of a text that begins at a column. A tab reaches to the next multiple of four.
func indent(s string, column int) (int, string) {
	for i := range len(s) {
		switch s[i] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column, s[i:]
		}
	}
	return column, ""
}

// run counts the leading bytes that are c.
func run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// fence returns the opening run of a fence, or nothing. What stands behind backticks holds none itself.
func fence(s string) string {
	if n := run(s, '~'); n >= 3 {
		return s[:n]
	}
	if n := run(s, '`'); n >= 3 && !strings.Contains(s[n:], "`") {
		return s[:n]
	}
	return ""
}

// closes reports whether the line ends a fence: at least as long, and bare.
func closes(s, fence string) bool {
	n := run(s, fence[0])
	return n >= len(fence) && strings.Trim(s[n:], " \t") == ""
}

// marker is the width of a list marker at the start of s without the blanks behind it, or 0.
func marker(s string) int {
	n := 0
	switch s[0] {
	case '-', '*', '+':
		n = 1
	default:
		for n < len(s) && n < 9 && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		if n == 0 || n == len(s) || (s[n] != '.' && s[n] != ')') {
			return 0
		}
		n++
	}
	if n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}

// interrupts reports whether a list marker of this width may stand right below a paragraph's line: a bullet, or the number
// one, with something behind it. "14." there is the end of a sentence.
func interrupts(s string, width int) bool {
	one := width == 1 || strings.TrimLeft(s[:width-1], "0") == "1"
	return one && strings.Trim(s[width:], " \t") != ""
}

// heading reports a "#" heading, a rule, or the underline of a heading: each stands between two paragraphs.
func heading(s string) bool {
	if n := run(s, '#'); n >= 1 && n <= 6 && (n == len(s) || s[n] == ' ' || s[n] == '\t') {
		return true
	}
	line := strings.TrimRight(s, " \t")
	return rule(s) || strings.Trim(line, "=") == "" || strings.Trim(line, "-") == ""
}

// rule reports a thematic break, which is stronger than a list marker: "- - -" is one.
//
// It is asked behind every list marker of a line, so what decides nearly every line comes first: the trimming stops at the
// first other character from either end, and a line of nothing but marks is a rule at the first look.
func rule(s string) bool {
	if !strings.ContainsRune("-*_", rune(s[0])) {
		return false
	}
	return strings.Trim(s, s[:1]+" \t") == "" && strings.Count(s, s[:1]) >= 3
}

// element knows the tags whose content is code, a quote or not shown; others, such as details, hide nothing.
//
// It says what ends the HTML block that begins here, and from which byte on to look for it. The end is empty where
// the line begins no block that hides its content.
func element(s string) (begin int, end string) {
	if strings.HasPrefix(s, "<!--") {
		return 2, "-->" // "<!-->" is a whole comment
	}
	n := 1
	for n < len(s) && ('a' <= s[n]|0x20 && s[n]|0x20 <= 'z') {
		n++
	}
	if n < len(s) && !strings.ContainsRune("> \t", rune(s[n])) {
		return 0, ""
	}
	switch tag := strings.ToLower(s[1:n]); tag {
	case "pre", "code", "blockquote", "script", "style", "textarea":
		return n, "</" + tag + ">"
	}
	return 0, ""
}
