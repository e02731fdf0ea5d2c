// Package app is the running App: it wires store, queue, GitHub client and
// webhook handler, and serves until it is told to stop ([New], [Serve]). This
// page is also the tour of the house.
//
// # The tour, bottom up
//
// There are four folders with four duties, and arrows point down only. A skill
// is a folder with a SKILL.md; a card is what we keep of it in the repository.
//
// extractor knows files and cards. It takes an [io/fs.FS], returns values, and
// sees no network, disk, clock or logger.
//
//   - extractor/card: entries, facts and cards; writes a card and reads it back.
//   - extractor/markdown: a Markdown file as blocks, each with its context and lines.
//   - extractor/ident: what a script declares: subcommands, flags, environment variables, functions.
//   - extractor: finds the skills of a tree, reads the facts of each, and makes its card.
//
// checker knows right from wrong. It is pure like extractor and knows it alone.
//
//   - checker/secret/search: the matches of many expressions in one text, looked for only where they can be.
//   - checker/secret: a text in, findings out, never the value; gitleaks' rules underneath. Also
//     the values that a policy withholds, known by their keyed hashes alone.
//   - checker/drift: a wanted card against the committed one: added, removed, changed, moved.
//   - checker/answer: an index of facts; a question in, cited facts or a refusal out.
//   - checker/suite: questions as tests: a file of them, what they expect, what came of them.
//   - checker: two trees in, one report out, with its text, annotations and conclusion.
//
// webhooks knows what GitHub said. It knows no other folder.
//
//   - webhooks/event: the few fields of a payload that are read.
//   - webhooks/command: a comment in, the questions behind /ask out.
//   - webhooks: checks a delivery's size, signature and id; says what work an event wants.
//
// app knows the world: network, disk, clock.
//
//   - app/tree: trees of files as fs.FS, from git objects, the local repository or memory.
//   - app/meter: counts what an operator asks about a running App, for Prometheus.
//   - app/logs: the service's logger; each line names the delivery that it works for.
//   - app/embed: asks a server how near facts are to a question in meaning; orders, never decides.
//   - app/shelf: files in the user's cache folder that can be made again.
//   - app/config: the repository's configuration and the service's settings, all faults at once.
//   - app/store: what must survive a restart, on SQLite or PostgreSQL.
//   - app/store/storetest: an empty database of each kind, for tests alone.
//   - app/github: the one client that speaks to GitHub.
//   - app/ask: the desk over a tree, with meaning search, and what is new; questions as they are
//     saved; the questions that it does not answer, without who asked.
//   - app/fakehub: a GitHub in one process over real git objects, for tests and the demo alone.
//   - app/fakehub/openapi: holds requests and answers to GitHub's own description, for tests alone.
//   - app/planted: values that look like secrets, one of each kind, for tests alone.
//   - app/jobs: stores deliveries with their work, and does the work.
//   - app/sheets: templates with their one style sheet, and the headers that protect a page.
//   - app/setup: registers the App, and examines a registered one.
//   - app/web: the operator's page: what came in, what became of it, what runs again, and
//     what was asked in vain.
//
// On top of all stands the command line.
//
//   - cmd/cardkeeper: arguments in, exit code out; one file a command.
//
// The order, the imports and the sizes are held by tests beside this file.
//
// # The laws
//
// Comments cite them by number.
//
//  1. Only reading a source makes a fact, and none is without a place: each
//     statement on a card is found again, word for word, at some file and line.
//  2. A card has all five sections, always. An empty one says so.
//  3. A card is a function of its set of statements. Its bytes hold no line
//     numbers and no document order; places are looked up when they are shown.
//  4. Equal files, shape and edition give equal bytes, on any machine. Reading
//     back what was written gives the same card.
//  5. Fresh means equal bytes, told by git's blob ids.
//  6. The check watches skills, cards and configuration. A change that touches
//     none of them still gets its answer, or a required check would wait for ever.
//  7. The head of a pull request is hostile. What blocks is read from the base,
//     and nothing in a head weakens its own check.
//  8. No text of a repository or a person is stored, logged or shown before it
//     was scanned. What was found is never repeated, nor are the errors of
//     libraries that quote their input.
//  9. Whether to answer is decided by how much of the question the fact itself
//     covers. Everything else only orders; it lifts nothing over the floor. The words of a
//     question suite count as those of the facts that it names, by a synonym's weight, and
//     for questions alone of the same kind of which no word is left over; in a pull request,
//     the base's suite.
//  10. A refusal says what it looked through.
//  11. Same question, same index, same answer, byte for byte.
//  12. Accepted means durable. Only ids are stored of a delivery; its work can run
//     again at any point, and each outside effect has a key that is looked for first.
//  13. "Could not check" is never green and never neutral.
//  14. No file is shared by two skills, so that changes of two skills never conflict.
//
// # How a check flows
//
// GitHub sends an event. The handler of webhooks verifies it and hands it, with
// the work it wants, to app/jobs, which commits both and only then answers 202.
// A worker asks app/github for the pull request as it is now and for the trees of
// merge base and head, compared by id, so that only blobs that matter are
// fetched. Those become an app/tree. app/config reads shape from the head and
// policy from the base; checker extracts, compares and scans; the report is kept
// as a verdict. Where the base has a suite of questions, they are asked of both trees
// before that, from the segments that answers use. A second worker merges the
// verdicts of all open pull requests on that head and brings the one check run to what they say. Then the commits of the
// pull request are read, only where each differs from its parents, and looked at
// for secrets by the same checker; what they held is added to the verdict, as a
// warning, and the run is brought up to it. The command check takes the same road
// from app/tree on, over the folder and the history on disk. Where
// a push changes the configuration, the red pull requests are evaluated again, a few
// a minute.
//
// Where rebuilt cards would mend it, checker makes them beside the report, and the run
// has a button. When it is pressed a worker asks GitHub who pressed it and what is
// there now, makes the cards anew, and commits them to the branch by app/github. Where
// cards conflict with the base branch and nothing else does, app/github merges the
// trees by their ids, checker makes the cards of what that gives, and the commit has
// two parents. The event of that commit begins the next check.
//
// # How a question flows
//
// A comment arrives the same way; only its id is stored. A worker reads the
// comment again, takes the questions out with webhooks/command, asks GitHub
// whether the person may ask, counts the questions against the limits of the hour,
// and reads the tree of the head. Its index comes from app/store where it was made
// before; else the index of another head does, and the facts of the skills that differ: of those
// that were read and scanned before from app/store, of the others from their files.
// checker's desk scans the question, has checker/answer find the facts, and drops those beside a secret
// or a name that no answer may hold; app/ask marks those that the merge base does not say. Where the operator
// names a server for it, app/embed says how near each is, which only orders them. The
// reply is written once, found again by a marker, unless the comment was changed
// meanwhile. What is not documented is kept as a gap when the reply stands. The
// command ask calls the same app/ask, with an index from the user's cache folder, and a suite's questions
// are asked at the same desk.
//
// # Where to look
//
//   - Why a card changed: extractor, then the renderer in extractor/card.
//   - Why a statement stands in its section: extractor/sections.go, with its tables
//     headings.tsv (known headings), rules.tsv (words of others) and cues.tsv (words
//     of the statement). Word lists of questions stand beside checker/answer.
//   - Why a reference is called dead: extractor, the files refs*.go.
//   - What a withheld value is and how it is found: checker/secret/withheld.go, its words in
//     words.go; the list in app/config, the commands in cmd/cardkeeper/withhold.go.
//   - What a report looks like: checker/output.go and text.go for GitHub and the
//     terminal, cmd/cardkeeper/formats.go for other tools.
//   - What is done about GitHub's limits: app/github, its package comment; what the queue does then:
//     app/jobs/settle.go, and app/jobs/slices.go for what takes longer than one attempt.
//   - What secrets are called, and what is none: checker/secret/labels.tsv and tier.go.
//   - Why a check failed: checker, in the order touch, orphans, secrets, conclude.
//   - What the button commits, and when it does not: checker/mend.go, then app/jobs,
//     update.go and cards.go, and app/github/commit.go.
//   - When it merges the base branch, and why not: app/github/commitmerge.go, then
//     app/jobs, merge.go and parting.go; checker/conflict.go says it. Who is looked at
//     again when the default branch moves: app/jobs/standing.go.
//   - What keeps the default branch fresh, where its policy asks for it: app/jobs/refresh.go.
//   - Why a finding passes: checker/allow.go and gate.go; app/config/allow.go reads the rules.
//   - Which answers a change loses: checker/ask.go, sit.go and questions.go, over checker/suite; which
//     are lost once it is merged: merged.go, and coming.go for what is said of its rules;
//     what it costs: app/jobs/suite.go. Who teaches what: checker/answer, lesson.go, and
//     kind.go with kinds.txt for what a question asks for.
//   - What may stand in an answer: checker/desk.go, which ask, eval, check and replies all go by;
//     names as a page shows them: checker/answer/views.go.
//   - What is said of commits: checker, Trace; what they cost: app/jobs/trace.go.
//   - What a question costs: checker/answer, search.go, with bound.go and vicinity.go; its tests count the work.
//   - What is kept of an index, and when it is used: app/ask/stock.go, then app/jobs/stock.go for the App
//     and cmd/cardkeeper/cache.go for the command.
//   - Why something was or was not answered: cardkeeper ask --explain, then checker/answer.
//   - Why a near miss is refused, or a right answer taken for one: checker/answer, demand.go, then
//     against.go, with attributes.txt, opposites.txt, units.txt and answerers.txt.
//   - Why an answer says "withheld": checker/answer, marker.go with kept.txt and names.go.
//   - Why a question got no reply: app/jobs, answer.go, then asking.go; why an earlier one changed: older.go.
//   - What is new in a pull request: app/jobs/novelty.go.
//   - What was asked in vain, and what is kept of it: app/ask/gaps.go, app/store/gap.go.
//   - What meaning search may do, and what is sent for it: app/ask/meaning.go, then app/embed.
//   - What GitHub may send, and what we make of it: webhooks, its Plan.
//   - What other scanners are told and this one does not obey: checker/marks.tsv.
//   - Why a harmless line is withheld: checker/quoted.go with secret.Remember.
//   - How a burst of deliveries is taken in: app/jobs, intake.go and pile.go, with app/store, batch.go.
//   - What happens after a crash: app/jobs with app/store.
//   - What finds what no event told of: app/jobs, rounds.go, then sweep.go and reconcile.go; what is left of who is
//     gone: account.go and farewell.go.
//   - What an operator or a repository can set: app/config.
//   - What an operator can see: app/meter with its names, app/web; the keys of log
//     lines stand where the lines are written, as Log constants.
//   - Which permissions and events the App has, and why: app/setup, its manifest.
//   - Why nothing is blocked: cardkeeper doctor, then app/setup, the files examine*.go.
//   - A small repository with its cards: testdata/example.
package app
