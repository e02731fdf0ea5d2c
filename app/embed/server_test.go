package embed

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A flavour is how one kind of server differs from the others.
type flavour struct {
	path     string // of the endpoint
	most     int    // texts in one request; 0 is any number
	tooMany  int    // the status of more
	noUsage  bool
	noIndex  bool
	shuffled bool
	unknown  string // body of 404 for another model; "" takes any name
	quiet    bool   // knows no base64
}

// The four usual ones, as their sources and their users' reports have them.
var (
	ollama = flavour{path: "/v1/embeddings", quiet: true,
		unknown: `{"error":{"message":"model \"QQQ\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`}
	llama = flavour{path: "/v1/embeddings", shuffled: true}
	vllm  = flavour{path: "/v1/embeddings", shuffled: true,
		unknown: `{"object":"error","message":"The model QQQ does not exist.","type":"NotFoundError","param":"model","code":404}`}
	inference = flavour{path: "/v1/embeddings", most: 32, tooMany: http.StatusUnprocessableEntity, noUsage: true}
	hosted    = flavour{path: "/openai/embeddings", noIndex: true,
		unknown: `{"error":{"message":"The model QQQ does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`}
)

// A server is a server of embeddings: a real one but for its model, which hashes words.
type server struct {
	flavour
	url  string
	dims int

	mu    sync.Mutex
	asked [][]string // the texts of each request that was answered
	keys  []string
	first []http.HandlerFunc // answer the first requests in the server's place
}

func serve(t *testing.T, f flavour, first ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{flavour: f, dims: 64, first: first}
	hub := httptest.NewServer(s)
	t.Cleanup(hub.Close)
	s.url = hub.URL
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = append(s.keys, r.Header.Get("Authorization"))
	if len(s.first) > 0 {
		first := s.first[0]
		s.first = s.first[1:]
		first(w, r)
		return
	}
	s.usual(w, r)
}

// usual answers as the kind of server does.
func (s *server) usual(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Model    string
		Input    []string
		Encoding string `json:"encoding_format"`
	}
	switch err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&q); {
	case r.Method != http.MethodPost || r.URL.Path != s.path:
		http.NotFound(w, r)
	case err != nil || len(q.Input) == 0:
		http.Error(w, `{"error":{"message":"bad request"}}`, http.StatusBadRequest)
	case s.unknown != "" && q.Model != "tiny":
		http.Error(w, s.unknown, http.StatusNotFound)
	case s.most > 0 && len(q.Input) > s.most:
		http.Error(w, `{"error":"batch size QQQ > maximum allowed batch size 32","error_type":"Validation"}`, s.tooMany)
	default:
		s.asked = append(s.asked, q.Input)
		_ = json.NewEncoder(w).Encode(s.answer(q.Input, q.Encoding == "base64" && !s.quiet))
	}
}

// answer is the body for some texts.
func (s *server) answer(texts []string, packed bool) map[string]any {
	data := []map[string]any{}
	for i := range texts {
		if s.shuffled {
			i = len(texts) - 1 - i
		}
		d := map[string]any{"object": "embedding", "index": i, "embedding": words(texts[i], s.dims)}
		if packed {
			d["embedding"] = pack(words(texts[i], s.dims))
		}
		if s.noIndex {
			delete(d, "index")
		}
		data = append(data, d)
	}
	out := map[string]any{"object": "list", "model": "tiny", "data": data}
	if !s.noUsage {
		out["usage"] = map[string]int{"prompt_tokens": 5 * len(texts), "total_tokens": 5 * len(texts)}
	}
	return out
}

// words is the model: texts with the same words are near each other. No vector is
// of unit length.
func words(text string, dims int) []float32 {
	out := make([]float32, dims)
	out[0] = .25
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		h := fnv.New32a()
		fmt.Fprint(h, strings.Trim(w, ".,?!"))
		out[h.Sum32()%uint32(dims)] += 3
	}
	return out
}

func pack(v []float32) string {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// requests are the texts of all requests that were answered.
func (s *server) requests() [][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// tried are the keys of all requests, answered or not.
func (s *server) tried() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys
}

// A world is a client with a clock of its own that never really waits.
type world struct {
	*Client
	mu     sync.Mutex
	now    time.Time
	waits  []time.Duration
	counts map[string]int
}

func (w *world) Embedded(outcome string, texts int, _ time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[outcome]++
	w.counts["texts"] += texts
}

func client(t *testing.T, cfg Config, budget Budget) *world {
	t.Helper()
	w := &world{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), counts: map[string]int{}}
	if cfg.Model == "" {
		cfg.Model = "tiny"
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = time.Minute // a slow machine is no failure
	}
	c, err := New(cfg, Options{Budget: budget, Meter: w, Now: func() time.Time { return w.now }, Wait: func(_ context.Context, d time.Duration) error {
		w.waits = append(w.waits, d)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.Client = c
	return w
}

// says answers with a status, a body and headers.
func says(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}
