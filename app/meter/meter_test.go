package meter

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// used is a meter to which everything happened once.
func used(t *testing.T, queue error) *Meter {
	t.Helper()
	m := New(Build{Version: "v1.2.3", Edition: 1, Rules: 300})
	m.Watch(func(ctx context.Context) ([]Depth, error) {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("the queue is asked without a deadline")
		}
		if queue != nil {
			return nil, queue
		}
		return []Depth{{"evaluate", "available", 3, 90 * time.Second}, {"evaluate", "running", 1, 2 * time.Second}}, nil
	})
	m.Delivery("pull_request", "fresh", 20*time.Millisecond)
	m.Job("evaluate", "done", time.Second)
	m.Verdict("failure")
	m.Unable("github_down")
	m.Published(3 * time.Second)
	m.Request("GET /repos/{owner}/{repo}/pulls/{number}", 200, time.Second)
	m.Limited(time.Minute)
	m.Left(7, 4999)
	m.Token()
	m.Scan("found", 1000, time.Millisecond)
	m.Finding("block")
	m.Answer("refused")
	m.Embedded("made", 32, time.Second)
	return m
}

func scrape(m *Meter) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}

func TestEachMetricOfTheTableIsScraped(t *testing.T) {
	t.Parallel()
	text := scrape(used(t, nil))
	for _, d := range Metrics() {
		if want := "# HELP " + d.Name + " " + d.Help + "\n# TYPE " + d.Name + " " + string(d.Kind) + "\n"; !strings.Contains(text, want) {
			t.Errorf("not scraped: %s", want)
		}
	}
	for _, want := range []string{
		`cardkeeper_deliveries_total{event="pull_request",outcome="fresh"} 1`, `cardkeeper_queue_jobs{kind="evaluate",state="available"} 3`,
		`cardkeeper_queue_oldest_seconds{kind="evaluate"} 90`, "cardkeeper_queue_up 1", `cardkeeper_delivery_accept_seconds_bucket{le="0.025"} 1`,
		`cardkeeper_github_requests_total{route="GET /repos/{owner}/{repo}/pulls/{number}",status="200"} 1`,
		`cardkeeper_github_budget_remaining{installation="7"} 4999`, "cardkeeper_secret_scan_bytes_total 1000",
		`cardkeeper_build_info{edition="1",rules="300",version="v1.2.3"} 1`, "go_goroutines ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not scraped: %s", want)
		}
	}
	// Whatever is scraped under our name stands in the table.
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(line, "# TYPE cardkeeper_")
		if name, _, _ = strings.Cut("cardkeeper_"+name, " "); ok && !slices.ContainsFunc(Metrics(), func(d Metric) bool { return d.Name == name }) {
			t.Errorf("%s is not in the table", name)
		}
	}
}

func TestTheReadmeHasTheTable(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, d := range Metrics() {
		labels := strings.Join(d.Labels, ", ")
		want = append(want, "| `"+d.Name+"` | "+string(d.Kind)+" | "+labels+" | "+strings.TrimSuffix(d.Help, ".")+" |")
	}
	for line := range strings.Lines(string(readme)) {
		if strings.HasPrefix(line, "| `cardkeeper_") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the README's table of metrics differs (-want +got):\n%s", d)
	}
}

func TestADatabaseThatDoesNotAnswerIsANumber(t *testing.T) {
	t.Parallel()
	text := scrape(used(t, errors.New("down")))
	if !strings.Contains(text, "cardkeeper_queue_up 0\n") || strings.Contains(text, "cardkeeper_queue_jobs{") || !strings.Contains(text, "cardkeeper_jobs_total{") {
		t.Errorf("scraped: %s", text)
	}
}

// Law 8: what is no machine word never becomes a label.
func TestALabelHoldsNoText(t *testing.T) {
	t.Parallel()
	m := used(t, nil)
	for _, text := range []string{"", "a sentence. With a stop", "ada@example.org", "tab\tcanary", "“canary”", strings.Repeat("canary", 20)} {
		m.Delivery(text, text, 0)
		m.Request(text, 200, 0)
		m.Answer(text)
	}
	out := scrape(m)
	for _, piece := range []string{"sentence", "example.org", "canary"} {
		if strings.Contains(out, piece) {
			t.Errorf("%q is scraped", piece)
		}
	}
	if !strings.Contains(out, `cardkeeper_answers_total{outcome="other"} 6`) {
		t.Error("what is no word is not counted as other")
	}
}

func TestInstallationsAreBounded(t *testing.T) {
	t.Parallel()
	m := New(Build{})
	for id := range int64(maxInstallations + 50) {
		m.Left(id+1, 1)
	}
	if n := strings.Count(scrape(m), Budget+"{"); n != maxInstallations {
		t.Errorf("%d installations, want %d", n, maxInstallations)
	}
	m.Forget(1)
	m.Left(999, 5)
	if text := scrape(m); strings.Contains(text, `{installation="1"}`) || !strings.Contains(text, `{installation="999"} 5`) {
		t.Error("one that is gone makes no room")
	}
}

func TestNoMeterCountsNothing(t *testing.T) {
	t.Parallel()
	var m *Meter
	m.Delivery("push", "fresh", 0)
	m.Job("x", "done", 0)
	m.Left(1, 1)
	m.Forget(1)
	m.Scan("clean", 1, 0)
}
