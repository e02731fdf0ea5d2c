package extractor

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/ident"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
	"mvdan.cc/sh/v3/syntax"
)

// A command is one statement of a shell fence.
type command struct {
	text        string // folded
	comment     string // the comment right above it, without its mark
	first, last int
}

// isShell reports whether a fence's language is one that people type at a prompt.
func isShell(info string) bool {
	switch info {
	case "bash", "sh", "shell", "zsh", "console", "terminal", "shell-session", "shellsession",
		"fish", "powershell", "ps1", "pwsh", "cmd", "bat", "batch":
		return true
	}
	return false
}

// prompt is the mark before a typed line in a recorded session.
var prompt = regexp.MustCompile(`^\s*(?:\$|>|PS [^>]*>|❯) +`)

// maxStatement is how many lines a statement may have and still be a command;
// a longer one, or one with a here-document, is code that happens to be in a shell fence.
const maxStatement = 6

// commandLines returns the statements of a shell fence in order. Every line
// that is neither part of one nor of the comment above one comes back as code:
// what a session printed, and scripts that happen to be in a shell fence.
func commandLines(b markdown.Block) (commands []command, rest []markdown.CodeLine) {
	lines := b.Code
	if session := typedLines(lines); session != nil {
		lines = session
	}
	claimed := map[int]bool{}
	parsed := parseFence(b.Info, lines)
	if parsed == nil && isScript(lines) {
		return nil, lines
	}
	for _, s := range statements(lines, parsed) {
		c, ok := s.command()
		if s.literal || !ok || len(s.lines) > maxStatement {
			continue
		}
		for _, l := range append(slices.Clone(s.above), s.lines...) {
			claimed[l.Line] = true
		}
		commands = append(commands, c)
	}
	for _, l := range b.Code {
		if !claimed[l.Line] && strings.TrimSpace(l.Text) != "" {
			rest = append(rest, l)
		}
	}
	return commands, rest
}

// isScript reports whether lines that do not parse close a block of a script: line by
// line they would say nothing.
func isScript(lines []markdown.CodeLine) bool {
	return slices.ContainsFunc(lines, func(l markdown.CodeLine) bool {
		switch strings.TrimSpace(l.Text) {
		case "}", "fi", "done", "esac", "end", "EOF":
			return true
		}
		return false
	})
}

// commentText is what comment lines say, without their marks.
func commentText(lines []markdown.CodeLine) string {
	var out []string
	for _, l := range lines {
		out = append(out, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(l.Text), "# ")))
	}
	return markdown.Fold(strings.Join(out, " "))
}

// commented returns the runs of lines without a blank one that hold a command
// with a comment above it.
func commented(lines []markdown.CodeLine, commands []command) [][]markdown.CodeLine {
	starts := map[int]bool{}
	for _, c := range commands {
		if c.comment != "" {
			starts[c.first] = true
		}
	}
	var out [][]markdown.CodeLine
	for len(lines) > 0 {
		n, keep := 0, false
		for n < len(lines) && strings.TrimSpace(lines[n].Text) != "" {
			keep = keep || starts[lines[n].Line]
			n++
		}
		if keep {
			out = append(out, lines[:n])
		}
		lines = lines[min(n+1, len(lines)):]
	}
	return out
}

// typedLines returns the lines of a recorded session that a person typed, with
// their continuations, or nil where no line shows a prompt.
func typedLines(lines []markdown.CodeLine) []markdown.CodeLine {
	var out []markdown.CodeLine
	going := false
	for _, l := range lines {
		if m := prompt.FindString(l.Text); m != "" {
			l.Text = strings.TrimPrefix(l.Text, m)
			out, going = append(out, l), continues(l.Text)
		} else if going {
			out, going = append(out, l), continues(l.Text)
		}
	}
	return out
}

