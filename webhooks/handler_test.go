package webhooks

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// GitHub's published vector: this secret and body give this digest.
const (
	vectorSecret = "It's a Secret to Everybody"
	vectorBody   = "Hello, World!"
	vectorSum    = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	guid         = "72d3162e-cc78-11e3-81ab-4c9367dc0958"
)

// memory is an inbox that does what the real one must: once per guid. It can be told to fail.
type memory struct {
	mu    sync.Mutex
	calls int
	seen  map[string][]Work
	last  Delivery
	fail  error
	panic any
}

func (m *memory) Accept(ctx context.Context, d Delivery, work []Work) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	m.last = d
	if m.panic != nil {
		panic(m.panic)
	}
	if _, ok := ctx.Deadline(); !ok {
		return false, errors.New("no deadline")
	}
	if m.fail != nil {
		return false, m.fail
	}
	_, known := m.seen[d.GUID]
	if m.seen == nil {
		m.seen = make(map[string][]Work)
	}
	m.seen[d.GUID] = work
	return !known, nil
}

func serving(t testing.TB, inbox Inbox, log *slog.Logger) http.Handler {
	t.Helper()
	h, err := Handler([]string{"old secret", vectorSecret}, App{ID: 29310}, inbox, log)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func sign(kind string, h func() hash.Hash, secret string, body []byte) string {
	mac := hmac.New(h, []byte(secret))
	mac.Write(body)
	return kind + "=" + hex.EncodeToString(mac.Sum(nil))
}

func sign256(body []byte) string { return sign("sha256", sha256.New, vectorSecret, body) }

// request is a whole, rightly signed delivery.
func request(name string, body []byte) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/webhook", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Delivery", guid)
	r.Header.Set("X-GitHub-Event", name)
	r.Header.Set("X-Hub-Signature-256", sign256(body))
	return r
}

