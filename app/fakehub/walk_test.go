package fakehub

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// TestWalkThroughAllOperations runs every operation of the cut document once
// with the validator on, so each answer has GitHub's shape, and checks that none
// was left out.
func TestWalkThroughAllOperations(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "/api/v3"} {
		t.Run("under "+prefix+"/", func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, Options{Prefix: prefix, Target: "http://127.0.0.1:1/hook"}, false)
			head := w.commit("feature", map[string]File{"skills/a/SKILL.md": Text("# A2\n"), "skills/c/SKILL.md": Text("# C\n")}, w.base)
			n := w.pull("feature", PullOptions{Title: "Change A"})
			w.walkApp()
			w.walkRepo(head)
			w.walkGit(head)
			w.walkPulls(n, head)
			w.walkChecks(head)
			w.walkTalk(n)
			w.compareWalk()
		})
	}
}

func (w *world) walkApp() {
	app := w.app()
	must := func(status int, method, path, credential, body string) answer {
		w.t.Helper()
		a := w.do(method, path, credential, body)
		if a.status != status {
			w.t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
		}
		return a
	}
	must(200, "GET", "/app", app, "")
	must(200, "GET", "/app/installations", app, "")
	must(200, "GET", fmt.Sprint("/app/installations/", w.hub.Installation("ada")), app, "")
	must(200, "GET", "/repos/ada/skills/installation", app, "")
	must(200, "GET", "/installation/repositories", w.token, "")
	must(200, "GET", "/rate_limit", w.token, "")
	must(200, "GET", "/user/1001", w.token, "")
	must(200, "GET", "/app/hook/config", app, "")
	must(201, "POST", "/app-manifests/"+w.hub.ManifestCode()+"/conversions", "", "")
	if _, err := w.hub.Deliver(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	list := must(200, "GET", "/app/hook/deliveries?status=failure", app, "")
	id := list.str(0, "id")
	must(200, "GET", "/app/hook/deliveries/"+id, app, "")
	must(202, "POST", "/app/hook/deliveries/"+id+"/attempts", app, "")
}

func (w *world) walkRepo(head string) {
	if err := w.repo.SetPermission("tess", "triage"); err != nil {
		w.t.Fatal(err)
	}
	w.want(200, "GET", "", "")
	w.want(200, "GET", "/branches/main", "")
	w.want(200, "GET", "/rules/branches/main", "")
	if a := w.want(200, "GET", "/collaborators/tess/permission", ""); a.str("permission") != "read" || a.str("role_name") != "triage" {
		w.t.Errorf("triage is shown as %s", a.body)
	}
	w.want(200, "GET", "/commits/"+head, "")
	w.want(200, "GET", "/commits/main", "")
	w.want(200, "GET", "/commits/"+head+"/pulls", "")
	w.want(200, "GET", "/compare/main...feature", "")
}

// walkGit makes a commit as the button does: blob, tree, commit, ref.
func (w *world) walkGit(head string) {
	blob := w.want(201, "POST", "/git/blobs", `{"content":"Y2FyZAo=","encoding":"base64"}`).str("sha")
	w.want(200, "GET", "/git/blobs/"+blob, "")
	base := w.want(200, "GET", "/git/commits/"+head, "").str("tree", "sha")
	tree := w.want(201, "POST", "/git/trees", fmt.Sprintf(
		`{"base_tree":%q,"tree":[{"path":"cards/a.md","mode":"100644","type":"blob","sha":%q},{"path":"README.md","mode":"100644","type":"blob","sha":null}]}`, base, blob)).str("sha")
	w.want(200, "GET", "/git/trees/"+tree+"?recursive=1", "")
	commit := w.want(201, "POST", "/git/commits", fmt.Sprintf(`{"message":"cards","tree":%q,"parents":[%q]}`, tree, head)).str("sha")
	w.want(201, "POST", "/git/refs", fmt.Sprintf(`{"ref":"refs/heads/side/x","sha":%q}`, head))
	w.want(200, "PATCH", "/git/refs/heads/side/x", fmt.Sprintf(`{"sha":%q}`, commit))
	if got := w.want(200, "GET", "/git/ref/heads/side/x", "").str("object", "sha"); got != commit {
		w.t.Errorf("the ref is at %s, want %s", got, commit)
	}
	w.want(204, "DELETE", "/git/refs/heads/side/x", "")
}

func (w *world) walkPulls(n int, head string) {
	w.want(200, "GET", "/pulls?state=all&head=ada:feature", "")
	a := w.want(200, "GET", fmt.Sprint("/pulls/", n), "")
	if a.str("head", "sha") != head || a.str("changed_files") != "2" || a.str("commits") != "1" {
		w.t.Errorf("pull request: %s", a.body)
	}
	w.want(200, "GET", fmt.Sprint("/pulls/", n, "/commits"), "")
	w.want(200, "GET", fmt.Sprint("/pulls/", n, "/files"), "")
	w.commit("another", map[string]File{"x": Text("x")}, w.base)
	w.want(201, "POST", "/pulls", `{"title":"Another","head":"another","base":"main","body":"b"}`)
	w.want(422, "POST", "/pulls", `{"title":"Another","head":"another","base":"main"}`)
}

func (w *world) walkChecks(head string) {
	run := w.want(201, "POST", "/check-runs", fmt.Sprintf(`{"name":"cardkeeper","head_sha":%q,"status":"in_progress"}`, head))
	id := run.str("id")
	w.want(200, "PATCH", "/check-runs/"+id, `{"status":"completed","conclusion":"failure","output":{"title":"t","summary":"s",
		"annotations":[{"path":"skills/a/SKILL.md","start_line":1,"end_line":1,"annotation_level":"failure","message":"m"}]}}`)
	w.want(200, "GET", "/check-runs/"+id, "")
	w.want(200, "GET", "/check-runs/"+id+"/annotations", "")
	w.want(200, "GET", "/commits/"+head+"/check-runs?check_name=cardkeeper&filter=all", "")
}

func (w *world) walkTalk(n int) {
	id := w.want(201, "POST", fmt.Sprintf("/issues/%d/comments", n), `{"body":"hello"}`).str("id")
	w.want(200, "GET", fmt.Sprintf("/issues/%d/comments", n), "")
	at := "/issues/comments/" + id
	w.want(200, "GET", at, "")
	w.want(200, "PATCH", at, `{"body":"hello again"}`)
	mark := w.want(201, "POST", at+"/reactions", `{"content":"eyes"}`).str("id")
	w.want(200, "POST", at+"/reactions", `{"content":"eyes"}`)
	w.want(200, "GET", at+"/reactions", "")
	w.want(204, "DELETE", at+"/reactions/"+mark, "")
	w.want(204, "DELETE", at, "")
}

// compareWalk holds the record of requests to the list of operations.
func (w *world) compareWalk() {
	list, err := os.ReadFile("../../testdata/openapi/operations.txt")
	if err != nil {
		w.t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range w.hub.Requests() {
		method, path, _ := strings.Cut(r.Route, " ")
		if r.Status/100 == 2 {
			seen[method+" "+shapeOf(path)] = true
		}
	}
	for line := range strings.Lines(string(list)) {
		f := strings.Fields(line)
		if len(f) == 2 && f[0] != "#" && !seen[f[0]+" "+shapeOf(f[1])] {
			w.t.Errorf("the walk left out %s %s", f[0], f[1])
		}
	}
	if got := w.hub.Counts()[http.MethodPost+" /repos/{owner}/{repo}/check-runs"]; got != 1 {
		w.t.Errorf("check runs posted: %d, want 1", got)
	}
}

// shapeOf drops the names of a path's variables, which hub and document spell
// differently.
func shapeOf(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.HasPrefix(p, "{") {
			parts[i] = "{}"
		}
	}
	return strings.Join(parts, "/")
}
