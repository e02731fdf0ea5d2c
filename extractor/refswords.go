package extractor

import (
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

// A shellWord is a word of a command line, without its quotes.
type shellWord struct {
	text string
	line int
}

// simpleCommands cuts command lines into commands of words: at pipes, lists and line
// ends. It is made for documentation, which seldom parses: "<name>" is a word and "[--flag]" is "--flag".
// Here-documents, comments and redirections are left out.
func simpleCommands(lines []markdown.CodeLine) [][]shellWord {
	c := &cutter{}
	for _, l := range lines {
		if c.here != "" {
			if strings.TrimSpace(l.Text) == c.here {
				c.here = ""
			}
			continue
		}
		c.cutLine(l)
	}
	c.command()
	return c.out
}

// A cutter is the state of one cut.
type cutter struct {
	out     [][]shellWord
	words   []shellWord
	word    strings.Builder
	started bool
	at      int    // the line of the word at hand
	quote   byte   // the quote that is open
	here    string // the word that ends the here-document at hand
	next    string // how the coming word is used: "" for a word, ">" a file, "<<" an end mark
}

func (c *cutter) cutLine(l markdown.CodeLine) {
	text := l.Text
	if c.quote == 0 {
		text = strings.TrimPrefix(text, prompt.FindString(text))
	}
	for i := 0; i < len(text); {
		i += c.char(text[i:], l.Line)
	}
	if c.quote != 0 {
		c.word.WriteByte('\n')
		return
	}
	c.end()
	if !continues(text) {
		c.command()
	}
	if c.next != "" && c.next != ">" && c.next != "<<" {
		c.here, c.next = c.next, ""
	}
}

// char takes what s starts with and returns its length.
func (c *cutter) char(s string, line int) int {
	switch ch := s[0]; {
	case c.quote != 0:
		if ch == c.quote {
			c.quote = 0
		} else {
			c.word.WriteByte(ch)
		}
		return 1
	case ch == '\'' || ch == '"':
		c.start(line)
		c.quote = ch
		return 1
	case ch == '\\':
		if len(s) > 1 {
			c.start(line)
			c.word.WriteByte(s[1])
		}
		return 2
	case ch == ' ' || ch == '\t' || ch == '\r':
		c.end()
		return 1
	case ch == '#' && !c.started:
		return len(s)
	case ch == '$' && strings.HasPrefix(s, "$("), strings.IndexByte("|&;()`", ch) >= 0:
		c.end()
		c.command()
		return 1
	case ch == '<':
		return c.angle(s, line)
	case ch == '>':
		c.end()
		c.next = ">"
		return len(s) - len(strings.TrimLeft(s, ">&|"))
	}
	c.start(line)
	c.word.WriteByte(s[0])
	return 1
}

// angle takes a here-document's mark, a placeholder, or a redirection.
func (c *cutter) angle(s string, line int) int {
	if strings.HasPrefix(s, "<<") && !strings.HasPrefix(s, "<<<") {
		c.end()
		c.next = "<<"
		return len(s) - len(strings.TrimLeft(s, "<-"))
	}
	// A name in angle brackets is short; looking no further keeps the time linear.
	if end := strings.IndexByte(s[:min(len(s), 200)], '>'); end > 1 && s[1] != ' ' {
		c.start(line)
		c.word.WriteString(s[:end+1])
		return end + 1
	}
	c.end()
	c.next = ">"
	return 1
}

func (c *cutter) start(line int) {
	if !c.started {
		c.started, c.at = true, line
	}
}

func (c *cutter) end() {
	if !c.started {
		return
	}
	text := c.word.String()
	c.word.Reset()
	c.started = false
	switch c.next {
	case "":
		c.words = append(c.words, shellWord{text, c.at})
	case ">":
		c.next = ""
	case "<<":
		c.next = text
	}
}

func (c *cutter) command() {
	if len(c.words) > 0 {
		c.out = append(c.out, c.words)
	}
	c.words = nil
}
