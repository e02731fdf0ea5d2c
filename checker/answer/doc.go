// Package answer finds the facts that answer a question, or refuses.
//
// [NewIndex] takes the facts of all skills at one commit; [Index.Ask] reads one
// question and returns an [Answer]: up to five hits, the whole group where the
// question asks for a list, or a [Refusal] that says what was looked through.
// Nothing here reads a clock, a disk or the network, and the same question over
// the same facts gives the same answer, byte for byte (law 11): the scores that
// decide are whole numbers, no sum depends on an order, and ties go by place.
//
// How a question is judged:
//
//   - Its words are folded, stemmed and weighed by how rare they are among the
//     facts; stop words drop out, "set up" and "set-up" are "setup".
//   - The base of a fact is the share of that weight that its own text covers.
//     Headings, lead-ins, the skill's name and the file's name count six tenths,
//     and only where the fact's own text already covers an informative word;
//     the name of the section never counts (law 9).
//   - Doubts lower the base: a question for a figure and a fact without one, a
//     skill that does not speak of the rest of the question, a name that stands
//     nowhere. They can refuse more, never less.
//   - The floor reads that figure and nothing else, and a fact whose base is
//     below it is not cited either. What passes is ordered by that figure and the
//     bonus, which prefers a section and lifts nothing.
package answer
