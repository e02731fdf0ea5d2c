package github

import (
	"strings"

	gh "github.com/google/go-github/v66/github"
)

// Annotation is a note at lines of a file of the commit.
type Annotation struct {
	Path                   string
	Start, End             int    // lines, from 1
	StartColumn, EndColumn int    // characters, from 1; 0 where not known
	Level                  string // "notice", "warning" or "failure"
	Title, Message         string
}

// place parts notes into those that GitHub takes and those that stand nowhere:
// without a file, without a line, or beyond the number that is sent. GitHub
// refuses the whole request for a single bad one, and does not say which (2A-13).
func place(notes []Annotation) (sent []*gh.CheckRunAnnotation, kept, rest []Annotation) {
	for _, n := range notes {
		if n.Path == "" || n.Start < 1 || len(sent) == maxAnnotations {
			rest = append(rest, n)
			continue
		}
		sent = append(sent, n.wire())
		kept = append(kept, n)
	}
	return sent, kept, rest
}

// wire is the note as GitHub takes it. Columns are for one line only and both or
// none (2A-14); an end before its start is the start.
func (n Annotation) wire() *gh.CheckRunAnnotation {
	path := strings.TrimPrefix(clean(n.Path), "/")
	start, end := n.Start, max(n.End, n.Start)
	level := n.Level
	switch level {
	case "notice", "warning", "failure":
	default:
		level = "warning"
	}
	title := line(n.Title, maxTitle)
	message := fit(n.Message, maxMessage, cutNote)
	if strings.TrimSpace(message) == "" {
		message = "See the summary of this check."
	}
	w := &gh.CheckRunAnnotation{Path: &path, StartLine: &start, EndLine: &end, AnnotationLevel: &level, Message: &message}
	if title != "" {
		w.Title = &title
	}
	if start == end && n.StartColumn > 0 && n.EndColumn >= n.StartColumn {
		w.StartColumn, w.EndColumn = &n.StartColumn, &n.EndColumn
	}
	return w
}
