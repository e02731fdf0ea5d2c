package config

import (
	"log/slog"
	"net"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Operation is what an operator sees of the service, and how it stops. The zero
// value shows nothing to anybody.
type Operation struct {
	OperatorToken string        // opens the operator's page and its metrics; "" is no page
	MetricsListen string        // host:port of an address for metrics alone; "" is none
	LogLevel      slog.Level    // of the least lines that are written
	LogText       bool          // lines of text instead of JSON
	Drain         time.Duration // between "not ready" and the closed door
}

const (
	// minToken keeps a word that somebody thought up from being the token: what
	// openssl rand -hex 16 prints has 32 characters.
	minToken = 32
	// defaultDrain is long enough for a load balancer that asks every second, and
	// short enough for a person who waits. maxDrain is beyond any that we know.
	defaultDrain = time.Second
	maxDrain     = time.Minute
)

// operatorToken reads the token from a file of its own, so that the settings can be shown.
func (s *Settings) operatorToken(r *reader, n *yaml.Node) {
	text, ok := r.content(n)
	if text = strings.TrimSpace(text); ok && len(text) < minToken {
		r.fault(n, "the operator's token is shorter than 32 characters and could be guessed; make one with openssl rand -hex 32")
		return
	}
	s.OperatorToken = text
}

func (s *Settings) metrics(r *reader, n *yaml.Node) {
	text, ok := r.text(n)
	if _, port, err := net.SplitHostPort(text); ok && (err != nil || port == "") {
		r.fault(n, "metrics_listen must be host:port, such as 127.0.0.1:9090; whoever reaches it may read the numbers")
	}
	s.MetricsListen = text
}

func (s *Settings) logLevel(r *reader, n *yaml.Node) {
	text, ok := r.text(n)
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, known := levels[text]
	if ok && !known {
		r.fault(n, "log_level is debug, info, warn or error")
	}
	s.LogLevel = level
}

func (s *Settings) logFormat(r *reader, n *yaml.Node) {
	text, ok := r.text(n)
	if ok && text != "json" && text != "text" {
		r.fault(n, "log_format is json or text")
	}
	s.LogText = text == "text"
}

func (s *Settings) drain(r *reader, n *yaml.Node) {
	text, ok := r.text(n)
	d, err := time.ParseDuration(text)
	if ok && (err != nil || d < 0 || d > maxDrain) {
		r.fault(n, "drain is a time such as 5s, at most 60s")
	}
	s.Drain = d
}
