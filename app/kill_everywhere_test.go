package app

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
)

// A point is a request at which the process is held, to be killed there.
type point struct{ sentence, method, path string }

// catch holds each point's first request, and tells when all have come.
func (s *stage) catch(points []point) (all <-chan struct{}, release func()) {
	gate, arrived := make(chan struct{}), make(chan struct{})
	waiting := map[point]bool{}
	for _, p := range points {
		s.hub.Fail(fakehub.Fault{Method: p.method, Path: p.path, Hold: gate})
		waiting[p] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrive = func(r *http.Request) {
		for p := range waiting {
			prefix, suffix, _ := strings.Cut(strings.TrimPrefix(p.path, "*"), "*")
			if r.Method == p.method && strings.Contains(r.URL.Path, prefix) && strings.HasSuffix(r.URL.Path, suffix) {
				delete(waiting, p)
				break
			}
		}
		if len(waiting) == 0 {
			s.arrive = nil
			close(arrived)
		}
	}
	return arrived, func() { close(gate) }
}

// Law 12, 2A-2, 2A-8, 2A-16: one kill while work of every kind is on its way. Then all is done, and nothing twice. On
// SQLite it goes on at once; on PostgreSQL the queue takes a job up 61 s after it was begun, looks every
// 30 s, and a round's lease is 110 s, all of them within two minutes.
func TestKilledEverywhereAtOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		s := newStage(t, url)
		s.patience = 3 * time.Minute
		change := func(n int) map[string]fakehub.File {
			return map[string]fakehub.File{mail: fakehub.Text(s.text(mail, "wait one minute", fmt.Sprint("wait ", n, " minutes")))}
		}
		_, lost := s.open("lost", "", change(2)) // no event will tell of it
		s.hub.Lose()
		s.hub.SetTarget("http://127.0.0.1:1/webhook")
		_, failed := s.open("failed", "", change(3)) // its event fails
		must(s.hub.Deliver(t.Context()))(t)
		_, evaluated := s.open("evaluated", "", change(4))
		_, judged := s.open("judged", "", change(5))
		_, posted := s.open("posted", "", change(6))
		asked, _ := s.open("asked", "", change(7))
		must(s.repo.Comment(asked, "mallory", "/ask What does mailrules apply refuse?"))(t)
		all, release := s.catch([]point{
			{"in evaluate", http.MethodGet, "*/git/trees/" + evaluated},
			{"between verdict and publication", http.MethodGet, "*/commits/" + judged + "/check-runs"},
			{"after the POST of a run, before it is noted", http.MethodPost, "*/check-runs"},
			{"in an answer", http.MethodPost, fmt.Sprintf("*/issues/%d/comments", asked)},
			{"in the sweep", http.MethodPost, "*/app/hook/deliveries/*/attempts"},
			{"in the account's round", http.MethodGet, "*/installation/repositories"},
		})
		kill := s.spawn(roundsVariable + "=1")
		s.deliver()
		select {
		case <-all:
		case <-time.After(time.Minute):
			t.Fatalf("not all points were reached; the log:\n%s", s.log)
		}
		_, accepted := s.open("accepted", "", change(8))
		s.deliver()
		kill()
		release()
		s.gone() // what was held is done by now, and nobody heard of it
		killed := time.Now()
		s.spawn(roundsVariable + "=1")
		heads := map[string]string{
			"lost": lost, "failed": failed, "evaluated": evaluated, "judged": judged, "posted": posted, "accepted": accepted, "main": s.main,
		}
		for name, head := range heads {
			s.await("the run of "+name, func() bool {
				s.deliver()
				runs := s.hub.CheckRuns(s.repo, head)
				return len(runs) > 0 && runs[len(runs)-1].Status == "completed"
			})
		}
		s.reply(asked, 1)
		t.Logf("all was done %v after the kill", time.Since(killed).Round(time.Millisecond))
		for name, head := range heads {
			if runs := s.hub.CheckRuns(s.repo, head); len(runs) != 1 {
				t.Errorf("%s: %d runs, want 1", name, len(runs))
			}
		}
		replies := 0
		for _, c := range s.hub.Comments(s.repo, asked) {
			if strings.HasSuffix(c.User, "[bot]") {
				replies++
			}
		}
		if replies != 1 {
			t.Errorf("%d replies, want 1", replies)
		}
	})
}

// Three replicas work on sixty pull requests, and one is killed: each gets one completed run, and none
// gets two.
func TestThreeReplicasAndOneIsKilled(t *testing.T) {
	t.Parallel()
	s := newStage(t, storetest.Postgres(t))
	s.patience = 3 * time.Minute
	const pulls = 60
	var heads []string
	for n := range pulls {
		_, head := s.open(fmt.Sprint("topic-", n), "", map[string]fakehub.File{"docs/notes.md": fakehub.Text(fmt.Sprint(n))})
		heads = append(heads, head)
	}
	kill := s.spawn()
	s.spawn()
	s.spawn()
	reached := make(chan struct{})
	done := 0
	s.mu.Lock()
	s.arrive = func(r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs") {
			if done++; done == pulls/4 {
				s.arrive = nil
				close(reached)
			}
		}
	}
	s.mu.Unlock()
	var group sync.WaitGroup
	group.Go(func() {
		if _, err := s.hub.Deliver(t.Context()); err != nil {
			t.Error(err)
		}
	})
	select {
	case <-reached:
	case <-time.After(time.Minute):
		t.Fatalf("the work did not begin; the log:\n%s", s.log)
	}
	kill()
	killed := time.Now()
	group.Wait()
	s.await("all runs", func() bool {
		for _, head := range heads {
			if runs := s.hub.CheckRuns(s.repo, head); len(runs) == 0 || runs[len(runs)-1].Status != "completed" {
				return false
			}
		}
		return true
	})
	t.Logf("all %d were done %v after the kill", pulls, time.Since(killed).Round(time.Millisecond))
	for n, head := range heads {
		if runs := s.hub.CheckRuns(s.repo, head); len(runs) != 1 || runs[0].Conclusion != "success" {
			t.Errorf("pull request %d: %d runs, %s", n+1, len(runs), runs[0].Conclusion)
		}
	}
}
