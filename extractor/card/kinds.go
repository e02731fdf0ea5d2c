package card

// A kindName is how a card titles a block of one kind.
type kindName struct {
	kind  Kind
	title string
}

// kindNames lists the kinds in the order in which a card prints them.
func kindNames() []kindName {
	return []kindName{
		{Field, "Frontmatter"},
		{Bullet, "Points"},
		{Step, "Steps"},
		{Task, "Tasks"},
		{Row, "Table rows"},
		{Paragraph, "Paragraphs"},
		{Quote, "Quotes"},
		{Command, "Command lines"},
		{Example, "Examples"},
		{Subcommand, "Subcommands"},
		{Flag, "Flags"},
		{Env, "Environment variables"},
		{Function, "Functions"},
		{Bulk, "Not printed here"},
	}
}

func kindRank(k Kind) int {
	for i, n := range kindNames() {
		if n.kind == k {
			return i
		}
	}
	return len(kindNames())
}

func kindTitle(k Kind) string {
	for _, n := range kindNames() {
		if n.kind == k {
			return n.title
		}
	}
	return string(k) // unreachable: every kind that reaches a card has a title
}

func kindOf(title string) (Kind, bool) {
	for _, n := range kindNames() {
		if n.title == title {
			return n.kind, true
		}
	}
	return "", false
}

// quoted reports whether a card prints the kind's texts as code.
func (k Kind) quoted() bool {
	switch k {
	case Command, Subcommand, Flag, Env, Function:
		return true
	}
	return false
}

// A roleName is the word that introduces a context element below a block's title.
type roleName struct {
	role Role
	word string
}

func roleNames() []roleName {
	return []roleName{
		{Key, "key"},
		{Columns, "columns"},
		{Lead, "introduced by"},
		{Comment, "comment"},
		{Item, "under"},
		{Tag, "inside"},
		{Label, "labelled"},
		{Heading, "headed"},
	}
}