// continues reports whether a command goes on in the next line: a backslash
// before the line's end, or an operator that wants more.
func continues(line string) bool {
	t := strings.TrimRight(line, " \t")
	if strings.HasSuffix(t, "|") || strings.HasSuffix(t, "&&") {
		return true
	}
	return (len(t)-len(strings.TrimRight(t, `\`)))%2 == 1
}

// A statement is a run of lines and the comment lines above it.
type statement struct {
	lines   []markdown.CodeLine
	above   []markdown.CodeLine
	literal bool // holds text over several lines, whose breaks are part of it
}

// command puts the statement on one line. It fails for a statement over several
// lines that do not continue each other, such as a loop: a blank in place of
// the line break would be another script, and "done" alone says nothing.
func (s statement) command() (command, bool) {
	var text []string
	for i, l := range s.lines {
		text = append(text, l.Text)
		if i+1 < len(s.lines) && !continues(l.Text) {
			return command{}, false
		}
	}
	folded := markdown.FoldCode(strings.Join(text, "\n"))
	return command{folded, commentText(s.above), s.lines[0].Line, s.lines[len(s.lines)-1].Line}, folded != ""
}

// statements cuts a fence into statements: as the shell's grammar has them
// where the fence parses, else line by line with continuations. Documentation
// often does not parse: "<name>" reads as a redirection.
func statements(lines []markdown.CodeLine, parsed *parsedFence) []statement {
	var out []statement
	var above []markdown.CodeLine
	for i := 0; i < len(lines); {
		t := strings.TrimSpace(lines[i].Text)
		switch {
		case t == "", strings.HasPrefix(t, "#!"):
			above = nil
			i++
		case strings.HasPrefix(t, "#"):
			if i == 0 || !strings.HasPrefix(strings.TrimSpace(lines[i-1].Text), "#") {
				above = nil
			}
			above = append(above, lines[i])
			i++
		default:
			end, literal := parsed.end(lines, i)
			out = append(out, statement{lines[i : end+1], above, literal})
			i = end + 1
		}
	}
	return out
}

// A parsedFence is what the shell's grammar says of a fence: for the line at
// which a statement starts, where it ends and whether it holds a literal over several lines.
type parsedFence struct {
	ends    []int
	literal []bool
}

// end returns the last line of the statement that starts at i.
func (p *parsedFence) end(lines []markdown.CodeLine, i int) (last int, literal bool) {
	if p != nil {
		return max(i, p.ends[i]), p.literal[i]
	}
	for i+1 < len(lines) && continues(lines[i].Text) {
		i++
	}
	return i, strings.Contains(lines[i].Text, "<<")
}

// parseFence parses a fence, or returns nil where the lines are no shell script.
func parseFence(info string, lines []markdown.CodeLine) *parsedFence {
	switch info {
	case "powershell", "ps1", "pwsh", "cmd", "bat", "batch", "fish":
		return nil
	}
	var src strings.Builder
	for _, l := range lines {
		src.WriteString(l.Text + "\n")
	}
	file, err := ident.ParseShell([]byte(src.String()))
	if err != nil {
		return nil
	}
	p := &parsedFence{make([]int, len(lines)), make([]bool, len(lines))}
	for _, s := range file.Stmts {
		first, here := int(s.Pos().Line())-1, lastHereLine(s)
		if first >= 0 && first < len(lines) {
			p.ends[first] = max(p.ends[first], min(max(int(s.End().Line())-1, here), len(lines)-1))
			p.literal[first] = p.literal[first] || here >= 0 || longQuote(s)
		}
	}
	return p
}

// longQuote reports whether a quoted text goes over several lines.
func longQuote(s *syntax.Stmt) bool {
	long := false
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			long = long || n.Pos().Line() != n.End().Line()
		}
		return !long
	})
	return long
}

// lastHereLine returns the last line of the here-documents in a statement,
// counted from 0, its end mark included; -1 without one. In a pipeline they end after it.
func lastHereLine(s *syntax.Stmt) int {
	last := -1
	syntax.Walk(s, func(n syntax.Node) bool {
		r, ok := n.(*syntax.Redirect)
		switch {
		case !ok || r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc:
		case r.Hdoc == nil: // an empty one
			last = max(last, int(r.OpPos.Line()))
		default:
			last = max(last, int(r.Hdoc.End().Line())-1)
		}
		return true
	})
	return last
}
