// Package extractor finds the skills of a tree of files and reads one card's
// worth of facts from each.
//
// A skill is a folder that holds SKILL.md. [Discover] lists the skills and the
// files that belong to each, by names alone. [SkillFiles.Read] reads one skill:
// Markdown is taken verbatim, block by block; code is mined for identifiers and
// never copied; what the Markdown names and is not there is kept as a
// [Reference]. [Extract] does both for a whole tree.
//
// The package takes an [fs.FS] and a [Shape] and returns values. It sees no
// network, clock or environment, so equal files and an equal shape give equal
// cards on any machine. Damage in a file becomes a [Note] and the rest is
// read; a read that fails is an error, since a card of what happened to be
// readable would be a wrong one.
package extractor
