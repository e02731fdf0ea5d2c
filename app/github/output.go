package github

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// maxOutput bounds summary and text each, in bytes; GitHub's reference says
	// characters, its error says "bytesize" (2A-10).
	maxOutput = 65_535
	// maxTitle bounds titles of runs and annotations, in characters. For runs no
	// limit is documented; 255 is the one of annotations.
	maxTitle = 255
	// maxMessage bounds an annotation's message, in bytes (64 KB).
	maxMessage = 64<<10 - 1
	// maxComment bounds a comment's body, in characters.
	maxComment = 65_536
	// maxAnnotations bounds the line notes of one run: ten requests, in a service
	// that asks for a second between writes. The rest are named in the summary.
	maxAnnotations = 500

	cutNote = "\n\n*Cut here: the rest does not fit into what GitHub takes.*\n"
)

// clean makes text that JSON carries unchanged: invalid UTF-8 would become a
// three-byte character on the way and pass a bound that was kept here.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// fit cuts s to max bytes on a rune boundary; note stands at the end of what was cut.
func fit(s string, max int, note string) string {
	s = clean(s)
	if len(s) <= max {
		return s
	}
	end := max - len(note)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + note
}

// fitUnits cuts s to max UTF-16 units, which is the larger of the two ways to
// count characters, on a rune boundary.
func fitUnits(s string, max int, note string) string {
	s = clean(s)
	if units(s) <= max {
		return s
	}
	room, end := max-units(note), 0
	for i, r := range s {
		if room -= runeUnits(r); room < 0 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return s[:end] + note
}

// runeUnits is how many UTF-16 units a character takes.
func runeUnits(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// units is the length of s in UTF-16 units.
func units(s string) (n int) {
	for _, r := range s {
		n += runeUnits(r)
	}
	return n
}

// line makes one line of at most max characters.
func line(s string, max int) string {
	return fitUnits(strings.Join(strings.Fields(clean(s)), " "), max, "...")
}

// code quotes s as inline code, whatever backticks it holds.
func code(s string) string {
	longest, run := 0, 0
	for _, c := range s {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// list writes annotations into a summary, for those that GitHub cannot show at a
// line.
func list(heading string, notes []Annotation) string {
	if len(notes) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n\n%s\n\n", heading)
	for _, n := range notes {
		place := "no file"
		if n.Path != "" {
			place = code(line(n.Path, maxTitle))
		}
		if n.Path != "" && n.Start > 0 {
			place += fmt.Sprintf(" line %d", n.Start)
		}
		fmt.Fprintf(&b, "- %s: %s\n", place, line(n.Message, maxTitle))
	}
	return b.String()
}
