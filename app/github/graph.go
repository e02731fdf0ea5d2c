package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

// Many objects at once are asked for by GraphQL: a hundred cost one request of an
// hour that is counted apart, where REST counts each. Nothing of the answers is
// believed that does not hash to the id that was asked for; what is cut, binary,
// lost or refused is left to REST, which says why (2A-36, 2A-64).

const (
	// graphBatch is how many objects one query asks for. GitHub ends a query after
	// ten seconds; one that was ended is halved.
	graphBatch = 100
	// graphFrom is from how many objects on GraphQL is asked at all: fewer are three
	// rounds of parallel requests, as quick as one query.
	graphFrom = 24
	// graphWorkers is how many queries run at once: GitHub gives all of them
	// together 60 seconds of its processors in a minute.
	graphWorkers = 4
	// graphDoubt ends the attempts of a walk that has had nothing but failures.
	graphDoubt = 10
)

const graphRoute = "/graphql"

// The two kinds of objects, as a query asks for them; a tree also with names to the byte.
const (
	blobFields = "... on Blob{oid isBinary isTruncated text}"
	treeFields = "... on Tree{oid entries{name mode oid size}}"
	rawFields  = "... on Tree{oid entries{nameRaw mode oid size}}"
)

// A graphObject is an object of either kind.
type graphObject struct {
	OID         string  `json:"oid"`
	IsBinary    *bool   `json:"isBinary"`
	IsTruncated bool    `json:"isTruncated"`
	Text        *string `json:"text"`
	Entries     []struct {
		Name string `json:"name"`
		Raw  []byte `json:"nameRaw"` // base64 on the way
		Mode uint32 `json:"mode"`
		OID  string `json:"oid"`
		Size int64  `json:"size"`
	} `json:"entries"`
}

