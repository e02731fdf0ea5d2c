package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/spf13/cobra"
)

func scanCommand() *cobra.Command {
	var format, root string
	var keys keyring
	c := &cobra.Command{
		Use:   "scan PATH...",
		Short: "Look for secrets in files and folders",
		Long: "Fingerprints are those of the check: made with the salt of the configuration below --root.\n" +
			"Binary files are counted and not scanned; a file that is too long to be scanned is an error.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("%w: --format knows text and json", errUsage)
			}
			return scan(c, root, format, keys, args)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().StringVar(&root, "root", ".", "the repository's folder")
	keys.flags(c)
	return c
}

func scan(c *cobra.Command, root, format string, keys keyring, paths []string) error {
	cfg, err := config.Load(os.DirFS(root))
	if err != nil {
		return err
	}
	s, err := secret.New(secret.Options{})
	if err != nil {
		return err
	}
	s, blind, err := keys.scanner(s, cfg, root)
	if err != nil {
		return err
	}
	speak(c.Context(), s)
	out := scanReport{Findings: []scanFinding{}, scanner: s, root: root, gate: scanGate(root, cfg, s)}
	for _, p := range paths {
		if err := out.path(c.Context(), p); err != nil {
			return err
		}
	}
	if err := out.withhold(c.Context()); err != nil {
		return err
	}
	err = out.say(c.OutOrStdout(), format)
	if len(out.unscanned) > 0 {
		text := "not scanned to the end, so not known to be clean: " + strings.Join(out.unscanned, ", ")
		if err == nil {
			return errors.New(text)
		}
		tell(c.Context(), s, c.ErrOrStderr(), text)
	}
	if blind != nil {
		if err == nil {
			return unlooked(blind)
		}
		tell(c.Context(), s, c.ErrOrStderr(), unlooked(blind).Error())
	}
	return err
}

// A scanReport is the outcome of scan. Its JSON form is stable.
type scanReport struct {
	Findings []scanFinding `json:"findings"`
	Scanned  struct {
		Files  int   `json:"files"`
		Bytes  int64 `json:"bytes"`
		Binary int   `json:"binary"` // files that are no text, which were not scanned
	} `json:"scanned"`

	scanner   *secret.Scanner
	root      string        // of the repository
	gate      *checker.Gate // for files below it
	unscanned []string
}

// A scanFinding is a finding with a mark where the policy lets it pass.
type scanFinding struct {
	checker.Finding
	Allowed bool `json:"allowed,omitempty"`
}

// path scans a file, or all regular files of a folder but git's own.
func (r *scanReport) path(ctx context.Context, root string) error {
	info, err := os.Stat(root)
	if err != nil {
		return fmt.Errorf("%w: cannot look at the path: %w", errUsage, err)
	}
	if !info.IsDir() {
		return r.file(ctx, root)
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
		return r.file(ctx, name)
	})
}

// sniffed is how many bytes are looked at for a NUL, which no text has: as many as git looks at.
const sniffed = 8000

// file scans one file. One that cannot be scanned to its end does not hide what
// the others hold.
func (r *scanReport) file(ctx context.Context, name string) error {
	if info, err := os.Stat(name); err == nil && info.Size() > secret.DefaultMaxBytes {
		r.unscanned = append(r.unscanned, name)
		return nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if bytes.IndexByte(b[:min(len(b), sniffed)], 0) >= 0 {
		r.Scanned.Binary++
		return nil
	}
	found, err := r.scan(ctx, name, string(b))
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", name, err)
	case err != nil:
		r.unscanned = append(r.unscanned, name)
		return nil
	}
	r.Scanned.Files++
	r.Scanned.Bytes += int64(len(b))
	for _, f := range found {
		f.File = filepath.ToSlash(name)
		r.Findings = append(r.Findings, scanFinding{f, f.Allow != nil})
	}
	return nil
}

// withhold takes secrets out of the names of files.
func (r *scanReport) withhold(ctx context.Context) error {
	for i := range r.Findings {
		var err error
		if r.Findings[i].File, err = checker.WithholdPaths(ctx, r.scanner, r.Findings[i].File); err != nil {
			return err
		}
	}
	return nil
}

// shown is a file's name on a line of its own: nothing in it steers the
// terminal, and it does not begin like a workflow command.
func shown(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return utf8.RuneError
		}
		return r
	}, name)
	if strings.HasPrefix(name, "::") {
		return "./" + name
	}
	return name
}

func (r *scanReport) say(out io.Writer, format string) error {
	if format == "json" {
		if err := encode(out, r); err != nil {
			return err
		}
	} else {
		for _, f := range r.Findings {
			fmt.Fprintf(out, "%s:%d: %s (%s) %s%s\n", shown(f.File), f.Line, f.Rule, f.Tier, f.Fingerprint, f.mark())
		}
		fmt.Fprintf(out, "%s in %s (%s)\n", count(len(r.Findings), "finding"), count(r.Scanned.Files, "file"), count(int(r.Scanned.Bytes), "byte"))
	}
	for _, f := range r.Findings {
		if f.Leaks() {
			return result(exitFound)
		}
	}
	return nil
}
