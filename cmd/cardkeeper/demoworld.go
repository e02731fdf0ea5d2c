package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/card"
	"golang.org/x/tools/txtar"
)

//go:embed demo.txtar
var demoFiles []byte

// A world is a GitHub and the App in one process, with one repository.
type world struct {
	hub    *fakehub.Hub
	repo   *fakehub.Repo
	main   string // the commit on the default branch
	pull   int
	dir    string // of the App's database
	listen net.Listener
	ended  chan error
	stop   context.CancelFunc
}

// newWorld starts both sides and commits the example with its cards. Where that
// fails, nothing is left of them.
func newWorld(ctx context.Context) (*world, error) {
	ctx, stop := context.WithCancel(ctx)
	w := &world{stop: stop, ended: make(chan error, 1)}
	if err := w.build(ctx); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *world) build(ctx context.Context) (err error) {
	if w.dir, err = os.MkdirTemp("", "cardkeeper-demo-"); err != nil {
		return err
	}
	if w.hub, err = fakehub.New(fakehub.Options{}); err != nil {
		return err
	}
	if err = w.hub.Start(); err != nil {
		return err
	}
	if w.repo, err = w.hub.AddRepo("example", "skills", fakehub.RepoOptions{}); err != nil {
		return err
	}
	if err = w.serve(ctx); err != nil {
		return err
	}
	return w.begin()
}

// serve starts the App as `cardkeeper serve` does, with a database of its own.
func (w *world) serve(ctx context.Context) error {
	key, err := w.hub.PrivateKey()
	if err != nil {
		return err
	}
	service, err := app.New(ctx, config.Settings{
		AppID: w.hub.AppID(), Key: key, Secrets: []string{w.hub.Secret()}, API: w.hub.URL(),
		Database: "sqlite:" + filepath.Join(w.dir, "demo.db"),
	}, slog.New(slog.NewTextHandler(io.Discard, nil)), app.Options{
		Retry: func(int) time.Duration { return time.Second }, Sweep: -1, Reconcile: -1, // all events arrive here
	})
	if err != nil {
		return err
	}
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(err, service.Store.Close())
	}
	w.listen = listen
	w.hub.SetTarget("http://" + listen.Addr().String() + "/webhook")
	go func() { w.ended <- service.Run(ctx, listen) }()
	return nil
}

// begin commits the example with fresh cards to the default branch.
func (w *world) begin() error {
	files := map[string][]byte{}
	for _, f := range txtar.Parse(demoFiles).Files {
		files[f.Name] = f.Data
	}
	cards, err := freshCards(files)
	if err != nil {
		return err
	}
	edits := map[string]fakehub.File{checker.ConfigFile: fakehub.Text("policy:\n  block: [stale, secrets]\n")}
	for name, data := range files {
		edits[name] = fakehub.File{Data: data}
	}
	for name, data := range cards {
		edits[name] = fakehub.File{Data: data}
	}
	w.main, err = w.repo.Commit("main", edits, "Add the team's skills and their cards")
	return err
}

// freshCards extracts the cards of a tree of files.
func freshCards(files map[string][]byte) (map[string][]byte, error) {
	shape := extractor.DefaultShape()
	found, err := extractor.Extract(tree.Memory(files), shape)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, s := range found.Skills {
		out[card.File(shape.Cards, s.Path)] = card.Render(s.Card)
	}
	return out, nil
}

// change is the pull request: one card left stale, one skill whose lines only
// moved, one leaked token. The token is made here, so that none stands in a file.
func change() (map[string]fakehub.File, error) {
	random := make([]byte, 25)
	if _, err := rand.Read(random); err != nil {
		return nil, err
	}
	token := "gh" + "p_" + base32.StdEncoding.EncodeToString(random)[:36]
	files := map[string]string{}
	for _, f := range txtar.Parse(demoFiles).Files {
		files[f.Name] = string(f.Data)
	}
	const mail, backup, release = "skills/mail-rules/SKILL.md", "skills/backup/SKILL.md", "skills/release/SKILL.md"
	swap := func(name, old, new string) { files[name] = strings.Replace(files[name], old, new, 1) }
	swap(mail, "wait one minute, then run", "wait ten minutes, then run")
	swap(mail, "2. `mailrules apply`", "2. `mailrules check` reads the plan for rules that overlap.\n3. `mailrules apply`")
	swap(mail, "3. `mailrules labels`", "4. `mailrules labels`")
	swap(backup, "- PostgreSQL 15 or newer on the machine that runs the backup.\n- A bucket that keeps versions.\n",
		"* A bucket that keeps versions.\n* PostgreSQL 15 or newer on the machine\n  that runs the backup.\n")
	swap(release, "comes from the vault at run time.", "is `"+token+"` until the vault is there.")
	return map[string]fakehub.File{
		mail: fakehub.Text(files[mail]), backup: fakehub.Text(files[backup]), release: fakehub.Text(files[release]),
	}, nil
}

// mend is what the contributor pushes next: the token gone, the cards rebuilt.
func (w *world) mend(changed map[string]fakehub.File) (map[string]fakehub.File, error) {
	files := map[string][]byte{}
	for _, f := range txtar.Parse(demoFiles).Files {
		files[f.Name] = f.Data
	}
	release := "skills/release/SKILL.md"
	edits := map[string]fakehub.File{release: {Data: files[release]}}
	for name, f := range changed {
		if name != release {
			files[name] = f.Data
		}
	}
	cards, err := freshCards(files)
	if err != nil {
		return nil, err
	}
	for name, data := range cards {
		edits[name] = fakehub.File{Data: data}
	}
	return edits, nil
}

// deliver sends what happened to the App and fails where it was not accepted.
func (w *world) deliver(ctx context.Context) error {
	sent, err := w.hub.Deliver(ctx)
	for _, d := range sent {
		if d.StatusCode >= 300 {
			return fmt.Errorf("the App answered a delivery of %s with %d", d.Event, d.StatusCode)
		}
	}
	return err
}

// await asks until ok says yes. The demo has no other clock to wait for.
func await(ctx context.Context, what string, ok func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("waited for %s: %w", what, ctx.Err())
		}
	}
	return nil
}

func (w *world) close() {
	w.stop()
	if w.listen != nil {
		<-w.ended
	}
	if w.hub != nil {
		_ = w.hub.Close() // a temporary folder that stays behind harms nobody
	}
	_ = os.RemoveAll(w.dir)
}
