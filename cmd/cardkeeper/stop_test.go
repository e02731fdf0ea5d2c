//go:build unix

package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
)

// A shift is the real program at work on a pull request, whose check run GitHub
// does not answer until it is let go.
type shift struct {
	t       *testing.T
	hub     *fakehub.Hub
	repo    *fakehub.Repo
	head    string
	release func()
	log     *screen
	process *exec.Cmd
	ended   chan error
	address string
}

func newShift(t *testing.T, binary, drain string) *shift {
	t.Helper()
	s := &shift{t: t, log: &screen{want: `"msg":"serving"`, come: make(chan struct{})}, ended: make(chan error, 1)}
	come := s.furnish()
	s.process = exec.Command(binary, "serve", "--settings", s.settings(drain))
	s.process.Stderr = s.log
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.process.Process.Kill() })
	go func() { s.ended <- s.process.Wait() }()
	s.wait(s.log.come, "the service")
	s.address = s.log.address(t)
	s.hub.SetTarget("http://" + s.address + "/webhook")
	if _, err := s.hub.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.wait(come, "the check run")
	return s
}

// furnish makes a GitHub with a pull request, and tells when its check run is made.
func (s *shift) furnish() (come chan struct{}) {
	s.t.Helper()
	come = make(chan struct{})
	seen := sync.OnceFunc(func() { close(come) })
	var err error
	s.hub, err = fakehub.New(fakehub.Options{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/check-runs") {
				seen()
			}
			next.ServeHTTP(w, r)
		})
	}})
	if err == nil {
		s.t.Cleanup(func() { _ = s.hub.Close() })
		err = s.hub.Start()
	}
	if err == nil {
		s.repo, err = s.hub.AddRepo("ada", "skills", fakehub.RepoOptions{})
	}
	var main string
	if err == nil {
		main, err = s.repo.Commit("main", map[string]fakehub.File{"README.md": fakehub.Text("x")}, "first")
	}
	if err == nil {
		s.hub.Lose()
		s.head, err = s.repo.Commit("topic", map[string]fakehub.File{"README.md": fakehub.Text("y")}, "second", main)
	}
	if err == nil {
		_, err = s.repo.OpenPull("topic", "main", "mallory", fakehub.PullOptions{})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	gate := make(chan struct{})
	s.release = sync.OnceFunc(func() { close(gate) })
	s.t.Cleanup(s.release)
	s.hub.Fail(fakehub.Fault{Method: http.MethodPost, Path: "*/check-runs", Hold: gate})
	return come
}

func (s *shift) settings(drain string) string {
	s.t.Helper()
	key, err := s.hub.PrivateKey()
	if err != nil {
		s.t.Fatal(err)
	}
	file := settings(s.t, strings.Replace(goodSettings, "app_id: 7", "app_id: 4711", 1)+"api_url: "+s.hub.URL()+"\ndrain: "+drain+"\nlog_level: debug\n")
	for name, data := range map[string][]byte{"key.pem": key, "secret": []byte(s.hub.Secret())} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(file), name), data, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	return file
}

func (s *shift) wait(come <-chan struct{}, what string) {
	s.t.Helper()
	select {
	case <-come:
	case err := <-s.ended:
		s.t.Fatalf("the program ended with %v: %s", err, &s.log.text)
	case <-time.After(time.Minute):
		s.t.Fatalf("waited in vain for %s", what)
	}
}

// signal tells the program to stop, and waits until it says that it is not ready.
func (s *shift) signal() {
	s.t.Helper()
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		resp, err := http.Get("http://" + s.address + "/readyz")
		if err != nil {
			s.t.Fatalf("the door was closed before a word of it: %v", err)
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusServiceUnavailable {
			return
		}
	}
	s.t.Fatal("it does not say that it stops")
}

// The program itself, built and told to stop by signals.
func TestTheProgramIsToldToStop(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "cardkeeper")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Run("it says so, lets the running job end, and exits with 0", func(t *testing.T) {
		t.Parallel()
		s := newShift(t, binary, "3s")
		s.signal()
		s.release()
		if err := <-s.ended; err != nil {
			t.Errorf("it ended with %v: %s", err, &s.log.text)
		}
		if runs := s.hub.CheckRuns(s.repo, s.head); len(runs) != 1 || runs[0].Conclusion != "success" {
			t.Errorf("runs: %+v", runs)
		}
		if !strings.Contains(s.log.text.String(), `"msg":"stopped"`) {
			t.Errorf("the log: %s", &s.log.text)
		}
	})
	t.Run("a second signal ends it at once, whatever it is doing", func(t *testing.T) {
		t.Parallel()
		s := newShift(t, binary, "60s") // it would not end by itself within the test's time
		s.signal()
		if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {
		case <-s.ended:
		case <-time.After(50 * time.Second):
			t.Fatal("it goes on")
		}
		if code := s.process.ProcessState.ExitCode(); code != 128+int(syscall.SIGTERM) || strings.Contains(s.log.text.String(), `"msg":"stopped"`) {
			t.Errorf("it ended with %d: %s", code, &s.log.text)
		}
	})
}
