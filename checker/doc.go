// Package checker knows right from wrong: it compares two trees of files and
// returns one [Report], which the command line prints and the App publishes.
//
// A change answers for the skills it touches: those whose files or card differ
// between base and head, the orphans and missing cards that it causes, and all
// skills whose card a changed shape moves. Each is extracted anew and compared with its
// committed card (package drift). Text that comes in is scanned for secrets
// (package secret), and no text leaves a report before it was scanned too, with
// the files that it quotes as the context. The policy's allow rules let a finding
// pass in the file that they name ([Gate]). Dead
// references that the change brings to those skills are warned of. The questions of the
// suite (package suite) are asked on both sides, where the change could answer them otherwise,
// at a [Desk] like anybody's.
//
// The package reads files through [fs.FS] and returns values. A read that
// fails, or a scan that did not finish, is an error and never a verdict.
package checker
