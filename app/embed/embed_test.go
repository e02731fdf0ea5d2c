package embed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var facts = []string{"the dump is older than two days", "never ship parcels on Sundays", "restart the daemon when the queue hangs", "restart the daemon when the queue hangs"}

const asking = "when does the queue hang and the daemon restart"

func TestEachKindOfServerGivesTheSameOrder(t *testing.T) {
	t.Parallel()
	var want []int
	for _, tc := range []struct {
		sentence string
		flavour  flavour
		base     string
		packed   bool
	}{
		{"Ollama, which knows no base64", ollama, "/v1/", true},
		{"llama.cpp, in another order", llama, "", false},
		{"vLLM in base64", vllm, "/v1", true},
		{"Text Embeddings Inference without usage", inference, "/", false},
		{"a hosted one under another path, without index", hosted, "/openai/embeddings", false},
	} {
		s := serve(t, tc.flavour)
		c := client(t, Config{URL: s.url + tc.base, Base64: tc.packed}, nil)
		got, err := c.Finder(nil).Alike(t.Context(), asking, facts)
		if err != nil {
			t.Fatalf("%s: %v", tc.sentence, err)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) || got[2] <= got[1] || got[2] <= got[0] || got[2] != got[3] {
			t.Errorf("%s: %v, want %v", tc.sentence, got, want)
		}
		if r := s.requests(); len(r) != 1 || len(r[0]) != 4 { // equal texts are sent once
			t.Errorf("%s: sent %q", tc.sentence, r)
		}
	}
}

// One question costs one request, of no more than the server's share at a time.
func TestAQuestionCostsOneBoundedRequest(t *testing.T) {
	t.Parallel()
	many := make([]string, 31)
	for i := range many {
		many[i] = fmt.Sprintf("fact %d %s", i, strings.Repeat("längé ", 500))
	}
	s := serve(t, inference)
	c := client(t, Config{URL: s.url, FactPrefix: "passage: ", QuestionPrefix: "query: "}, nil)
	if _, err := c.Finder(nil).Alike(t.Context(), strings.Repeat("why ", 999), many); err != nil {
		t.Fatal(err)
	}
	r := s.requests()
	if len(r) != 1 || len(r[0]) != 32 || !strings.HasPrefix(r[0][0], "query: why") || !strings.HasPrefix(r[0][1], "passage: fact 0 ") {
		t.Fatalf("%d requests", len(r))
	}
	for _, text := range r[0] {
		if len(text) > longest || strings.Contains(text, "�") {
			t.Errorf("%d bytes: %q", len(text), text)
		}
	}
	c = client(t, Config{URL: s.url, Batch: 10}, nil)
	if _, err := c.Finder(nil).Alike(t.Context(), "why", many); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, texts := range s.requests()[1:] {
		sizes = append(sizes, len(texts))
	}
	if !slices.Equal(sizes, []int{10, 10, 10, 2}) {
		t.Errorf("in parts of ten: %v", sizes)
	}
}

