package markdown

import (
	"regexp"
	"strings"
)

// fenceMark is the start of a line that opens or closes a code fence, in any containers.
var fenceMark = regexp.MustCompile("^(?:[ \\t>]|[-*+][ \\t]|\\d{1,9}[.)][ \\t])*(`{3,}|~{3,})(.*)$")

// glued is a heading behind an XML-like tag.
var glued = regexp.MustCompile(`^[ \t]*(<([A-Za-z][A-Za-z0-9_:.-]*)(?:\s[^<>]*)?>)[ \t]*(#{1,6}[ \t][^\n]*\n?)$`)

// isolate puts an empty line before and after each line that holds nothing but
// XML-like tags of a pair. Markdown takes such a tag and all that follows up to
// an empty line for one block of HTML, in which a code fence is none; its
// writer meant a mark around Markdown. It returns the file's line of each
// line, nil where nothing was added.
func isolate(body string, closers map[string]int) (string, []int) {
	if len(closers) == 0 {
		return body, nil
	}
	var b strings.Builder
	var at []int
	fence, open := "", map[string]int{}
	var lists offsets
	line := 0
	for text := range strings.Lines(body) {
		line++
		if fence == "" {
			lists.read(text)
		}
		fence = fenceAfter(fence, strings.TrimRight(text, " \t\n"))
		prose := fence == "" && !lists.code(text)
		if m := glued.FindStringSubmatch(text); prose && m != nil && !isHTML(m[2]) && closers[m[2]] > line {
			open[m[2]]++
			b.WriteString("\n" + m[1] + "\n\n" + m[3])
			at = append(at, line, line, line, line)
			continue
		}
		alone := prose && pairs(text, line, closers, open)
		if alone {
			b.WriteByte('\n')
			at = append(at, line)
		}
		b.WriteString(text)
		at = append(at, line)
		if alone {
			b.WriteByte('\n')
			at = append(at, line)
		}
	}
	if len(at) == line {
		return body, nil
	}
	return b.String(), append(at, line)
}

// fenceAfter returns the mark of the fence that is open after a line, given the
// one before it; "" for none.
func fenceAfter(open, line string) string {
	m := fenceMark.FindStringSubmatch(line)
	switch {
	case m == nil:
		return open
	case open == "" && !(m[1][0] == '`' && strings.Contains(m[2], "`")):
		return m[1]
	case open != "" && m[1][0] == open[0] && len(m[1]) >= len(open) && m[2] == "":
		return ""
	}
	return open
}

// pairs reports whether a line holds only tags that open what a later line
// closes, or close what an earlier one opened.
func pairs(line string, number int, closers, open map[string]int) bool {
	t := strings.TrimSpace(line)
	if !strings.HasPrefix(t, "<") || !strings.HasSuffix(t, ">") {
		return false
	}
	rest, tags := splitTags(t)
	if len(tags) == 0 || strings.TrimSpace(rest) != "" {
		return false
	}
	for _, tag := range tags {
		if isHTML(tag.name) || tag.void || tag.closes && open[tag.name] == 0 || !tag.closes && closers[tag.name] < number {
			return false
		}
	}
	for _, tag := range tags {
		if open[tag.name]++; tag.closes {
			open[tag.name] -= 2
		}
	}
	return true
}

// offsets are the columns at which the text of the open list items starts, outermost first.
type offsets struct {
	at   []int
	text bool // the last line was text, which the next one may continue from any column
}

var itemMark = regexp.MustCompile(`^(?:[-*+]|\d{1,9}[.)])([ \t]+)`)

// read takes a line into account: it ends items whose text starts further
// right, and its own marks begin new ones.
func (o *offsets) read(line string) {
	rest := strings.TrimLeft(line, " \t")
	before := o.text
	if o.text = strings.TrimSpace(rest) != ""; !o.text {
		return
	}
	if before && !itemMark.MatchString(rest) && !fenceMark.MatchString(rest) && !strings.ContainsAny(rest[:1], "<>#") {
		return
	}
	column := columns(line[:len(line)-len(rest)], 0)
	for len(o.at) > 0 && o.at[len(o.at)-1] > column {
		o.at = o.at[:len(o.at)-1]
	}
	for m := itemMark.FindStringSubmatch(rest); m != nil && !o.deep(column); m = itemMark.FindStringSubmatch(rest) {
		rest = rest[len(m[0]):]
		mark := column + len(m[0]) - len(m[1])
		if column = columns(m[1], mark); column > mark+4 {
			column = mark + 1 // what stands further right is code in the item
		}
		o.at = append(o.at, column)
	}
}

// code reports whether a line is indented so far that it is code.
func (o *offsets) code(line string) bool {
	return o.deep(columns(line[:len(line)-len(strings.TrimLeft(line, " \t"))], 0))
}

func (o *offsets) deep(column int) bool {
	if len(o.at) == 0 {
		return column >= 4
	}
	return column >= o.at[len(o.at)-1]+4
}

// columns is where white space that starts at a column ends; tabs stop at every fourth.
func columns(space string, from int) int {
	for _, c := range space {
		if from++; c == '\t' {
			from = (from + 3) / 4 * 4
		}
	}
	return from
}
