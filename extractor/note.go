package extractor

import "fmt"

// A NoteKind says what a [Note] is about.
type NoteKind string

// The kinds of notes.
const (
	Damaged NoteKind = "damaged" // read as far as it went
	Hidden  NoteKind = "hidden"  // not seen by a reader of the page, so not indexed
	Skipped NoteKind = "skipped" // named and not followed
)

// A Note is what a person should know of a file besides its facts. Its text
// never quotes the file.
type Note struct {
	Kind NoteKind `json:"kind"`
	File string   `json:"file"`
	Line int      `json:"line,omitempty"` // from 1; 0 for the whole file
	Text string   `json:"text"`
}

func (n Note) String() string {
	if n.Line == 0 {
		return fmt.Sprintf("%s: %s", n.File, n.Text)
	}
	return fmt.Sprintf("%s:%d: %s", n.File, n.Line, n.Text)
}