// Each refusal names the setting to look at and quotes nobody.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		sentence string
		answer   http.HandlerFunc
		kind     error
		names    string
		tries    int
	}{
		{"Ollama has no such model", says(404, ollama.unknown), ErrSettings, "model", 1},
		{"vLLM has no such model", says(404, vllm.unknown), ErrSettings, "model", 1},
		{"a hosted service has no such model", says(404, hosted.unknown), ErrSettings, "model", 1},
		{"an error that is a text", says(404, `{"error":"model 'QQQ' not found"}`), ErrSettings, "model", 1},
		{"there is no such path", says(404, "404 page not found QQQ"), ErrSettings, "look at url", 1},
		{"a page answers", says(405, "<html>QQQ"), ErrSettings, "look at url", 1},
		{"the key is wrong", says(401, `{"error":{"message":"Incorrect API key provided: QQQ","code":"invalid_api_key"}}`), ErrSettings, "key_file", 1},
		{"the key may not", says(403, `QQQ`), ErrSettings, "key_file", 1},
		{"llama.cpp was started for something else", says(501, `{"error":{"code":501,"message":"QQQ","type":"not_supported_error"}}`), ErrSettings, "--embeddings", 1},
		{"too many texts", says(422, `{"error":"batch size QQQ","error_type":"Validation"}`), ErrSettings, "batch", 1},
		{"a body that is too large", says(413, `QQQ`), ErrSettings, "batch", 1},
		{"a model of another kind", says(400, `{"error":{"message":"QQQ does not support embeddings"}}`), ErrSettings, "model", 1},
		{"no quota", says(429, `{"error":{"message":"QQQ","type":"insufficient_quota","code":"insufficient_quota"}}`), ErrSettings, "quota", 1},
		{"elsewhere", says(307, "QQQ", "Location", "http://127.0.0.1:1/QQQ"), ErrSettings, "url", 1},
		{"a failure that stays", says(500, `{"error":{"code":500,"message":"QQQ","type":"server_error"}}`), ErrServer, "status 500", 3},
		{"a limit that stays", says(429, `QQQ`), ErrServer, "status 429", 3},
		{"no JSON", says(200, `<html>QQQ`), ErrAnswer, "url", 1},
		{"an error that calls itself success", says(200, `{"error":{"message":"QQQ"}}`), ErrAnswer, "more or fewer", 1},
		{"too few vectors", says(200, `{"data":[{"index":0,"embedding":[1]}]}`), ErrAnswer, "more or fewer", 1},
		{"too many vectors", says(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]},{"index":2,"embedding":[1]}]}`), ErrAnswer, "more or fewer", 1},
		{"one number twice", says(200, `{"data":[{"index":1,"embedding":[1]},{"index":1,"embedding":[1]}]}`), ErrAnswer, "numbered", 1},
		{"a number too high", says(200, `{"data":[{"index":1,"embedding":[1]},{"index":2,"embedding":[1]}]}`), ErrAnswer, "numbered", 1},
		{"a number below none", says(200, `{"data":[{"index":-1,"embedding":[1]},{"index":0,"embedding":[1]}]}`), ErrAnswer, "numbered", 1},
		{"one of two has a number", says(200, `{"data":[{"embedding":[1]},{"index":1,"embedding":[1]}]}`), ErrAnswer, "numbered", 1},
		{"different lengths", says(200, `{"data":[{"index":1,"embedding":[1]},{"index":0,"embedding":[1,2]}]}`), ErrAnswer, "differ in length", 1},
		{"null, which is llama.cpp's word for no number", says(200, `{"data":[{"embedding":[1,null]},{"embedding":[1,2]}]}`), ErrAnswer, "no number", 1},
		{"NaN, as Python writes it", says(200, `{"data":[{"embedding":[1,NaN]},{"embedding":[1,2]}]}`), ErrAnswer, "no list of vectors", 1},
		{"NaN in base64", says(200, `{"data":[{"embedding":"AADAfw=="},{"embedding":"AADAfw=="}]}`), ErrAnswer, "no number", 1},
		{"infinity in base64", says(200, `{"data":[{"embedding":"AACAfw=="},{"embedding":"AACAfw=="}]}`), ErrAnswer, "no number", 1},
		{"a number beyond all", says(200, `{"data":[{"embedding":[1e999]},{"embedding":[1]}]}`), ErrAnswer, "no number", 1},
		{"base64 that is cut", says(200, `{"data":[{"embedding":"AADAfwAA"},{"embedding":"AADA"}]}`), ErrAnswer, "no number", 1},
		{"zeros", says(200, `{"data":[{"embedding":[0,0]},{"embedding":[0,0]}]}`), ErrAnswer, "direction", 1},
		{"nothing in a vector", says(200, `{"data":[{"embedding":[]},{"embedding":[]}]}`), ErrAnswer, "empty", 1},
		{"a vector of words", says(200, `{"data":[{"embedding":["QQQ"]},{"embedding":["QQQ"]}]}`), ErrAnswer, "no number", 1},
		{"a vector without end", says(200, `{"data":[{"embedding":[`+strings.Repeat("1,", mostDims)+`1]},{"embedding":[1]}]}`), ErrAnswer, "too long", 1},
		{"an answer without end", says(200, `{"data":[`+strings.Repeat(" ", mostAnswer)), ErrAnswer, "16 MB", 1},
		{"a broken line", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, ErrServer, "connection broke", 3},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			t.Parallel()
			s := serve(t, ollama, slices.Repeat([]http.HandlerFunc{tc.answer}, 9)...)
			key := "QQQ" + "-key"
			c := client(t, Config{URL: s.url, Key: key}, nil)
			_, err := c.Finder(nil).Alike(t.Context(), asking, facts[:1])
			if !errors.Is(err, tc.kind) || !strings.Contains(err.Error(), tc.names) {
				t.Errorf("got %v, want %v with %q", err, tc.kind, tc.names)
			}
			if strings.Contains(err.Error(), "QQQ") || strings.Contains(err.Error(), "127.0.0.1:") {
				t.Errorf("it is quoted: %v", err)
			}
			if len(s.tried()) != tc.tries || s.tried()[0] != "Bearer "+key {
				t.Errorf("%d tries, want %d", len(s.tried()), tc.tries)
			}
			if c.counts["failed"] != 1 || c.counts["made"] != 0 {
				t.Errorf("counted %v", c.counts)
			}
		})
	}
}

// A redirect would take the key and the texts to an address that nobody wrote down.
func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	other := serve(t, ollama)
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := serve(t, ollama, says(status, "", "Location", other.url+"/v1/embeddings"))
		if _, err := client(t, Config{URL: s.url}, nil).Finder(nil).Alike(t.Context(), asking, facts); !errors.Is(err, ErrSettings) {
			t.Errorf("%d: %v", status, err)
		}
	}
	if len(other.tried()) != 0 {
		t.Errorf("%d requests went on", len(other.tried()))
	}
}

func TestWhatFailsForAMomentIsTriedAgain(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		first []http.HandlerFunc
		waits []time.Duration
	}{
		"a full queue":       {[]http.HandlerFunc{says(503, "")}, []time.Duration{firstWait}},
		"two of them":        {[]http.HandlerFunc{says(500, ""), says(502, "")}, []time.Duration{firstWait, 2 * firstWait}},
		"a limit in seconds": {[]http.HandlerFunc{says(429, "", "Retry-After", "3")}, []time.Duration{3 * time.Second}},
		"a limit as a date":  {[]http.HandlerFunc{says(429, "", "Retry-After", "Sun, 01 Mar 2026 12:00:07 GMT")}, []time.Duration{7 * time.Second}},
		"a limit of nothing": {[]http.HandlerFunc{says(429, "", "Retry-After", "-4")}, []time.Duration{firstWait}},
		"a limit of words":   {[]http.HandlerFunc{says(429, "", "Retry-After", "soon")}, []time.Duration{firstWait}},
	} {
		s := serve(t, llama, tc.first...)
		c := client(t, Config{URL: s.url}, nil)
		if _, err := c.Finder(nil).Alike(t.Context(), asking, facts); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tc.waits, c.waits); diff != "" || c.counts["made"] != 1 || c.counts["texts"] != 4 {
			t.Errorf("%s: %s, %v", name, diff, c.counts)
		}
	}
	// A wait beyond the time that a question has is none: the answer goes without.
	s := serve(t, llama, says(429, "", "Retry-After", "300"))
	c := client(t, Config{URL: s.url}, nil)
	if _, err := c.Finder(nil).Alike(t.Context(), asking, facts); !errors.Is(err, ErrServer) || len(c.waits) != 0 {
		t.Errorf("%v after %v", err, c.waits)
	}
	if _, err := c.Finder(nil).Alike(t.Context(), asking, facts); !errors.Is(err, ErrPaused) { // it gets the time
		t.Errorf("at once: %v", err)
	}
	c.now = c.now.Add(301 * time.Second)
	if _, err := c.Finder(nil).Alike(t.Context(), asking, facts); err != nil {
		t.Errorf("after that time: %v", err)
	}
}

func TestAServerThatFailsIsLeftAloneForAWhile(t *testing.T) {
	t.Parallel()
	s := serve(t, llama, slices.Repeat([]http.HandlerFunc{says(401, "")}, 4)...)
	c := client(t, Config{URL: s.url}, nil)
	ask := func() error { _, err := c.Finder(nil).Alike(t.Context(), asking, facts); return err }
	for range pauseAfter {
		if err := ask(); !errors.Is(err, ErrSettings) {
			t.Fatal(err)
		}
	}
	if err := ask(); !errors.Is(err, ErrPaused) || len(s.tried()) != 3 {
		t.Errorf("%v, %d requests", err, len(s.tried()))
	}
	c.now = c.now.Add(pauseFor)
	if err := ask(); !errors.Is(err, ErrSettings) || len(s.tried()) != 4 { // the trial
		t.Errorf("%v, %d requests", err, len(s.tried()))
	}
	if err := ask(); !errors.Is(err, ErrPaused) {
		t.Error(err)
	}
	c.now = c.now.Add(pauseFor)
	for range 2 {
		if err := ask(); err != nil {
			t.Error(err)
		}
	}
	want := map[string]int{"failed": 4, "paused": 2, "made": 2, "texts": 4*4 + 2*4}
	if diff := cmp.Diff(want, c.counts); diff != "" {
		t.Error(diff)
	}
}

// One text that a server does not take is no reason to leave it alone.
func TestARefusedRequestIsNoPause(t *testing.T) {
	t.Parallel()
	s := serve(t, llama, slices.Repeat([]http.HandlerFunc{says(422, "")}, 5)...)
	c := client(t, Config{URL: s.url}, nil)
	for range 5 {
		if _, err := c.Finder(nil).Alike(t.Context(), asking, facts); !errors.Is(err, ErrSettings) {
			t.Fatal(err)
		}
	}
	if _, err := c.Finder(nil).Alike(t.Context(), asking, facts); err != nil || c.counts["failed"] != 5 {
		t.Errorf("%v, %v", err, c.counts)
	}
}

// A server that hangs costs the time of the setting, and the question's own end is
// nobody's failure.
func TestASlowServer(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(hold) })
	c := client(t, Config{URL: slow.URL, Timeout: 20 * time.Millisecond}, nil)
	_, err := c.Finder(nil).Alike(t.Context(), asking, facts)
	if !errors.Is(err, ErrServer) || !strings.Contains(err.Error(), "timeout") || c.counts["failed"] != 1 {
		t.Errorf("%v, %v", err, c.counts)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = c.Finder(nil).Alike(ctx, asking, facts); !errors.Is(err, context.Canceled) || c.counts["failed"] != 1 {
		t.Errorf("the question's own end: %v, %v", err, c.counts)
	}
}

func TestAServerThatIsNotThere(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	plain := serve(t, llama)
	for url, want := range map[string]string{
		"http://" + address: "nothing answers at its address",
		strings.Replace(plain.url, "http://", "https://", 1): "does not speak TLS",
	} {
		_, err = client(t, Config{URL: url}, nil).Finder(nil).Alike(t.Context(), asking, facts)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A purse is a budget with an end.
type purse struct{ left, reserved, used int }

func (p *purse) Reserve(_ context.Context, tokens int) error {
	if tokens > p.left {
		return errors.New("QQQ")
	}
	p.reserved += tokens
	p.left -= tokens
	return nil
}

func (p *purse) Settle(_ context.Context, reserved, used int) {
	p.used += used
	p.left += reserved - used
}

func TestABudgetIsAskedBeforeEachRequest(t *testing.T) {
	t.Parallel()
	p := &purse{left: 400}
	s := serve(t, ollama)
	c := client(t, Config{URL: s.url}, p)
	if _, err := c.Finder(nil).Alike(t.Context(), asking, facts); err != nil || p.used != 20 || p.reserved < p.used {
		t.Errorf("%v, %+v", err, p)
	}
	p.left = 10
	_, err := c.Finder(nil).Alike(t.Context(), asking, facts)
	if !errors.Is(err, ErrCapped) || strings.Contains(err.Error(), "QQQ") || len(s.tried()) != 1 || c.counts["capped"] != 1 {
		t.Errorf("%v, %v", err, c.counts)
	}
	p = &purse{left: 4000} // a server that does not count: all that was reserved
	c = client(t, Config{URL: serve(t, inference).url}, p)
	if _, err := c.Finder(nil).Alike(t.Context(), asking, facts); err != nil || p.used != p.reserved {
		t.Errorf("%v, %+v", err, p)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"http://127.0.0.1:11434":                 "http://127.0.0.1:11434/v1/embeddings",
		" http://127.0.0.1:11434/ ":              "http://127.0.0.1:11434/v1/embeddings",
		"http://127.0.0.1:8080/v1":               "http://127.0.0.1:8080/v1/embeddings",
		"https://api.example.com/v1//":           "https://api.example.com/v1/embeddings",
		"https://example.com/proxy/v1/":          "https://example.com/proxy/v1/embeddings",
		"https://example.com/openai/embeddings/": "https://example.com/openai/embeddings",
		"https://example.com/a%2Fb":              "https://example.com/a%2Fb/v1/embeddings",
		"http://[::1]:8080":                      "http://[::1]:8080/v1/embeddings",
		"":                                       "", "127.0.0.1:11434": "", "ftp://example.com": "", "https://": "", "https://u:p@example.com": "",
		"https://example.com?a=b": "", "https://example.com?": "", "https://example.com#a": "", "http://a\x7f": "", "http://:80": "",
	} {
		got, err := Address(base)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", base, got, err)
		}
		if err != nil && (err.Error() != ErrAddress.Error() || client0(base) == nil) {
			t.Errorf("%q: %v", base, err)
		}
	}
}

// client0 is the error of a client for an address.
func client0(base string) error {
	_, err := New(Config{URL: base}, Options{})
	return err
}

// A key goes to this machine or over TLS, on one line.
func TestWhereAKeyMayGo(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		url, key string
		ok       bool
	}{
		{"https://api.example.com", "abc", true},
		{"http://127.0.0.1:80", "abc", true},
		{"http://[::1]:80", "abc", true},
		{"http://localhost:80", "abc", true},
		{"http://10.0.0.7:80", "abc", false},
		{"http://ollama:80", "abc", false},
		{"http://localhost.example.com", "abc", false},
		{"http://ollama:80", "", true},
		{"https://api.example.com", "a\nb", false},
		{"https://api.example.com", "a b", false},
		{"https://api.example.com", "é", false},
	} {
		if _, err := New(Config{URL: tc.url, Key: tc.key}, Options{}); (err == nil) != tc.ok || err != nil && !errors.Is(err, ErrKey) {
			t.Errorf("%q to %s: %v", tc.key, tc.url, err)
		}
	}
}
