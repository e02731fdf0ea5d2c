package app

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/checker"
)

// childVariable makes the test binary the service with the settings in it, until
// it is killed. Its log goes to standard error, its address to standard output.
const childVariable = "CARDKEEPER_APP_TEST_CHILD"

// roundsVariable lets the child look for what no event told of, too.
const roundsVariable = "CARDKEEPER_APP_TEST_ROUNDS"

func TestMain(m *testing.M) {
	if settings := os.Getenv(childVariable); settings != "" {
		fmt.Fprintln(os.Stderr, serveForEver(settings))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func serveForEver(text string) error {
	var s config.Settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	ctx := context.Background()
	o := Options{Pace: time.Millisecond, Sweep: -1, Reconcile: -1}
	if os.Getenv(roundsVariable) != "" {
		o.Sweep, o.Reconcile = time.Second, time.Hour
	}
	service, err := New(ctx, s, slog.New(slog.NewJSONHandler(os.Stderr, nil)), o)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return service.Run(ctx, l)
}

// spawn starts the service as a process and returns what kills it, as kill -9 does.
func (s *stage) spawn(variables ...string) (kill func()) {
	s.t.Helper()
	child := exec.CommandContext(s.t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+string(must(json.Marshal(s.settings))(s.t)))
	child.Env = append(child.Env, variables...)
	child.Stderr = s.log
	output := must(child.StdoutPipe())(s.t)
	check(s.t, child.Start())
	lines := bufio.NewScanner(output)
	if !lines.Scan() {
		_ = child.Wait()
		s.t.Fatalf("the service did not start: %s", s.log)
	}
	s.hub.SetTarget("http://" + lines.Text() + "/webhook")
	kill = sync.OnceFunc(func() {
		_ = child.Process.Kill() // it may be dead already
		_ = child.Wait()         // killed, which is an error here
	})
	s.t.Cleanup(kill)
	return kill
}

// hold stops the first request that fits until the returned function lets it go,
// and tells when it has come.
func (s *stage) hold(method, path string) (come <-chan struct{}, release func()) {
	gate, arrived := make(chan struct{}), make(chan struct{})
	s.hub.Fail(fakehub.Fault{Method: method, Path: path, Hold: gate})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrive = func(r *http.Request) {
		if r.Method == method && strings.Contains(r.URL.Path, strings.Trim(path, "*")) {
			s.arrive = nil
			close(arrived)
		}
	}
	return arrived, func() { close(gate) }
}

// 2A-2, 2A-16, law 12: killed while it evaluates, and killed again while the run
// is being made, the work is done, and done once.
func TestKilledTwiceAndDoneOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		s := newStage(t, url)
		_, head := s.open("topic", "", map[string]fakehub.File{mail: fakehub.Text(s.text(mail, "wait one minute", "wait ten minutes"))})
		for _, at := range []struct{ method, path string }{
			{http.MethodGet, "*/git/trees/" + head}, {http.MethodPost, "*/check-runs"},
		} {
			come, release := s.hold(at.method, at.path)
			kill := s.spawn()
			s.deliver()
			select {
			case <-come:
			case <-time.After(2 * time.Minute):
				t.Fatalf("waited in vain for %s %s; the log:\n%s", at.method, at.path, s.log)
			}
			kill()
			release()
		}
		s.gone() // the run is made now, and nobody heard of it
		killed := time.Now()
		s.spawn()
		s.patience = 2 * time.Minute
		s.await("the end of the work", func() bool {
			runs := s.hub.CheckRuns(s.repo, head)
			return len(runs) > 0 && runs[0].Updates > 0
		})
		if n := strings.Count(s.log.String(), "taking up what a killed process left"); strings.HasPrefix(url, "sqlite:") && n != 2 {
			t.Errorf("jobs were taken up at once %d times, want 2", n)
		}
		t.Logf("done %v after the second kill", time.Since(killed).Round(time.Millisecond))
		if run := s.run(head); run.Conclusion != "failure" || run.Title != "1 card stale" || len(run.Annotations) != 1 {
			t.Errorf("%s %q, %d annotations", run.Conclusion, run.Title, len(run.Annotations))
		}
	})
}

// Law 12: killed while it looks what a push did to the policy, it takes the policy
// over all the same, and once.
func TestKilledWhileAPolicyIsTakenOver(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		s := newStage(t, url)
		s.patience = 2 * time.Minute
		_, head := s.open("topic", "", map[string]fakehub.File{mail: fakehub.Text(s.text(mail, "wait one minute", "wait ten minutes"))})
		kill := s.spawn()
		if run := s.run(head); run.Conclusion != "failure" {
			t.Fatalf("before: %s %s", run.Conclusion, run.Title)
		}
		come, release := s.hold(http.MethodGet, "*/branches/main")
		s.commit("main", map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy: {block: [secrets]}\n")})
		s.deliver()
		select {
		case <-come:
		case <-time.After(2 * time.Minute):
			t.Fatalf("nobody asked for the policy; the log:\n%s", s.log)
		}
		kill()
		release()
		s.gone()
		s.spawn()
		var runs []fakehub.CheckRun
		s.await("the verdict under the new policy", func() bool {
			runs = s.hub.CheckRuns(s.repo, head)
			last := runs[len(runs)-1]
			return last.Conclusion == "success" && last.Status == "completed"
		})
		if len(runs) != 2 { // the annotations are warnings now, which needs another run
			t.Errorf("%d runs, want 2", len(runs))
		}
	})
}
