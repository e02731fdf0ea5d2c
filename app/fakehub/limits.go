package fakehub

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// limits is the primary rate limit: two buckets for each installation, REST's and
// GraphQL's, and one for calls by JWT. Installations have 5,000 requests an hour before GitHub adds
// to that for many repositories and people.
type limits struct {
	budget  int
	buckets map[string]*bucket
}

type bucket struct {
	used     int
	reset    time.Time
	resource string // GitHub's name of it
}

func newLimits() limits { return limits{budget: 5_000, buckets: map[string]*bucket{}} }

// SetBudget sets how many requests each caller has in an hour, and starts the
// hour anew. With 0 every request is refused.
func (h *Hub) SetBudget(requests int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.limit = limits{requests, map[string]*bucket{}}
}

// bucket is a caller's hour. A new hour begins with the first request after
// the old one's end.
func (h *Hub) bucket(name string) *bucket {
	b := h.limit.buckets[name]
	if b == nil || !h.now().Before(b.reset) {
		b = &bucket{reset: h.now().Add(time.Hour), resource: "core"}
		if strings.HasSuffix(name, graphSuffix) {
			b.resource = "graphql"
		}
		h.limit.buckets[name] = b
	}
	return b
}

// graphSuffix parts the points of GraphQL from the requests of REST.
const graphSuffix = ", GraphQL"

// errGraphLimited is a used-up hour of GraphQL.
var errGraphLimited = errors.New("rate limited")

// bucketName of a call: the token's installation, or the App.
func bucketName(t *token, path string) string {
	if t == nil {
		return "app"
	}
	name := fmt.Sprint("installation ID ", t.installation.id)
	if strings.HasSuffix(path, "/graphql") {
		name += graphSuffix
	}
	return name
}

// charge takes one request from the caller's budget and writes the headers
// that every answer carries.
func (h *Hub) charge(t *token, path string, header http.Header) error {
	b := h.bucket(bucketName(t, path))
	if b.used >= h.limit.budget && b.resource == "graphql" {
		h.limitHeaders(b, header)
		return errGraphLimited
	}
	if b.used >= h.limit.budget {
		h.limitHeaders(b, header)
		return problem(http.StatusForbidden, "API rate limit exceeded for "+bucketName(t, path)+".")
	}
	b.used++
	h.limitHeaders(b, header)
	return nil
}

// refund gives back what a request took that was answered 304.
func (h *Hub) refund(r *http.Request, header http.Header) {
	b := h.bucket(bucketName(h.tokens[credential(r)], r.URL.Path))
	b.used = max(0, b.used-1)
	h.limitHeaders(b, header)
}

// limitHeaders are on answers of every kind, refusals and faults too. A
// secondary limit is told from a primary one by a remaining count that is not
// 0.
func (h *Hub) limitHeaders(b *bucket, header http.Header) {
	for name, n := range map[string]int64{
		"X-Ratelimit-Limit": int64(h.limit.budget), "X-Ratelimit-Used": int64(b.used),
		"X-Ratelimit-Remaining": int64(h.limit.budget - b.used), "X-Ratelimit-Reset": b.reset.Unix(),
	} {
		header.Set(name, strconv.FormatInt(n, 10))
	}
	header.Set("X-Ratelimit-Resource", b.resource)
}

// rateLimit is GET /rate_limit, which costs nothing.
func (h *Hub) rateLimit(c *call) (reply, error) {
	b := h.bucket(bucketName(c.token, ""))
	rate := object{
		"limit": h.limit.budget, "used": b.used, "remaining": h.limit.budget - b.used, "reset": b.reset.Unix(),
	}
	return reply{body: object{"resources": object{"core": rate, "search": rate}, "rate": rate}}, nil
}
