package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	gh "github.com/google/go-github/v66/github"
)

const (
	perPage  = 100 // the most GitHub gives on a page
	maxPages = 100 // 10,000 items; a list beyond that is ErrTooLarge, never cut
)

// Client is one installation of the App. It is safe for concurrent use.
type Client struct {
	app          *App
	installation int64
	call         *caller
}

// caller sends requests with one kind of credential.
type caller struct {
	app *App
	gh  *gh.Client
}

// caller makes a caller over an authenticating transport. Redirects were dealt
// with below; the client must not look for its own.
func (a *App) caller(rt http.RoundTripper) *caller {
	c := gh.NewClient(&http.Client{
		Transport:     rt,
		Timeout:       callTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
	c.BaseURL = a.base
	return &caller{app: a, gh: c}
}

// call is one request. The route is a pattern that errors may show; args fill
// its braces in order, escaped.
type call struct {
	method string // "" is GET
	route  string
	args   []any
	query  url.Values
	in     any
	out    any
	limit  int64 // of the answer in bytes; 0 is maxBody
}

// errArgument is a mistake of the caller or a hostile name, never sent.
var errArgument = errors.New("a name in the request is empty or no plain name")

// do sends a call, decodes the answer and returns the number of the next page,
// 0 if there is none.
func (c *caller) do(ctx context.Context, k call) (int, error) {
	if k.method == "" {
		k.method = http.MethodGet
	}
	path, err := k.path()
	if err != nil {
		return 0, &failure{method: k.method, route: k.route, kinds: []error{ErrInvalid, err}}
	}
	req, err := c.gh.NewRequest(k.method, path, k.in)
	if err != nil { // unreachable: the path was built here and the body is our own struct
		return 0, &failure{method: k.method, route: k.route, kinds: []error{ErrInvalid}}
	}
	if k.limit > 0 {
		ctx = context.WithValue(ctx, bodyLimit{}, k.limit)
	}
	resp, err := c.gh.Do(ctx, req, k.out)
	if err != nil {
		return 0, explain(ctx, k.method, k.route, c.app.now(), err)
	}
	return resp.NextPage, nil
}

// path fills the pattern. An argument that a server would read as another path
// is refused: an escaped ".." is still a step up.
func (k call) path() (string, error) {
	var b strings.Builder
	rest, args := strings.TrimPrefix(k.route, "/"), k.args
	for {
		before, after, ok := strings.Cut(rest, "{")
		b.WriteString(before)
		if !ok {
			break
		}
		_, rest, _ = strings.Cut(after, "}")
		arg := fmt.Sprint(args[0])
		if arg == "" || arg == "." || arg == ".." {
			return "", errArgument
		}
		b.WriteString(url.PathEscape(arg))
		args = args[1:]
	}
	if len(k.query) > 0 {
		b.WriteString("?" + k.query.Encode())
	}
	return b.String(), nil
}

const repoRoute = "/repos/{owner}/{repo}"

// in sends a call whose route and arguments continue those of a repository. A
// write that was redirected is sent once more under the name that the
// repository's id has now (2A-31).
func (c *Client) in(ctx context.Context, repo Repo, k call) (int, error) {
	send := func(r Repo) (int, error) {
		there := k
		there.route = repoRoute + k.route
		there.args = append([]any{r.Owner, r.Name}, k.args...)
		return c.call.do(ctx, there)
	}
	next, err := send(repo)
	read := k.method == "" || k.method == http.MethodGet
	if read || !errors.Is(err, ErrMoved) || repo.ID == 0 {
		return next, err
	}
	now, found := c.Repository(ctx, repo.ID)
	if found != nil || (now.Owner == repo.Owner && now.Name == repo.Name) {
		return 0, err
	}
	return send(now)
}

// pages calls take for each page of a list until there is none. A list that does
// not end is ErrTooLarge, so that a part never passes for the whole.
func pages[T any](ctx context.Context, c *Client, repo Repo, k call, take func(T)) error {
	query := url.Values{"per_page": {strconv.Itoa(perPage)}}
	for key, v := range k.query {
		query[key] = v
	}
	k.query = query
	for page := 1; page <= maxPages; {
		var out T
		k.out = &out
		query.Set("page", strconv.Itoa(page))
		next, err := c.in(ctx, repo, k)
		if err != nil {
			return err
		}
		take(out)
		if next <= page {
			return nil
		}
		page = next
	}
	return &failure{method: http.MethodGet, route: repoRoute + k.route, kinds: []error{ErrTooLarge}}
}

// odd is the error for an answer of success that lacks what it must hold.
func odd(method, route string) error {
	return &failure{method: method, route: route, status: http.StatusOK, kinds: []error{ErrUnavailable}}
}
