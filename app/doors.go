package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/meter"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/app/web"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// doors are the service's addresses: those that the world reaches, and those for
// numbers alone.
type doors struct {
	public, numbers http.Handler
	leaving         atomic.Bool
}

// leave makes the service say that it is not ready.
func (d *doors) leave() { d.leaving.Store(true) }

// newDoors are the routes. GitHub calls /webhook; a load balancer asks /healthz
// whether to restart and /readyz whether to send traffic; the operator has a page
// and, on the same terms, the numbers. Without a token neither is there.
func newDoors(s config.Settings, service *Service, scanner *secret.Scanner, hook http.Handler) (*doors, error) {
	d := &doors{}
	mux := http.NewServeMux()
	mux.Handle("/webhook", hook)
	mux.HandleFunc("GET /healthz", alive)
	mux.HandleFunc("GET /readyz", d.ready(service.Store))
	if s.OperatorToken != "" {
		pages, err := web.New(web.Config{Token: s.OperatorToken, Build: Version(), Store: service.Store, Work: service.Jobs, Scan: scanner, Log: service.log, Now: service.Store.Now})
		if err != nil {
			return nil, err
		}
		mux.Handle("/operator/", pages)
		mux.Handle("GET /metrics", pages.Guard(service.meter.Handler()))
	}
	d.public = calm(service.log, mux)
	own := http.NewServeMux()
	own.HandleFunc("GET /healthz", alive)
	own.Handle("GET /metrics", service.meter.Handler())
	d.numbers = calm(service.log, own)
	return d, nil
}

func alive(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "alive") }

func (d *doors) ready(st *store.Store) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case d.leaving.Load():
			http.Error(w, "stopping", http.StatusServiceUnavailable)
		case st.Ping(r.Context()) != nil:
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
		default:
			fmt.Fprintln(w, "ready")
		}
	}
}

// calm writes a panic down by its type and place: the server's own line would hold
// its value, which may quote what was read.
func calm(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == http.ErrAbortHandler {
				panic(v) // how a handler hangs up; the server logs nothing of it
			}
			if v != nil {
				log.ErrorContext(r.Context(), "panic", "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
				http.Error(w, "internal error", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// newMeter says of itself what runs.
func newMeter(scanner *secret.Scanner) *meter.Meter {
	return meter.New(meter.Build{Version: Version(), Edition: card.Edition, Rules: scanner.Rules()})
}

// depths hands the queue's numbers on.
func depths(st *store.Store) func(context.Context) ([]meter.Depth, error) {
	return func(ctx context.Context) (out []meter.Depth, err error) {
		list, err := st.Depths(ctx)
		for _, d := range list {
			out = append(out, meter.Depth(d))
		}
		return out, err
	}
}
