// Package suite holds questions as tests: what a repository must answer, and what
// it must refuse.
//
// [Parse] reads [File], one JSON object a line. [Resolve] finds the facts that the
// questions expect in an index. [Expected.Teach] makes the words of the questions
// index terms of these facts, and [Expected.Run] asks every question and says which
// are right, and why the others are not. [Add] writes a question to the end of the file.
//
// # How a fact is named
//
// A reference must hold when lines move, and people write it by hand. So it is a
// piece of the fact's own text, with where it stands as far as that is needed:
//
//	"Restore it into the scratch folder"
//	{"text": "twice the size", "skill": "skills/backup-check"}
//	{"under": "Boundaries", "file": "skills/backup-check/SKILL.md"}
//
// The text is found as whole words next to each other anywhere in the fact. Case,
// punctuation and Markdown's marks make no difference, so that what was copied from
// the rendered page is found as well. The rest narrows: skill is the skill's folder and
// file a path from the repository's root, both to the letter; section is one of the five;
// under is a heading or another part of the context, whole. Without a text, under
// and one of skill and file are needed. A reference may name several facts: each of them will do.
//
// The package takes values and returns values. The same file over the same facts
// gives the same outcomes, byte for byte.
package suite
