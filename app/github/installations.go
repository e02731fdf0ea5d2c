package github

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	gh "github.com/google/go-github/v66/github"
)

// Installed is the App on one account.
type Installed struct {
	ID          int64
	Account     string            // login, "" where GitHub does not say
	Page        string            // where its owner accepts permissions
	Permissions map[string]string // those that the owner has accepted
	Events      []string
	Suspended   bool
}

// Installations lists all accounts that have the App, in GitHub's order, suspended
// ones among them.
func (a *App) Installations(ctx context.Context) ([]Installed, error) {
	const route = "/app/installations"
	var all []Installed
	err := everyPage(route, func(query url.Values) (int, error) {
		var page []wireInstallation
		next, err := a.own.do(ctx, call{route: route, query: query, out: &page})
		for _, w := range page {
			all = append(all, w.installed())
		}
		return next, err
	})
	return all, err
}

// wireInstallation is read by our own type: the library's knows fewer permissions
// than there are, and whatever an owner accepted has to be seen.
type wireInstallation struct {
	ID      int64 `json:"id"`
	Account struct {
		Login string `json:"login"`
	} `json:"account"`
	Page        string            `json:"html_url"`
	Permissions map[string]string `json:"permissions"`
	Events      []string          `json:"events"`
	Suspended   *time.Time        `json:"suspended_at"`
}

func (w wireInstallation) installed() Installed {
	return Installed{w.ID, w.Account.Login, w.Page, w.Permissions, w.Events, w.Suspended != nil}
}

// Repositories lists the repositories that the installation covers, at most limit
// of them, and says how many there are in all. limit 0 only counts.
func (c *Client) Repositories(ctx context.Context, limit int) (list []Repo, total int, err error) {
	const route = "/installation/repositories"
	err = everyPage(route, func(query url.Values) (int, error) {
		var page gh.ListRepositories
		next, err := c.call.do(ctx, call{route: route, query: query, out: &page})
		total = page.GetTotalCount()
		for _, r := range page.Repositories {
			if len(list) < limit {
				list = append(list, repository(r))
			}
		}
		if len(list) >= limit {
			next = 0
		}
		return next, err
	})
	return list, total, err
}

// everyPage calls ask with each page's number until there is none. A list that
// does not end is ErrTooLarge, so that a part never passes for the whole.
func everyPage(route string, ask func(url.Values) (next int, err error)) error {
	for page := 1; page <= maxPages; {
		next, err := ask(url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}})
		if err != nil || next <= page {
			return err
		}
		page = next
	}
	return &failure{method: http.MethodGet, route: route, kinds: []error{ErrTooLarge}}
}
