package jobs

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/rsa"
	_ "embed"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/fakehub/openapi"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/store/storetest"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/webhooks"
	"golang.org/x/tools/txtar"
)

//go:embed testdata/skills.txtar
var skillFiles []byte

// What is dear and never changes is made once.
var (
	testKey     = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })
	description = sync.OnceValues(openapi.Load)
	scanning    = sync.OnceValues(func() (*secret.Scanner, error) { return secret.New(secret.Options{}) })
)

// patience bounds every wait: long enough for a busy machine, and never reached
// where the test passes.
const patience = time.Minute

// A world is a hub with one repository, and a runner behind a webhook handler.
// Every request and answer is held to GitHub's description.
type world struct {
	t      *testing.T
	hub    *fakehub.Hub
	repo   *fakehub.Repo
	store  *store.Store
	runner *Runner
	log    *buffer
	main   string // the commit on the default branch, with fresh cards

	stop     func()           // ends the runner
	target   string           // where deliveries go
	onAnswer func(status int) // called as the handler begins to answer
}

// options change a world before it runs.
type options struct {
	url     string          // of the database; "" is a SQLite file
	scanner *secret.Scanner // nil is the usual one
	loose   bool            // requests that the description forbids are expected
	idle    bool            // the runner does not work yet
	keys    []secret.Key    // for withheld values
	pace    time.Duration   // 0 is a millisecond
	asking  store.AskLimits // of questions; the zero one is none
	embed   *embed.Client   // for meaning search; nil is none
	forget  bool            // questions without an answer are not kept
	now     func() time.Time

	permissions map[string]string // that were accepted; nil is all
}

func newWorld(t *testing.T, o options) *world {
	t.Helper()
	w := &world{t: t, log: &buffer{}}
	w.startHub(o)
	if o.url == "" {
		o.url = storetest.SQLite(t)
	}
	if o.scanner == nil {
		o.scanner = must(scanning())(t)
	}
	log := slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.store = must(store.Open(t.Context(), o.url, log))(t)
	t.Cleanup(func() { check(t, w.store.Close()) })
	if o.now != nil {
		w.store.Now = o.now
	}
	w.runner = w.newRunner(o, log)
	handler := must(webhooks.Handler([]string{w.hub.Secret()}, webhooks.App{ID: w.hub.AppID()}, inbox{w}, log))(t)
	w.target = serveFunc(t, func(out http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(watched{out, w}, r)
	})
	w.hub.SetTarget(w.target)
	if !o.idle {
		w.start()
	}
	return w
}

// newRunner makes a runner that knows nothing yet, as a new process does.
func (w *world) newRunner(o options, log *slog.Logger) *Runner {
	w.t.Helper()
	key := must(w.hub.PrivateKey())(w.t)
	client := must(github.New(github.Config{AppID: w.hub.AppID(), Key: key, BaseURL: w.hub.URL()}))(w.t)
	days := 90
	if o.forget {
		days = 0
	}
	return must(New(Config{
		Asking: o.asking, GapDays: days,
		Store: w.store, GitHub: client, Scanner: o.scanner, Web: "https://github.example", Log: log, WithholdKeys: o.keys, Embed: o.embed,
		Retry: func(int) time.Duration { return time.Millisecond }, Poll: time.Millisecond, Pace: cmp.Or(o.pace, time.Millisecond),
	}))(w.t)
}

// inbox is the runner of the moment.
type inbox struct{ w *world }

func (i inbox) Accept(ctx context.Context, d webhooks.Delivery, work []webhooks.Work) (bool, error) {
	return i.w.runner.Accept(ctx, d, work)
}

// restart ends the runner and begins with a new one, on the same database.
func (w *world) restart() {
	w.t.Helper()
	w.stop()
	w.runner = w.newRunner(options{scanner: w.runner.cfg.Scanner, keys: w.runner.cfg.WithholdKeys, embed: w.runner.cfg.Embed, asking: w.runner.cfg.Asking, forget: w.runner.cfg.GapDays == 0}, w.runner.cfg.Log)
	w.start()
}

