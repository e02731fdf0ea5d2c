package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/fakehub/openapi"
	"github.com/cardkeeper/cardkeeper/app/logs"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"golang.org/x/tools/txtar"
)

// What is dear and never changes is made once.
var (
	testKey     = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })
	description = sync.OnceValues(openapi.Load)
)

// patience bounds a wait: long enough for a busy machine, and never reached where
// the test passes.
const patience = time.Minute

// The skills of the fixture.
const (
	mail   = "skills/mail/SKILL.md"
	backup = "skills/backup/SKILL.md"
)

// A stage is a hub with one repository and what a service needs to work for it.
// Every request and answer is held to GitHub's description.
type stage struct {
	t        *testing.T
	hub      *fakehub.Hub
	repo     *fakehub.Repo
	main     string
	settings config.Settings
	log      *journal
	patience time.Duration
	address  string // of the service, while it plays

	mu        sync.Mutex
	arrive    func(*http.Request) // called for each request before it is answered
	answering int                 // requests
	answered  *sync.Cond
}

// gone waits until no request is being answered.
func (s *stage) gone() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.answering > 0 {
		s.answered.Wait()
	}
}

func newStage(t *testing.T, database string) *stage {
	t.Helper()
	s := newHubStage(t, fakehub.Options{})
	s.furnish()
	s.settings = config.Settings{
		AppID: s.hub.AppID(), Key: must(s.hub.PrivateKey())(t), Secrets: []string{s.hub.Secret()}, API: s.hub.URL(), Database: database,
	}
	return s
}

// furnish makes the repository, with the fixture and its cards on main.
func (s *stage) furnish() {
	s.t.Helper()
	s.repo = must(s.hub.AddRepo("ada", "skills", fakehub.RepoOptions{}))(s.t)
	s.main = s.commit("main", s.fresh(nil))
	s.hub.Lose()
}

// newHubStage is a hub alone, on which nothing is installed yet.
func newHubStage(t *testing.T, o fakehub.Options) *stage {
	t.Helper()
	doc := must(description())(t)
	s := &stage{t: t, log: &journal{}, patience: patience}
	s.answered = sync.NewCond(&s.mu)
	wrap := func(next http.Handler) http.Handler {
		valid := doc.Validate(next, func(err error) { t.Error(err) })
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			s.answering++
			if s.arrive != nil {
				s.arrive(r)
			}
			s.mu.Unlock()
			defer func() {
				s.mu.Lock()
				s.answering--
				s.answered.Broadcast()
				s.mu.Unlock()
			}()
			if strings.HasSuffix(r.URL.Path, "/settings/apps/new") { // a page, which is no part of the API
				next.ServeHTTP(w, r)
				return
			}
			valid.ServeHTTP(w, r)
		})
	}
	o.Key, o.Wrap = must(testKey())(t), wrap
	s.hub = must(fakehub.New(o))(t)
	t.Cleanup(func() { check(t, s.hub.Close()) })
	check(t, s.hub.Start())
	return s
}

// play starts the service and returns a way to stop it, which the test's end does too.
func (s *stage) play() (stop func()) { return s.playWith(Options{}) }

// playWith is play with options; the waits are a test's.
func (s *stage) playWith(o Options) (stop func()) {
	s.t.Helper()
	o.Retry, o.Poll, o.Pace = func(int) time.Duration { return time.Millisecond }, time.Millisecond, time.Millisecond
	if o.Sweep == 0 {
		o.Sweep, o.Reconcile = -1, -1 // each test says what is to be found without an event
	}
	service := must(New(s.t.Context(), s.settings, logs.New(s.log, slog.LevelDebug, false), o))(s.t)
	listener := must(net.Listen("tcp", "127.0.0.1:0"))(s.t)
	s.address = "http://" + listener.Addr().String()
	s.hub.SetTarget(s.address + "/webhook")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx, listener) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			s.t.Errorf("the service ended with: %v", err)
		}
	})
	s.t.Cleanup(stop)
	return stop
}

// files are the fixture's, with changes.
func (s *stage) files(changes map[string]string) map[string][]byte {
	s.t.Helper()
	out := map[string][]byte{}
	for _, f := range txtar.Parse(must(os.ReadFile("jobs/testdata/skills.txtar"))(s.t)).Files {
		out[f.Name] = f.Data
	}
	for name, text := range changes {
		out[name] = []byte(text)
	}
	return out
}

// fresh are the files as edits, with the cards that belong to them.
func (s *stage) fresh(changes map[string]string) map[string]fakehub.File {
	s.t.Helper()
	files, edits := s.files(changes), map[string]fakehub.File{}
	shape := extractor.DefaultShape()
	for _, skill := range must(extractor.Extract(tree.Memory(files), shape))(s.t).Skills {
		files[card.File(shape.Cards, skill.Path)] = card.Render(skill.Card)
	}
	for name, data := range files {
		edits[name] = fakehub.File{Data: data}
	}
	return edits
}

