package ident

// A tokenKind tells what a scanner of ours saw. Numbers are kept for places in
// an argument list; comments are passed over.
type tokenKind byte

const (
	tokName tokenKind = iota
	tokString
	tokOther // a text with code in it, bytes, a regular expression: it names nothing
	tokNumber
	tokOp
	tokEnd // the end of a logical line, where a language has one
)

const (
	// reach is how many tokens of one call or decorator are looked at. Calls of
	// people have some dozens; without a limit, nested ones cost a square.
	reach = 512
	// maxName is the longest name in bytes; what is longer is a text.
	maxName = 200
)
