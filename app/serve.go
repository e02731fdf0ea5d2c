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
	"github.com/cardkeeper/cardkeeper/app/embed"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/jobs"
	"github.com/cardkeeper/cardkeeper/app/meter"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/webhooks"
)

// What events did not tell is looked for by time.
const (
	// sweepPeriod: a failed delivery costs a person that much of waiting, and a sweep one request.
	sweepPeriod = 5 * time.Minute
	// reconcilePeriod: one request in an hour for each repository, free where nothing changed; an
	// installation of 500 has 12,500.
	reconcilePeriod = time.Hour
)

// A Service is the App: its store, its queue and its handler.
type Service struct {
	Store   *store.Store
	Jobs    *jobs.Runner
	Handler http.Handler

	log   *slog.Logger
	meter *meter.Meter
	doors *doors
	drain time.Duration
}

// Options change how a Service is made, for tests and the demo.
type Options struct {
	Retry func(attempt int) time.Duration // see [jobs.Config]
	Now   func() time.Time                // nil is time.Now
	Poll  time.Duration                   // see [jobs.Config]
	Pace  time.Duration                   // see [jobs.Config]
	Scan  secret.Options                  // the salt is each repository's own

	Sweep, Reconcile time.Duration // see [jobs.Config]; 0 is the usual time, less is never
}

// ErrSettings means that a setting is there and cannot be used: the person who
// wrote it can mend it.
var ErrSettings = errors.New("settings")

// New wires the service and opens its database. It does not work yet; see [Service.Run].
func New(ctx context.Context, s config.Settings, log *slog.Logger, o Options) (_ *Service, err error) {
	scanner, err := secret.New(o.Scan)
	if err != nil {
		return nil, err
	}
	numbers := newMeter(scanner)
	hub, err := github.New(github.Config{AppID: s.AppID, Key: s.Key, Spare: s.SpareKey, BaseURL: s.API, Now: o.Now, Log: log, Meter: numbers})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	near, err := embedder(s.Embeddings, numbers)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSettings, err)
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
	runner, err := jobs.New(jobs.Config{
		Store: st, GitHub: hub, Scanner: scanner, Web: github.Web(s.API), Log: log, Meter: numbers, Embed: near,
		WithholdKeys: s.WithholdKeys, Retry: o.Retry, Poll: o.Poll, Pace: o.Pace,
		Asking: store.AskLimits{Person: s.PerPerson, Repository: s.PerRepository}, GapDays: s.GapDays,
		Sweep: period(o.Sweep, sweepPeriod), Reconcile: period(o.Reconcile, reconcilePeriod),
	})
	if err != nil {
		return nil, err
	}
	hook, err := webhooks.Handler(s.Secrets, webhooks.App{ID: s.AppID}, runner, log, func(a webhooks.Answered) {
		numbers.Delivery(a.Event, string(a.Outcome), a.Took)
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	numbers.Watch(depths(st))
	service := &Service{Store: st, Jobs: runner, log: log, meter: numbers, drain: s.Drain}
	if service.doors, err = newDoors(s, service, scanner, hook); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	service.Handler = service.doors.public
	return service, nil
}

// embedder asks the server that the settings name, if they name one.
func embedder(c embed.Config, numbers *meter.Meter) (*embed.Client, error) {
	if !c.On() {
		return nil, nil
	}
	return embed.New(c, embed.Options{Meter: numbers})
}

// period is the one that was asked for, or the usual one; 0 stands for never.
func period(asked, usual time.Duration) time.Duration {
	if asked == 0 {
		return usual
	}
	return max(asked, 0)
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
	if s.MetricsListen == "" {
		return service.Run(ctx, l)
	}
	numbers, err := net.Listen("tcp", s.MetricsListen)
	if err != nil {
		return errors.Join(fmt.Errorf("cannot listen on %s; set metrics_listen to a free address: %w", s.MetricsListen, err), l.Close(), service.Store.Close())
	}
	return service.Run(ctx, l, numbers)
}
