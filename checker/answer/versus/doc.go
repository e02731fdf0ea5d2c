// Command versus measures the index of package answer beside SQLite's FTS5 and
// bleve: the same facts, the same questions, one run.
//
//	cd checker/answer/versus
//	go run . -facts 1000,100000              # a minute
//	go run . -facts 1000000                  # ten minutes, 8 GB; add -engines "cardkeeper;bleve" for some alone
//	go run . -facts "" -questions ../../../../shared/qa/dev.jsonl -corpora ../../../../shared/corpora
//
// It is a module of its own, so that what it compares with is no dependency of
// the house. The facts are made, not copied: their lengths, contexts and word
// frequencies follow what was counted in four public collections of skills
// (40,867 facts of 219 skills), their words do not. A made question is made of
// one fact, so the right answer is known.
//
// Each engine is used as its documentation recommends: English stemming and stop
// words, the context with skill and file as a second, weaker field, any word may
// match, best five. FTS5 has no stop words and gets its questions without them. All are
// warm, in one process, asked one question after the other; of three rounds the shortest
// time of each question counts.
//
// They do not do the same. FTS5 and bleve return five numbers. Package answer also
// looks for the words that a misspelt one may be, for synonyms and for words that WordNet
// puts beside each, which are most of the places that it reads; it orders fifty facts, and
// judges them; it reads whether a list is asked for and looks for one; it returns the
// facts with their places and what speaks for and against them. Only it may refuse; a
// refusal of a question that has an answer counts as wrong. So two lines more are measured:
//
//   - "cardkeeper, order alone" reads the question and orders fifty facts, typos and related
//     words included, and judges, lists, refuses and cites nothing.
//   - "bleve with typos" also matches words one edit away that begin with the same letter,
//     for each word of a question. Package answer does so for words that stand nowhere.
package main
