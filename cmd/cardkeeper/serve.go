package main

import (
	"errors"
	"log/slog"

	"github.com/cardkeeper/cardkeeper/app"
	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/spf13/cobra"
)

// unusable marks an error of the settings as the operator's to mend, without a word of its own.
type unusable struct{ error }

func (u unusable) Unwrap() []error { return []error{errUsage, u.error} }

func serveCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the GitHub App",
		Long: "Reads its settings from a YAML file: app_id, key_file, webhook_secret_file, database\n" +
			"(sqlite:PATH or postgres://...), listen, and api_url for a GitHub Enterprise Server.",
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := config.LoadSettings(file)
			if err != nil {
				return unusable{err}
			}
			err = app.Serve(c.Context(), s, slog.New(slog.NewJSONHandler(c.ErrOrStderr(), nil)))
			if errors.Is(err, app.ErrSettings) {
				return unusable{err}
			}
			return err
		},
	}
	c.Flags().StringVar(&file, "settings", "cardkeeper.yml", "the settings file")
	return c
}
