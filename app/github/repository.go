package github

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	gh "github.com/google/go-github/v66/github"
)

// Repo names a repository. Owner and Name may change at any time; ID never does.
type Repo struct {
	ID            int64
	Owner, Name   string
	DefaultBranch string
	Private       bool
	Archived      bool
}

// Repository reads a repository by its numeric id, under whatever name it has now.
func (c *Client) Repository(ctx context.Context, id int64) (Repo, error) {
	route := "/repositories/{repository_id}"
	repo, _, err := fresh(ctx, c, call{route: route, args: []any{id}}, func(r *gh.Repository) (Repo, error) {
		if r.GetID() != id || r.GetOwner().GetLogin() == "" || r.GetName() == "" {
			return Repo{}, odd(http.MethodGet, route)
		}
		return repository(r), nil
	})
	return repo, err
}

// Find reads a repository by the name that it has now. [ErrNotFound] means that the
// App is not installed in one of that name.
func (a *App) Find(ctx context.Context, owner, name string) (Repo, error) {
	const route = repoRoute + "/installation"
	var in gh.Installation
	if _, err := a.own.do(ctx, call{route: route, args: []any{owner, name}, out: &in}); err != nil {
		return Repo{}, err
	}
	if in.GetID() <= 0 {
		return Repo{}, odd(http.MethodGet, route)
	}
	var r gh.Repository
	if _, err := a.Surveyor(in.GetID()).call.do(ctx, call{route: repoRoute, args: []any{owner, name}, out: &r}); err != nil {
		return Repo{}, err
	}
	if r.GetID() <= 0 {
		return Repo{}, odd(http.MethodGet, repoRoute)
	}
	return repository(&r), nil
}

func repository(r *gh.Repository) Repo {
	return Repo{
		ID: r.GetID(), Owner: r.GetOwner().GetLogin(), Name: r.GetName(), DefaultBranch: r.GetDefaultBranch(),
		Private: r.GetPrivate(), Archived: r.GetArchived(),
	}
}

// Branch is the commit id at the tip of a branch.
func (c *Client) Branch(ctx context.Context, repo Repo, name string) (string, error) {
	route := "/branches/{branch}"
	k := call{route: route, args: []any{name}}
	tip, _, err := fresh(ctx, c, k.of(repo), func(b *gh.Branch) (string, error) {
		return checked(http.MethodGet, route, b.GetCommit().GetSHA())
	})
	return tip, err
}

// Side is the head or the base of a pull request.
type Side struct {
	SHA    string
	RepoID int64 // 0 where the repository was deleted
	Ref    string
}

// Pull is a pull request as it stands at GitHub now.
type Pull struct {
	Number int
	State  string // "open" or "closed"
	Merged bool
	Draft  bool
	Head   Side
	Base   Side   // SHA may lag behind the branch; see [Client.MergeBase]
	Author string // login
	Fork   bool   // the head is in another repository, or in one that is gone
}

// Pull reads one pull request.
func (c *Client) Pull(ctx context.Context, repo Repo, number int) (Pull, error) {
	route := "/pulls/{pull_number}"
	k := call{route: route, args: []any{number}}
	p, _, err := fresh(ctx, c, k.of(repo), func(p *gh.PullRequest) (Pull, error) {
		if _, err := checked(http.MethodGet, route, p.GetHead().GetSHA()); err != nil {
			return Pull{}, err
		}
		return pull(p), nil
	})
	return p, err
}

// OpenPulls lists all open pull requests, oldest first.
func (c *Client) OpenPulls(ctx context.Context, repo Repo) ([]Pull, error) {
	k := call{route: "/pulls", query: url.Values{"state": {"open"}, "sort": {"created"}, "direction": {"asc"}}}
	return pages(ctx, c, repo, k, func(page *[]*gh.PullRequest) (list []Pull, _ error) {
		for _, p := range *page {
			list = append(list, pull(p))
		}
		return list, nil
	})
}

// RecentPulls lists the ten pull requests that changed last, open or not.
func (c *Client) RecentPulls(ctx context.Context, repo Repo) ([]Pull, error) {
	var page []*gh.PullRequest
	query := url.Values{"state": {"all"}, "sort": {"updated"}, "direction": {"desc"}, "per_page": {"10"}}
	if _, err := c.in(ctx, repo, call{route: "/pulls", query: query, out: &page}); err != nil {
		return nil, err
	}
	var list []Pull
	for _, p := range page {
		list = append(list, pull(p))
	}
	return list, nil
}

// pull takes over the few fields that are used; title and body are a person's text
// and stay out (law 8).
func pull(p *gh.PullRequest) Pull {
	side := func(b *gh.PullRequestBranch) Side {
		return Side{SHA: b.GetSHA(), RepoID: b.GetRepo().GetID(), Ref: b.GetRef()}
	}
	out := Pull{
		Number: p.GetNumber(), State: p.GetState(), Merged: p.MergedAt != nil, Draft: p.GetDraft(),
		Head: side(p.GetHead()), Base: side(p.GetBase()), Author: p.GetUser().GetLogin(),
	}
	out.Fork = out.Head.RepoID != out.Base.RepoID || out.Head.RepoID == 0
	return out
}

// MergeBase is the commit from which head left base; see [Client.Compare].
func (c *Client) MergeBase(ctx context.Context, repo Repo, base, head string) (string, error) {
	a, err := c.Compare(ctx, repo, base, head)
	return a.MergeBase, err
}

// Permission is what a person may do in the repository: "admin", "maintain",
// "write", "triage", "read" or "none". A custom role counts as the one that it
// is built on. Who is no collaborator, or unknown, has "none".
func (c *Client) Permission(ctx context.Context, repo Repo, login string) (string, error) {
	k := call{route: "/collaborators/{username}/permission", args: []any{login}}
	role, _, err := fresh(ctx, c, k.of(repo), func(p *gh.RepositoryPermissionLevel) (string, error) {
		// The older field knows triage as read and maintain as write; the newer one
		// is missing on old servers and holds free names for custom roles.
		for _, role := range []string{p.GetRoleName(), p.GetPermission()} {
			switch role {
			case "admin", "maintain", "write", "triage", "read", "none":
				return role, nil
			}
		}
		return "none", nil
	})
	if errors.Is(err, ErrNotFound) && !errors.Is(err, ErrNoInstallation) {
		return "none", nil
	}
	return role, err
}

// checked is an object id of an answer, or the error that it holds none.
func checked(method, route, id string) (string, error) {
	if !objectID(id) {
		return "", odd(method, repoRoute+route)
	}
	return id, nil
}

// objectID reports whether s is a full object id, SHA-1 or SHA-256, and no branch name.
func objectID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
