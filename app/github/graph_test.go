package github

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/tree"
)

const graphCall = "POST /graphql"

// many are n blobs, id to content.
func many(n int) map[string]string {
	out := map[string]string{}
	for i := range n {
		text := fmt.Sprintf("text %d\n", i)
		out[tree.BlobID([]byte(text))] = text
	}
	return out
}

func ids(blobs map[string]string) (list []string) {
	for id := range blobs {
		list = append(list, id)
	}
	return list
}

// graphs makes the hub answer queries for blobs by what is true of each.
func (h *hub) graphs(blobs map[string]string, change func(id string, o object)) {
	h.dynamic[graphCall] = func(body string) answer {
		found := object{}
		for _, m := range regexp.MustCompile(`(\w+):object\(oid:\\"([0-9a-f]{40})\\"\)`).FindAllStringSubmatch(body, -1) {
			o := object{"oid": m[2], "isBinary": false, "isTruncated": false, "text": blobs[m[2]]}
			change(m[2], o)
			found[m[1]] = o
		}
		return ok(object{"data": object{"repository": found}})
	}
}

func TestManyBlobsAreAFewQueries(t *testing.T) {
	t.Parallel()
	blobs := many(250)
	h := newHub(t)
	h.graphs(blobs, func(string, object) {})
	got, err := h.client().Blobs(t.Context(), here, ids(blobs))
	if err != nil || len(got) != len(blobs) {
		t.Fatalf("%d blobs, %v", len(got), err)
	}
	for id, text := range blobs {
		if string(got[id]) != text {
			t.Errorf("%s: %q", id, got[id])
		}
	}
	if n := h.count(graphCall); n != 3 || len(h.calls) != 3 {
		t.Errorf("%d queries of %d requests", n, len(h.calls))
	}
	if body := h.sent[graphCall][0]; !strings.Contains(body, `"variables":{"name":"r","owner":"o"}`) {
		t.Error("the repository's name stands in the query's text")
	}
}

// 2A-36: what GraphQL cuts, alters or does not have is read by REST, each alone.
func TestWhatGraphQLDoesNotGiveWholeIsReadByREST(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(o object){
		"cut":       func(o object) { o["isTruncated"] = true },
		"binary":    func(o object) { o["isBinary"], o["text"] = true, nil },
		"not said":  func(o object) { o["isBinary"] = nil },
		"other":     func(o object) { o["text"] = "forged" },
		"not there": func(o object) { clear(o) },
		"swapped":   func(o object) { o["oid"] = sha("f") },
	} {
		blobs := many(30)
		odd := slices.Sorted(slices.Values(ids(blobs)))[7]
		h := newHub(t)
		h.graphs(blobs, func(id string, o object) {
			if id == odd {
				change(o)
			}
		})
		h.on("GET /repos/o/r/git/blobs/"+odd, blobAnswer(blobs[odd]))
		got, err := h.client().Blobs(t.Context(), here, ids(blobs))
		if err != nil || len(got) != 30 || string(got[odd]) != blobs[odd] || len(h.calls) != 2 {
			t.Errorf("%s: %d blobs, %v, %d requests", name, len(got), err, len(h.calls))
		}
		h.on("GET /repos/o/r/git/blobs/"+odd, refuse(404, "Not Found"))
		h.plan["GET /repos/o/r/git/blobs/"+odd] = h.plan["GET /repos/o/r/git/blobs/"+odd][1:]
		if _, err := h.client().Blobs(t.Context(), here, ids(blobs)); !errors.Is(err, tree.ErrUnreadable) {
			t.Errorf("%s and by REST not there: %v", name, err)
		}
	}
}

