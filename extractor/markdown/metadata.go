package markdown

import (
	"regexp"
	"slices"
	"strings"
)

// maxLead is how many lines may stand before a file's metadata and in what is
// taken for it there: every measured frontmatter that something stood before ended by then.
const maxLead = 40

// metadata reads the frontmatter and blanks its lines out.
func (d *Document) metadata(lines []string) {
	open, shut, ok := frontmatterSpan(lines)
	if !ok {
		open, shut, ok = lateSpan(lines)
	}
	if ok {
		d.frontmatter(lines, open, shut)
		unwrap(lines, open, shut)
		clear(lines[max(0, open) : shut+1])
	} else if start := nextText(lines, 0); start+1 < len(lines) && isFence(lines[start]) && keyLine.MatchString(lines[start+1]) {
		d.note(Damaged, start+1, "the frontmatter is never closed; it was read as text. Close it with ---")
	}
	if !ok {
		shut = -1
	}
	if open, shut, ok := secondSpan(lines, shut+1); ok {
		d.note(Damaged, open+1, "a block of metadata below the title; it was not indexed")
		clear(lines[open : shut+1])
	}
}

// frontmatter makes the fields of the frontmatter blocks.
func (d *Document) frontmatter(lines []string, open, shut int) {
	fields, notes := readFields(lines, open, shut)
	d.Notes = append(d.Notes, notes...)
	for _, f := range fields {
		if HasBlob(f.text) {
			d.note(Damaged, f.first, "%s", blobNote)
			continue
		}
		switch f.key {
		case "name":
			d.Name = f.text
		case "description":
			d.Description = f.text
		}
		if f.text != "" {
			d.Blocks = append(d.Blocks, Block{
				Kind: Field, Text: f.text, First: f.first, Last: f.last,
				Context: []Element{{Role: Key, Text: f.key, Line: f.first}},
			})
		}
	}
}

// frontmatterSpan returns the lines between which the frontmatter stands, as
// indices of its two fences, or ok false. Blank lines may come before it, and
// blanks after a fence.
func frontmatterSpan(lines []string) (open, shut int, ok bool) {
	open = nextText(lines, 0)
	if open == len(lines) || !isFence(lines[open]) {
		return 0, 0, false
	}
	for i := open + 1; i < len(lines); i++ {
		if isFence(lines[i]) || strings.TrimRight(lines[i], " \t") == "..." {
			inside := lines[open+1 : i]
			return open, i, hasKey(inside) && !holdsBody(inside)
		}
	}
	return 0, 0, false
}

// nextText returns the first line from i on that is not blank, or the number of lines.
func nextText(lines []string, i int) int {
	for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
		i++
	}
	return i
}

func isFence(line string) bool { return strings.TrimRight(line, " \t") == "---" }

// hasKey tells frontmatter from text between two rules.
func hasKey(lines []string) bool {
	return len(lines) == 0 || slices.ContainsFunc(lines, keyLine.MatchString)
}

var atxLine = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+\S`)

// holdsBody reports whether the fence that seems to close the frontmatter is a
// rule further down: a heading after an empty line and, below it, text at the margin.
func holdsBody(lines []string) bool {
	heading := false
	for i, l := range lines {
		if i > 0 && atxLine.MatchString(l) && strings.TrimSpace(lines[i-1]) == "" {
			heading = true
		}
		if heading && !isYAML(l) && strings.TrimSpace(l) != "" {
			return true
		}
	}
	return false
}

// isYAML reports whether a line could stand in frontmatter.
func isYAML(line string) bool {
	return keyLine.MatchString(line) || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "#") ||
		strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
}

// namesSkill reports whether lines are metadata that names a skill.
func namesSkill(lines []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "name:") })
}

// lateSpan finds frontmatter that something stands before (comments, headings,
// the fence of a code block around the whole file), or whose first fence is missing.
func lateSpan(lines []string) (open, shut int, ok bool) {
	open = skipTop(lines, 0)
	fenced := true
	switch {
	case open == len(lines):
		return 0, 0, false
	case strings.HasPrefix(lines[open], "name:"), strings.HasPrefix(lines[open], "description:"):
		open, fenced = open-1, false
	case !isFence(lines[open]):
		mark := fenceAfter("", strings.TrimRight(lines[open], " \t"))
		if open > nextText(lines, 0) {
			mark = "" // below something else it is an example
		}
		if open = nextText(lines, open+1); mark == "" || open == len(lines) || !isFence(lines[open]) || !wraps(lines, mark) {
			return 0, 0, false
		}
	}
	shut, ok = metaEnd(lines, open, fenced)
	return open, shut, ok && namesSkill(lines[open+1:shut])
}

// skipTop returns the first line from one on that is no comment, no heading and not blank.
func skipTop(lines []string, from int) int {
	comment := false
	for i := from; i < min(len(lines), from+maxLead); i++ {
		l, t := lines[i], strings.TrimSpace(lines[i])
		comment = comment || strings.HasPrefix(t, "<!--")
		if !comment && t != "" && !atxLine.MatchString(l) {
			return i
		}
		comment = comment && !strings.Contains(t, "-->")
	}
	return len(lines)
}

// metaEnd returns the fence that ends the metadata which begins after a line, with blank lines in it or none.
func metaEnd(lines []string, open int, blanks bool) (shut int, ok bool) {
	for i := open + 1; i < min(len(lines), open+maxLead); i++ {
		if isFence(lines[i]) {
			return i, i > open+1
		}
		if !isYAML(lines[i]) && !(blanks && strings.TrimSpace(lines[i]) == "") {
			return 0, false
		}
	}
	return 0, false
}

// wraps reports whether the file's last line closes the code fence that opens it.
func wraps(lines []string, mark string) bool {
	return fenceAfter(mark, strings.TrimSpace(lines[lastText(lines, 1, len(lines))-1])) == ""
}

// unwrap blanks out the code fence around a file whose frontmatter stands in it.
func unwrap(lines []string, open, shut int) {
	for i := range max(0, open) {
		if mark := fenceAfter("", strings.TrimRight(lines[i], " \t")); mark != "" {
			last := lastText(lines, shut+1, len(lines)) - 1
			lines[i], lines[last] = "", ""
			return
		}
	}
}

// aKey is a key as tools write them; "Note:" begins a sentence.
var aKey = regexp.MustCompile(`^[a-z][A-Za-z0-9_-]*:(?:[ \t]|$)`)

// secondSpan finds metadata between rules below the title, which Markdown takes for a heading.
func secondSpan(lines []string, from int) (open, shut int, ok bool) {
	open = skipTop(lines, from)
	if open+1 >= len(lines) || !isFence(lines[open]) || !aKey.MatchString(lines[open+1]) {
		return 0, 0, false
	}
	if shut, ok = metaEnd(lines, open, false); !ok {
		return 0, 0, false
	}
	for _, l := range lines[open+1 : shut] {
		ok = ok && (aKey.MatchString(l) || !keyLine.MatchString(l))
	}
	return open, shut, ok
}
