package ident

// An argPart is what a value holds of the program's arguments.
type argPart int

const (
	argNone   argPart = iota
	argWhole          // process.argv, with the two names before the arguments
	argRest           // all arguments
	argTail           // those after the first, or some of them
	argFirst          // the first one
	argSecond         // the second one
	argNamed          // by its variable's name the first one
	argEach           // any one
	argParsed         // what a parser of the file's own made of them
	argEnv            // the environment
)

// list reports several arguments in a row.
func (p argPart) list() bool { return p == argWhole || p == argRest || p == argTail }

// single reports one argument, whose text can be compared.
func (p argPart) single() bool {
	return p == argFirst || p == argSecond || p == argNamed || p == argEach
}

// element is what stands at n in a list; a negative n is a computed place.
func (p argPart) element(n int) argPart {
	switch {
	case p == argWhole && n == 2, p == argRest && n == 0:
		return argFirst
	case p == argWhole && n == 3, p == argRest && n == 1, p == argTail && n == 0:
		return argSecond
	case p == argWhole && (n < 0 || n > 2), p == argRest, p == argTail:
		return argEach
	}
	return argNone
}

// from is what stands from n on in a list.
func (p argPart) from(n int) argPart {
	switch {
	case n == 0:
		return p
	case p == argWhole && n == 2:
		return argRest
	case p == argRest, p == argWhole && n != 1, p == argTail:
		return argTail
	}
	return argNone
}

// parsedField is what parsers of arguments, own and bought, put under a name.
func parsedField(name string) argPart {
	switch name {
	case "_", "positionals", "positional":
		return argRest
	case "command", "cmd", "subcommand":
		return argFirst
	}
	return argNone
}
