// Package jobs does the work that deliveries want: it is the [webhooks.Inbox]
// that makes them durable, and the queue's workers that do them.
//
// A pull request is worked on in two steps. Evaluate, one job per pull request,
// reads both trees from GitHub, checks them and writes a verdict row; a newer
// event replaces an older one by raising the pull request's generation. Publish
// merges the verdicts of all open pull requests on one head, the worst first, and brings the
// commit's check run to what they say. After that History looks at the pull
// request's commits, in a queue of its own, adds what they held to the row and has
// it published again; it can fail or be overtaken without any harm to the verdict,
// and one clean commit needs none of it. Commit checks what is no pull request's
// head: a merge group, or the default branch. Recheck finds out which of these a
// person meant. Answer replies to a comment. Refresh opens new generations of red
// pull requests, a few a minute, when the configuration on the default branch is
// another than the one that their verdicts were made under. Standing opens new generations of those whose
// cards go together with the default branch in another way than their runs say.
//
// Every step may be killed at any point and run again: an outside effect is
// written down under its key before it happens, and GitHub is asked for it
// before it is done again. What cannot be checked becomes a failing run that
// says so, never silence and never green.
//
// # How work ends
//
// A delivery is done when its run or reply stands at GitHub, or when newer work
// has taken its place. It has failed when nothing could be said, or nothing but
// that the check could not look; GitHub's "Redeliver" then begins it anew. Rate
// limits put a job off without end, each to another second; so does a suspension, until it ends. A job that got on and
// did not get to its end, such as the first look at a large repository, goes on in
// a new attempt where it stopped (slices.go). Other troubles of GitHub use up attempts,
// some 16 minutes of them, after which "could not check" is the verdict; it is
// published for hours more, until GitHub is back. A repository or installation
// that is gone or archived ends the work at once. A recheck that covers several pull requests has a
// part for each: it is done with the last, and has failed with the first that has.
//
// Each kind of work has a token of its own (clients.go): what reads a hostile head
// can write nothing. A question is answered from segments that were scanned and
// kept, one a skill (library.go), if GitHub says that the person may ask (answer.go)
// and has not asked too much within the hour (asking.go). What the pull request brings
// is marked (novelty.go). An answer that a later change of the comment has overtaken is
// not written. When the reply stands, what it left undocumented is kept (asking.go).
// The questions of the suite are answered from them too, before there is a verdict (suite.go).
//
// # What no event told
//
// Rounds and duties (rounds.go) are rows with a time, taken by one replica at a time. The sweep (sweep.go)
// has GitHub deliver again what failed at our door. A survey (account.go) compares the lists of
// installations and repositories with what is kept: what is new is looked through, and what is gone is
// forgotten in every table and in the queue (farewell.go). Reconcile (reconcile.go) finds open pull
// requests whose head lacks our run, verdicts that were never said, and pull requests that were
// closed while nobody looked. Events of accounts only ask for such a round. Rounds yield to
// everything that was told, and stop while less than a tenth of an hour's requests is left.
//
// After a kill, work goes on within two minutes by the queue's own rescue, and at
// once where one process alone works from a SQLite file.
package jobs
