package github

import (
	"context"
	"net/http"
	"net/url"

	gh "github.com/google/go-github/v66/github"
)

const pullsRoute = "/pulls"

// PullsFrom lists the pull requests from one branch of the repository to another,
// open or not, newest first, at most a hundred.
func (c *Client) PullsFrom(ctx context.Context, repo Repo, head, base string) (list []Pull, err error) {
	var page []*gh.PullRequest
	query := url.Values{"state": {"all"}, "head": {repo.Owner + ":" + head}, "base": {base}, "per_page": {"100"}}
	if _, err := c.in(ctx, repo, call{route: pullsRoute, query: query, out: &page}); err != nil {
		return nil, err
	}
	for _, p := range page {
		if p.GetHead().GetRef() == head { // a server that knows no such filter lists others
			list = append(list, pull(p))
		}
	}
	return list, nil
}

// OpenPull opens a pull request from one branch of the repository to another.
// [ErrInvalid] is what GitHub answers where there is one, or nothing to merge.
func (c *Client) OpenPull(ctx context.Context, repo Repo, head, base, title, body string) (number int, err error) {
	in := struct {
		Title string `json:"title"`
		Head  string `json:"head"`
		Base  string `json:"base"`
		Body  string `json:"body"`
	}{title, head, base, body}
	var made gh.PullRequest
	if _, err := c.in(ctx, repo, call{method: http.MethodPost, route: pullsRoute, in: in, out: &made}); err != nil {
		return 0, err
	}
	if made.GetNumber() == 0 {
		return 0, odd(http.MethodPost, repoRoute+pullsRoute)
	}
	return made.GetNumber(), nil
}
