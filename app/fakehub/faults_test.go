package fakehub

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestFaultsActInOrderAndWearOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.hub.Fail(
		Fault{Method: "GET", Path: "/repos/*/git/trees/*", Status: 500, Body: "<html>oops</html>", Times: 2},
		Fault{Path: "/repos/ada/skills/git/trees/main", Status: 502},
	)
	var got []int
	for range 4 {
		got = append(got, w.in("GET", "/git/trees/main", "").status)
	}
	if fmt.Sprint(got) != "[500 500 502 200]" {
		t.Errorf("statuses: %v", got)
	}
	if n := w.hub.Counts()["GET /repos/{owner}/{repo}/git/trees/{sha...}"]; n != 1 {
		t.Errorf("the operation ran %d times, want once", n)
	}
	w.hub.Fail(Fault{Path: "*", Status: 503, Times: -1})
	for range 3 {
		w.want(503, "GET", "", "")
	}
	w.hub.Heal()
	w.want(200, "GET", "", "")
}

// TestDropDoesTheWork is 2A-16: the run is made and nobody hears of it.
func TestDropDoesTheWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	w.hub.Fail(Fault{Method: "POST", Path: "*/check-runs", Drop: true})
	body := fmt.Sprintf(`{"name":"cardkeeper","head_sha":%q}`, w.base)
	if _, err := w.send("POST", "/repos/ada/skills/check-runs", w.token, body); err == nil {
		t.Error("the connection held")
	}
	if n := len(w.hub.CheckRuns(w.repo, w.base)); n != 1 {
		t.Errorf("%d runs, want 1", n)
	}
}

func TestHoldWaitsForTheTest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	gate := make(chan struct{})
	w.hub.Fail(Fault{Path: "/repos/ada/skills", Hold: gate})
	done := make(chan error, 1)
	go func() {
		_, err := w.send("GET", "/repos/ada/skills", w.token, "")
		done <- err
	}()
	w.want(200, "GET", "/git/trees/main", "") // others are not held
	select {
	case <-done:
		t.Error("answered while it was held")
	default:
	}
	close(gate)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestLimitsLookLikeGitHubs is 2A-28: the forms that a limit takes.
func TestLimitsLookLikeGitHubs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	for _, tc := range []struct {
		fault Fault
		retry string
	}{
		{SecondaryLimit(403, 30*time.Second), "30"}, {SecondaryLimit(429, time.Minute), "60"}, {SecondaryLimit(403, 0), ""},
	} {
		w.hub.Fail(tc.fault)
		a := w.in("GET", "", "")
		if a.status != tc.fault.Status || a.header.Get("Retry-After") != tc.retry || !strings.Contains(a.str("message"), "secondary rate limit") {
			t.Errorf("%d: retry-after %q, %s", a.status, a.header.Get("Retry-After"), a.body)
		}
		if left := a.header.Get("X-RateLimit-Remaining"); left == "" || left == "0" {
			t.Errorf("%d: a primary budget of %q is left", a.status, left)
		}
	}
}

func TestPrimaryBudget(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	w := newWorld(t, Options{Now: func() time.Time { return now }}, false)
	w.hub.SetBudget(2)
	a := w.want(200, "GET", "", "")
	if a.header.Get("X-RateLimit-Remaining") != "1" || a.header.Get("X-RateLimit-Limit") != "2" {
		t.Errorf("headers: %v", a.header)
	}
	// What is answered 304 is free.
	for range 5 {
		if b := w.want(304, "GET", "", "", "If-None-Match", a.header.Get("Etag")); b.header.Get("X-RateLimit-Remaining") != "1" || len(b.body) != 0 {
			t.Errorf("304: %v", b.header)
		}
	}
	w.want(200, "GET", "/branches/main", "")
	a = w.want(403, "GET", "", "")
	if a.header.Get("X-RateLimit-Remaining") != "0" || a.header.Get("X-RateLimit-Reset") != fmt.Sprint(now.Add(time.Hour).Unix()) ||
		!strings.Contains(a.str("message"), "rate limit exceeded") {
		t.Errorf("used up: %v %s", a.header, a.body)
	}
	if a := w.do("GET", "/app", w.app(), ""); a.status != 200 {
		t.Errorf("the App's own bucket: %d", a.status)
	}
	w.hub.SetClock(func() time.Time { return now.Add(time.Hour) })
	w.token = w.mint("")
	w.want(200, "GET", "", "")
}

func TestOversizedBodiesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, true)
	a := w.in("POST", "/git/blobs", strings.Repeat("x", bodyLimit+1))
	if a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", a.status)
	}
}

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pattern, s string
		want       bool
	}{
		{"*", "/a/b", true}, {"/a", "/a", true}, {"/a", "/a/b", false}, {"/a/*", "/a/b/c", true}, {"/a/*", "/b/a/", false},
		{"*/c", "/a/c", true}, {"*/c", "/a/c/d", false}, {"/a/*/c/*", "/a/x/y/c/z", true}, {"/a*a", "/a", false},
	} {
		if got := glob(tc.pattern, tc.s); got != tc.want {
			t.Errorf("glob(%q, %q) = %v", tc.pattern, tc.s, got)
		}
	}
}

// TestManyAtOnce is what several workers do to one hub.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, false)
	done := make(chan error, 20)
	for range cap(done) {
		go func() {
			_, err := w.send("POST", "/repos/ada/skills/check-runs", w.token, fmt.Sprintf(`{"name":"n","head_sha":%q}`, w.base))
			if err == nil {
				_, err = w.send("GET", "/repos/ada/skills/git/trees/main?recursive=1", w.token, "")
			}
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	ids := map[int64]bool{}
	for _, run := range w.hub.CheckRuns(w.repo, w.base) {
		ids[run.ID] = true
	}
	if len(ids) != 20 {
		t.Errorf("%d runs, want 20", len(ids))
	}
}