// text is a file of the fixture with one piece replaced.
func (s *stage) text(name, old, new string) string {
	s.t.Helper()
	before := string(s.files(nil)[name])
	after := strings.Replace(before, old, new, 1)
	if after == before {
		s.t.Fatalf("%s does not hold %q", name, old)
	}
	return after
}

func (s *stage) commit(branch string, edits map[string]fakehub.File, parents ...string) string {
	s.t.Helper()
	return must(s.repo.Commit(branch, edits, "change", parents...))(s.t)
}

// open commits edits to a new branch and opens a pull request of them.
func (s *stage) open(branch, title string, edits map[string]fakehub.File) (number int, head string) {
	s.t.Helper()
	head = s.commit(branch, edits, s.main)
	return must(s.repo.OpenPull(branch, "main", "mallory", fakehub.PullOptions{Title: title, Body: title}))(s.t), head
}

// deliver sends what happened; each delivery must be accepted.
func (s *stage) deliver() {
	s.t.Helper()
	for _, d := range must(s.hub.Deliver(s.t.Context()))(s.t) {
		if d.StatusCode < 200 || d.StatusCode > 299 {
			s.t.Fatalf("%s.%s was answered with %d", d.Event, d.Action, d.StatusCode)
		}
	}
}

// run delivers what happened and waits for the one completed run on a commit.
func (s *stage) run(head string) fakehub.CheckRun {
	s.t.Helper()
	s.deliver()
	var runs []fakehub.CheckRun
	s.await("the check run", func() bool {
		runs = s.hub.CheckRuns(s.repo, head)
		return len(runs) > 0 && runs[len(runs)-1].Status == "completed"
	})
	if len(runs) != 1 {
		s.t.Fatalf("%d check runs, want 1", len(runs))
	}
	return runs[0]
}

// reply delivers what happened and waits for the App's n-th comment.
func (s *stage) reply(number, n int) (body string) {
	s.t.Helper()
	s.deliver()
	s.await("the reply", func() bool {
		found := 0
		for _, c := range s.hub.Comments(s.repo, number) {
			if strings.HasSuffix(c.User, "[bot]") {
				if found++; found == n {
					_, body, _ = strings.Cut(c.Body, "\n")
				}
			}
		}
		return found >= n
	})
	return body
}

// await asks until ok says yes.
func (s *stage) await(what string, ok func() bool) {
	s.t.Helper()
	limit := time.NewTimer(s.patience)
	defer limit.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-limit.C:
			s.t.Fatalf("waited in vain for %s; the log:\n%s", what, s.log)
		}
	}
}

// journal collects a log that several goroutines write.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// must gives a value, or fails the test: must(f())(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		check(t, err)
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A person's view of the whole: red with reasons at their lines, green once the
// card is rebuilt, a fact quoted with its place, and an honest no.
func TestAPullRequestFromRedToGreen(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		t.Parallel()
		s := newStage(t, url)
		s.play()
		changed := s.text(mail, "wait one minute", "wait ten minutes")
		number, head := s.open("topic", "A longer wait", map[string]fakehub.File{mail: fakehub.Text(changed)})
		run := s.run(head)
		for _, piece := range []string{"cardkeeper build", "| `cards/skills/mail.md` | stale | 0 | 1 | 0 | 0 | 0 |"} {
			if !strings.Contains(run.Summary, piece) {
				t.Errorf("the summary lacks %q: %s", piece, run.Summary)
			}
		}
		if want := "wait [-one minute,-] {+ten minutes,+} then run the plan again.  (" + mail + ":23)"; !strings.Contains(run.Text, want) {
			t.Errorf("the text lacks %q: %s", want, run.Text)
		}
		if a := run.Annotations; run.Conclusion != "failure" || len(a) != 1 || a[0].Path != mail || a[0].StartLine != 23 {
			t.Errorf("%s, annotations %+v", run.Conclusion, a)
		}
		head = s.commit("topic", s.fresh(map[string]string{mail: changed}))
		if run = s.run(head); run.Conclusion != "success" || !strings.Contains(run.Text, "{+ten minutes,+}") {
			t.Errorf("after the rebuild: %s %s\n%s", run.Conclusion, run.Title, run.Text)
		}
		must(s.repo.Comment(number, "mallory", "/ask What does mailrules apply refuse?"))(t)
		if got := s.reply(number, 1); !strings.Contains(got, "refuses every other thread") || !strings.Contains(got, "/blob/"+head+"/"+mail+"?plain=1#L15") {
			t.Errorf("the answer: %s", got)
		}
		must(s.repo.Comment(number, "mallory", "/ask How many people may share one mailbox?"))(t)
		if got := s.reply(number, 2); !strings.Contains(got, "Not documented") {
			t.Errorf("the refusal: %s", got)
		}
	})
}