// A graphAnswer is what comes back with 200, also where nothing was done.
type graphAnswer struct {
	Data struct {
		Repository map[string]*graphObject `json:"repository"`
	} `json:"data"`
	Errors []struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"errors"`
}

// A graphWalk asks for many objects of a repository in batches.
type graphWalk struct {
	client *Client
	repo   Repo
	fields string
	take   func(id string, o *graphObject) bool // false leaves the object to REST; never called twice at once

	mu     sync.Mutex
	left   []string
	good   bool // a query went through
	failed int
	dead   bool // GraphQL is of no use here
}

// walk asks for all ids and returns those that are left to REST.
func (w *graphWalk) walk(ctx context.Context, ids []string) (left []string, err error) {
	work, ctx := NewCrew(ctx, graphWorkers)
	for len(ids) > 0 {
		n := min(graphBatch, len(ids))
		part := ids[:n]
		ids = ids[n:]
		work.Go(func() error { return w.batch(ctx, part) })
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	return w.left, nil
}

// batch asks for some objects, and for each half by itself where GitHub could not
// answer.
func (w *graphWalk) batch(ctx context.Context, ids []string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if w.useless() {
		w.leave(ids)
		return nil
	}
	got, err := w.query(ctx, ids)
	if err == nil {
		w.keep(ids, got)
		return nil
	}
	var l *Limited
	if errors.As(err, &l) || ctx.Err() != nil || errors.Is(err, ErrNoInstallation) || errors.Is(err, ErrSuspended) || errors.Is(err, ErrUnauthorized) {
		return err
	}
	refused := !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrTooLarge)
	if w.fail(refused) || len(ids) == 1 {
		w.leave(ids)
		return nil
	}
	half := len(ids) / 2
	return errors.Join(w.batch(ctx, ids[:half]), w.batch(ctx, ids[half:]))
}

func (w *graphWalk) useless() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dead
}

func (w *graphWalk) leave(ids []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = append(w.left, ids...)
}

// fail counts a failure and reports whether it is enough: GraphQL is not served,
// or does nothing but fail.
func (w *graphWalk) fail(refused bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed++
	w.dead = w.dead || refused || !w.good && w.failed >= graphDoubt
	return w.dead
}

func (w *graphWalk) keep(ids []string, got map[string]*graphObject) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.good = true
	for i, id := range ids {
		o := got[alias(i)]
		if o == nil || o.OID != id || !w.take(id, o) {
			w.left = append(w.left, id)
		}
	}
}

func alias(i int) string { return fmt.Sprint("o", i) }

// query sends one query. Ids are hex digits, so that none can end its string.
func (w *graphWalk) query(ctx context.Context, ids []string) (map[string]*graphObject, error) {
	var q strings.Builder
	q.WriteString("query($owner:String!,$name:String!){repository(owner:$owner,name:$name){")
	for i, id := range ids {
		if !objectID(id) {
			return nil, &failure{method: http.MethodPost, route: graphRoute, kinds: []error{ErrInvalid, errArgument}}
		}
		fmt.Fprintf(&q, "%s:object(oid:%q){%s}", alias(i), id, w.fields)
	}
	q.WriteString("}}")
	in := map[string]any{"query": q.String(), "variables": map[string]string{"owner": w.repo.Owner, "name": w.repo.Name}}
	var out graphAnswer
	if _, err := w.client.call.do(ctx, call{method: http.MethodPost, route: graphRoute, in: in, out: &out, graph: true}); err != nil {
		return nil, err
	}
	return out.Data.Repository, w.client.call.judge(out)
}

// judge finds the failure in an answer of success. A limit is told this way (2A-28).
func (c *caller) judge(out graphAnswer) error {
	for _, e := range out.Errors {
		text := strings.ToLower(e.Message)
		if e.Type != "RATE_LIMITED" && !strings.Contains(text, "rate limit") {
			continue
		}
		l := c.bucket.closed("graphql")
		if l == nil {
			l = limited(bareWait)
			l.bare = true
			c.bucket.hit(l, "graphql")
		}
		c.app.gate.watch.limit(l)
		return &failure{method: http.MethodPost, route: graphRoute, status: http.StatusOK, kinds: []error{l}}
	}
	if out.Data.Repository == nil {
		kind := ErrUnavailable
		for _, e := range out.Errors {
			if e.Type == "NOT_FOUND" || e.Type == "FORBIDDEN" || e.Type == "INSUFFICIENT_SCOPES" {
				kind = ErrForbidden
			}
		}
		return &failure{method: http.MethodPost, route: graphRoute, status: http.StatusOK, kinds: []error{kind}}
	}
	return nil
}

// graphLevels reads folders one level each and returns those that are left to REST.
func (c *Client) graphLevels(ctx context.Context, repo Repo, folders []folder, into map[string]level) (left []folder, err error) {
	ids, byID := make([]string, len(folders)), make(map[string]folder, len(folders))
	for i, f := range folders {
		ids[i], byID[f.id] = f.id, f
	}
	w := &graphWalk{client: c, repo: repo, fields: treeFields, take: func(id string, o *graphObject) bool {
		l := make(level, 0, len(o.Entries))
		for _, e := range o.Entries {
			l = append(l, tree.Entry{Path: e.Name, Mode: tree.Mode(e.Mode), ID: e.OID, Size: e.Size})
		}
		if tree.ID(l) != id {
			return false
		}
		into[id] = l
		c.app.levels.put(c.level(repo, id), l)
		return true
	}}
	rest, err := w.walk(ctx, ids)
	for _, id := range rest {
		left = append(left, byID[id])
	}
	return left, err
}

// graphBlobs reads blobs that are text and returns the ids that are left to REST.
func (c *Client) graphBlobs(ctx context.Context, repo Repo, ids []string, take func(id string, data []byte)) (left []string, err error) {
	w := &graphWalk{client: c, repo: repo, fields: blobFields, take: func(id string, o *graphObject) bool {
		if o.Text == nil || o.IsTruncated || o.IsBinary == nil || *o.IsBinary || tree.BlobID([]byte(*o.Text)) != id {
			return false
		}
		take(id, []byte(*o.Text))
		return true
	}}
	return w.walk(ctx, ids)
}
