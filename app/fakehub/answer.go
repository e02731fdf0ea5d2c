package fakehub

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// paged cuts a list to the page asked for: 30 items unless per_page says
// otherwise, 100 at most. Wrap puts the page into an object, where GitHub does.
func paged[T any](h *Hub, c *call, list []T, wrap func(page any) any) reply {
	size := bounded(c.query("per_page"), 30, 100)
	page := bounded(c.query("page"), 1, 1<<30)
	last := max(1, (len(list)+size-1)/size)
	from := min((page-1)*size, len(list))
	items := append([]T{}, list[from:min(from+size, len(list))]...) // [] and not null
	out := reply{body: items}
	if wrap != nil {
		out.body = wrap(items)
	}
	if links := h.links(c, page, last); links != "" {
		out.header = http.Header{"Link": {links}}
	}
	return out
}

// bounded reads a positive number; what is none means the usual one, and what
// is above the limit means the limit.
func bounded(s string, usual, limit int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return usual
	}
	return min(n, limit)
}

// links are the addresses of the pages around this one, with all other
// parameters kept. The last page has no next, and a single page no header at
// all.
func (h *Hub) links(c *call, page, last int) string {
	var links []string
	add := func(rel string, n int) {
		q := c.r.URL.Query()
		q.Set("page", strconv.Itoa(n))
		links = append(links, fmt.Sprintf("<%s?%s>; rel=%q", h.self(c), q.Encode(), rel))
	}
	if page > 1 {
		add("prev", page-1)
	}
	if page < last {
		add("next", page+1)
		add("last", last)
	}
	if page > 1 {
		add("first", 1)
	}
	return strings.Join(links, ", ")
}

// self is the address that was asked, without its query.
func (h *Hub) self(c *call) string { return h.html() + c.r.URL.EscapedPath() }