// 2A-64: GitHub gives up on a query that is too much for it.
func TestAQueryThatIsTooMuchIsHalved(t *testing.T) {
	t.Parallel()
	blobs := many(200)
	bad := slices.Sorted(slices.Values(ids(blobs)))[50]
	h := newHub(t)
	h.graphs(blobs, func(string, object) {})
	good := h.dynamic[graphCall]
	h.dynamic[graphCall] = func(body string) answer {
		if strings.Count(body, ":object(") > 20 || strings.Contains(body, bad) {
			return ok(object{"data": nil, "errors": []object{{"message": "Something went wrong while executing your query. This may be the result of a timeout."}}})
		}
		return good(body)
	}
	h.on("GET /repos/o/r/git/blobs/"+bad, blobAnswer(blobs[bad]))
	got, err := h.client().Blobs(t.Context(), here, ids(blobs))
	if err != nil || len(got) != 200 || len(h.calls) != h.count(graphCall)+1 {
		t.Errorf("%d blobs, %v, %d queries, %d requests", len(got), err, h.count(graphCall), len(h.calls))
	}
}

// A server that has no GraphQL, or forbids it, is asked by REST, after few attempts.
func TestWithoutGraphQLEverythingIsReadByREST(t *testing.T) {
	t.Parallel()
	for name, no := range map[string]answer{
		"not served": refuse(404, "Not Found"), "forbidden": refuse(403, "Resource not accessible by integration"),
		"no repository": ok(object{"data": object{"repository": nil}, "errors": []object{{"type": "NOT_FOUND", "message": "x"}}}),
		"no answer":     refuse(502, ""), "nonsense": ok("<html>"),
	} {
		blobs := many(150)
		h := newHub(t)
		h.on(graphCall, no)
		for id, text := range blobs {
			h.on("GET /repos/o/r/git/blobs/"+id, blobAnswer(text))
		}
		got, err := h.client().Blobs(t.Context(), here, ids(blobs))
		if err != nil || len(got) != 150 || h.count(graphCall) > graphDoubt+2*graphWorkers {
			t.Errorf("%s: %d blobs, %v, %d queries", name, len(got), err, h.count(graphCall))
		}
	}
}

// 2A-28: GraphQL tells a limit with 200, and has an hour of its own.
func TestALimitOfGraphQLIsALimitAndNotAnEmptyAnswer(t *testing.T) {
	t.Parallel()
	blobs := many(30)
	h, a, clock := limitHub(t)
	none := ok(object{"data": nil, "errors": []object{{"type": "RATE_LIMITED", "message": "API rate limit already exceeded"}}})
	h.on(graphCall, quota(none, 5000, 0, clock.Now().Add(7*time.Minute), "graphql"))
	h.on(pullRoute, aPull())
	c := a.Installation(5)
	for range 2 {
		_, err := c.Blobs(t.Context(), here, ids(blobs))
		wantLimit(t, err, 7*time.Minute)
	}
	if n := h.count(graphCall); n != 1 {
		t.Errorf("%d queries, one of them into a known limit", n)
	}
	if _, err := c.Pull(t.Context(), here, 1); err != nil {
		t.Errorf("REST: %v", err)
	}
	h, a, _ = limitHub(t)
	h.on(graphCall, none) // without figures it may be any limit
	h.on(pullRoute, aPull())
	_, err := a.Installation(5).Blobs(t.Context(), here, ids(blobs))
	wantLimit(t, err, time.Minute)
	_, err = a.Installation(5).Pull(t.Context(), here, 1)
	wantLimit(t, err, time.Minute)
}

func TestAnEnterpriseServersGraphQLLiesBesideItsREST(t *testing.T) {
	t.Parallel()
	blobs := many(30)
	h := newHub(t)
	h.graphs(blobs, func(string, object) {})
	h.dynamic["POST /api/graphql"] = h.dynamic[graphCall]
	c := h.app(func(cfg *Config) { cfg.BaseURL += "/api/v3" }).Installation(5)
	if got, err := c.Blobs(t.Context(), here, ids(blobs)); err != nil || len(got) != 30 || h.count("POST /api/graphql") != 1 {
		t.Errorf("%d blobs, %v, calls %q", len(got), err, h.calls)
	}
}
