package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A lookout is a server of embeddings: the question and what holds a word point one
// way, all else the other.
type lookout struct {
	word string
	url  string

	mu   sync.Mutex
	sent [][]string
	keys []string
	down bool
}

func watchFor(t *testing.T, word string) *lookout {
	t.Helper()
	l := &lookout{word: word}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	l.url = server.URL
	return l
}

func (l *lookout) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var q struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || l.down {
		http.Error(w, "QQQ", http.StatusNotImplemented)
		return
	}
	l.sent, l.keys = append(l.sent, q.Input), append(l.keys, r.Header.Get("Authorization"))
	type vector struct {
		Index     int   `json:"index"`
		Embedding []int `json:"embedding"`
	}
	data := []vector{}
	for i, text := range q.Input {
		v := vector{i, []int{0, 1}}
		if i == 0 || strings.Contains(text, l.word) {
			v.Embedding = []int{1, 0}
		}
		data = append(data, v)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

// mill is a repository where several facts answer, and a cache folder of its own.
func mill(t *testing.T) (s sandbox, cache string) {
	t.Helper()
	cache = t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	return repository(t, map[string]string{"a/SKILL.md": "# Gates\n\nThe gate of the mill opens at dawn.\n\nThe gate of the mill opens slowly in winter.\n\nThe gate of the mill opens by a lantern.\n"}), cache
}

const gate = "How does the gate of the mill open?"

// The same facts, the nearest first; the facts are sent once, and the file of vectors
// holds no word.
func TestAskByMeaning(t *testing.T) {
	s, cache := mill(t)
	t.Setenv(embeddingsURL, "")
	l := watchFor(t, "lantern")
	file := filepath.Join(t.TempDir(), "embeddings.yml")
	if err := os.WriteFile(file, []byte("url: "+l.url+"/v1/\nmodel: tiny\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := strings.Repeat("k7", 10)
	t.Setenv(embeddingsKey, key)
	plain := s.expect(exitOK, "ask", gate).stdout
	if strings.Index(plain, "dawn") > strings.Index(plain, "lantern") || len(l.sent) > 0 {
		t.Fatalf("without: sent %d, %s", len(l.sent), plain)
	}
	o := s.expect(exitOK, "ask", "--explain", "--embeddings", file, gate)
	if strings.Index(o.stdout, "lantern") > strings.Index(o.stdout, "dawn") || o.stderr != "" {
		t.Errorf("by meaning: %s%s", o.stdout, o.stderr)
	}
	want(t, o.stdout, "meaning 1.00", "meaning 0.00", "meaning search put 3 facts in order")
	o = s.expect(exitOK, "ask", "--format", "json", "--embeddings", file, gate)
	got := decoded(t, o.stdout)
	if m, _ := got["meaning"].(map[string]any); m["used"] != true || m["facts"] != 3. {
		t.Errorf("json: %s", o.stdout)
	}
	if len(l.sent) != 2 || len(l.sent[0]) != 4 || len(l.sent[1]) != 1 || l.keys[0] != "Bearer "+key {
		t.Errorf("sent %q", l.sent)
	}
	data, err := os.ReadFile(filepath.Join(cache, "cardkeeper", "vectors"))
	if err != nil || strings.Contains(string(data), "mill") {
		t.Errorf("%v: %d bytes", err, len(data))
	}
	s.write("q.jsonl", `{"id":"a","question":"`+gate+`"}`+"\n"+`{"id":"b","question":"Which telescope shows the moon?"}`+"\n")
	lines := strings.Split(s.expect(exitOK, "ask", "--embeddings", file, "--batch", s.path("q.jsonl")).stdout, "\n")
	if !strings.Contains(lines[0], `"meaning":{"used":true`) || strings.Contains(lines[1], "meaning") || len(l.sent) != 3 {
		t.Errorf("batch: %q, sent %q", lines, l.sent)
	}
	unspoken(t, key, o.all()+strings.Join(lines, "")+string(data))
}

// A server that fails changes no answer and no exit code.
func TestAskWithoutItsServer(t *testing.T) {
	s, _ := mill(t)
	t.Setenv(embeddingsURL, "")
	plain := s.expect(exitOK, "ask", gate).stdout
	l := watchFor(t, "lantern")
	l.down = true
	t.Setenv(embeddingsURL, l.url)
	t.Setenv(embeddingsModel, "tiny")
	o := s.expect(exitOK, "ask", "--explain", gate)
	want(t, o.stderr, "answered without meaning search:", "--embeddings")
	want(t, o.stdout, "without meaning search: ")
	if !strings.HasPrefix(o.stdout, plain) || strings.Contains(o.all(), "QQQ") {
		t.Errorf("another answer: %s", o.all())
	}
	s.expect(exitFound, "ask", "Which telescope shows the moon?")
	s.write("q.jsonl", strings.Repeat(`{"id":"a","question":"`+gate+`"}`+"\n", 5))
	o = s.expect(exitOK, "ask", "--batch", s.path("q.jsonl"))
	if strings.Count(o.stderr, "without meaning search") != 1 || strings.Count(o.stdout, `"used":false`) != 5 {
		t.Errorf("batch: %s", o.all())
	}
}

func TestMeaningSetUpWrongly(t *testing.T) {
	s, _ := mill(t)
	s.write("near.yml", "url: http://127.0.0.1:1\nmodel: tiny\n")
	outside := filepath.Join(t.TempDir(), "e.yml")
	if err := os.WriteFile(outside, []byte("url: QQQ\nmodel: tiny\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		url, model, key string
		args            []string
		want            string
	}{
		"a file of the repository": {args: []string{"--embeddings", s.path("near.yml")}, want: "must not lie in the repository"},
		"a file with faults":       {args: []string{"--embeddings", outside}, want: "embeddings.url must be"},
		"a file that is not there": {args: []string{"--embeddings", outside + "x"}, want: "cannot be read"},
		"an address alone":         {url: "http://127.0.0.1:1", want: embeddingsModel},
		"an address that is none":  {url: "QQQ", model: "tiny", want: "url must be"},
		"a key in the clear":       {url: "http://ollama.example:1", model: "tiny", key: "QQQ", want: "https address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(embeddingsURL, tc.url)
			t.Setenv(embeddingsModel, tc.model)
			t.Setenv(embeddingsKey, tc.key)
			o := s.expect(exitUsage, append(append([]string{"ask"}, tc.args...), gate)...)
			want(t, o.stderr, tc.want)
			if strings.Contains(o.all(), "QQQ") || strings.Contains(o.all(), "lantern") {
				t.Errorf("it is quoted, or answered: %s", o.all())
			}
		})
	}
}
