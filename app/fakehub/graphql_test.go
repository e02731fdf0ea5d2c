package fakehub

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// graph sends a query for objects and returns the answer.
func (w *world) graph(at, credential, query string) answer {
	w.t.Helper()
	body := mustJSON(map[string]any{"query": query, "variables": map[string]string{"owner": "ada", "name": "skills"}})
	a := w.do("POST", at, credential, body)
	if a.status != 200 {
		w.t.Fatalf("%d %s", a.status, a.body)
	}
	return a
}

// graphQuery asks for objects as blobs, or as trees.
func graphQuery(fields string, ids ...string) string {
	kind := "Blob"
	if fields == graphTree {
		kind = "Tree"
	}
	var q strings.Builder
	for i, id := range ids {
		fmt.Fprintf(&q, `o%d:object(oid:"%s"){... on %s{%s}}`, i, id, kind, fields)
	}
	return "query($owner:String!,$name:String!){repository(owner:$owner,name:$name){" + q.String() + "}}"
}

func (w *world) blobID(commit, name string) string {
	return strings.TrimSpace(w.gitSays("rev-parse", commit+":"+name))
}

// TestGraphQLCutsAndConceals is 2A-36: what is long is cut, what is binary has no
// text, what is not there is null, and the status is 200 throughout.
func TestGraphQLCutsAndConceals(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	long := strings.Repeat("é", graphText/2+1)
	sha := w.commit("main", map[string]File{"long": Text(long), "bin": Text("a\x00b"), "latin": Text("caf\xe9"), "empty": {}})
	var ids []string
	for _, name := range []string{"README.md", "long", "bin", "latin", "empty"} {
		ids = append(ids, w.blobID(sha, name))
	}
	ids = append(ids, strings.Repeat("1", 40), sha)
	a := w.graph("/graphql", w.token, graphQuery(graphBlob, ids...))
	at := func(i int, field string) string { return a.str("data", "repository", fmt.Sprint("o", i), field) }
	if at(0, "text") != "hello\n" || at(0, "isTruncated") != "false" || at(0, "oid") != ids[0] {
		t.Errorf("a small text: %s", a.body)
	}
	if text := at(1, "text"); len(text) != graphText || at(1, "isTruncated") != "true" || !strings.HasPrefix(long, text) {
		t.Errorf("a long text: %d bytes, cut %s", len(text), at(1, "isTruncated"))
	}
	if at(2, "isBinary") != "true" || at(2, "text") != "null" {
		t.Errorf("binary: %s", at(2, "text"))
	}
	if at(3, "text") != "caf\uFFFD" {
		t.Errorf("not UTF-8: %q", at(3, "text"))
	}
	if at(4, "text") != "" || at(4, "isBinary") != "false" {
		t.Errorf("empty: %s", a.body)
	}
	var out struct {
		Data struct{ Repository map[string]json.RawMessage }
	}
	if err := json.Unmarshal(a.body, &out); err != nil || string(out.Data.Repository["o5"]) != "null" || string(out.Data.Repository["o6"]) != "{}" {
		t.Errorf("not there: %s, a commit: %s, %v", out.Data.Repository["o5"], out.Data.Repository["o6"], err)
	}
}

func TestGraphQLListsTrees(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{Prefix: "/api/v3"}, true)
	id := w.blobID(w.base, "skills")
	body := mustJSON(map[string]any{"query": graphQuery(graphTree, id), "variables": map[string]string{"owner": "ada", "name": "skills"}})
	a, err := w.send("POST", strings.TrimSuffix(w.hub.URL(), "/v3")+"/graphql", w.token, body)
	if err != nil || a.str("data", "repository", "o0", "entries", 1, "name") != "b" || a.str("data", "repository", "o0", "entries", 1, "mode") != "16384" {
		t.Errorf("%v %s", err, a.body)
	}
}

