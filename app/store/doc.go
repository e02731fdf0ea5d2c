// Package store keeps what a running App must not lose: deliveries, pull
// request generations, verdicts, outside effects, answers, gaps, how much was asked
// within the hour, index segments, whole indexes and vectors of facts. It speaks database/sql to SQLite
// (embedded, the default) or to PostgreSQL (several replicas); both pass one list of tests.
//
// # What is kept, and what is not
//
// Rows hold GitHub's numeric ids, commit ids and short machine words (law 12).
// Each such field is checked on the way in and [ErrInvalid] is returned for
// anything that could be a sentence. Five fields hold text: a verdict's report,
// an answer, a gap's question, an index segment and an index. Their writers take only text
// that was scanned before (law 8); the store cannot scan.
//
// # Two kinds of methods
//
// A method whose name ends in Tx takes the *sql.Tx of [Store.Tx] and the ctx
// handed to the function; all of them, and the queue's own inserts, commit or
// vanish together. Every other method takes a connection of its own. Inside a
// transaction only Tx methods are allowed: SQLite has one writing connection, so
// asking for a second would wait for itself. The store notices and returns
// [ErrInsideTx] instead.
//
// # The queue
//
// The queue (River) lives in the same database. [Open] runs its migrations, and
// [Store.QueueDriver] gives the driver that a queue client is made from, so a job
// and the row that asked for it share one *sql.Tx on both databases.
package store
