// Package github is the one client that speaks to GitHub.
//
// An [App] holds the key of a GitHub App; [App.Installation] gives the [Client]
// of one installation, whose methods are the operations that the service needs:
// pull requests, trees and blobs, check runs, comments. Values go in and come
// out; no type of the library underneath leaves the package.
//
// Every request passes one transport (transport.go) that closes what the
// libraries leave open: a redirected write is [ErrMoved] and not a silent GET, a
// token never leaves the configured host, 403 and 429 limits become [Limited]
// with the time to wait, every body is bounded, and a wrong local clock is
// corrected by GitHub's own. Errors name method, route pattern and status; never
// a body, an address or a token (law 8). Nothing is retried after a limit or a
// fault of the server: when to come back is the queue's decision.
package github

import "errors"

// Errors that a caller tells apart with [errors.Is]. A [Limited] is found with
// [errors.As].
var (
	// ErrNotFound: GitHub answers 404 or 410. It also answers 404 for what the
	// installation may not see.
	ErrNotFound = errors.New("not found, or not visible to this installation")
	// ErrForbidden: 403 that is no limit. The three below are kinds of it.
	ErrForbidden = errors.New("forbidden; compare the App's permissions with those that the owner has accepted")
	// ErrArchived: the repository is read-only for good; do not retry.
	ErrArchived = errors.New("the repository is archived")
	// ErrSuspended: the installation is suspended; wait for installation.unsuspend.
	ErrSuspended = errors.New("the installation is suspended")
	// ErrNotOurs: the check run belongs to another App, such as an earlier
	// registration of this one.
	ErrNotOurs = errors.New("the check run was made by another App")
	// ErrUnauthorized: 401 that a new token did not mend.
	ErrUnauthorized = errors.New("GitHub does not accept the App's credentials; compare App id and private key with the App's settings page")
	// ErrNoInstallation: no token for the installation, it is gone; look it up
	// again with [App.InstallationOf].
	ErrNoInstallation = errors.New("the installation does not exist any more")
	// ErrMoved: a write was redirected, or any request to another host. Nothing was
	// written. Read the repository by its id and write to its new name.
	ErrMoved = errors.New("moved; look up the new name by the repository's id")
	// ErrInvalid: 422 or another status that says the request itself is wrong.
	ErrInvalid = errors.New("GitHub refuses the request as invalid")
	// ErrConflict: 409, such as the tree of a repository without a commit.
	ErrConflict = errors.New("conflict with the repository's state (a repository without commits?)")
	// ErrTooLarge: an answer or a list is over its bound.
	ErrTooLarge = errors.New("larger than what is read")
	// ErrUnavailable: 5xx, a broken connection, or an answer that makes no sense.
	ErrUnavailable = errors.New("GitHub is not available; try again later")
)
