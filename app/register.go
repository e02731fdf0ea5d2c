package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"

	"github.com/cardkeeper/cardkeeper/app/setup"
)

// Register serves the registration page at cfg.Listen until the App is
// registered, and prints its address with the token to the log: nobody else may
// register the App. It gives nil where ctx ends, too. An error of the
// configuration is [ErrSettings].
func Register(ctx context.Context, cfg setup.Config) error {
	w, err := setup.New(cfg)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSettings, err)
	}
	l, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s; give another --listen: %w", cfg.Listen, err)
	}
	cfg.Log.Warn("no settings yet: open the page to register the App", "page", SetupPage(l.Addr(), w.Token()), "settings", cfg.Settings)
	if _, err = w.Run(ctx, l); errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// SetupPage is the address at which the person at this machine opens the
// registration page.
func SetupPage(at net.Addr, token string) string {
	host, port, err := net.SplitHostPort(at.String())
	if ip := net.ParseIP(host); err == nil && (ip == nil || ip.IsUnspecified()) {
		host = "127.0.0.1"
	}
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/", RawQuery: url.Values{"token": {token}}.Encode()}
	return u.String()
}