// watched tells the world of an answer before a byte of it is sent.
type watched struct {
	http.ResponseWriter
	w *world
}

func (a watched) WriteHeader(status int) {
	if a.w.onAnswer != nil {
		a.w.onAnswer(status)
	}
	a.ResponseWriter.WriteHeader(status)
}

// serveFunc serves on a free port of 127.0.0.1 until the test ends.
func serveFunc(t *testing.T, f http.HandlerFunc) (address string) {
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return server.URL
}

func (w *world) startHub(opts options) {
	w.t.Helper()
	o := fakehub.Options{Key: must(testKey())(w.t), Permissions: opts.permissions}
	if doc := must(description())(w.t); !opts.loose {
		o.Wrap = func(next http.Handler) http.Handler {
			return doc.Validate(next, func(err error) { w.t.Error(err) })
		}
	}
	w.hub = must(fakehub.New(o))(w.t)
	w.t.Cleanup(func() { check(w.t, w.hub.Close()) })
	check(w.t, w.hub.Start())
	w.repo = must(w.hub.AddRepo("ada", "skills", fakehub.RepoOptions{}))(w.t)
	w.main = w.commit("main", w.fresh(nil))
	w.hub.Lose() // the push is a story of its own
}

// start lets the runner work until it is stopped, or the test ends.
func (w *world) start() {
	w.t.Helper()
	runner := w.runner
	check(w.t, runner.Start(context.Background()))
	w.stop = sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		check(w.t, runner.Stop(ctx))
	})
	w.t.Cleanup(w.stop)
}

// fresh are the fixture's files with changes, and the cards that belong to them.
func (w *world) fresh(changes map[string]string) map[string]fakehub.File {
	w.t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse(skillFiles).Files {
		files[f.Name] = f.Data
	}
	for name, text := range changes {
		files[name] = []byte(text)
	}
	edits := map[string]fakehub.File{}
	for name, data := range files {
		edits[name] = fakehub.File{Data: data}
	}
	shape := extractor.DefaultShape()
	found := must(extractor.Extract(tree.Memory(files), shape))(w.t)
	for _, s := range found.Skills {
		edits[card.File(shape.Cards, s.Path)] = fakehub.File{Data: card.Render(s.Card)}
	}
	return edits
}

// text is a file of the fixture with one piece replaced.
func (w *world) text(name, old, new string) string {
	w.t.Helper()
	for _, f := range txtar.Parse(skillFiles).Files {
		if f.Name == name {
			if out := strings.Replace(string(f.Data), old, new, 1); out != string(f.Data) {
				return out
			}
		}
	}
	w.t.Fatalf("%s does not hold %q", name, old)
	return ""
}

// The files that most tests change.
const (
	mail   = "skills/mail/SKILL.md"
	backup = "skills/backup/SKILL.md"
)

// stale is a change of one skill whose card is not rebuilt.
func (w *world) stale() map[string]fakehub.File {
	w.t.Helper()
	return map[string]fakehub.File{mail: fakehub.Text(w.text(mail, "wait one minute", "wait ten minutes"))}
}

// docs is a change that touches no skill.
func docs(text string) map[string]fakehub.File {
	return map[string]fakehub.File{"docs/notes.md": fakehub.Text(text)}
}

// commit puts edits on a branch; a new one starts at main.
func (w *world) commit(branch string, edits map[string]fakehub.File, parents ...string) string {
	w.t.Helper()
	return must(w.repo.Commit(branch, edits, "change", parents...))(w.t)
}

// open commits edits to a new branch and opens a pull request of them.
func (w *world) open(branch string, edits map[string]fakehub.File) (number int, head string) {
	w.t.Helper()
	head = w.commit(branch, edits, w.main)
	return must(w.repo.OpenPull(branch, "main", "mallory", fakehub.PullOptions{}))(w.t), head
}

