// Package github is the one client that speaks to GitHub.
//
// An [App] holds the key of a GitHub App; [App.For] gives the [Client] for one
// duty in one repository, whose methods are the operations that the service needs:
// pull requests, trees and blobs, check runs, comments. Values go in and come
// out; no type of the library underneath leaves the package.
//
// Every request passes one transport (transport.go) that closes what the
// libraries leave open: a redirected write is [ErrMoved] and not a silent GET, a
// token never leaves the configured host, every body is bounded, and a wrong local
// clock is corrected by GitHub's own. Errors name method, route pattern and status;
// never a body, an address or a token (law 8).
//
// # Limits
//
// 403 and 429 limits, and those that GraphQL tells with 200, become [Limited] with
// the time to wait. What is known of an installation's limits (bucket.go) ends its
// other requests before they are sent. Nothing waits here and nothing is retried:
// when to come back is the queue's decision. [Client.Background] leaves the last
// tenth of an hour's requests to others.
//
// # What is not asked for again
//
// What may change is asked for with the tag of the last answer (fresh.go), which
// costs nothing where it is as it was. What an id names never changes: trees are
// kept by level (levels.go), so that a new commit costs what differs, and so are
// merge bases. Where dozens of objects are needed they are asked for a hundred at a
// time (graph.go), and each is hashed before it is believed. All of it is in memory
// and bounded; texts of people and contents of files are not kept.
package github

import "errors"

// Errors that a caller tells apart with [errors.Is]. A [Limited] is found with
// [errors.As].
var (
	// ErrNotFound: GitHub answers 404 or 410. It also answers 404 for what the
	// installation may not see.
	ErrNotFound = errors.New("not found, or not visible to this installation")
	// ErrForbidden: 403 that is no limit. The four below are kinds of it.
	ErrForbidden = errors.New("forbidden; compare the App's permissions with those that the owner has accepted")
	// ErrArchived: the repository is read-only for good; do not retry.
	ErrArchived = errors.New("the repository is archived")
	// ErrSuspended: the installation is suspended; wait for installation.unsuspend.
	ErrSuspended = errors.New("the installation is suspended")
	// ErrNotOurs: the check run belongs to another App, such as an earlier
	// registration of this one.
	ErrNotOurs = errors.New("the check run was made by another App")
	// ErrUngranted: a token was asked for with a permission that the installation
	// does not have: the owner has not accepted it yet.
	ErrUngranted = errors.New("a permission is missing; the owner of the installation has to accept the App's new permissions")
	// ErrOvertaken: nothing was written, since what was to be said is not true any
	// more; see [Run].
	ErrOvertaken = errors.New("overtaken before it was written")
	// ErrUnauthorized: 401 that a new token did not mend.
	ErrUnauthorized = errors.New("GitHub does not accept the App's credentials; compare App id and private key with the App's settings page")
	// ErrNoInstallation: no token for the installation, it is gone; look it up
	// again with [App.InstallationOf].
	ErrNoInstallation = errors.New("the installation does not exist any more")
	// ErrMoved: a write was redirected, or any request to another host. Nothing was
	// written. Read the repository by its id and write to its new name.
	ErrMoved = errors.New("moved; look up the new name by the repository's id")
	// ErrBehind: a branch cannot be moved to a commit without losing others: it was
	// moved meanwhile. It is also [ErrInvalid].
	ErrBehind = errors.New("the branch has moved on")
	// ErrInvalid: 422 or another status that says the request itself is wrong.
	ErrInvalid = errors.New("GitHub refuses the request as invalid")
	// ErrConflict: 409, such as the tree of a repository without a commit.
	ErrConflict = errors.New("conflict with the repository's state (a repository without commits?)")
	// ErrTooLarge: an answer or a list is over its bound.
	ErrTooLarge = errors.New("larger than what is read")
	// ErrUnavailable: 5xx, a broken connection, or an answer that makes no sense.
	ErrUnavailable = errors.New("GitHub is not available; try again later")
)
