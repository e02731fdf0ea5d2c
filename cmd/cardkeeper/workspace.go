package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/checker/suite"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/cardkeeper/cardkeeper/extractor/ident"
	"github.com/spf13/cobra"
)

// A workspace is a folder that a command works on, its configuration and a scanner.
type workspace struct {
	local   *tree.Local
	files   *tree.Tree
	config  config.Config
	scanner *secret.Scanner
	blind   error // why the scanner does not look for withheld values; nil where it does
}

// where are the flags that say what to look at.
type where struct {
	root   string
	staged bool
	keyring
}

func (w *where) flags(c *cobra.Command, staged bool) {
	c.Flags().StringVar(&w.root, "root", "", "the repository's folder (default: the one around the current folder)")
	w.keyring.flags(c)
	if staged {
		c.Flags().BoolVar(&w.staged, "staged", false, "look at what is staged for the next commit")
	}
}

// open reads the folder's files as git would commit them, and its
// configuration. Untracked files that count are named on stderr.
func (w *where) open(ctx context.Context, stderr io.Writer) (_ *workspace, err error) {
	folder, err := w.folder()
	if err != nil {
		return nil, err
	}
	local, err := tree.Open(ctx, folder)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = local.Close() // the first error is the one to tell
		}
	}()
	ws := &workspace{local: local}
	var untracked []string
	if w.staged {
		ws.files, err = local.Staged(ctx)
	} else {
		ws.files, untracked, err = local.Working(ctx, relevant(folder))
	}
	if err != nil {
		return nil, err
	}
	if ws.config, err = config.Load(ws.files); err != nil {
		return nil, err
	}
	s, err := secret.New(secret.Options{})
	if err != nil {
		return nil, err
	}
	if ws.scanner, ws.blind, err = w.scanner(s, ws.config, local.Root()); err != nil {
		return nil, err
	}
	speak(ctx, ws.scanner)
	if untracked = slices.DeleteFunc(untracked, func(file string) bool { return !ws.counts(file) }); len(untracked) > 0 {
		tell(ctx, ws.scanner, stderr, named(untracked))
	}
	return ws, nil
}

// small is the size, in bytes, up to which any untracked file is taken in. Of
// what is larger it matters that it is there, since links may lead to it; git
// would copy its content for every command anew.
const small = 1 << 20

// relevant reports whether the content of an untracked file is taken in: by its
// name, or because that costs nothing.
func relevant(folder string) func(string) bool {
	return func(name string) bool {
		if extractor.IsMarkdown(name) || ident.IsSource(name) || path.Base(name) == ".gitattributes" || name == checker.ConfigFile || name == suite.File {
			return true
		}
		info, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(name)))
		return err != nil || info.Size() <= small
	}
}

// counts reports whether a file has a part in the index: it is of a skill, a card, the
// configuration or the question suite. Any other may be there for a link to lead to, and no more.
func (ws *workspace) counts(file string) bool {
	if file == checker.ConfigFile || file == suite.File || path.Base(file) == ".gitattributes" || strings.HasPrefix(file, ws.config.Shape.Cards+"/") {
		return true
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if _, err := ws.files.Stat(path.Join(dir, "SKILL.md")); err == nil && !ws.hidden(file) {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// hidden reports whether the shape leaves a file out, by its name or one of its folders'.
func (ws *workspace) hidden(file string) bool {
	for name := file; name != "."; name = path.Dir(name) {
		if ws.config.Shape.Excluded(name) {
			return true
		}
	}
	return false
}

// named names the untracked files that the index would hold once they are
// committed, in one line: a few are enough to see what kind they are.
func named(untracked []string) string {
	const most = 3
	shown := make([]string, 0, most)
	for _, file := range untracked[:min(most, len(untracked))] {
		shown = append(shown, `"`+strings.ReplaceAll(file, "\n", " ")+`"`)
	}
	line := "untracked, but counted: " + strings.Join(shown, ", ")
	if more := len(untracked) - most; more > 0 {
		line += fmt.Sprintf(" and %d more; git status lists them", more)
	}
	return line
}

// layout finds the skills; none is a mistake.
func (ws *workspace) layout() (extractor.Layout, error) {
	l, err := extractor.Discover(ws.files, ws.config.Shape)
	if err == nil && len(l.Skills) == 0 {
		err = fmt.Errorf("%w: no skill found below %s: a skill is a folder with a SKILL.md that shape.exclude does not hide", errUsage, ws.local.Root())
	}
	return l, err
}

// root opens the folder for writing.
func (ws *workspace) root() (*os.Root, error) { return os.OpenRoot(ws.local.Root()) }

// gate is the scanner under the folder's own policy.
func (ws *workspace) gate() *checker.Gate {
	return checker.NewGate(ws.scanner, ws.config.Policy.Allow, today())
}

func today() checker.Date { return config.Day(time.Now()) }

func (ws *workspace) close() { _ = ws.local.Close() } // nothing is written through it
