package markdown

// A Kind is the sort of a block.
type Kind int

// The kinds of blocks.
const (
	Item      Kind = iota // an item of an unordered list
	Step                  // an item of an ordered list
	Task                  // an item with a checkbox
	Row                   // a table row, without the header
	Paragraph             // a paragraph, also one of a list item after its first
	Quote                 // a paragraph of a block quote
	Fence                 // a code block, fenced or indented
	Field                 // a frontmatter field
)

// A Role says how an [Element] surrounds a block.
type Role int

// The roles of context elements.
const (
	Heading Role = iota // a heading
	Label               // a lone bold line acting as one
	Tag                 // an XML-like tag, or the mark of a GitHub alert
	Lead                // the sentence ending in a colon that introduces the block
	Parent              // the own text of an enclosing list item
	Columns             // the header row of the table
	Key                 // the name of the frontmatter field
)

// An Element is one step of a block's context.
type Element struct {
	Role  Role
	Text  string
	Level int // of a heading, 1 to 6; 0 for others
	Line  int // where it stands
}

// A Block is one statement of the file.
type Block struct {
	Kind    Kind
	Text    string // folded; empty for a fence
	Context []Element
	First   int // lines of the file, from 1, both included
	Last    int
	List    int // which list of the file the block belongs to, from 1; 0 for none
	Ordinal int // the number that GitHub shows before a step; 0 for others

	Info string     // of a fence: the info string's first word, lower case
	Code []CodeLine // of a fence: its lines, container prefixes removed
}

// A CodeLine is a line inside a code block.
type CodeLine struct {
	Text string
	Line int
}

// A NoteKind says what a [Note] is about.
type NoteKind int

// The kinds of notes.
const (
	Damaged NoteKind = iota // something could not be read as it was meant
	Hidden                  // something that a reader of the page does not see
)

// A Note is what a person should know of the file besides its blocks. Its text
// never quotes the file.
type Note struct {
	Kind NoteKind
	Line int
	Text string
}

// A Document is what [Parse] read.
type Document struct {
	Name        string // frontmatter; empty where there is none
	Description string
	Title       string // the first heading of level 1
	Blocks      []Block
	Notes       []Note
	Trace
}
