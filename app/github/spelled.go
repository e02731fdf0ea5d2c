package github

import (
	"context"
	"errors"
	"net/http"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

// spelled gives a folder with its names to the byte. A name that is no UTF-8 comes
// damaged over REST, and a tree that is made of such names is another tree. id is
// a tree, or the commit of one; l is what was read of it. What does not hash to
// the id is [ErrInvalid].
func (c *Client) spelled(ctx context.Context, repo Repo, id string, l level) (level, error) {
	if tree.ID(l) == id {
		return l, nil
	}
	out, err := c.raw(ctx, repo, id)
	if err != nil || out != nil {
		return out, err
	}
	commit, err := c.Commit(ctx, repo, id)
	if err == nil {
		out, err = c.raw(ctx, repo, commit.Tree)
	}
	if out == nil && (err == nil || errors.Is(err, ErrNotFound)) {
		err = &failure{method: http.MethodPost, route: graphRoute, kinds: []error{ErrInvalid, errOtherTree}}
	}
	return out, err
}

// raw asks for one folder with its names in base64; nil for what is no tree, or
// does not hash to its id.
func (c *Client) raw(ctx context.Context, repo Repo, id string) (out level, err error) {
	w := &graphWalk{client: c, repo: repo, fields: rawFields, take: func(id string, o *graphObject) bool {
		l := make(level, 0, len(o.Entries))
		for _, e := range o.Entries {
			l = append(l, tree.Entry{Path: string(e.Raw), Mode: tree.Mode(e.Mode), ID: e.OID, Size: e.Size})
		}
		if tree.ID(l) != id {
			return false
		}
		out = l
		return true
	}}
	_, err = w.walk(ctx, []string{id})
	return out, err
}
