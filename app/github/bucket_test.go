package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A watch is a clock that a test moves.
type watch struct {
	mu  sync.Mutex
	now time.Time
}

func (c *watch) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *watch) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// limitHub is a hub and an App with one clock, and a pull request to read.
func limitHub(t *testing.T) (*hub, *App, *watch) {
	t.Helper()
	c := &watch{now: time.Now().Truncate(time.Second)}
	h := newHub(t)
	h.now = c.Now
	return h, h.app(func(cfg *Config) { cfg.Now = c.Now }), c
}

const pullRoute = "GET /repos/o/r/pulls/1"

func aPull() answer { return ok(object{"number": 1, "head": object{"sha": sha("a")}}) }

// quota is an answer's statement of the primary limit.
func quota(a answer, limit, left int, reset time.Time, resource string) answer {
	a.header = map[string]string{
		"X-RateLimit-Limit": fmt.Sprint(limit), "X-RateLimit-Remaining": fmt.Sprint(left),
		"X-RateLimit-Reset": fmt.Sprint(reset.Unix()), "X-RateLimit-Resource": resource,
	}
	return a
}

func wantLimit(t *testing.T, err error, want time.Duration) {
	t.Helper()
	var l *Limited
	if !errors.As(err, &l) || l.After != want {
		t.Errorf("got %v, want a limit of %v", err, want)
	}
}

// 2A-28: who goes on while limited prolongs the ban, whichever request was told.
func TestALimitStopsTheOthersOfItsInstallation(t *testing.T) {
	t.Parallel()
	h, a, clock := limitHub(t)
	h.on(pullRoute, answer{429, map[string]string{"Retry-After": "90"}, nil}, aPull())
	_, err := a.For(5, 9, Reading).Pull(t.Context(), here, 1)
	wantLimit(t, err, 90*time.Second)
	clock.pass(30 * time.Second)
	_, err = a.For(5, 9, Publishing).Pull(t.Context(), here, 1) // another token, the same limit
	wantLimit(t, err, 60*time.Second)
	if n := h.count(pullRoute); n != 1 {
		t.Errorf("%d requests, one of them into a known limit", n)
	}
	if _, err := a.For(6, 9, Reading).Pull(t.Context(), here, 1); err != nil {
		t.Errorf("another installation: %v", err)
	}
	clock.pass(60 * time.Second)
	if _, err := a.For(5, 9, Reading).Pull(t.Context(), here, 1); err != nil {
		t.Errorf("after the wait: %v", err)
	}
}

func TestTheLastRequestOfTheHourIsTheLast(t *testing.T) {
	t.Parallel()
	h, a, clock := limitHub(t)
	reset := clock.Now().Add(40 * time.Minute)
	h.on(pullRoute, quota(aPull(), 5000, 0, reset, "core"), quota(aPull(), 5000, 4999, reset.Add(time.Hour), "core"))
	c := a.Installation(5)
	if _, err := c.Pull(t.Context(), here, 1); err != nil {
		t.Fatal(err)
	}
	_, err := c.Pull(t.Context(), here, 1)
	wantLimit(t, err, 40*time.Minute)
	if b, known := a.Budget(5); !known || b.Left != 0 || b.Limit != 5000 || !b.Reset.Equal(reset) {
		t.Errorf("budget: %+v %v", b, known)
	}
	clock.pass(40 * time.Minute)
	if _, known := a.Budget(5); known {
		t.Error("the hour is over, and its budget still known")
	}
	if _, err := c.Pull(t.Context(), here, 1); err != nil {
		t.Errorf("in the next hour: %v", err)
	}
	if b, _ := a.Budget(5); b.Left != 4999 {
		t.Errorf("budget of the next hour: %+v", b)
	}
}

// A clock that is off must not move the reset.
func TestTheResetIsByGitHubsClock(t *testing.T) {
	t.Parallel()
	h, a, clock := limitHub(t)
	h.now = func() time.Time { return clock.Now().Add(-10 * time.Minute) }
	h.on(pullRoute, quota(aPull(), 5000, 0, h.now().Add(20*time.Minute), "core"))
	if _, err := a.Installation(5).Pull(t.Context(), here, 1); err != nil {
		t.Fatal(err)
	}
	_, err := a.Installation(5).Pull(t.Context(), here, 1)
	wantLimit(t, err, 20*time.Minute)
}

