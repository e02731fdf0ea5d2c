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
	"slices"
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
	var staged bool
	c := &cobra.Command{
		Use:   "scan PATH... | scan --staged",
		Short: "Look for secrets in files and folders, or in what is staged",
		Long: "Fingerprints are those of the check: made with the salt of the configuration below --root.\n" +
			"Binary files are counted and not scanned; a file that is too long to be scanned is an error.\n" +
			"With --staged, what the next commit brings is scanned as it is staged, in the whole repository.",
		Args: func(c *cobra.Command, args []string) error {
			if staged {
				return cobra.NoArgs(c, args)
			}
			return cobra.MinimumNArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case format != "text" && format != "json":
				return fmt.Errorf("%w: --format knows text and json", errUsage)
			case staged:
				return scanStaged(c, root, format, keys)
			case root == "":
				root = "."
			}
			return scan(c, root, format, keys, args)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().StringVar(&root, "root", "", "the repository's folder")
	c.Flags().BoolVar(&staged, "staged", false, "scan what the next commit brings")
	keys.flags(c)
	return c
}

func scan(c *cobra.Command, root, format string, keys keyring, paths []string) error {
	cfg, err := config.Load(os.DirFS(root))
	if err != nil {
		return err
	}
	out, err := newScanReport(c.Context(), keys, cfg, root, os.DirFS(root))
	if err != nil {
		return err
	}
	for _, p := range paths {
		if err := out.path(c.Context(), p); err != nil {
			return err
		}
	}
	return out.finish(c, format)
}

// newScanReport begins a report. Skills are looked for in files, the tree of the
// configuration.
func newScanReport(ctx context.Context, keys keyring, cfg config.Config, root string, files fs.FS) (*scanReport, error) {
	s, err := secret.New(secret.Options{})
	if err != nil {
		return nil, err
	}
	s, blind, err := keys.scanner(s, cfg, root)
	if err != nil {
		return nil, err
	}
	speak(ctx, s)
	return &scanReport{Findings: []scanFinding{}, scanner: s, root: root, gate: scanGate(files, cfg, s), blind: blind}, nil
}

// finish prints what was found. What was not scanned to its end is an error, and
// hides nothing of the rest.
func (r *scanReport) finish(c *cobra.Command, format string) error {
	if err := r.withhold(c.Context()); err != nil {
		return err
	}
	err := r.say(c.OutOrStdout(), format)
	if len(r.unscanned) > 0 {
		text := "not scanned to the end, so not known to be clean: " + strings.Join(r.unscanned, ", ")
		if err == nil {
			return errors.New(text)
		}
		tell(c.Context(), r.scanner, c.ErrOrStderr(), text)
	}
	if r.blind != nil {
		if err == nil {
			return unlooked(r.blind)
		}
		tell(c.Context(), r.scanner, c.ErrOrStderr(), unlooked(r.blind).Error())
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
	blind     error         // why withheld values were not looked for
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
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	// One byte more than is scanned tells that the file is too long.
	b, err := io.ReadAll(io.LimitReader(f, secret.DefaultMaxBytes+1))
	if err != nil {
		return err
	}
	file, _ := below(r.root, name)
	return r.content(ctx, filepath.ToSlash(name), file, b)
}

// content scans what a file holds, under the allow rules for its path below the
// configuration's folder; "" for a file elsewhere.
func (r *scanReport) content(ctx context.Context, name, file string, b []byte) error {
	if bytes.IndexByte(b[:min(len(b), sniffed)], 0) >= 0 {
		r.Scanned.Binary++
		return nil
	}
	if len(b) > secret.DefaultMaxBytes {
		r.unscanned = append(r.unscanned, name)
		return nil
	}
	found, err := r.scan(ctx, name, file, string(b))
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
		f.File = name
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
	if !slices.ContainsFunc(r.Findings, func(f scanFinding) bool { return f.Leaks() }) {
		return nil
	}
	if format != "json" && slices.ContainsFunc(r.Findings, func(f scanFinding) bool { return f.Leaks() && !f.Withheld() }) {
		fmt.Fprintln(out, "Rotate what is a secret first, then remove it. What is none, a rule lets pass: cardkeeper allow FINGERPRINT --reason \"...\"")
	}
	return result(exitFound)
}
