package main

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/cardkeeper/cardkeeper/app"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/logs"
	"github.com/spf13/cobra"
)

// unusable marks an error of the settings as the operator's to mend, without a word of its own.
type unusable struct{ error }

func (u unusable) Unwrap() []error { return []error{errUsage, u.error} }

func serveCommand() *cobra.Command {
	var r registration
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the GitHub App",
		Long: "Reads its settings from a YAML file: app_id, key_file, webhook_secret_file, database\n" +
			"(sqlite:PATH or postgres://...), listen, withhold_key_file where a repository withholds values,\n" +
			"api_url for a GitHub Enterprise Server, ask_per_person, ask_per_repository and gap_days for questions,\n" +
			"embeddings for meaning search, and operator_token_file, metrics_listen, log_level, log_format and drain\n" +
			"for who looks after it. Without an operator's token and metrics_listen it shows no numbers.\n\n" +
			"Without --settings, and while there is no cardkeeper.yml in the current folder, it serves the page of\n" +
			"cardkeeper setup, behind a token that it prints to its log, and goes on as the App once that is\n" +
			"registered. A file that --settings names must be there.",
		RunE: func(c *cobra.Command, _ []string) error {
			r.cfg.Log = logs.New(c.ErrOrStderr(), slog.LevelInfo, false)
			err := r.serve(c.Context(), c.ErrOrStderr(), c.Flags().Changed("settings"))
			// Faults of the file and settings that cannot be used are the operator's to
			// mend: a supervisor that starts it again changes nothing.
			var faults config.Faults
			if errors.Is(err, app.ErrSettings) || errors.As(err, &faults) {
				return unusable{err}
			}
			return err
		},
	}
	r.flags(c)
	c.Flags().StringVar(&r.listen, "listen", "127.0.0.1:8080", "where to listen; only while there are no settings")
	return c
}

// serve runs the App, registered first where there are no settings. A file that was named and is not there is a
// slip of the pen or a disk that was not mounted: a page that offers to register another App would help nobody.
func (r registration) serve(ctx context.Context, stderr io.Writer, named bool) error {
	s, err := config.LoadSettings(r.cfg.Settings)
	if errors.Is(err, config.ErrNoFile) && !named {
		r.cfg.Listen = r.listen
		if err := app.Register(ctx, r.cfg); err != nil || ctx.Err() != nil {
			return err
		}
		s, err = config.LoadSettings(r.cfg.Settings)
	}
	if err != nil {
		return unusable{err}
	}
	s.Embeddings = keyed(s.Embeddings)
	return app.Serve(ctx, s, logs.New(stderr, s.LogLevel, s.LogText))
}