func post(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func opened(t testing.TB) []byte { return published(t, "pull_request.opened") }

func published(t testing.TB, file string) []byte {
	t.Helper()
	body, err := os.ReadFile("../testdata/webhooks/" + file + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestThePublishedVector(t *testing.T) {
	t.Parallel()
	sum, ok := signature(http.Header{"X-Hub-Signature-256": {"sha256=" + vectorSum}})
	if !ok || !signed([][]byte{[]byte(vectorSecret)}, []byte(vectorBody), sum) {
		t.Error("the published digest was refused")
	}
	if signed([][]byte{[]byte(vectorSecret)}, []byte(vectorBody+"\n"), sum) {
		t.Error("another body passed")
	}
}

// 2A-6: a handler that takes anybody's word cannot be built.
func TestAHandlerWithoutASecretIsRefused(t *testing.T) {
	t.Parallel()
	for name, secrets := range map[string][]string{
		"none": nil, "an empty one": {""}, "a blank one": {" \t\n"}, "a blank one beside a good one": {"good", " "},
	} {
		h, err := Handler(secrets, App{ID: 1}, &memory{}, quiet())
		if h != nil || !errors.Is(err, ErrSecret) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "good") {
			t.Errorf("%s: the error names a secret: %v", name, err)
		}
	}
	if _, err := Handler([]string{"good"}, App{}, &memory{}, quiet()); !errors.Is(err, ErrApp) {
		t.Errorf("no App id: %v", err)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	const canary = "CanaryCanary"
	set := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	del := func(key string) func(*http.Request) { return func(r *http.Request) { r.Header.Del(key) } }
	tests := []struct {
		sentence string
		event    string
		body     []byte
		change   func(*http.Request)
		status   int
		text     string
	}{
		{"a delivery is stored", "pull_request", opened(t), nil, 202, "stored"},
		{"the older secret still counts", "pull_request", opened(t),
			set("X-Hub-Signature-256", sign("sha256", sha256.New, "old secret", opened(t))), 202, "stored"},

		{"a GET is refused", "pull_request", opened(t), func(r *http.Request) { r.Method = http.MethodGet }, 405, "POST only"},
		{"a PUT is refused", "pull_request", opened(t), func(r *http.Request) { r.Method = http.MethodPut }, 405, "POST only"},
		{"no signature is refused (2A-6)", "pull_request", opened(t), del("X-Hub-Signature-256"), 401, "missing"},
		{"an empty signature is refused (2A-6)", "pull_request", opened(t), set("X-Hub-Signature-256", ""), 401, "missing"},
		{"a wrong digest is refused (2A-6)", "pull_request", opened(t), set("X-Hub-Signature-256", "sha256="+vectorSum), 401, "not ours"},
		{"a cut digest is refused", "pull_request", opened(t), set("X-Hub-Signature-256", sign256(opened(t))[:70]), 401, "missing or not"},
		{"a long digest is refused", "pull_request", opened(t), set("X-Hub-Signature-256", sign256(opened(t))+"00"), 401, "missing or not"},
		{"a digest of no digits is refused", "pull_request", opened(t), set("X-Hub-Signature-256", "sha256="+strings.Repeat("x", 64)), 401, "missing or not"},
		{"a right SHA-1 is refused (2A-6)", "pull_request", opened(t),
			set("X-Hub-Signature-256", sign("sha1", sha1.New, vectorSecret, opened(t))), 401, "missing or not"},
		{"a right SHA-1 in its own header is refused (2A-6)", "pull_request", opened(t), func(r *http.Request) {
			r.Header.Del("X-Hub-Signature-256")
			r.Header.Set("X-Hub-Signature", sign("sha1", sha1.New, vectorSecret, opened(t)))
		}, 401, "missing"},
		{"a second signature is refused", "pull_request", opened(t), func(r *http.Request) {
			r.Header.Add("X-Hub-Signature-256", "sha256="+vectorSum)
		}, 401, "missing or not"},
		{"the digest of the same JSON written otherwise is refused (2A-6)", "pull_request", opened(t),
			set("X-Hub-Signature-256", sign256(compact(t, opened(t)))), 401, "not ours"},
		{"an unknown secret is refused", "pull_request", opened(t),
			set("X-Hub-Signature-256", sign("sha256", sha256.New, "another", opened(t))), 401, "not ours"},
		{"an empty secret is refused", "pull_request", opened(t),
			set("X-Hub-Signature-256", sign("sha256", sha256.New, "", opened(t))), 401, "not ours"},

		{"no delivery id is refused", "pull_request", opened(t), del("X-GitHub-Delivery"), 400, "X-GitHub-Delivery"},
		{"a long delivery id is refused", "pull_request", opened(t), set("X-GitHub-Delivery", strings.Repeat("a", 65)), 400, "X-GitHub-Delivery"},
		{"a delivery id without its groups is refused", "pull_request", opened(t), set("X-GitHub-Delivery", strings.Repeat("a", 36)), 400, "X-GitHub-Delivery"},
		{"a token in place of the delivery id is refused", "pull_request", opened(t), set("X-GitHub-Delivery", "dapi"+strings.Repeat("0f", 16)), 400, "X-GitHub-Delivery"},
		{"a delivery id of other signs is refused", "pull_request", opened(t), set("X-GitHub-Delivery", canary+"'; --"), 400, "X-GitHub-Delivery"},
		{"no event name is refused", "pull_request", opened(t), del("X-GitHub-Event"), 400, "X-GitHub-Event"},
		{"a long event name is refused", strings.Repeat("a", 65), opened(t), nil, 400, "X-GitHub-Event"},
		{"an event name of other signs is refused", canary + "\u00e9", opened(t), nil, 400, "X-GitHub-Event"},
		{"a body that is no JSON is refused", "pull_request", []byte(canary), nil, 400, "malformed payload: pull_request: body: no JSON at byte 1"},
		{"a form is refused with the cure", "pull_request", []byte("payload=" + canary),
			set("Content-Type", "application/x-www-form-urlencoded"), 400, "set the webhook's content type to application/json"},
		{"a repository hook's delivery is refused", "check_run", published(t, "check_run.created"), nil, 400, "installation.id"},

		{"an event of the future is nothing", "sprinkled_2", []byte(canary), nil, 204, ""},
		{"an action of no interest is nothing", "pull_request", published(t, "pull_request.labeled"), nil, 204, ""},
		{"a ping is nothing", "ping", published(t, "ping"), nil, 204, ""},
		{"a comment without a question is nothing", "issue_comment", published(t, "issue_comment.created"), nil, 204, ""},
	}
	for _, tc := range tests {
		t.Run(tc.sentence, func(t *testing.T) {
			t.Parallel()
			var lines bytes.Buffer
			inbox := &memory{}
			h := serving(t, inbox, slog.New(slog.NewJSONHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug})))
			r := request(tc.event, tc.body)
			if tc.change != nil {
				tc.change(r)
			}
			w := post(h, r)
			text := w.Body.String()
			if w.Code != tc.status || !strings.Contains(text, tc.text) || (tc.text == "") != (text == "") {
				t.Errorf("%d %q, want %d %q", w.Code, text, tc.status, tc.text)
			}
			if stored := inbox.calls > 0; stored != (tc.status == 202) {
				t.Errorf("stored: %v", stored)
			}
			if allow := w.Header().Get("Allow"); (allow == "POST") != (tc.status == 405) {
				t.Errorf("Allow: %q", allow)
			}
			if got := text + lines.String(); strings.Contains(got, canary) {
				t.Errorf("the input comes back: %s", got)
			}
			if strings.Contains(lines.String(), "sprinkled_2") {
				t.Errorf("the log has a name that could be a token: %s", lines.String())
			}
			if !strings.Contains(lines.String(), fmt.Sprintf(`"status":%d`, tc.status)) {
				t.Errorf("log: %s", lines.String())
			}
		})
	}
}

func compact(t testing.TB, body []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, body); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWhatTheInboxGets(t *testing.T) {
	t.Parallel()
	inbox := &memory{}
	h := serving(t, inbox, quiet())
	if w := post(h, request("pull_request", opened(t))); w.Code != 202 {
		t.Fatal(w.Code)
	}
	const head = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
	want := Delivery{GUID: guid, Event: "pull_request", Action: "opened", Installation: 1, Repository: 186853002, Pull: 2, Sender: 21031067, Head: head}
	if d := cmp.Diff(want, inbox.last); d != "" {
		t.Error(d)
	}
	work := []Work{{Kind: Check, Installation: 1, Repository: 186853002, Pull: 2, Sender: 21031067, Head: head}}
	if d := cmp.Diff(work, inbox.seen[guid]); d != "" {
		t.Error(d)
	}
	if w := post(h, request("pull_request", opened(t))); w.Code != 200 || w.Body.String() != "stored before\n" {
		t.Errorf("again: %d %q", w.Code, w.Body)
	}
}

func TestAnInboxThatFails(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		inbox  *memory
		status int
		retry  string
	}{
		"an error asks for another delivery":    {&memory{fail: errors.New("disk full")}, 503, "30"},
		"a panic is our fault and no crash":     {&memory{panic: errors.New("CanaryCanary")}, 500, ""},
		"a panic of the runtime is neither one": {&memory{panic: "CanaryCanary"}, 500, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var lines bytes.Buffer
			w := post(serving(t, tc.inbox, slog.New(slog.NewTextHandler(&lines, nil))), request("pull_request", opened(t)))
			if w.Code != tc.status || w.Header().Get("Retry-After") != tc.retry {
				t.Errorf("%d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
			}
			if got := w.Body.String() + lines.String(); strings.Contains(got, "CanaryCanary") || !strings.Contains(lines.String(), "level=ERROR") {
				t.Errorf("%s", got)
			}
			if strings.Contains(w.Body.String(), "disk") {
				t.Errorf("the inside shows: %s", w.Body)
			}
		})
	}
}

// 2A-4: twenty at once of one guid are one piece of work, and no failure.
func TestConcurrentDeliveriesOfOneGUID(t *testing.T) {
	t.Parallel()
	inbox := &memory{}
	server := httptest.NewServer(serving(t, inbox, quiet()))
	defer server.Close()
	body := opened(t)
	statuses := make(chan int, 20)
	var all sync.WaitGroup
	for range cap(statuses) {
		all.Go(func() {
			r := request("pull_request", body)
			out, err := http.NewRequest(http.MethodPost, server.URL, bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			out.Header = r.Header
			answer, err := server.Client().Do(out)
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
			statuses <- answer.StatusCode
		})
	}
	all.Wait()
	close(statuses)
	count := make(map[int]int)
	for s := range statuses {
		count[s]++
	}
	if d := cmp.Diff(map[int]int{202: 1, 200: 19}, count); d != "" || inbox.calls != 20 {
		t.Errorf("%d calls (-want +got):\n%s", inbox.calls, d)
	}
}

func BenchmarkDelivery(b *testing.B) {
	h, body := serving(b, &memory{}, quiet()), opened(b)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if w := post(h, request("pull_request", body)); w.Code/100 != 2 {
			b.Fatal(w.Code)
		}
	}
}
