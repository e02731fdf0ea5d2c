package github

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	apiVersion = "2022-11-28" // submodules and rate limits are as this version says
	maxHops    = 5            // redirects of one GET
	// maxBody bounds an ordinary answer; a page of 100 pull requests is about 2 MB.
	maxBody int64 = 16 << 20
	// maxComplaint bounds what is read of an error's body, enough for its message.
	maxComplaint = 64 << 10
)

// bodyLimit is the context key for an answer's bound in bytes.
type bodyLimit struct{}

// gate is the transport under everything. It returns answers of success alone;
// every other status is a *failure with its body closed, so that no layer above
// can take an error for content or leave a body open.
type gate struct {
	next  http.RoundTripper
	base  *url.URL
	agent string
	now   func() time.Time
	watch scribe
}

// send sends the request for the caller whose bucket it is, follows a read within
// the host, and judges what comes back.
func (g *gate) send(req *http.Request, b *bucket) (*http.Response, error) {
	for range maxHops + 1 {
		resp, err := g.once(req, b)
		if err != nil {
			return nil, err
		}
		if !redirects(resp.StatusCode) {
			return g.judge(req, resp, b)
		}
		next, ok := g.follow(req, resp)
		if !ok {
			return nil, &failure{method: req.Method, status: resp.StatusCode, kinds: []error{ErrMoved}}
		}
		req = next
	}
	return nil, &failure{method: req.Method, kinds: []error{ErrMoved}}
}

// redirects reports whether a status asks to send the request elsewhere. 304 is
// none of them: it says that what the caller has is still right.
func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// once sends one request, unless a limit is known that it would run into. The
// token stands in its header, so the host is checked here, whoever made the request.
func (g *gate) once(req *http.Request, b *bucket) (*http.Response, error) {
	if req.URL.Scheme != g.base.Scheme || req.URL.Host != g.base.Host {
		return nil, unsent(req, ErrMoved)
	}
	if err := b.enter(req); err != nil {
		g.watch.limit(err)
		return nil, unsent(req, err)
	}
	defer b.leave()
	out := req.Clone(req.Context())
	out.Header.Set("X-GitHub-Api-Version", apiVersion)
	out.Header.Set("User-Agent", g.agent)
	begun := time.Now()
	resp, err := g.next.RoundTrip(out)
	g.watch.sent(req, resp, time.Since(begun), b.installation)
	if err != nil {
		return nil, &failure{method: req.Method, kinds: []error{network(req.Context(), err)}}
	}
	b.learn(resource(req), resp.Header)
	return resp, nil
}

// unsent is the failure of a request that never left.
func unsent(req *http.Request, kind error) error {
	if req.Body != nil {
		_ = req.Body.Close()
	}
	return &failure{method: req.Method, kinds: []error{kind}}
}

// network keeps the caller's own cancellation apart from a broken connection.
func network(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, ErrTooLarge) {
		return ErrTooLarge
	}
	return ErrUnavailable
}

// follow makes the request that a redirect asks for. Only reads are followed: a
// redirected POST would be sent again as a GET without a body, so the write
// would vanish without an error. Whether the host is ours is for once to judge.
func (g *gate) follow(req *http.Request, resp *http.Response) (*http.Request, bool) {
	drain(resp.Body)
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		return nil, false
	}
	to, err := resp.Location()
	if err != nil || to.User != nil {
		return nil, false
	}
	next := req.Clone(req.Context())
	next.URL, next.Host = to, ""
	return next, true
}

// judge passes a success on with a bounded body and makes a failure of the rest.
func (g *gate) judge(req *http.Request, resp *http.Response, b *bucket) (*http.Response, error) {
	if resp.StatusCode/100 == 2 {
		limit := maxBody
		if n, ok := req.Context().Value(bodyLimit{}).(int64); ok {
			limit = n
		}
		resp.Body = &bounded{body: resp.Body, left: limit}
		hideRate(resp.Header)
		b.good()
		return resp, nil
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxComplaint))
	_ = resp.Body.Close()
	f := &failure{method: req.Method, status: resp.StatusCode, kinds: classify(resp, body, g.now())}
	g.watch.limit(f.kinds...)
	var l *Limited
	if errors.As(f, &l) {
		b.hit(l, resource(req))
	}
	if resp.StatusCode == http.StatusNotModified && req.Header.Get("If-None-Match") != "" {
		f.kinds = []error{errUnchanged}
	}
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		f.date = date
	}
	return nil, f
}

// hideRate takes the figures of the limit out of an answer once they are known:
// the library above would refuse by them as well, by the local clock alone.
func hideRate(h http.Header) {
	for _, name := range []string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		h.Del(name)
	}
}

// drain reads the little that is left, so that the connection can be used again.
func drain(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, maxComplaint)
	_ = body.Close()
}

// bounded is a body that fails with ErrTooLarge instead of ending early.
// An answer that ended early could still be read as JSON up to there.
type bounded struct {
	body io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.body.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

func (b *bounded) Close() error { return b.body.Close() }

// defaultTransport has a time-out for every stage that can hang; the client
// bounds the whole request as well.
func defaultTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.TLSHandshakeTimeout = 10 * time.Second
	t.ResponseHeaderTimeout = 45 * time.Second // GitHub gives up on its own requests after 10 s
	t.IdleConnTimeout = 90 * time.Second
	t.MaxIdleConnsPerHost = blobWorkers
	return t
}
