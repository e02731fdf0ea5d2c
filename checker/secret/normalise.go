package secret

import (
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Lines around one that was changed stand in the view too: a label may stand on
// the line before, a command goes on on the next.
const around = 2

// invisible are marks inside a token that a reader does not see: breaks that may
// be made, empty comments, empty tags of style.
var invisible = regexp.MustCompile(`^(?i:<wbr\s*/?>|<!--\s*-->|</?(?:b|i|em|strong|span|code)>|&shy;|&zwj;|&zwnj;|&ZeroWidthSpace;)`)

// normalised is the view of a text without what Markdown, HTML and addresses do
// to a token: zero-width and other format characters, entities, escapes with a
// backslash, percent encoding, compatibility forms of letters.
func normalised(raw string) *view {
	v := &view{}
	var pending [around]span // lines before, not yet in the view
	after := 0
	for start := 0; start < len(raw); {
		end := min(len(raw), lineEnd(raw, start)+1)
		if !mayChange(raw[start:end]) {
			if after > 0 {
				v.keep(raw, start, end, false)
				after--
			} else {
				copy(pending[:], pending[1:])
				pending[around-1] = span{start, end}
			}
			start = end
			continue
		}
		for i, p := range pending {
			v.keep(raw, p.start, p.end, false)
			pending[i] = span{}
		}
		v.line(raw, start, end)
		after = around
		start = end
	}
	return v
}

// mayChange reports lines that hold something to undo.
func mayChange(line string) bool {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c >= 0x80 && folds(line[i:]):
			return true
		case c == '\\' && i+1 < len(line) && strings.IndexByte("_-.~*+=&#:!/$", line[i+1]) >= 0,
			c == '&' && i+2 < len(line) && (line[i+1] == '#' || alphanumeric(line[i+1])) && entity(line[i:]) > 0,
			c == '<' && invisible.MatchString(line[i:]):
			return true
		case c == '%' && i+2 < len(line) && unhex(line[i+1]) >= 0 && unhex(line[i+2]) >= 0:
			return true
		}
	}
	return false
}

// folds reports whether the first character of a text is left out or written
// otherwise in the view.
func folds(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	if formless(r) {
		return true
	}
	form := norm.NFKC.String(text[:n])
	return r != utf8.RuneError && len(form) > 0 && form != text[:n] && form[0] < 0x80 && form[0] > ' '
}

// line adds one line, character by character.
func (v *view) line(raw string, at, end int) {
	for at < end {
		text, n := undo(raw[at:end])
		if text == raw[at:at+n] {
			v.keep(raw, at, at+n, true)
		} else if text != "" {
			v.add(text, at, at+n)
		}
		at += n
	}
}

// undo returns what the first n bytes of a line read as.
func undo(line string) (text string, n int) {
	switch c := line[0]; {
	case c == '\\' && len(line) > 1 && strings.IndexByte("_-.~*+=&#:!/$", line[1]) >= 0:
		return line[1:2], 2
	case c == '<':
		if n := len(invisible.FindString(line)); n > 0 {
			return "", n
		}
	case c == '&':
		if n := entity(line); n > 0 {
			return unescaped(line[:n]), n
		}
	case c == '%' && len(line) > 2 && unhex(line[1]) >= 0 && unhex(line[2]) >= 0:
		if b := byte(unhex(line[1])<<4 | unhex(line[2])); b > ' ' && b < 0x7F {
			return string(rune(b)), 3
		}
	case c >= 0x80:
		_, n := utf8.DecodeRuneInString(line)
		if folds(line) {
			return visible(norm.NFKC.String(line[:n])), n
		}
		return line[:n], n
	}
	return line[:1], 1
}

// entity is the length of the entity that a text starts with, or 0.
func entity(text string) int {
	end := strings.IndexByte(text[:min(len(text), 12)], ';') + 1
	if end < 3 || html.UnescapeString(text[:end]) == text[:end] {
		return 0
	}
	return end
}

// unescaped is the character of an entity. A line break would move all lines
// after it, and is a space.
func unescaped(entity string) string {
	return visible(strings.NewReplacer("\n", " ", "\r", " ").Replace(html.UnescapeString(entity)))
}

// visible drops format characters.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if formless(r) {
			return -1
		}
		return r
	}, text)
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
