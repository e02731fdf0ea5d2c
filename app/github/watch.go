package github

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/meter"
)

// The keys of the log lines about requests. Beside them stands what the context
// brings along, the delivery first of all.
const (
	LogRoute     = "route"      // method and pattern, without a name or an id
	LogStatus    = "status"     // 0 where no answer came
	LogRequest   = "request_id" // GitHub's own id of the request, to ask its support with
	LogRemaining = "remaining"  // requests that are left in this hour
)

// routeKey is the context key of a request's route: the transport cannot read the
// pattern from an address without taking names along.
type routeKey struct{}

func withRoute(ctx context.Context, route string) context.Context {
	return context.WithValue(ctx, routeKey{}, route)
}

// forToken marks a request for an installation's token, which ghinstallation makes
// in the middle of another one.
func forToken(req *http.Request) *http.Request {
	return req.WithContext(withRoute(req.Context(), tokenRoute))
}

// A scribe counts each request to GitHub and writes a line about it. The zero one
// does neither.
type scribe struct {
	meter *meter.Meter
	log   *slog.Logger
}

// sent tells of one request, made on the budget of an installation. Reads are many and are written at debug level; what
// changes something at GitHub, and what it refuses for good, is in an ordinary log.
func (w scribe) sent(req *http.Request, resp *http.Response, took time.Duration, installation int64) {
	pattern, _ := req.Context().Value(routeKey{}).(string)
	route := strings.TrimSpace(req.Method + " " + pattern)
	status, id, left := 0, "", ""
	if resp != nil {
		status, id = resp.StatusCode, requestID(resp.Header)
		left = resp.Header.Get("X-RateLimit-Remaining")
	}
	w.meter.Request(route, status, took)
	if pattern == tokenRoute && status == http.StatusCreated {
		w.meter.Token()
	}
	attrs := []slog.Attr{slog.String(LogRoute, route), slog.Int(LogStatus, status), slog.String(LogRequest, id), slog.Float64("seconds", took.Seconds())}
	if n, err := strconv.Atoi(left); err == nil {
		attrs = append(attrs, slog.Int(LogRemaining, n))
		if resource := resp.Header.Get("X-RateLimit-Resource"); resource == "core" || resource == "" {
			w.meter.Left(installation, n)
		}
	}
	if w.log != nil {
		w.log.LogAttrs(req.Context(), requestLevel(req.Method, status), "github request", attrs...)
	}
}

// requestLevel leaves 404 and 422 of reads at debug level: they are answers.
func requestLevel(method string, status int) slog.Level {
	switch {
	case status == 0, status >= 500, status == http.StatusTooManyRequests, status == http.StatusUnauthorized, status == http.StatusForbidden:
		return slog.LevelWarn
	case method != http.MethodGet && method != http.MethodHead:
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// limit tells of a wait that GitHub asked for, or that is known so well that
// nothing was sent.
func (w scribe) limit(kinds ...error) {
	var limited *Limited
	if errors.As(errors.Join(kinds...), &limited) {
		w.meter.Limited(limited.After)
	}
}

// requestID is GitHub's id of a request, of the form "A1B2:3C4D:5E6F". Anything
// else that a server may send there is left out.
func requestID(h http.Header) string {
	id := h.Get("X-GitHub-Request-Id")
	if len(id) > 64 || strings.Trim(id, "0123456789abcdefABCDEF:-") != "" {
		return ""
	}
	return id
}
