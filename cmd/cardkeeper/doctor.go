package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/jobs"
	"github.com/cardkeeper/cardkeeper/app/setup"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/spf13/cobra"
)

// doctorCommand asks and tells; what is asked is decided in app/setup.
func doctorCommand() *cobra.Command {
	var file, format string
	var most int
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what keeps the App from blocking what it should",
		Long: "Asks GitHub, with the App's own key, what the App may do, what became of the last events, and in each\n" +
			"repository whether the check is required; looks at key, secret, clock and database. It changes nothing.\n" +
			"Exit code 0: all well; 1: something to mend; 3: something could not be asked.",
		RunE: func(c *cobra.Command, _ []string) error {
			if format != "text" && format != "json" || most < 0 {
				return fmt.Errorf("%w: --format is text or json, --max-repositories not below 0", errUsage)
			}
			s, err := config.LoadSettings(file)
			if err != nil {
				return unusable{err}
			}
			report, err := setup.Examine(c.Context(), setup.Subject{Settings: s, Check: jobs.CheckName, MaxRepositories: most})
			if err != nil {
				return unusable{err}
			}
			return diagnose(c.Context(), c.OutOrStdout(), report, format)
		},
	}
	c.Flags().StringVar(&file, "settings", "cardkeeper.yml", "the settings file")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().IntVar(&most, "max-repositories", 200, "how many repositories are looked at, of all installations together")
	return c
}

// diagnose prints a report, scanned, and turns its conclusion into the exit code.
func diagnose(ctx context.Context, w io.Writer, report setup.Report, format string) error {
	s, err := secret.New(secret.Options{})
	if err != nil {
		return err
	}
	// Names of accounts and repositories are other people's text (law 8).
	for i := range report.Findings {
		f := &report.Findings[i]
		for _, text := range []*string{&f.Subject, &f.Text, &f.Next} {
			if *text, err = s.Withhold(ctx, *text, nil); err != nil {
				return err
			}
			*text = printable(strings.ReplaceAll(*text, "\n", "; "))
		}
	}
	if format == "json" {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(report)
	} else {
		err = writeReport(w, report)
	}
	switch {
	case err != nil:
		return err
	case report.Conclusion == setup.Mend:
		return result(exitFound)
	case report.Conclusion == setup.Unknown:
		return result(exitFailed)
	}
	return nil
}

// writeReport prints a line for each finding and, below it, what to do.
func writeReport(w io.Writer, report setup.Report) error {
	words := map[setup.State]string{setup.OK: "ok", setup.Note: "note", setup.Unknown: "could not ask", setup.Mend: "MEND"}
	var b strings.Builder
	for _, f := range report.Findings {
		about := f.About
		if f.Subject != "" {
			about += " " + f.Subject
		}
		fmt.Fprintf(&b, "%-14s%s: %s\n", words[f.State], about, f.Text)
		if f.Next != "" {
			fmt.Fprintf(&b, "%-14s-> %s\n", "", f.Next)
		}
	}
	last := map[setup.State]string{setup.OK: "All is well.", setup.Unknown: "Not everything could be asked.", setup.Mend: "There is something to mend."}
	fmt.Fprintf(&b, "\n%s\n", last[report.Conclusion])
	_, err := io.WriteString(w, b.String())
	return err
}
