// Package secret finds secrets in text and takes them out of it.
//
// It holds gitleaks behind one function: text goes in, findings come out. The
// rules, how they are read, and what they allow are gitleaks'. The search is our
// own, since gitleaks runs each rule over the whole text: package search runs it
// where it can match. A test holds both to the same matches.
//
// A [Finding] says rule, tier, place and fingerprint. It never holds the value,
// its length or a piece of it, and no value leaves this package in any other
// way: not in an error, not in a log line (gitleaks' logger, which prints
// values at its lower levels, is switched off when the program starts).
//
// Two laws shape it. Nothing of a repository or a person is shown before it was
// scanned (law 8): [Scanner.Withhold] is the way out for every text. "Could not
// check" is never clean (law 13): too long, too late, too few rules or a panic
// inside the library give [ErrNotScanned] and no findings, never an empty list.
//
// The default rules are mended for Markdown and prose, and rules of our own are
// in rules.toml. A text is looked at as it is, without its escapes, entities and
// hidden characters, and with lines joined where a token runs over the wrap.
// What stands for a secret in documentation is told by the value alone. Some
// rules only warn: they know a shape or a sentence, not a vendor.
//
// A value without a form of its own is found by its name. labels.tsv has what
// secrets are called, in thirty languages; a value may follow in prose, in code,
// under the header of its column, below its heading, on the next line. Whether it
// is one is told by how surprising its bytes are after each other, next to what
// documentation is made of.
//
// Values that a policy withholds are found by their keyed hashes, in every run of
// one to eight words; see [Seal] and [Scanner.WithWithheld].
//
// It guards against accidents, and finds the common ones, not all. Of 72 kinds of
// secrets that were written down after the rules, in fourteen places of Markdown
// each, 87 values in 100 were found at first sight, 58 of them as blocking; of 45
// more in the forms of single tools 81, 64 as blocking. What is missed has neither
// a form nor a name that the table knows, is an argument that only the tool
// understands, or consists of plain words. Someone who hides a token on purpose, by
// reversing it or by splitting it over two code spans, will get past it.
package secret
