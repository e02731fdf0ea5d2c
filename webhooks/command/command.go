// Package command finds questions in a comment: text in, questions out.
//
// A question is a line that begins with "/ask", after three blanks at most, followed by a blank or by the line's end. What
// GitHub shows as quoted or as code, and what it does not show at all, is nobody's question: block quotes, fenced and indented
// code, code spans, HTML comments, and the elements pre, code, blockquote, script, style and textarea. "see /ask x", "/asking"
// and "path/ask" are prose.
//
// Two readings are chosen here, because GitHub's drawing and a person's meaning part ways:
//   - a line right below a quote is drawn into it, but who typed it without ">" meant it: it is a question;
//   - a comment that opens in the middle of a line and closes after a blank line is drawn as text, but who wrote it meant
//     to hide what is inside: it is no question.
//
// The text is a person's. It is neither kept nor logged here, and nobody has scanned it yet.
package command

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxQuestion is the longest question, in characters. A question is a sentence or two; what is longer is a text that
	// was pasted, most of its words are not what is asked, and each of them would be looked up.
	MaxQuestion = 1000

	// MaxCommands is the most of one comment. The reply to five, with five hits each, still fits a comment, and a
	// comment costs a bounded amount of work.
	MaxCommands = 5

	// maxBody bounds the work: GitHub takes 65,536 characters, of four bytes at most.
	maxBody = 4 * 65536
)

// Command is one "/ask" of a comment.
type Command struct {
	// Question is trimmed, of one line, at most [MaxQuestion] characters. It is empty where "/ask" stands alone: who
	// writes that does not know the form yet, and is answered with help rather than with silence.
	Question string
}

// Help says that nothing was asked and the form should be explained.
func (c Command) Help() bool { return c.Question == "" }

// Questions returns the commands of a comment in their order, each text once, at most [MaxCommands], and how many further
// ones were dropped: those beyond the fifth and those that are too long. A repeated text counts neither way. So a comment
// of nothing but one endless question gives no command and dropped 1, and the person can be told why.
//
// A body that is larger than GitHub takes holds no commands.
func Questions(body string) (commands []Command, dropped int) {
	if len(body) > maxBody || !strings.Contains(body, name) {
		return nil, 0
	}
	seen := make(map[string]bool)
	for _, text := range visible(body) {
		question, ok := asked(text)
		if !ok || seen[question] {
			continue
		}
		seen[question] = true
		if len(commands) == MaxCommands || utf8.RuneCountInString(question) > MaxQuestion {
			dropped++
			continue
		}
		commands = append(commands, Command{question})
	}
	return commands, dropped
}

const name = "/ask"

// asked takes the question out of a line that is known to be shown as text.
func asked(line string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), name)
	if !ok {
		return "", false
	}
	if r, _ := utf8.DecodeRuneInString(rest); rest != "" && !unicode.IsSpace(r) {
		return "", false
	}
	return strings.TrimSpace(rest), true
}
