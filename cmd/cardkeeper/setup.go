package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/cardkeeper/cardkeeper/app"
	"github.com/cardkeeper/cardkeeper/app/setup"
	"github.com/spf13/cobra"
)

// errStopped is for who pressed Ctrl-C. The App may exist at GitHub by then, without a key that anybody has.
var errStopped = errors.New("stopped: the App was not registered, and nothing was stored; if GitHub shows it among your Apps, delete it there before you begin again")

// registration is what the flags of setup say, and of serve where it has no settings yet.
type registration struct {
	cfg    setup.Config
	listen string
}

// flags adds those that both commands have.
func (r *registration) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&r.cfg.Settings, "settings", "cardkeeper.yml", "the settings file")
	f.StringVar(&r.cfg.API, "api-url", "", "the API of a GitHub Enterprise Server, https://HOST/api/v3; only while there are no settings")
	f.StringVar(&r.cfg.Draft.URL, "url", "", "the public address of the service, https://HOST; only while there are no settings")
}

// setupCommand serves the page to the person at the keyboard and ends with it.
func setupCommand() *cobra.Command {
	var r registration
	c := &cobra.Command{
		Use:   "setup",
		Short: "Register the GitHub App and write its settings",
		Long: "Opens a page on this machine that registers the App at GitHub with the permissions and events that\n" +
			"it needs, and writes key, webhook secret and settings to files that only you can read. On a server,\n" +
			"reach the page from your own machine with ssh -L PORT:127.0.0.1:PORT.",
		RunE: func(c *cobra.Command, _ []string) error {
			return r.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	r.flags(c)
	f := c.Flags()
	f.StringVar(&r.cfg.Draft.Organization, "org", "", "the organisation that will own the App; without it you do")
	f.StringVar(&r.cfg.Draft.Name, "name", "", "the App's name, unique at GitHub")
	f.BoolVar(&r.cfg.Draft.Write, "write", false, "let the App commit cards, for the button on a pull request")
	f.BoolVar(&r.cfg.Overwrite, "overwrite", false, "replace settings, key and secret that are there")
	f.StringVar(&r.cfg.Database, "database", "", "the service's database for the settings; without it a SQLite file beside them")
	f.StringVar(&r.listen, "listen", "127.0.0.1:0", "where the page listens, on this machine alone")
	return c
}

// run serves the page and prints what came of it. How far it is goes to stderr.
func (r registration) run(ctx context.Context, stdout, stderr io.Writer) error {
	// The way back from GitHub is plain http here, so it must not leave the machine.
	host, _, err := net.SplitHostPort(r.listen)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%w: --listen must be an address of this machine such as 127.0.0.1:8000, since the key's code travels on it unencrypted; from elsewhere use ssh -L", errUsage)
	}
	r.cfg.Log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	w, err := setup.New(r.cfg)
	if err != nil {
		return unusable{err}
	}
	l, err := net.Listen("tcp", r.listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s; give another --listen: %w", r.listen, err)
	}
	fmt.Fprintf(stderr, "Open this page to register the App. It ends by itself within the hour; Ctrl-C ends it now.\n\n  %s\n\n", app.SetupPage(l.Addr(), w.Token()))
	done, err := w.Run(ctx, l)
	if errors.Is(err, context.Canceled) {
		return errStopped
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "App %d is registered.\n  settings        %s\n  private key     %s\n  webhook secret  %s\n\nNext:\n  1. install it: %s\n  2. cardkeeper serve --settings %s\n  3. cardkeeper doctor --settings %s\n",
		done.AppID, done.Files.Settings, done.Files.Key, done.Files.Secret, done.Install, done.Files.Settings, done.Files.Settings)
	return err
}
