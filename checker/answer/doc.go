// Package answer finds the facts that answer a question, or refuses.
//
// [NewIndex] takes the facts of all skills at one commit; [Index.Ask] reads one
// question, in one or several wordings, and returns an [Answer]: up to five hits, the
// whole list where the question asks for one, or a [Refusal] that says what was looked
// through. Nothing here reads a clock, a disk or the network, and the same question over
// the same facts gives the same answer, byte for byte (law 11): what decides are whole
// numbers, no sum depends on an order, and ties go by place.
//
// How a question is judged:
//
//   - Its words are folded, stemmed and weighed by how rare they are among the
//     facts; stop words drop out, "set up" and "set-up" are "setup". An identifier is
//     looked for whole and in its parts. Words that are made from each other, as "fail" and
//     "failure", stand for each other by eight tenths.
//   - The rank orders (rank.go): BM25F over the fact's text and, weaker, what surrounds
//     it. Related words of WordNet, the section's bonus, a named skill order too.
//   - The base of a fact is the share of the question's weight that its own text covers.
//     Headings, lead-ins, the names of the skill, of its file and of the folders above
//     count six tenths, and only where the fact's own text already covers an informative word;
//     the name of the section never counts, nor does a related word (law 9).
//   - Doubts lower the base (doubt.go): a question for a figure and a fact without one, a
//     skill that does not speak of the rest of the question, a rare word that the fact
//     lacks, a name that stands nowhere, other facts that fit as well. They can refuse
//     more, never less.
//   - A question also asks for something beside its words (demand.go): a flag, a script or a
//     skill that it names, an attribute, a figure of something in a unit, one of two opposites,
//     what not, a person, a place or a time, what is done with what. A fact that gives another
//     (against.go, figure.go, answerer.go) is doubted; one about another flag or skill, or that
//     says the contrary, is not cited. Facts below the first five answer nothing: of seven
//     questions that one of them would have answered, it was right for none.
//   - What a question instructs is left aside, and what it asks is answered (plea.go).
//   - What scripts declare is listed by its kind (inventory.go).
//   - The floor reads what is left of the base, and nothing else. A fact whose base is
//     below it is not cited either.
//   - A list is one fact (group.go): its introduction and its items are its own text. It
//     answers in the card's order, where the question asks for a list or where it holds the
//     facts that fit by themselves and fits better (list.go).
//   - Of several wordings the floor reads the mean (ask.go).
//
// [Explain] shows all of it for one answer.
//
// How an index is held and searched:
//
//   - Terms, facts, contexts, lists and skills have numbers, and what is known of them stands
//     in slices (rows.go, index.go). The facts themselves are bytes, read when they are cited
//     (archive.go).
//   - A question marks the facts of all its terms, a stretch of them at a time (search.go).
//     Facts with the same marks have a rank that none exceeds; those that may be among the best
//     are looked at (score.go), the most promising first. The result is the one of looking
//     at all, and a test compares the two.
//   - A misspelt word is compared with those of nearly its length that share a half (spelling.go).
//   - [Index.AppendBinary] stores an index, and [Load] refuses what is damaged or of another
//     [Edition] (stored.go). [Index.Revised] makes it the index of other skills, and reads only
//     the text of those that differ (revise.go).
//
// The folder versus measures it beside two other engines, as a module of its own.
package answer
