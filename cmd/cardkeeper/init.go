package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/spf13/cobra"
)

func initCommand() *cobra.Command {
	var w where
	c := &cobra.Command{
		Use:   "init",
		Short: "Switch cardkeeper on in a repository: configuration, .gitattributes and the first cards",
		RunE: func(c *cobra.Command, _ []string) error {
			return initialise(c.Context(), w, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	w.flags(c, false)
	return c
}

func initialise(ctx context.Context, w where, stdout, stderr io.Writer) error {
	folder, err := w.folder()
	if err != nil {
		return err
	}
	w.root = folder
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := w.worthwhile(ctx); err != nil {
		return err
	}
	if err := writeConfig(root, stdout); err != nil {
		return err
	}
	c, err := config.Load(root.FS())
	if err != nil {
		return err
	}
	if err := writeAttributes(root, attributes(c.Shape.Cards), stdout); err != nil {
		return err
	}
	ws, err := w.open(ctx, stderr)
	if err != nil {
		return err
	}
	defer ws.close()
	err = ws.build(ctx, false, true, stdout, stderr)
	if r := result(0); err != nil && !errors.As(err, &r) {
		return err
	}
	fmt.Fprintln(stdout, "Next: commit these files. Once the App has looked at one pull request, choose the check \"cardkeeper\"\n"+
		"as required in the repository's branch rules; until then it reports and blocks nothing.")
	return err
}

// worthwhile refuses a folder without skills before anything is written to it.
func (w where) worthwhile(ctx context.Context) error {
	ws, err := w.open(ctx, io.Discard)
	if err != nil {
		return err
	}
	defer ws.close()
	_, err = ws.layout()
	return err
}

// writeConfig writes a configuration with a salt of its own, unless there is one.
func writeConfig(root *os.Root, stdout io.Writer) error {
	if _, err := root.Stat(checker.ConfigFile); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	salt, err := freshSalt()
	if err != nil {
		return err
	}
	text := fmt.Sprintf(`# What blocks a merge; read from the base branch alone.
policy:
  block: [stale, secrets]
  # Makes the fingerprints of this repository's findings useless elsewhere. Not a secret.
  salt: %s
# What the cards are; comes with each change.
shape:
  cards: %s
  exclude: [tests, fixtures, node_modules]
`, salt, extractor.DefaultShape().Cards)
	fmt.Fprintln(stdout, "wrote", checker.ConfigFile)
	return tree.WriteFile(root, checker.ConfigFile, []byte(text))
}

// freshSalt makes a salt as a configuration holds it.
func freshSalt() (string, error) {
	salt := make([]byte, 16)
	_, err := rand.Read(salt)
	return hex.EncodeToString(salt), err
}

func writeAttributes(root *os.Root, line string, stdout io.Writer) error {
	if info, err := root.Lstat(".gitattributes"); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: .gitattributes is a link or no file; its content is not taken over. Replace it and run init again", errUsage)
	}
	old, err := root.ReadFile(".gitattributes")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if containsLine(old, line) {
		return nil
	}
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		old = append(old, '\n')
	}
	fmt.Fprintln(stdout, "added a line to .gitattributes")
	return tree.WriteFile(root, ".gitattributes", append(old, line+"\n"...))
}

func containsLine(data []byte, line string) bool {
	for l := range bytes.Lines(data) {
		if string(bytes.TrimSpace(l)) == line {
			return true
		}
	}
	return false
}
