package fakehub

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
)

// TestSignatureVector is the vector that GitHub publishes for signatures.
func TestSignatureVector(t *testing.T) {
	t.Parallel()
	const want = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	if got := Sign("It's a Secret to Everybody", []byte("Hello, World!")); got != want {
		t.Errorf("got %s", got)
	}
}

// A target keeps what it gets and answers with a status.
type target struct {
	mu     sync.Mutex
	status int
	got    []*http.Request
	bodies [][]byte
}

func newTarget(t *testing.T, w *world) *target {
	t.Helper()
	tg := &target{status: 202}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		tg.mu.Lock()
		defer tg.mu.Unlock()
		tg.got, tg.bodies = append(tg.got, r), append(tg.bodies, body)
		if tg.status/100 == 3 {
			rw.Header().Set("Location", "/elsewhere")
		}
		rw.WriteHeader(tg.status)
	}))
	t.Cleanup(server.Close)
	w.hub.SetTarget(server.URL + "/hook")
	return tg
}

func (tg *target) answer(status int) {
	tg.mu.Lock()
	defer tg.mu.Unlock()
	tg.status = status
}

func (w *world) deliver() []Delivery {
	w.t.Helper()
	list, err := w.hub.Deliver(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

func names(list []Delivery) string {
	var out []string
	for _, d := range list {
		out = append(out, strings.TrimSuffix(d.Event+"."+d.Action, "."))
	}
	return strings.Join(out, " ")
}

// TestEventsOfAPullRequest plays a pull request's life and reads the events as
// the library that the App uses does.
func TestEventsOfAPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	tg := newTarget(t, w)
	first := w.commit("feature", map[string]File{"a": Text("1")}, w.base)
	n := w.pull("feature", PullOptions{Draft: true})
	second := w.commit("feature", map[string]File{"a": Text("2")})
	id, err := w.repo.Comment(n, "tess", "/ask where?")
	for _, err := range []error{
		err, w.repo.EditComment(id, "ada", "/ask why?"), w.repo.DeleteComment(id, "ada"), w.repo.Ready(n, true),
		w.repo.Retitle(n, "New"), w.repo.Close(n), w.repo.Reopen(n), w.repo.Rename("tools"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	list := w.deliver()
	want := "push push pull_request.opened push pull_request.synchronize issue_comment.created issue_comment.edited " +
		"issue_comment.deleted pull_request.ready_for_review pull_request.edited pull_request.closed pull_request.reopened repository.renamed"
	if names(list) != want {
		t.Errorf("events: %s", names(list))
	}
	for i, r := range tg.got {
		body := tg.bodies[i]
		if r.Header.Get("X-Hub-Signature-256") != Sign(w.hub.Secret(), body) || r.Header.Get("X-Hub-Signature") != "" {
			t.Errorf("%s: signature", list[i].Event)
		}
		if r.Header.Get("X-GitHub-Delivery") != list[i].GUID || r.Header.Get("X-GitHub-Event") != list[i].Event {
			t.Errorf("%s: headers %v", list[i].Event, r.Header)
		}
		parsed, err := github.ParseWebHook(list[i].Event, body)
		if err != nil {
			t.Errorf("%s: %v", list[i].Event, err)
		}
		if e, ok := parsed.(*github.PullRequestEvent); ok && e.GetAction() == "synchronize" {
			if e.GetBefore() != first || e.GetAfter() != second || e.GetPullRequest().GetHead().GetSHA() != second ||
				e.GetInstallation().GetID() != w.hub.Installation("ada") || e.GetRepo().GetID() != w.repo.ID() {
				t.Errorf("synchronize: %s", body)
			}
		}
		if e, ok := parsed.(*github.IssueCommentEvent); ok {
			if !e.GetIssue().IsPullRequest() || e.GetIssue().GetNumber() != n || strings.Contains(string(body), second) {
				t.Errorf("comment: %s", body)
			}
			if e.GetAction() == "edited" && (e.GetSender().GetLogin() != "ada" || e.GetComment().GetUser().GetLogin() != "tess") {
				t.Error("the editor is taken for the author")
			}
		}
	}
}

// TestMergeGroupNeedsItsPermission is 2A-20 and 2A-22.
func TestMergeGroupNeedsItsPermission(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, want string
		grant      map[string]string
	}{
		{"with merge queues: read", "merge_group.checks_requested merge_group.destroyed", nil},
		{"without", "", map[string]string{"metadata": "read", "contents": "read", "pull_requests": "read"}},
	} {
		w := newWorld(t, Options{Permissions: tc.grant}, false)
		newTarget(t, w)
		w.commit("feature", map[string]File{"a": Text("1")}, w.base)
		n := w.pull("feature", PullOptions{})
		w.hub.Lose()
		sha, err := w.repo.MergeGroup(n)
		if err != nil {
			t.Fatal(err)
		}
		if a := w.want(200, "GET", "/commits/"+sha+"/pulls", ""); a.len() != 0 {
			t.Errorf("%s: the group's commit has pull requests", tc.name)
		}
		if err := w.repo.LeaveGroup(n, sha); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(strings.TrimPrefix(names(w.deliver()), "push")); got != tc.want {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}

// TestRedelivery is 2A-3 and the sweep of 1.1: the same GUID comes again, and
// the failed row stays in the log beside the good one.
func TestRedelivery(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	tg := newTarget(t, w)
	w.hub.Lose()
	tg.answer(500)
	w.commit("main", map[string]File{"a": Text("1")})
	failed := w.deliver()[0]
	if failed.StatusCode != 500 || failed.Status == "OK" || failed.ID <= 1<<53 {
		t.Errorf("first attempt: %+v", failed)
	}
	tg.answer(202)
	list := w.do("GET", "/app/hook/deliveries?status=failure", w.app(), "")
	w.do("POST", "/app/hook/deliveries/"+list.str(0, "id")+"/attempts", w.app(), "")
	again := w.deliver()
	if len(again) != 1 || again[0].GUID != failed.GUID || !again[0].Redelivery || again[0].Status != "OK" || again[0].ID == failed.ID {
		t.Errorf("second attempt: %+v", again)
	}
	if string(tg.bodies[0]) != string(tg.bodies[1]) {
		t.Error("the payload changed")
	}
	if a := w.do("GET", "/app/hook/deliveries?status=failure", w.app(), ""); a.len() != 1 {
		t.Errorf("failed rows after a good redelivery: %d", a.len())
	}
	w.hub.SetClock(func() time.Time { return time.Now().Add(73 * time.Hour) })
	if a := w.do("GET", "/app/hook/deliveries", w.app(), ""); a.len() != 0 {
		t.Errorf("rows after three days: %d", a.len())
	}
}

func TestDeliveriesPageByCursor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	newTarget(t, w)
	w.hub.Lose()
	for i := range 5 {
		w.commit("main", map[string]File{"a": Text(fmt.Sprint(i))})
	}
	w.deliver()
	seen, path := map[string]bool{}, w.hub.URL()+"/app/hook/deliveries?per_page=2"
	for path != "" {
		a := w.do("GET", path, w.app(), "")
		for i := range a.len() {
			if id := a.str(i, "id"); seen[id] {
				t.Errorf("row %s comes twice", id)
			} else {
				seen[id] = true
			}
		}
		path, _, _ = strings.Cut(strings.TrimPrefix(a.header.Get("Link"), "<"), ">")
		if strings.Contains(path, "page=") && !strings.Contains(path, "cursor=") {
			t.Fatal("a page number where a cursor belongs")
		}
	}
	if len(seen) != 5 {
		t.Errorf("%d of 5 rows", len(seen))
	}
}

func TestTargetsThatFail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	tg := newTarget(t, w)
	w.hub.Lose()
	tg.answer(308)
	w.commit("main", map[string]File{"a": Text("1")})
	if d := w.deliver(); d[0].StatusCode != 308 || d[0].Status == "OK" || len(tg.got) != 1 {
		t.Errorf("a redirect: %+v, %d requests", d[0], len(tg.got))
	}
	w.hub.SetTarget("http://127.0.0.1:1/")
	if err := w.hub.Repeat(w.hub.Deliveries()[0].GUID); err != nil {
		t.Fatal(err)
	}
	if d := w.deliver(); d[0].StatusCode != 0 || d[0].Status == "OK" {
		t.Errorf("nobody there: %+v", d[0])
	}
	for _, far := range []string{"http://example.com/", "http://localhost/", "https://127.0.0.1/", "http://10.0.0.1/", ""} {
		w.hub.SetTarget(far)
		w.commit("main", map[string]File{"a": Text(far)})
		if _, err := w.hub.Deliver(t.Context()); err == nil {
			t.Errorf("delivered to %q", far)
		}
	}
}

func TestRunDeliversAsThingsHappen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	came := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct{ After string }
		_ = json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&body)
		came <- body.After
	}))
	defer server.Close()
	w.hub.SetTarget(server.URL)
	w.hub.Lose()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.hub.Run(ctx) }()
	for i := range 3 {
		if sha := w.commit("main", map[string]File{"a": Text(fmt.Sprint(i))}); sha != <-came {
			t.Error("another commit's event")
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
