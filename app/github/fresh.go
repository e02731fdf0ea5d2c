package github

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
)

// What may change is asked for conditionally: with the tag of the last answer,
// which costs nothing where it is still right. Kept is the small value that was
// made of the answer and never the answer, which holds texts of people. What is
// named by an id (trees, blobs, commits) needs none of this: it never changes.

// A kept answer.
type kept struct {
	tag   string
	value any
	next  int
}

// items is the weight: a list counts its items.
func (k kept) items() int {
	if v := reflect.ValueOf(k.value); v.Kind() == reflect.Slice {
		return 1 + v.Len()
	}
	return 1
}

// A keptKey holds the client too: GitHub's tags are for one token's rights.
type keptKey struct {
	client clientKey
	path   string
}

// fresh asks for a thing and trims the answer. T is shared between callers: it
// is not changed once it was made.
func fresh[W, T any](ctx context.Context, c *Client, k call, trim func(*W) (T, error)) (T, int, error) {
	var none T
	path, err := k.path()
	if err != nil {
		return none, 0, &failure{method: http.MethodGet, route: k.route, kinds: []error{ErrInvalid, err}}
	}
	key := keptKey{c.key, path}
	had, known := c.app.kept.get(key)
	var wire W
	k.out, k.tag = &wire, had.tag
	r, err := c.call.send(ctx, k)
	if err != nil {
		return none, 0, err
	}
	if r.unchanged && known {
		return had.value.(T), had.next, nil
	}
	value, err := trim(&wire)
	if err != nil {
		return none, 0, err
	}
	if r.tag != "" {
		c.app.kept.put(key, kept{r.tag, value, r.next})
	}
	return value, r.next, nil
}

// pages gives what trim takes from each page of a list until there is none. A
// list that does not end is ErrTooLarge, so that a part never passes for the whole.
func pages[W, T any](ctx context.Context, c *Client, repo Repo, k call, trim func(*W) ([]T, error)) ([]T, error) {
	return turn(repo, k, func(k call) ([]T, int, error) { return fresh(ctx, c, k, trim) })
}

// texts is pages for what holds texts of people: nothing of it is kept.
func texts[W, T any](ctx context.Context, c *Client, repo Repo, k call, trim func(*W) ([]T, error)) ([]T, error) {
	return turn(repo, k, func(k call) ([]T, int, error) {
		var wire W
		k.out = &wire
		next, err := c.call.do(ctx, k)
		if err != nil {
			return nil, 0, err
		}
		part, err := trim(&wire)
		return part, next, err
	})
}

// turn turns the pages.
func turn[T any](repo Repo, k call, read func(call) ([]T, int, error)) (all []T, err error) {
	k = k.of(repo)
	query := url.Values{"per_page": {strconv.Itoa(perPage)}}
	for key, v := range k.query {
		query[key] = v
	}
	k.query = query
	for page := 1; page <= maxPages; {
		query.Set("page", strconv.Itoa(page))
		part, next, err := read(k)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
		if next <= page {
			return all, nil
		}
		page = next
	}
	return nil, &failure{method: http.MethodGet, route: k.route, kinds: []error{ErrTooLarge}}
}
