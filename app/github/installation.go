package github

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// Installation is the client of an installation with all its repositories and
// permissions. Clients and their tokens are kept for the next call.
func (a *App) Installation(id int64) *Client { return a.Narrowed(id, Scope{}) }

// Narrowed is the client of an installation whose token is narrowed to scope.
func (a *App) Narrowed(id int64, scope Scope) *Client {
	scope.Repositories = slices.Sorted(slices.Values(scope.Repositories))
	key := fmt.Sprintf("%d %+v", id, scope)
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.clients[key]; c != nil {
		return c
	}
	if len(a.clients) >= maxClients {
		clear(a.clients) // tokens are cheap to make again
	}
	c := a.client(id, scope)
	a.clients[key] = c
	return c
}

// Forget drops the clients and tokens of an installation, which was removed or
// whose permissions changed.
func (a *App) Forget(id int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, c := range a.clients {
		if c.installation == id {
			delete(a.clients, key)
		}
	}
}

// client makes a client whose transport makes its token when it first needs one.
func (a *App) client(id int64, scope Scope) *Client {
	renew := func() *ghinstallation.Transport {
		// A transport of its own for each: sharing one between installations is a
		// data race in ghinstallation.
		t := ghinstallation.NewFromAppsTransport(a.appTransport(true), id)
		t.BaseURL = strings.TrimRight(a.base.String(), "/")
		t.InstallationTokenOptions = scope.options()
		return t
	}
	return &Client{app: a, installation: id, call: a.caller(&installed{renew: renew})}
}

// appTransport signs as the App; forTokens where it only fetches tokens of an
// installation.
func (a *App) appTransport(forTokens bool) *ghinstallation.AppsTransport {
	// It fails only without a signer.
	t, _ := ghinstallation.NewAppsTransportWithOptions(
		&appGate{next: a.gate, signer: a.signer, token: forTokens}, a.id, ghinstallation.WithSigner(a.signer))
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

// InstallationOf is the id of the installation that covers a repository, asked
// as the App. [ErrNotFound] means that the App is not installed there.
func (a *App) InstallationOf(ctx context.Context, owner, name string) (int64, error) {
	var in gh.Installation
	_, err := a.own.do(ctx, call{route: "/repos/{owner}/{repo}/installation", args: []any{owner, name}, out: &in})
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
