package jobs

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// A near is a server of embeddings that puts texts with a word on one side, and all
// others on the other.
type near struct {
	word string

	mu   sync.Mutex
	sent [][]string
	down bool
}

func (n *near) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var q struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || n.down {
		http.Error(w, "QQQ", http.StatusUnauthorized)
		return
	}
	n.sent = append(n.sent, q.Input)
	for i, text := range q.Input {
		side := "[0,1]"
		if i == 0 || strings.Contains(text, n.word) {
			side = "[1,0]"
		}
		end := ","
		if i == len(q.Input)-1 {
			end = "]}"
		}
		if i == 0 {
			fmt.Fprint(w, `{"data":[`)
		}
		fmt.Fprintf(w, `{"index":%d,"embedding":%s}%s`, i, side, end)
	}
}

func (n *near) last() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.sent) == 0 {
		return nil
	}
	return n.sent[len(n.sent)-1]
}

const gates = "# Gates\n\nThe gate of the mill opens at dawn.\n\nThe gate of the mill opens slowly in winter.\n\nThe gate of the mill opens by a lantern.\n"

// A reply is in the order of meaning; the facts are sent once, and known again after
// a restart; without the server the reply is the one without, and the log says so.
func TestRepliesInTheOrderOfMeaning(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		n := &near{word: "lantern"}
		client := must(embed.New(embed.Config{URL: serveFunc(t, n.ServeHTTP), Model: "tiny", Weight: 100}, embed.Options{}))(t)
		w := newWorld(t, options{url: url, embed: client})
		number, _ := w.open("topic", map[string]fakehub.File{"skills/gates/SKILL.md": fakehub.Text(gates)})
		w.settled()
		ask := func() string {
			t.Helper()
			before := len(w.replies(number))
			must(w.repo.Comment(number, "mallory", "/ask How does the gate of the mill open?"))(t)
			w.settled()
			all := w.replies(number)
			if len(all) != before+1 {
				t.Fatalf("%d replies; the log:\n%s", len(all)-before, w.log)
			}
			return all[before]
		}
		first := ask()
		lantern, dawn := strings.Index(first, "lantern"), strings.Index(first, "dawn")
		if lantern < 0 || dawn < lantern || strings.Contains(first, "eaning") {
			t.Errorf("the reply: %s", first)
		}
		if sent := n.last(); len(sent) < 4 || w.count("vectors") != len(sent)-1 || strings.Contains(strings.Join(sent, ""), "/ask") {
			t.Errorf("sent %q, kept %d", sent, w.count("vectors"))
		}
		w.restart()
		if again := ask(); again != first || len(n.last()) != 1 {
			t.Errorf("sent %q, the reply: %s", n.last(), again)
		}
		n.mu.Lock()
		n.down = true
		n.mu.Unlock()
		plain := ask()
		if i := strings.Index(plain, "dawn"); i < 0 || i > strings.Index(plain, "lantern") {
			t.Errorf("without: %s", plain)
		}
		if log := w.log.String(); !strings.Contains(log, "answered without meaning search") || !strings.Contains(log, "key_file") || strings.Contains(log, "QQQ") {
			t.Errorf("the log:\n%s", log)
		}
	})
}
