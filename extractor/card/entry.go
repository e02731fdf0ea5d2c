package card

import (
	"crypto/sha256"
	"strconv"
	"strings"
)

// A Section is one of the five fixed parts of a card.
type Section string

// The five sections. Every card has all of them, in the order of [Sections].
const (
	Setup           Section = "setup"
	Commands        Section = "commands"
	Architecture    Section = "architecture"
	Refusals        Section = "refusals"
	Troubleshooting Section = "troubleshooting"
)

// Sections returns the five sections in the order in which a card prints them.
func Sections() [5]Section {
	return [5]Section{Setup, Commands, Architecture, Refusals, Troubleshooting}
}

// A Kind says what sort of block a statement was read from.
type Kind string

// The kinds of entries. Of these, [Step] and [Command] are sequences: their
// entries carry an ordinal. [Code] never stands on a card: it is a line of a
// fence whose card entry is an [Example], held for questions only.
const (
	Bullet     Kind = "bullet"
	Step       Kind = "step"
	Task       Kind = "task"
	Row        Kind = "row"
	Paragraph  Kind = "paragraph"
	Quote      Kind = "quote"
	Field      Kind = "field"      // a frontmatter field
	Command    Kind = "command"    // a command line of a shell fence
	Example    Kind = "example"    // any other fence: language, identifiers, digest
	Subcommand Kind = "subcommand" // what a script declares
	Flag       Kind = "flag"
	Env        Kind = "env"
	Function   Kind = "function"
	Bulk       Kind = "bulk" // the rest of a large file: count and digest
	Code       Kind = "code"
)

// A Role says how an element of a context surrounds a statement.
type Role string

// The roles. A [Heading] is a Markdown heading, a [Label] a lone bold line that
// acts as one, a [Tag] an XML-like wrapper, a [Lead] the sentence ending in a
// colon that introduces what follows, a [Comment] the comment above command lines,
// an [Item] the own text of an enclosing list item (with its number where that
// list is numbered), [Columns] a table's header row, a [Key] the name of a
// frontmatter field.
const (
	Heading Role = "heading"
	Label   Role = "label"
	Tag     Role = "tag"
	Lead    Role = "lead"
	Comment Role = "comment"
	Item    Role = "item"
	Columns Role = "columns"
	Key     Role = "key"
)

// An Element is one step of a context.
type Element struct {
	Role Role
	Text string
}

// A Context is what surrounds a statement, outermost first. It is part of the
// statement's identity: "Code before test" means one thing alone and the
// opposite under "Red flags".
type Context []Element

// Texts returns the text of each element, outermost first.
func (c Context) Texts() []string {
	out := make([]string, 0, len(c))
	for _, e := range c {
		out = append(out, e.Text)
	}
	return out
}

// An Entry is what a card holds of a statement. It has no place: places are
// resolved at the commit that is asked about, and only a [Fact] has them.
type Entry struct {
	Section Section
	File    string // relative to the skill's folder, slash separated
	Context Context
	Kind    Kind
	List    int // which of several sequences in one context, in canonical order; 0 is the first
	Ordinal int // counted place in the sequence, from the list's start number; 0 where order says nothing
	Text    string
}

// Identity returns a string that two entries share exactly when they are equal.
// It is unambiguous (each part is preceded by its length) and not for reading.
func (e Entry) Identity() string {
	var b strings.Builder
	part := func(s string) {
		b.WriteString(strconv.Itoa(len(s)))
		b.WriteByte(':')
		b.WriteString(s)
	}
	part(string(e.Section))
	part(e.File)
	for _, c := range e.Context {
		part(string(c.Role))
		part(c.Text)
	}
	b.WriteByte('/')
	part(string(e.Kind))
	part(strconv.Itoa(e.List))
	part(strconv.Itoa(e.Ordinal))
	part(e.Text)
	return b.String()
}

// A Sum stands for an [Entry.Identity] in sets: an identity can be as long as the entry with all its context.
type Sum [sha256.Size]byte

// Sum returns a digest of the identity. Two entries that differ share one with a
// chance of 2^-256.
func (e Entry) Sum() Sum { return sha256.Sum256([]byte(e.Identity())) }

// Sequential reports whether entries of the kind are steps of a sequence, so
// that their order is part of what they say.
func (k Kind) Sequential() bool { return k == Step || k == Command }