// deliver sends what happened; each delivery must be accepted. It returns the
// guid of the last.
func (w *world) deliver() (guid string) {
	w.t.Helper()
	for _, d := range must(w.hub.Deliver(w.t.Context()))(w.t) {
		if d.StatusCode < 200 || d.StatusCode > 299 {
			w.t.Fatalf("%s.%s was answered with %d", d.Event, d.Action, d.StatusCode)
		}
		if d.StatusCode == http.StatusAccepted {
			guid = d.GUID
		}
	}
	return guid
}

// await asks until ok says yes.
func (w *world) await(what string, ok func() bool) {
	w.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-limit.C:
			w.t.Fatalf("waited in vain for %s; the log:\n%s", what, w.log)
		}
	}
}

// settled delivers what happened and waits until no job is left.
func (w *world) settled() (guid string) {
	w.t.Helper()
	guid = w.deliver()
	w.await("the end of all jobs", func() bool { return w.count("river_job WHERE finalized_at IS NULL") == 0 })
	return guid
}

func (w *world) count(from string, args ...any) (n int) {
	w.t.Helper()
	check(w.t, w.store.DB().QueryRow(`SELECT count(*) FROM `+from, args...).Scan(&n))
	return n
}

// only is the one check run of ours on a commit.
func (w *world) only(head string) fakehub.CheckRun {
	w.t.Helper()
	runs := w.hub.CheckRuns(w.repo, head)
	if len(runs) != 1 {
		w.t.Fatalf("%d check runs on the head, want 1; the log:\n%s", len(runs), w.log)
	}
	if runs[0].Name != CheckName || runs[0].Status != "completed" {
		w.t.Errorf("run %q is %s", runs[0].Name, runs[0].Status)
	}
	return runs[0]
}

// want holds the one run on a commit to a conclusion and a piece of its title.
func (w *world) want(head, conclusion, title string) fakehub.CheckRun {
	w.t.Helper()
	run := w.only(head)
	if run.Conclusion != conclusion || !strings.Contains(run.Title, title) {
		w.t.Errorf("run: %s %q, want %s %q\n%s", run.Conclusion, run.Title, conclusion, title, run.Summary)
	}
	return run
}

// none fails if there is any run on a commit.
func (w *world) none(head string) {
	w.t.Helper()
	if runs := w.hub.CheckRuns(w.repo, head); len(runs) > 0 {
		w.t.Errorf("%d check runs where none belongs: %s", len(runs), runs[0].Title)
	}
}

// state is how a delivery ended.
func (w *world) state(guid string) store.State {
	w.t.Helper()
	return must(w.store.Delivery(w.t.Context(), guid))(w.t).State
}

func (w *world) wantState(guid string, want store.State) {
	w.t.Helper()
	if got := w.state(guid); got != want {
		w.t.Errorf("the delivery is %s, want %s", got, want)
	}
}

// replies are the App's comments, without their hidden first line.
func (w *world) replies(pull int) (out []string) {
	for _, c := range w.hub.Comments(w.repo, pull) {
		if strings.HasSuffix(c.User, "[bot]") {
			_, body, _ := strings.Cut(c.Body, "\n")
			out = append(out, body)
		}
	}
	return out
}

// buffer collects a log that several goroutines write.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
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

// reshaped are all files under another configuration, with the cards that it gives.
func (w *world) reshaped(text string) map[string]fakehub.File {
	w.t.Helper()
	cfg := must(config.Parse([]byte(text)))(w.t)
	files := map[string][]byte{}
	edits := map[string]fakehub.File{checker.ConfigFile: fakehub.Text(text)}
	for _, f := range txtar.Parse(skillFiles).Files {
		files[f.Name] = f.Data
	}
	for _, s := range must(extractor.Extract(tree.Memory(files), cfg.Shape))(w.t).Skills {
		edits[card.File(cfg.Shape.Cards, s.Path)] = fakehub.File{Data: card.Render(s.Card)}
	}
	return edits
}
