// Package markdown reads a Markdown file as a list of blocks, each with the
// lines it stands on and the context that travels with it.
//
// The block structure is CommonMark with GitHub's tables, as goldmark parses
// it. Inline structure is not parsed at all: a block's text is the source's
// inline Markdown as written, put on one line by [Fold]. That keeps what a
// person wrote, and keeps the time linear in the input, since every quadratic
// case of the parser lies in its inline half.
//
// What a person reading the rendered page does not see is no block: HTML
// comments and invisible characters are reported as [Note] instead.
package markdown
