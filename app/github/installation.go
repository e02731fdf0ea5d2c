package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	gh "github.com/google/go-github/v66/github"
)

// Scope narrows an installation's token. The zero Scope is all that the
// installation has.
type Scope struct {
	Repositories []int64 // repository ids, at most 500; none is every repository
	// Permissions as GitHub words them: "read", "write"; "" is not asked for. If
	// all are "", the token has those of the installation.
	Contents, Checks, PullRequests, Issues string
}

// A Duty is a kind of work, with the permissions that it needs and no others.
type Duty string

// The duties. Reading is what stands between a hostile head and the App's other
// rights: whatever happens while trees are read and checked happens without them.
const (
	Reading    Duty = "reading"    // trees, blobs, pull requests, comments, roles
	Publishing Duty = "publishing" // check runs
	Replying   Duty = "replying"   // comments and reactions
	Committing Duty = "committing" // commits to a branch
	Refreshing Duty = "refreshing" // the App's own pull request
)

// scope is what a duty needs; metadata can be read with every token.
func (d Duty) scope() Scope {
	switch d {
	case Reading:
		return Scope{Contents: "read", PullRequests: "read"}
	case Publishing:
		return Scope{Checks: "write"}
	case Replying:
		return Scope{PullRequests: "write"}
	case Committing:
		return Scope{Contents: "write", PullRequests: "read"}
	case Refreshing:
		return Scope{Contents: "read", PullRequests: "write"}
	}
	return Scope{}
}

// For is the client for a duty in one repository of an installation. Its token
// opens that repository alone, with the duty's permissions. What the
// installation was not granted is [ErrUngranted] at the first request, and a
// repository outside the installation [ErrNotFound].
func (a *App) For(installation, repository int64, d Duty) *Client {
	scope := d.scope()
	scope.Repositories = []int64{repository}
	return a.Narrowed(installation, scope)
}

// Installation is the client of an installation with all its repositories and
// permissions. Clients and their tokens are kept for the next call.
func (a *App) Installation(id int64) *Client { return a.Narrowed(id, Scope{}) }

// A clientKey tells clients apart by their tokens.
type clientKey struct {
	installation int64
	scope        string
}

// Narrowed is the client of an installation whose token is narrowed to scope.
func (a *App) Narrowed(id int64, scope Scope) *Client {
	scope.Repositories = slices.Sorted(slices.Values(scope.Repositories))
	key := clientKey{id, fmt.Sprintf("%+v", scope)}
	b := a.bucket(id)
	return a.clients.obtain(key, func() *Client { return a.client(key, scope, b) })
}

// Forget drops the clients and tokens of an installation, which was removed or
// whose permissions changed, and what was read with them.
func (a *App) Forget(id int64) {
	a.clients.drop(func(k clientKey) bool { return k.installation == id })
	a.kept.drop(func(k keptKey) bool { return k.client.installation == id })
	a.levels.drop(func(k levelKey) bool { return k.installation == id })
	a.cuts.drop(func(k levelKey) bool { return k.installation == id })
	a.found.drop(func(int64) bool { return true })
	a.grants.drop(func(i int64) bool { return i == id })
	a.merges.drop(func(k mergeKey) bool { return k.installation == id })
	a.gate.watch.meter.Forget(id)
}

// Surveyor is the client for looking over all repositories of an installation: its one token reads
// all of them and writes nothing. No head is read with it. Its requests are [Limited]
// once less than a tenth of the hour is left, as with [Client.Background].
func (a *App) Surveyor(installation int64) *Client {
	return a.Narrowed(installation, Scope{Contents: "read", PullRequests: "read", Checks: "read"}).Background()
}

// client makes a client whose transport makes its token when it first needs one.
func (a *App) client(key clientKey, scope Scope, b *bucket) *Client {
	renew := func() *ghinstallation.Transport {
		// A transport of its own for each: sharing one between installations is a
		// data race in ghinstallation.
		t := ghinstallation.NewFromAppsTransport(a.appTransport(b), key.installation)
		t.BaseURL = strings.TrimRight(a.base.String(), "/")
		t.InstallationTokenOptions = scope.options()
		return t
	}
	return &Client{app: a, key: key, call: a.caller(&installed{renew: renew}, b)}
}

// appTransport signs as the App; with the bucket of an installation where it only
// fetches that one's tokens.
func (a *App) appTransport(inst *bucket) *ghinstallation.AppsTransport {
	// It fails only without a signer.
	t, _ := ghinstallation.NewAppsTransportWithOptions(
		&appGate{next: a.gate, signer: a.signer, app: a.bucket(0), inst: inst}, a.id, ghinstallation.WithSigner(a.signer))
	return t
}

// options is never nil: ghinstallation would send "null" as the request's body.
func (s Scope) options() *gh.InstallationTokenOptions {
	o := &gh.InstallationTokenOptions{RepositoryIDs: s.Repositories}
	set := func(v string) *string {
		if v == "" {
			return nil
		}
		return &v
	}
	p := gh.InstallationPermissions{Contents: set(s.Contents), Checks: set(s.Checks), PullRequests: set(s.PullRequests), Issues: set(s.Issues)}
	if s.Contents+s.Checks+s.PullRequests+s.Issues != "" {
		o.Permissions = &p
	}
	return o
}

// lookTime is how long an answer to InstallationOf counts. An installation that
// goes is told by its events, and by its tokens.
const lookTime = time.Minute

// A lookUp is one repository's installation as it was found last.
type lookUp struct {
	mu    sync.Mutex // held while GitHub is asked: who asks meanwhile gets that answer
	id    int64
	err   error
	until time.Time
}

// InstallationOf is the id of the installation that covers a repository, asked
// as the App at most once a minute: its own limit is one for all installations
// (2A-67). The repository is named by its id, which outlives every name.
// [ErrNotFound] means that the App is not installed there.
func (a *App) InstallationOf(ctx context.Context, repository int64) (int64, error) {
	const route = "/repositories/{repository_id}/installation"
	l := a.found.obtain(repository, func() *lookUp { return &lookUp{} })
	l.mu.Lock()
	defer l.mu.Unlock()
	if a.now().Before(l.until) {
		return l.id, l.err
	}
	var in gh.Installation
	_, err := a.own.do(ctx, call{route: route, args: []any{repository}, out: &in})
	if err == nil && in.GetID() <= 0 {
		err = odd(http.MethodGet, route)
	}
	if err == nil || errors.Is(err, ErrNotFound) {
		l.id, l.err, l.until = in.GetID(), err, a.now().Add(lookTime)
	}
	return in.GetID(), err
}

// Self is what GitHub knows of this App.
type Self struct {
	ID          int64             `json:"id"`
	Slug        string            `json:"slug"`     // its bot user is SLUG[bot]
	Page        string            `json:"html_url"` // where people see and install it
	Permissions map[string]string `json:"permissions"`
	Events      []string          `json:"events"`
}

// Self asks for the App's own registration, to compare it with what the code
// needs (2A-20).
func (a *App) Self(ctx context.Context) (Self, error) {
	var s Self
	_, err := a.own.do(ctx, call{route: "/app", out: &s})
	return s, err
}

// bot is the login of the App's bot user, asked for once.
func (a *App) bot(ctx context.Context) (string, error) {
	a.mu.Lock()
	slug := a.slug
	a.mu.Unlock()
	if slug == "" {
		self, err := a.Self(ctx)
		if err != nil {
			return "", err
		}
		slug = self.Slug
		a.mu.Lock()
		a.slug = slug
		a.mu.Unlock()
	}
	return slug + "[bot]", nil
}
