// Package fakehub is a GitHub in one process, over real git objects, for tests
// and for the demo command. No other code may import it.
//
// A [Hub] is an [http.Handler] that answers the REST operations the App uses, in
// GitHub's shapes, and refuses what GitHub refuses: sizes in bytes, fifty
// annotations a request, other Apps' check runs, clocks that are off, tokens
// without the permission, budgets that are used up. A [Repo] is a bare
// repository made by the git binary, so object ids, merge bases and diffs are
// git's own. What happens in a repository becomes events; [Hub.Deliver] sends
// them, signed, to the configured target and keeps what came of each.
//
// Three things differ from GitHub on purpose. Unknown fields of a request are
// refused with 422, where GitHub ignores them: a misspelt field then fails its
// test. Events wait until Deliver is called, so that a test decides their order
// and may lose or repeat some. A route that is not served answers 501, since
// 404 has a meaning of its own.
//
// The hub listens on the loopback interface only and delivers to loopback
// addresses only.
//
// Facts about GitHub come from its REST reference and its OpenAPI document;
// those that only error answers state are marked where they stand.
package fakehub
