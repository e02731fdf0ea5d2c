package setup

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
)

// A delivery that failed and was accepted later is well; the list keeps both rows.
func TestDeliveriesThatFail(t *testing.T) {
	t.Parallel()
	c := newClinic(t, fakehub.Options{})
	var status atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(status.Load())) }))
	defer srv.Close()
	c.hub.SetTarget(srv.URL + "/webhook")
	send := func(code int) string {
		t.Helper()
		status.Store(int64(code))
		c.repo.Archive() // some event
		sent := must(c.hub.Deliver(t.Context()))(t)
		return sent[len(sent)-1].GUID
	}
	for code, words := range map[int]string{401: "compare webhook_secret_file", 503: "at its database", 302: "follows no redirect", 500: "service's log"} {
		guid := send(code)
		f := c.find(c.examine(), AboutWebhook, "", Mend, fmt.Sprint("answered with ", code), words)
		if strings.Contains(f.Text, guid) {
			t.Errorf("an id is shown: %s", f.Text)
		}
		status.Store(202)
		if err := c.hub.Repeat(guid); err != nil {
			t.Fatal(err)
		}
		c.deliver()
		c.find(c.examine(), AboutWebhook, "", OK, "all were delivered")
	}
	srv.Close()
	send(0)
	c.find(c.examine(), AboutWebhook, "", Mend, "no connection", "firewall")
}

func TestJudgingDeliveries(t *testing.T) {
	t.Parallel()
	now := time.Now()
	attempt := func(guid string, code int, ago time.Duration) github.Attempt {
		return github.Attempt{GUID: guid, Code: code, At: now.Add(-ago)}
	}
	many := []github.Attempt{attempt("new", 202, time.Minute)}
	for i := range 30 {
		many = append(many, attempt(fmt.Sprint(i), 202, time.Hour))
	}
	for _, tc := range []struct {
		sentence string
		list     []github.Attempt
		state    State
		words    string
	}{
		{"none", nil, Note, "sent nothing"},
		{"one lost among many", append(many, attempt("lost", 0, 50*time.Hour)), Note, "of the last 32 events 1 failed, the newest of them 2 days ago"},
		{"the newest lost", append([]github.Attempt{attempt("lost", 0, 0)}, many...), Mend, "1 minute ago"},
		{"a third lost", []github.Attempt{attempt("a", 200, 0), attempt("b", 500, 3*time.Hour), attempt("c", 200, 4*time.Hour)}, Mend, "3 hours ago: answered with 500"},
		{"failed, then redelivered", []github.Attempt{attempt("a", 202, 0), attempt("a", 500, time.Hour)}, OK, "of the last 1 event all"},
		{"redelivered and failed again", []github.Attempt{attempt("a", 401, 0), attempt("a", 500, time.Hour)}, Mend, "answered with 401"},
	} {
		e := &examiner{Subject: Subject{Now: func() time.Time { return now }}}
		e.deliveries(tc.list)
		if f := e.report.Findings[0]; f.State != tc.state || !strings.Contains(f.Text, tc.words) || len(e.report.Findings) != 1 {
			t.Errorf("%s: %+v", tc.sentence, f)
		}
	}
}

func TestAWebhookThatIsSetWrong(t *testing.T) {
	t.Parallel()
	good := github.Hook{URL: "https://cards.example.com/webhook", ContentType: "json"}
	for _, tc := range []struct {
		sentence string
		change   func(*github.Hook)
		want     string
	}{
		{"as it should be", func(*github.Hook) {}, ""},
		{"below a path", func(h *github.Hook) { h.URL = "https://x.example/cards/webhook" }, ""},
		{"no address", func(h *github.Hook) { h.URL = "" }, "no webhook address"},
		{"no address at all", func(h *github.Hook) { h.URL = "://" }, "no webhook address"},
		{"this machine", func(h *github.Hook) { h.URL = "http://localhost:8080/webhook" }, "cannot reach it"},
		{"without TLS", func(h *github.Hook) { h.URL = "http://cards.example.com/webhook" }, "https://"},
		{"another path", func(h *github.Hook) { h.URL = "https://cards.example.com/" }, "/webhook"},
		{"forms", func(h *github.Hook) { h.ContentType = "form" }, "forms"},
		{"any certificate", func(h *github.Hook) { h.Insecure = true }, "certificate"},
	} {
		h := good
		tc.change(&h)
		e := &examiner{Subject: Subject{Settings: config.Settings{API: "https://api.github.com"}}}
		if got, next := e.hookFault(h); !strings.Contains(got, tc.want) || (got == "") != (tc.want == "") || (next == "") != (got == "") {
			t.Errorf("%s: %q, %q", tc.sentence, got, next)
		}
	}
}
