// Command versus measures the index of package answer beside SQLite's FTS5 and
// bleve: the same facts, the same questions, one run.
//
//	cd checker/answer/versus
//	go run . -facts 1000,100000              # a minute
//	go run . -facts 1000000                  # ten minutes, 8 GB
//	go run . -facts "" -questions ../../../../shared/qa/dev.jsonl -corpora ../../../../shared/corpora
//
// It is a module of its own, so that what it compares with is no dependency of
// the house. The facts are made, not copied: their lengths, contexts and word
// frequencies follow what was counted in four public collections of skills
// (40,867 facts of 219 skills), their words do not. A made question is made of
// one fact, so the right answer is known.
//
// Each engine is used as its documentation recommends: English stemming and stop
// words, the context as a second, weaker field, any word may match, best five.
// FTS5 has no stop words and gets its questions without them. Only package
// answer may refuse; a refusal of a question that has an answer counts as wrong.
package main