// An answer that names the reset and not the size of the hour is a limit as well.
func TestAResetWithoutTheRestIsALimitForAll(t *testing.T) {
	t.Parallel()
	h, a, clock := limitHub(t)
	h.on(pullRoute, answer{403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(clock.Now().Add(5 * time.Minute).Unix())}, nil})
	for range 2 {
		_, err := a.Installation(5).Pull(t.Context(), here, 1)
		wantLimit(t, err, 5*time.Minute)
	}
	if n := h.count(pullRoute); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// 2A-28: "at least one minute, then exponential, with an end".
func TestALimitWithoutATimeIsWaitedForLongerEachTime(t *testing.T) {
	t.Parallel()
	h, a, clock := limitHub(t)
	bare := quota(refuse(403, "You have exceeded a secondary rate limit."), 10, 9, clock.Now().Add(10*time.Hour), "core") // the hour is far from used up
	h.on(pullRoute, bare, bare, bare, bare, bare, bare, bare, bare, quota(aPull(), 10, 9, clock.Now().Add(10*time.Hour), "core"), bare)
	c := a.Installation(5)
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		_, err := c.Pull(t.Context(), here, 1)
		wantLimit(t, err, want*time.Minute)
		clock.pass(want * time.Minute)
	}
	if _, err := c.Pull(t.Context(), here, 1); err != nil {
		t.Fatal(err)
	}
	_, err := c.Pull(t.Context(), here, 1)
	wantLimit(t, err, time.Minute) // it begins anew after a success
}

func TestBackgroundWorkLeavesATenthToVerdicts(t *testing.T) {
	t.Parallel()
	h, a, clock := limitHub(t)
	reset := clock.Now().Add(time.Hour)
	h.on(pullRoute, quota(aPull(), 5000, 500, reset, "core"), quota(aPull(), 5000, 499, reset, "core"), quota(aPull(), 5000, 498, reset, "core"))
	c := a.For(5, 9, Reading)
	background := c.Background()
	for range 2 { // with nothing known, and with a tenth
		if _, err := background.Pull(t.Context(), here, 1); err != nil {
			t.Fatal(err)
		}
	}
	_, err := background.Pull(t.Context(), here, 1)
	wantLimit(t, err, time.Hour)
	if _, err := c.Pull(t.Context(), here, 1); err != nil {
		t.Errorf("a verdict: %v", err)
	}
	if h.mints != 1 || h.count(pullRoute) != 3 {
		t.Errorf("%d tokens, %d requests", h.mints, h.count(pullRoute))
	}
}

// Answers overtake each other; a late one with a higher figure is no new hour.
func TestTheLowestFigureOfAnHourCounts(t *testing.T) {
	t.Parallel()
	b := newBucket(0, time.Now)
	reset := time.Now().Add(time.Hour)
	for _, left := range []string{"10", "7", "9"} {
		b.learn("core", http.Header{
			"X-Ratelimit-Limit": {"5000"}, "X-Ratelimit-Remaining": {left}, "X-Ratelimit-Reset": {fmt.Sprint(reset.Unix())},
		})
	}
	if got := b.rates["core"].left; got != 7 {
		t.Errorf("%d left, want 7", got)
	}
	b.learn("core", http.Header{"X-Ratelimit-Limit": {"many"}})
	if got := b.rates["core"].left; got != 7 {
		t.Errorf("a header of another form: %d left", got)
	}
}

// GitHub ends the service for who has more than a hundred requests on their way.
func TestTheRequestsOnTheirWayHaveABound(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int64
	gate := make(chan struct{})
	h := newHub(t)
	full := make(chan struct{})
	isFull := sync.OnceFunc(func() { close(full) }) // they may come to it a second time
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/access_tokens") {
			h.ServeHTTP(w, r)
			return
		}
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if n == atOnce {
			isFull()
		}
		<-gate
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	h.on(pullRoute, aPull())
	a := h.app(func(c *Config) { c.BaseURL = server.URL })
	var all sync.WaitGroup
	for range 3 * atOnce {
		all.Go(func() {
			if _, err := a.For(5, 9, Reading).Pull(t.Context(), here, 1); err != nil {
				t.Error(err)
			}
		})
	}
	<-full
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.For(5, 9, Reading).Pull(ctx, here, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("who does not wait any more: %v", err)
	}
	close(gate)
	all.Wait()
	if n := most.Load(); n != atOnce {
		t.Errorf("%d requests were on their way at once", n)
	}
}
