// Package logs makes the service's logger, and carries what a piece of work is for
// along its context: every line that is written with that context names the
// delivery that it works for, whoever writes it. So the way of one delivery can be
// read from the log by its id.
//
// What goes along is ids and words of ours, never text of a repository or a person
// (law 8).
package logs

import (
	"context"
	"io"
	"log/slog"
)

// Delivery is the key of GitHub's delivery id, the same as the handler's.
const Delivery = "delivery"

// New makes a logger that writes lines of JSON, or of text, from level on.
func New(w io.Writer, level slog.Level, text bool) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if text {
		return slog.New(handler{slog.NewTextHandler(w, o)})
	}
	return slog.New(handler{slog.NewJSONHandler(w, o)})
}

// attrsKey is the context key of what goes along.
type attrsKey struct{}

// With adds attributes to every line that is written with the context. One that is
// already there is replaced.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	all := append([]slog.Attr{}, attrs...)
	for _, a := range along(ctx) {
		if !has(attrs, a.Key) {
			all = append(all, a)
		}
	}
	return context.WithValue(ctx, attrsKey{}, all)
}

// DeliveryOf is the delivery that the context works for, "" for none.
func DeliveryOf(ctx context.Context) string {
	for _, a := range along(ctx) {
		if a.Key == Delivery {
			return a.Value.String()
		}
	}
	return ""
}

func along(ctx context.Context) []slog.Attr {
	attrs, _ := ctx.Value(attrsKey{}).([]slog.Attr)
	return attrs
}

func has(attrs []slog.Attr, key string) bool {
	for _, a := range attrs {
		if a.Key == key {
			return true
		}
	}
	return false
}

// handler adds what goes along with the context to each line.
type handler struct{ slog.Handler }

// Handle writes one line. What the line itself says of a key counts.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	own := map[string]bool{}
	r.Attrs(func(a slog.Attr) bool { own[a.Key] = true; return true })
	for _, a := range along(ctx) {
		if !own[a.Key] {
			r.AddAttrs(a)
		}
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs keeps the handler around the one below.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup does the same.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
