package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/spf13/cobra"
)

func scanCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "scan PATH...",
		Short: "Look for secrets in files and folders",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("%w: --format knows text and json", errUsage)
			}
			s, err := secret.New(secret.Options{})
			if err != nil {
				return err
			}
			out := scanReport{Findings: []checker.Finding{}}
			for _, p := range args {
				if err := out.path(c.Context(), s, p); err != nil {
					return err
				}
			}
			return out.say(c.OutOrStdout(), format)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

// A scanReport is the outcome of scan. Its JSON form is stable.
type scanReport struct {
	Findings []checker.Finding `json:"findings"`
	Scanned  struct {
		Files int   `json:"files"`
		Bytes int64 `json:"bytes"`
	} `json:"scanned"`
}

// path scans a file, or all regular files of a folder but git's own.
func (r *scanReport) path(ctx context.Context, s *secret.Scanner, root string) error {
	info, err := os.Stat(root)
	if err != nil {
		return fmt.Errorf("%w: cannot look at the path: %w", errUsage, err)
	}
	if !info.IsDir() {
		return r.file(ctx, s, root)
	}
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		return r.file(ctx, s, name)
	})
}

func (r *scanReport) file(ctx context.Context, s *secret.Scanner, name string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	found, err := s.Scan(ctx, string(b))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.Scanned.Files++
	r.Scanned.Bytes += int64(len(b))
	for _, f := range found {
		r.Findings = append(r.Findings, checker.Finding{
			Rule: f.Rule, Tier: f.Tier, File: filepath.ToSlash(name), Line: f.First, End: f.Last, Fingerprint: f.Fingerprint,
		})
	}
	return nil
}

func (r *scanReport) say(out io.Writer, format string) error {
	if format == "json" {
		if err := encode(out, r); err != nil {
			return err
		}
	} else {
		for _, f := range r.Findings {
			fmt.Fprintf(out, "%s:%d: %s (%s) %s\n", f.File, f.Line, f.Rule, f.Tier, f.Fingerprint)
		}
		fmt.Fprintf(out, "%d findings in %d files (%d bytes)\n", len(r.Findings), r.Scanned.Files, r.Scanned.Bytes)
	}
	for _, f := range r.Findings {
		if f.Tier == secret.Block {
			return result(exitFound)
		}
	}
	return nil
}
