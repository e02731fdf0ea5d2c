// Package search finds the matches of many regular expressions in one text. It
// gives what each expression's FindAllStringIndex over the whole text gives, and
// takes a small part of the time where matches are rare.
//
// From each expression it reads words of which one stands in every match, how far
// a match can reach around such a word, and what must follow the word. One pass
// over the text looks for the words of all expressions at once. Only where one
// stands, and what follows fits, is the expression itself run, over a window that
// no match can leave. An expression without such words is run over the whole text.
package search
