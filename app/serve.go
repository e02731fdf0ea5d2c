package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/jobs"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/webhooks"
)

// Limits of the server. GitHub sends 25 MB at most and gives up after ten seconds.
const (
	headerTime = 5 * time.Second
	readTime   = 20 * time.Second
	writeTime  = 20 * time.Second
	stopTime   = 20 * time.Second // for jobs that run when the service is told to stop
)

// A Service is the App: its store, its queue and its handler.
type Service struct {
	Store   *store.Store
	Jobs    *jobs.Runner
	Handler http.Handler
	log     *slog.Logger
}

// Options change how a Service is made, for tests and the demo.
type Options struct {
	Retry func(attempt int) time.Duration // see [jobs.Config]
	Now   func() time.Time                // nil is time.Now
	Poll  time.Duration                   // see [jobs.Config]
	Scan  secret.Options                  // the salt is each repository's own
}

// ErrSettings means that a setting is there and cannot be used: the person who
// wrote it can mend it.
var ErrSettings = errors.New("settings")

// New wires the service and opens its database. It does not work yet; see [Service.Run].
func New(ctx context.Context, s config.Settings, log *slog.Logger, o Options) (_ *Service, err error) {
	hub, err := github.New(github.Config{AppID: s.AppID, Key: s.Key, Spare: s.SpareKey, BaseURL: s.API, Now: o.Now, Log: log})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	scanner, err := secret.New(o.Scan)
	if err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, s.Database, log)
	if errors.Is(err, store.ErrInvalid) {
		err = fmt.Errorf("%w: %w", ErrSettings, err)
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, st.Close())
		}
	}()
	if o.Now != nil {
		st.Now = o.Now
	}
	runner, err := jobs.New(jobs.Config{Store: st, GitHub: hub, Scanner: scanner, Web: github.Web(s.API), Log: log, WithholdKeys: s.WithholdKeys, Retry: o.Retry, Poll: o.Poll})
	if err != nil {
		return nil, err
	}
	hook, err := webhooks.Handler(s.Secrets, webhooks.App{ID: s.AppID}, runner, log)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	return &Service{Store: st, Jobs: runner, Handler: routes(hook, st), log: log}, nil
}

// routes are the service's addresses. GitHub calls /webhook; a load balancer
// asks /healthz whether to restart and /readyz whether to send traffic.
func routes(hook http.Handler, st *store.Store) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/webhook", hook)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := st.Ping(r.Context()); err != nil {
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	return mux
}

// Run works and serves until ctx ends, then stops: no new deliveries, running
// jobs to their end or back into the queue, the database closed. It closes l in any case.
func (s *Service) Run(ctx context.Context, l net.Listener) (err error) {
	defer func() { err = errors.Join(err, s.Store.Close()) }()
	if err := s.Jobs.Start(ctx); err != nil {
		return errors.Join(err, l.Close())
	}
	server := &http.Server{
		Handler: s.Handler, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	s.log.Info("serving", "address", l.Addr().String())
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	// Both get one time limit: what of a job is not done by then goes back into the
	// queue and is begun again at the next start.
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, server.Shutdown(stop), s.Jobs.Stop(stop))
}

// Serve runs the App with its settings until ctx ends.
func Serve(ctx context.Context, s config.Settings, log *slog.Logger) error {
	service, err := New(ctx, s, log, Options{})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return errors.Join(fmt.Errorf("cannot listen on %s; set listen to a free address: %w", s.Listen, err), service.Store.Close())
	}
	return service.Run(ctx, l)
}
