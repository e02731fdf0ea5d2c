// Package web is the operator's page: what came in, what became of it, what waits
// and what gave up, with a button that runs it again; and what people asked and
// did not find, with a button that deletes it.
//
// It is there for who has the operator's token, in the header "Authorization:
// Bearer TOKEN" or in a form that gives a cookie for eight hours. The cookie is
// signed with a key made of the token, so it holds on every replica and ends with
// the token. GETs change nothing; a POST needs a token of its own form, bound to
// the session. Pages hold ids and words of ours alone, but for the questions,
// which were scanned before they were kept (law 8). They need no script and nothing
// from elsewhere.
package web
