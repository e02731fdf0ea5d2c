package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of the server. GitHub sends 25 MB at most and gives up after ten seconds.
const (
	headerTime = 5 * time.Second
	readTime   = 20 * time.Second
	writeTime  = 20 * time.Second
	stopTime   = 20 * time.Second // for jobs that run when the service is told to stop
)

// Run works and serves until ctx ends, then stops: it says that it is not ready, and
// after the drain time takes no new deliveries; those that came are answered, running
// jobs go to their end or back into the queue, the database is closed. A second
// listener is for the numbers alone. It closes the listeners in any case.
func (s *Service) Run(ctx context.Context, l net.Listener, numbers ...net.Listener) (err error) {
	defer func() { err = errors.Join(err, s.Store.Close()) }()
	if err := s.Jobs.Start(ctx); err != nil {
		return errors.Join(err, l.Close(), closeAll(numbers))
	}
	served := make(chan error, 1+len(numbers))
	public := s.server(s.Handler)
	go func() { served <- public.Serve(l) }()
	s.log.Info("serving", "address", l.Addr().String())
	servers := []*http.Server{public}
	for _, n := range numbers {
		server := s.server(s.doors.numbers)
		servers = append(servers, server)
		go func() { served <- server.Serve(n) }()
		s.log.Info("metrics", "address", n.Addr().String())
	}
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	return errors.Join(err, s.stop(context.WithoutCancel(ctx), err == nil, servers))
}

// stop ends what runs. No job is begun from now on; what of a job is not done within
// the limit goes back into the queue and is begun again at the next start. A
// load balancer that asks meanwhile hears that others should be sent the traffic.
func (s *Service) stop(ctx context.Context, gently bool, servers []*http.Server) error {
	s.doors.leave()
	s.log.Info("stopping", "drain", s.drain.String(), "limit", stopTime.String())
	stop, cancel := context.WithTimeout(ctx, s.drain+stopTime)
	defer cancel()
	worked := make(chan error, 1)
	go func() {
		limit, cancel := context.WithTimeout(ctx, stopTime)
		defer cancel()
		worked <- s.Jobs.Stop(limit)
	}()
	if gently && s.drain > 0 {
		time.Sleep(s.drain)
	}
	var errs []error
	for _, server := range servers {
		errs = append(errs, server.Shutdown(stop))
	}
	errs = append(errs, <-worked)
	s.log.Info("stopped")
	return errors.Join(errs...)
}

func (s *Service) server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
}

func closeAll(list []net.Listener) (err error) {
	for _, l := range list {
		err = errors.Join(err, l.Close())
	}
	return err
}
