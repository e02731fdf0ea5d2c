package fakehub

import (
	"fmt"
	"strings"
	"testing"
)

func TestCommentLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.commit("feature", map[string]File{"a": Text("1")}, w.base)
	n := w.pull("feature", PullOptions{})
	at := fmt.Sprintf("/issues/%d/comments", n)
	w.want(201, "POST", at, mustJSON(map[string]string{"body": strings.Repeat("é", 65_536)}))
	a := w.want(422, "POST", at, mustJSON(map[string]string{"body": strings.Repeat("é", 65_537)}))
	if !strings.Contains(a.str("errors", 0, "message"), "65536 characters") {
		t.Errorf("got %s", a.body)
	}
	w.want(422, "POST", at, `{"body":""}`)
	w.want(404, "POST", "/issues/99/comments", `{"body":"x"}`)
	if err := w.repo.Lock(n); err != nil {
		t.Fatal(err)
	}
	if a := w.want(403, "POST", at, `{"body":"x"}`); !strings.Contains(a.str("message"), "locked") {
		t.Errorf("got %s", a.body)
	}
	list := w.hub.Comments(w.repo, n)
	if len(list) != 1 || list[0].User != "cardkeeper[bot]" {
		t.Errorf("%d comments", len(list))
	}
}

func TestReactionsAreIdempotentForOnePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, true)
	w.commit("feature", map[string]File{"a": Text("1")}, w.base)
	id, err := w.repo.Comment(w.pull("feature", PullOptions{}), "tess", "/ask x")
	if err != nil {
		t.Fatal(err)
	}
	at := fmt.Sprintf("/issues/comments/%d/reactions", id)
	first := w.want(201, "POST", at, `{"content":"eyes"}`)
	if again := w.want(200, "POST", at, `{"content":"eyes"}`); again.str("id") != first.str("id") {
		t.Error("a second mark was made")
	}
	w.want(201, "POST", at, `{"content":"rocket"}`)
	w.want(422, "POST", at, `{"content":"shrug"}`)
	if got := w.hub.Reactions(id); len(got) != 2 || got[0].Content != "eyes" || got[0].User != "cardkeeper[bot]" {
		t.Errorf("reactions: %+v", got)
	}
}

func TestPermissionsOfPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	for login, role := range map[string]string{"tess": "triage", "max": "maintain", "eve": "none", "root": "admin"} {
		if err := w.repo.SetPermission(login, role); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.repo.SetPermission("tess", "owner"); err == nil {
		t.Error("an unknown role was taken")
	}
	if _, err := w.repo.OpenPull("main", "main", "passer-by", PullOptions{}); err != nil {
		t.Fatal(err)
	}
	for login, want := range map[string]string{
		"tess": "read triage", "max": "write maintain", "eve": "none none", "ROOT": "admin admin", "ada": "admin admin",
		"passer-by": "read read", // on a public repository everybody reads
	} {
		a := w.want(200, "GET", "/collaborators/"+login+"/permission", "")
		if got := a.str("permission") + " " + a.str("role_name"); got != want {
			t.Errorf("%s: %s, want %s", login, got, want)
		}
	}
	w.want(404, "GET", "/collaborators/nobody/permission", "")
}

// TestRenamedRepositories is 2A-31: the old name redirects to the number, which
// answers everything.
func TestRenamedRepositories(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	if err := w.repo.Rename("tools"); err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"name":"n","head_sha":%q}`, w.base)
	a := w.want(301, "POST", "/check-runs", body)
	want := fmt.Sprintf("%s/repositories/%d/check-runs", w.hub.URL(), w.repo.ID())
	if a.header.Get("Location") != want || len(w.hub.CheckRuns(w.repo, w.base)) != 0 {
		t.Errorf("Location %s, want %s", a.header.Get("Location"), want)
	}
	if a := w.do("POST", want, w.token, body); a.status != 201 {
		t.Errorf("by number: %d", a.status)
	}
	if a := w.want(301, "GET", "/git/trees/main?recursive=1", ""); !strings.HasSuffix(a.header.Get("Location"), "/git/trees/main?recursive=1") {
		t.Errorf("Location %s", a.header.Get("Location"))
	}
	if a := w.do("GET", "/repos/ADA/Tools", w.token, ""); a.status != 200 || a.str("name") != "tools" {
		t.Errorf("the new name in another case: %d", a.status)
	}
}

func TestArchivedRepositoriesAreReadOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.repo.Archive()
	w.want(200, "GET", "/git/trees/main", "")
	if a := w.want(403, "POST", "/check-runs", fmt.Sprintf(`{"name":"n","head_sha":%q}`, w.base)); !strings.Contains(a.str("message"), "archived") {
		t.Errorf("got %s", a.body)
	}
}
