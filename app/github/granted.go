package github

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	gh "github.com/google/go-github/v66/github"
)

// grantTime is how long the permissions of an installation are believed. When an
// owner accepts others an event comes, on which [App.Forget] drops them; a lost one
// is made good within the hour.
const grantTime = time.Hour

// A grant is what an owner has accepted, as it was read last.
type grant struct {
	mu          sync.Mutex // held while GitHub is asked: who asks meanwhile gets that answer
	permissions map[string]string
	until       time.Time
}

// Granted is what the owner of an installation has accepted: "read" or "write" by
// permission, as the API spells it. It is asked as the App, once an hour.
func (a *App) Granted(ctx context.Context, installation int64) (map[string]string, error) {
	g := a.grants.obtain(installation, func() *grant { return &grant{} })
	g.mu.Lock()
	defer g.mu.Unlock()
	if a.now().Before(g.until) {
		return maps.Clone(g.permissions), nil
	}
	var w wireInstallation
	_, err := a.own.do(ctx, call{route: "/app/installations/{installation_id}", args: []any{installation}, out: &w})
	if err != nil {
		return nil, err
	}
	g.permissions, g.until = w.Permissions, a.now().Add(grantTime)
	return maps.Clone(g.permissions), nil
}

// User is the login of an account by its id, which a rename leaves alone; person
// says that a human being writes from it.
func (c *Client) User(ctx context.Context, id int64) (login string, person bool, err error) {
	const route = "/user/{account_id}"
	type account struct {
		login string
		kind  string
	}
	u, _, err := fresh(ctx, c, call{route: route, args: []any{id}}, func(u *gh.User) (account, error) {
		if u.GetID() != id || u.GetLogin() == "" {
			return account{}, odd(http.MethodGet, route)
		}
		return account{u.GetLogin(), u.GetType()}, nil
	})
	return u.login, u.kind == "User", err
}
