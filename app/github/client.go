package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	gh "github.com/google/go-github/v66/github"
)

const (
	perPage  = 100 // the most GitHub gives on a page
	maxPages = 100 // 10,000 items; a list beyond that is ErrTooLarge, never cut
)

// Client is one installation of the App. It is safe for concurrent use.
type Client struct {
	app  *App
	key  clientKey
	call *caller
}

// Background is the client for work that can wait: its requests are [Limited]
// once less than a tenth of the installation's hour is left, so that verdicts
// have the rest. It shares token and caches with c.
func (c *Client) Background() *Client {
	own := *c.call
	own.yields = true
	return &Client{app: c.app, key: c.key, call: &own}
}

// caller sends requests with one kind of credential.
type caller struct {
	app    *App
	gh     *gh.Client
	bucket *bucket
	yields bool // to others, where few requests are left
}

// caller makes a caller over an authenticating transport. Redirects were dealt
// with below; the client must not look for its own.
func (a *App) caller(rt http.RoundTripper, b *bucket) *caller {
	c := gh.NewClient(&http.Client{
		Transport:     rt,
		Timeout:       callTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
	c.BaseURL = a.base
	return &caller{app: a, gh: c, bucket: b}
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
	limit  int64  // of the answer in bytes; 0 is maxBody
	tag    string // of the answer that we have; if it is still right, reply.unchanged
	graph  bool   // to the address of GraphQL, whatever the route
}

// A reply is what an answer says beside its body.
type reply struct {
	next      int    // number of the next page, 0 if there is none
	cursor    string // of the next page, where a list is paged so
	tag       string // for the next request, "" where GitHub gives none
	unchanged bool
}

var (
	// errArgument is a mistake of the caller or a hostile name, never sent.
	errArgument = errors.New("a name in the request is empty or no plain name")
	// errUnchanged: 304, which costs nothing of the primary limit.
	errUnchanged = errors.New("as it was")
)

// do sends a call, decodes the answer and returns the number of the next page,
// 0 if there is none.
func (c *caller) do(ctx context.Context, k call) (int, error) {
	r, err := c.send(ctx, k)
	return r.next, err
}

// send is do with all that the answer says.
func (c *caller) send(ctx context.Context, k call) (reply, error) {
	if k.method == "" {
		k.method = http.MethodGet
	}
	path, err := k.path()
	if err != nil {
		return reply{}, &failure{method: k.method, route: k.route, kinds: []error{ErrInvalid, err}}
	}
	if k.graph {
		path = c.app.graph
	}
	if l := c.scarce(); l != nil {
		return reply{}, &failure{method: k.method, route: k.route, kinds: []error{l}}
	}
	req, err := c.gh.NewRequest(k.method, path, k.in)
	if err != nil { // unreachable: the path was built here and the body is our own struct
		return reply{}, &failure{method: k.method, route: k.route, kinds: []error{ErrInvalid}}
	}
	if k.tag != "" {
		req.Header.Set("If-None-Match", k.tag)
	}
	if k.limit > 0 {
		ctx = context.WithValue(ctx, bodyLimit{}, k.limit)
	}
	resp, err := c.gh.Do(withRoute(ctx, k.route), req, k.out)
	if errors.Is(err, errUnchanged) {
		return reply{unchanged: true}, nil
	}
	if accepted := (*gh.AcceptedError)(nil); errors.As(err, &accepted) {
		err = nil // 202, which the library takes for an error
	}
	if err != nil {
		return reply{}, explain(ctx, k.method, k.route, err)
	}
	return reply{next: resp.NextPage, cursor: resp.Cursor, tag: resp.Header.Get("ETag")}, nil
}

// scarce is the limit that work which yields has reached, nil for none.
func (c *caller) scarce() *Limited {
	if !c.yields {
		return nil
	}
	return c.bucket.scarce()
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
	r, err := c.ask(ctx, repo, k)
	return r.next, err
}

// ask is in with all that the answer says.
func (c *Client) ask(ctx context.Context, repo Repo, k call) (reply, error) {
	next, err := c.call.send(ctx, k.of(repo))
	read := k.method == "" || k.method == http.MethodGet
	if read || !errors.Is(err, ErrMoved) || repo.ID == 0 {
		return next, err
	}
	now, found := c.Repository(ctx, repo.ID)
	if found != nil || (now.Owner == repo.Owner && now.Name == repo.Name) {
		return reply{}, err
	}
	return c.call.send(ctx, k.of(now))
}

// of puts a repository's name in front of the route.
func (k call) of(repo Repo) call {
	k.route = repoRoute + k.route
	k.args = append([]any{repo.Owner, repo.Name}, k.args...)
	return k
}

// odd is the error for an answer of success that lacks what it must hold.
func odd(method, route string) error {
	return &failure{method: method, route: route, status: http.StatusOK, kinds: []error{ErrUnavailable}}
}
