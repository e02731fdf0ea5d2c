package github

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/logs"
	"github.com/cardkeeper/cardkeeper/app/meter"
)

// Each request is counted under its pattern and written with GitHub's id of it and
// the delivery that it is for; no name of a repository gets into either (law 8).
func TestRequestsAreCountedAndWritten(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	about := func(id, left string) map[string]string {
		return map[string]string{"X-GitHub-Request-Id": id, "X-RateLimit-Remaining": left, "X-RateLimit-Resource": "core"}
	}
	h.on("GET /repos/canaryowner/canaryname/pulls/1", answer{200, about("A1:B2", "4321"), object{"number": 1, "state": "open"}},
		answer{502, about("canary id", "x"), ""}, answer{429, map[string]string{"Retry-After": "60"}, ""})
	h.on("POST /repos/canaryowner/canaryname/issues/comments/3/reactions", answer{201, about("C3:D4", "4320"), object{}})
	var out bytes.Buffer
	m := meter.New(meter.Build{})
	app := h.app(func(c *Config) { c.Meter, c.Log = m, logs.New(&out, slog.LevelDebug, true) })
	ctx := logs.With(t.Context(), slog.String(logs.Delivery, "guid-1"))
	repo := Repo{Owner: "canaryowner", Name: "canaryname"}
	client := app.Installation(5)
	_, _ = client.Pull(ctx, repo, 1) // what it gives is tested elsewhere
	if err := client.React(ctx, repo, 3, "eyes"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, _ = client.Pull(ctx, repo, 1)
	}
	const pull = `GET /repos/{owner}/{repo}/pulls/{pull_number}`
	for _, want := range []string{
		`level=INFO msg="github request" route="POST ` + tokenRoute + `" status=201`,
		`level=DEBUG msg="github request" route="` + pull + `" status=200 request_id=A1:B2`,
		`level=WARN msg="github request" route="` + pull + `" status=502 request_id=""`,
		`level=WARN msg="github request" route="` + pull + `" status=429`,
		`level=INFO msg="github request" route="POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions" status=201 request_id=C3:D4`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("not written: %s", want)
		}
	}
	for line := range strings.Lines(out.String()) {
		if !strings.HasSuffix(line, " delivery=guid-1\n") {
			t.Errorf("without its delivery: %s", line)
		}
	}
	numbers := scraped(m)
	for _, want := range []string{
		meter.Requests + `{route="` + pull + `",status="200"} 1`, meter.Requests + `{route="` + pull + `",status="502"} 1`,
		meter.Tokens + " 1", meter.Budget + `{installation="5"} 4320`, meter.LimitWaits + `_bucket{le="60"} 1`, meter.LimitWaits + `_bucket{le="10"} 0`,
	} {
		if !strings.Contains(numbers, want) {
			t.Errorf("not counted: %s", want)
		}
	}
	if strings.Contains(out.String()+numbers, "canary") {
		t.Errorf("a name got out:\n%s", &out)
	}
	app.Forget(5)
	if strings.Contains(scraped(m), meter.Budget+"{") {
		t.Error("an installation that is gone is still shown")
	}
}

func TestARequestWithoutAnAnswerIsCounted(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	m := meter.New(meter.Build{})
	app := h.app(func(c *Config) { c.Meter = m })
	h.srv.Close()
	if _, err := app.Self(t.Context()); err == nil {
		t.Fatal("a closed server answered")
	}
	if want := meter.Requests + `{route="GET /app",status="0"} 1`; !strings.Contains(scraped(m), want) {
		t.Errorf("not counted: %s", want)
	}
}

// A request that is not even sent, since the limit is known, waits all the same.
func TestAWaitForAKnownLimitIsCounted(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	used := map[string]string{"X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": strconv.FormatInt(time.Now().Add(30*time.Minute).Unix(), 10)}
	h.on("GET /repos/o/r/pulls/1", answer{200, used, object{"number": 1, "state": "open"}})
	m := meter.New(meter.Build{})
	client := h.app(func(c *Config) { c.Meter = m }).Installation(5)
	for range 2 {
		_, _ = client.Pull(t.Context(), here, 1) // what it gives is tested elsewhere
	}
	if n := h.count("GET /repos/o/r/pulls/1"); n != 1 || !strings.Contains(scraped(m), meter.LimitWaits+"_count 1") {
		t.Errorf("%d requests, the wait is not counted", n)
	}
}

func scraped(m *meter.Meter) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}