func TestGraphQLTellsProblemsWith200(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	id := w.blobID(w.base, "README.md")
	query := graphQuery(graphBlob, id, id, id)
	w.hub.SetGraphLimit(2)
	if a := w.graph("/graphql", w.token, query); !strings.Contains(a.str("errors", 0, "message"), "Something went wrong") || a.str("data") != "null" {
		t.Errorf("too much: %s", a.body)
	}
	w.hub.SetGraphLimit(3)
	if a := w.graph("/graphql", w.token, query+" "); !strings.Contains(a.str("errors", 0, "message"), "Parse error") {
		t.Errorf("another form: %s", a.body)
	}
	narrow := w.mint(fmt.Sprintf(`{"repository_ids":[%d],"permissions":{"checks":"write"}}`, w.repo.ID()))
	if a := w.graph("/graphql", narrow, query); a.str("errors", 0, "type") != "FORBIDDEN" {
		t.Errorf("without the right: %s", a.body)
	}
	w.hub.SetBudget(1)
	w.want(200, "GET", "", "") // REST's hour is another one
	if a := w.graph("/graphql", w.token, query); a.header.Get("X-RateLimit-Resource") != "graphql" || a.header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("headers: %v", a.header)
	}
	if a := w.graph("/graphql", w.token, query); a.str("errors", 0, "type") != "RATE_LIMITED" {
		t.Errorf("used up: %s", a.body)
	}
	w.want(403, "GET", "", "")
}

// TestATreeOfSevenMegabytesIsCut measures the real answer against the limit.
func TestATreeOfSevenMegabytesIsCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, true)
	long := strings.Repeat("n", 200)
	files := map[string]File{}
	for i := range 19_000 {
		files[fmt.Sprintf("d%d/%s%05d", i%10, long, i)] = Text("x\n")
	}
	w.commit("main", files)
	a := w.want(200, "GET", "/git/trees/main?recursive=1", "")
	if a.str("truncated") != "true" || len(a.body) > treeBytes+500 || len(a.body) < treeBytes-500 {
		t.Errorf("%d entries in %d bytes, truncated %s", a.len("tree"), len(a.body), a.str("truncated"))
	}
	root := w.want(200, "GET", "/git/trees/main", "")
	if part := w.want(200, "GET", "/git/trees/"+root.str("tree", 1, "sha")+"?recursive=1", ""); part.str("truncated") != "false" || part.len("tree") != 1_900 {
		t.Errorf("a tenth: %d entries, truncated %s", part.len("tree"), part.str("truncated"))
	}
}

// TestATransferTakesTheRepositoryAway: the old name redirects, old tokens do not
// open it, and the event goes to the new owner's installation.
func TestATransferTakesTheRepositoryAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.hub.Lose()
	if err := w.repo.Transfer("bob"); err != nil {
		t.Fatal(err)
	}
	w.want(404, "GET", "", "")
	if a := w.do("GET", fmt.Sprint("/repositories/", w.repo.ID()), w.token, ""); a.status != 404 {
		t.Errorf("by its number, with the old token: %d", a.status)
	}
	old := w.token
	w.token = w.do("POST", fmt.Sprint("/app/installations/", w.hub.Installation("bob"), "/access_tokens"), w.app(), "").str("token")
	if a := w.in("GET", "", ""); a.status != 301 {
		t.Errorf("the old name with the new token: %d", a.status)
	}
	if a := w.do("GET", "/repos/bob/skills", w.token, ""); a.status != 200 || a.str("id") != fmt.Sprint(w.repo.ID()) {
		t.Errorf("the new name: %d %s", a.status, a.str("id"))
	}
	if err := w.repo.Transfer("bob"); err == nil {
		t.Error("transferred to its own owner")
	}
	w.hub.ExpireTokens()
	for _, credential := range []string{old, w.token} {
		if a := w.do("GET", "/repos/bob/skills", credential, ""); a.status != 401 {
			t.Errorf("after the hour: %d", a.status)
		}
	}
}

func TestArchivedIsNotForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	body := fmt.Sprintf(`{"name":"n","head_sha":%q}`, w.base)
	w.repo.Archive()
	w.want(403, "POST", "/check-runs", body)
	w.repo.Unarchive()
	w.want(201, "POST", "/check-runs", body)
}

func TestWhatIsUnchangedIsCountedApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.hub.ForgetRequests()
	a := w.want(200, "GET", "", "")
	w.want(304, "GET", "", "", "If-None-Match", a.header.Get("Etag"))
	const route = "GET /repos/{owner}/{repo}"
	if got := [2]int{w.hub.Counts()[route], w.hub.Unchanged()[route]}; got != [2]int{1, 1} {
		t.Errorf("paid and free: %v", got)
	}
}
