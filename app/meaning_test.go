package app

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/meter"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// An ear is a server of embeddings that remembers all that it hears.
type ear struct {
	mu   sync.Mutex
	said strings.Builder
}

// listen gives the stage's settings such a server.
func (s *stage) listen() *ear {
	e := &ear{}
	server := httptest.NewServer(e)
	s.t.Cleanup(server.Close)
	s.settings.Embeddings = embed.Config{URL: server.URL, Model: "tiny", Weight: embed.DefaultWeight}
	return e
}

func (e *ear) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var q struct{ Input []string }
	body, err := io.ReadAll(r.Body)
	fmt.Fprintln(&e.said, r.URL, r.Header, string(body))
	if err != nil || json.Unmarshal(body, &q) != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	data := []map[string]any{}
	for i, text := range q.Input {
		e.said.WriteString(text + "\n") // as it was before JSON
		data = append(data, map[string]any{"index": i, "embedding": []int{len(text), 100}})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

func (e *ear) heard() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.said.String()
}

// The settings reach the questions, and the numbers say so.
func TestTheAppAsksByMeaning(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.SQLite(t))
	s.settings.OperatorToken = rand.Text() + rand.Text()
	e := s.listen()
	service := must(New(t.Context(), s.settings, quiet(), Options{}))(t)
	check(t, service.Store.Close())
	if e.heard() != "" {
		t.Errorf("a start alone sends %q", e.heard())
	}
	s.play()
	number, _ := s.open("topic", "", map[string]fakehub.File{"skills/gates/SKILL.md": fakehub.Text("# Gates\n\nThe gate of the mill opens at dawn.\n\nThe gate of the mill opens by a lantern.\n")})
	must(s.repo.Comment(number, "mallory", "/ask How does the gate of the mill open?"))(t)
	s.reply(number, 1)
	for _, want := range []string{"How does the gate of the mill open?\n", "Gates\nThe gate of the mill opens at dawn.\n", "by a lantern.\n"} {
		if !strings.Contains(e.heard(), want) {
			t.Errorf("%q was not sent: %s", want, e.heard())
		}
	}
	for _, want := range []string{meter.Embeddings + `{outcome="made"} 1`, meter.EmbedTexts + " 3", meter.EmbedTime + "_count 1"} {
		if text := s.operator("/metrics"); !strings.Contains(text, want) {
			t.Errorf("not scraped: %s", want)
		}
	}
}
