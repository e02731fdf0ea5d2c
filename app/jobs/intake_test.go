package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/logs"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/webhooks"
)

// A counter is the door with nobody working behind it: signed deliveries go in.
type counter struct {
	store   *store.Store
	runner  *Runner
	handler http.Handler
	bodies  [][]byte
	n       int // deliveries
}

const counterSecret = "a secret for this test"

// newCounter makes a door and n deliveries of GitHub's published example, each of another pull request.
func newCounter(t testing.TB, url string, n int) *counter {
	return newCounterOver(t, url, n, n)
}

// newCounterOver is newCounter with so many pull requests.
func newCounterOver(t testing.TB, url string, n, pulls int) *counter {
	t.Helper()
	log := logs.New(&buffer{}, 12, false)
	st := must(store.Open(context.Background(), url, log))(t)
	t.Cleanup(func() { check(t, st.Close()) })
	hub := must(fakehub.New(fakehub.Options{Key: must(testKey())(t)}))(t)
	t.Cleanup(func() { check(t, hub.Close()) })
	check(t, hub.Start())
	client := must(github.New(github.Config{AppID: hub.AppID(), Key: must(hub.PrivateKey())(t), BaseURL: hub.URL()}))(t)
	c := &counter{store: st, n: n}
	c.runner = must(New(Config{Store: st, GitHub: client, Scanner: must(scanning())(t), Log: log}))(t)
	c.handler = must(webhooks.Handler([]string{counterSecret}, webhooks.App{ID: hub.AppID()}, c.runner, log))(t)
	var payload map[string]any
	check(t, json.Unmarshal(must(os.ReadFile("../../testdata/webhooks/pull_request.opened.json"))(t), &payload))
	payload["installation"] = map[string]any{"id": 1}
	for i := range min(n, pulls) {
		payload["number"] = i + 1
		payload["pull_request"].(map[string]any)["number"] = i + 1
		c.bodies = append(c.bodies, must(json.Marshal(payload))(t))
	}
	return c
}

// send hands delivery i in and gives the answer.
func (c *counter) send(i int) (status int, answer string) {
	body := c.bodies[i%len(c.bodies)]
	r := httptest.NewRequest(http.MethodPost, "/webhook", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Event", "pull_request")
	r.Header.Set("X-GitHub-Delivery", fmt.Sprintf("00000000-0000-0000-0000-%012d", i))
	r.Header.Set("X-Hub-Signature-256", fakehub.Sign(counterSecret, body))
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// rush sends all deliveries from so many senders and gives how long each took.
func (c *counter) rush(t testing.TB, senders int, want ...int) []time.Duration {
	var next atomic.Int64
	var group sync.WaitGroup
	took := make([]time.Duration, c.n)
	for range senders {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < c.n; i = int(next.Add(1)) - 1 {
				begun := time.Now()
				if status, answer := c.send(i); !slices.Contains(want, status) {
					t.Errorf("delivery %d: %d %s", i, status, answer)
				}
				took[i] = time.Since(begun)
			}
		})
	}
	group.Wait()
	slices.Sort(took)
	return took
}

func (c *counter) count(t testing.TB, from string) (n int) {
	t.Helper()
	check(t, c.store.DB().QueryRow(`SELECT count(*) FROM `+from).Scan(&n))
	return n
}

// A burst is taken in whole: none is lost, none is taken twice, and a second burst of the same changes nothing.
func TestABurstIsTakenInOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		const n = 200
		c := newCounter(t, url, n)
		// A machine that is too slow for a burst says so, and what it refused comes again.
		c.rush(t, 64, http.StatusAccepted, http.StatusServiceUnavailable)
		c.rush(t, 16, http.StatusAccepted, http.StatusOK)
		c.rush(t, 64, http.StatusOK)
		for _, from := range []string{"deliveries WHERE state = 'accepted' AND attempts = 1", "river_job", "pulls WHERE generation = 1 AND job > 0"} {
			if got := c.count(t, from); got != n {
				t.Errorf("%d of %s, want %d", got, from, n)
			}
		}
	})
}

// GitHub waits for nobody: 5,000 deliveries come in ten seconds, while the jobs of the first are worked on. Each is
// acknowledged, none is lost, and the work of all comes to its end.
func TestFiveThousandDeliveriesInTenSecondsAreTakenIn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		n := 10 * burstRate
		if testing.Short() {
			n = burstRate
		}
		c := newCounterOver(t, url, n, n/5)
		check(t, c.runner.Start(context.Background()))
		took := c.stream(t, burstRate)
		t.Logf("%d deliveries, %d a second: p50 %v, p99 %v, the slowest %v", n, burstRate, took[n/2], took[n*99/100], took[n-1])
		limit := time.Now().Add(patience)
		for c.count(t, "deliveries WHERE state = 'accepted'") > 0 && time.Now().Before(limit) {
			<-time.After(50 * time.Millisecond)
		}
		check(t, c.runner.Stop(context.Background()))
		for from, want := range map[string]int{
			"deliveries WHERE attempts = 1": n, "deliveries WHERE state = 'done'": n, "pulls": n / 5, "river_job WHERE finalized_at IS NULL": 0,
		} {
			if got := c.count(t, from); got != want {
				t.Errorf("%d %s, want %d", got, from, want)
			}
		}
	})
}

// stream sends all deliveries at a rate, whether the ones before were answered or not, and gives how long each took.
func (c *counter) stream(t *testing.T, perSecond int) []time.Duration {
	took := make([]time.Duration, c.n)
	var group sync.WaitGroup
	var refused atomic.Int64
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	begun := time.Now()
	for next := 0; next < c.n; <-tick.C {
		for due := int(time.Since(begun).Seconds()*float64(perSecond)) + 1; next < min(due, c.n); next++ {
			i := next
			group.Go(func() {
				sent := time.Now()
				status, answer := c.send(i)
				for status == http.StatusServiceUnavailable { // a machine that is too busy says so, and is asked again
					refused.Add(1)
					status, answer = c.send(i)
				}
				if status != http.StatusAccepted && status != http.StatusOK {
					t.Errorf("delivery %d: %d %s", i, status, answer)
				}
				took[i] = time.Since(sent)
			})
		}
	}
	group.Wait()
	t.Logf("%d answers were that it could not be stored now", refused.Load())
	slices.Sort(took)
	return took
}

// Of a batch, what cannot be stored is refused alone.
func TestOneBadDeliveryDoesNotStopItsBatch(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		c := newCounter(t, url, 0)
		var batch []*letter
		for i := range 3 {
			d := webhooks.Delivery{GUID: fmt.Sprint("guid-", i), Event: "pull_request", Installation: 1, Repository: 2, Pull: i + 1}
			w := webhooks.Work{Kind: webhooks.Check, Installation: 1, Repository: 2, Pull: i + 1}
			if i == 1 {
				w.Repository = -1
			}
			batch = append(batch, &letter{ctx: t.Context(), d: d, work: []webhooks.Work{w}, done: make(chan struct{})})
		}
		c.runner.acceptAll(batch)
		for i, l := range batch {
			<-l.done
			if bad := i == 1; errors.Is(l.err, store.ErrInvalid) != bad || !bad && !l.fresh {
				t.Errorf("delivery %d: fresh %v, %v", i, l.fresh, l.err)
			}
		}
		if n := c.count(t, "deliveries"); n != 2 {
			t.Errorf("%d deliveries, want 2", n)
		}
	})
}

// Who has gone away before anybody began is not stored.
func TestADeliveryWhoseTimeIsUpIsNotStored(t *testing.T) {
	t.Parallel()
	c := newCounter(t, storetest.SQLite(t), 0)
	c.runner.intake.slots <- struct{}{} // somebody is at it
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := webhooks.Delivery{GUID: "late", Event: "push", Installation: 1, Repository: 2}
	if _, err := c.runner.Accept(ctx, d, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("accepted with %v", err)
	}
	<-c.runner.intake.slots
	d.GUID = "next"
	if fresh, err := c.runner.Accept(t.Context(), d, nil); err != nil || !fresh {
		t.Errorf("the next: %v, %v", fresh, err)
	}
	if n := c.count(t, "deliveries"); n != 1 {
		t.Errorf("%d deliveries, want 1", n)
	}
}

// BenchmarkIntake measures signed deliveries from the handler to the commit. What limits it is computing, not the
// disk: of a delivery's time in a burst a third goes into the batch's five statements, the queue's being the dearest,
// a quarter into reading the JSON, and a tenth into the signature. PostgreSQL's part is in its own processes.
func BenchmarkIntake(b *testing.B) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		for _, senders := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/senders=%d", name, senders), func(b *testing.B) {
				c := newCounter(b, url(b), b.N)
				b.ResetTimer()
				took := c.rush(b, senders, http.StatusAccepted)
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "accepts/s")
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			})
		}
	}
}
