package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/cardkeeper/cardkeeper/extractor"
	"github.com/spf13/cobra"
)

func withholdCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "withhold",
		Short: "Keep values out of the index without writing them down",
		Long: "The policy lists values that must never be indexed as keyed hashes. Add and test read from\n" +
			"standard input, never from an argument. The key comes from " + keyVariable + " or\n" +
			"--withhold-key-file, and is in no repository.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 { // which may be a value
				return fmt.Errorf("%w: withhold knows: %s", errUsage, commandNames(c))
			}
			return c.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	c.AddCommand(withholdKeyCommand(), withholdAddCommand(), withholdListCommand(), withholdRemoveCommand(), withholdTestCommand())
	return c
}

// noValue refuses arguments without a word of them.
func noValue(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%w: the value is read from standard input, never from an argument, which the shell's history keeps; clear it there", errUsage)
	}
	return nil
}

func withholdKeyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "key", Short: "Print a fresh random key", Args: noValue,
		RunE: func(c *cobra.Command, _ []string) error {
			key := make([]byte, 32)
			if _, err := rand.Read(key); err != nil {
				return err // unreachable: the program ends first
			}
			fmt.Fprintln(c.OutOrStdout(), hex.EncodeToString(key))
			fmt.Fprintln(c.ErrOrStderr(), "Keep this in a password store and in no repository: without it the list cannot be used or renewed.\n"+
				"It goes into "+keyVariable+" (a secret of the workflow) or a file for --withhold-key-file,\n"+
				"and for the App into a file that withhold_key_file in its settings names.")
			return nil
		},
	}
}

// A policyFile is a repository's configuration, to be edited.
type policyFile struct {
	root   *os.Root
	folder string
	text   []byte
	config config.Config
}

func (w *where) policyFile() (*policyFile, error) {
	folder, err := w.folder()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	p := &policyFile{root: root, folder: folder}
	if err := p.read(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return p, nil
}

func (p *policyFile) read() error {
	info, err := p.root.Lstat(checker.ConfigFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: there is no %s; run: cardkeeper init", errUsage, checker.ConfigFile)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is no plain file", errUsage, checker.ConfigFile)
	}
	if p.text, err = p.root.ReadFile(checker.ConfigFile); err != nil {
		return err
	}
	p.config, err = config.Parse(p.text)
	return err
}

func (p *policyFile) write(text []byte) error {
	return tree.WriteFile(p.root, checker.ConfigFile, text)
}

func (p *policyFile) close() { _ = p.root.Close() } // what was written is closed already

// An addition is a value to be withheld.
type addition struct {
	where
	reason string
}

func withholdAddCommand() *cobra.Command {
	var a addition
	c := &cobra.Command{
		Use: "add", Short: "Withhold the value on standard input", Args: noValue,
		Long: "Reads one value from standard input, or asks for it without showing it, and writes its keyed\n" +
			"hash into the configuration. A value has 1 to 8 words, and 4 or more letters and digits; of\n" +
			"digits alone 6 or more. Case, marks, hyphens and line breaks between its words do not matter.",
		RunE: func(c *cobra.Command, _ []string) error { return a.run(c) },
	}
	a.flags(c, false)
	c.Flags().StringVar(&a.reason, "reason", "not given", "why this must not be indexed, without saying what it is")
	return c
}

func (a *addition) run(c *cobra.Command) error {
	p, err := a.policyFile()
	if err != nil {
		return err
	}
	defer p.close()
	key, err := a.key(p)
	if err != nil {
		return err
	}
	value, err := oneValue(c)
	if err != nil {
		return err
	}
	seal := key.Seal(p.config.Salt)
	hash, err := seal.Hash(value)
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	s, err := secret.New(secret.Options{Salt: p.config.Salt})
	if err != nil {
		return err
	}
	one, err := s.WithWithheld(secret.Withheld{Hashes: []secret.Hash{hash}, Check: seal.Check()}, key)
	if err != nil {
		return err // unreachable: the key has just made the check
	}
	if err := a.write(c, p, one, hash, seal.Check()); err != nil {
		return err
	}
	return a.count(c, one)
}

// key is the key, which must be the one that the list was made with.
func (a *addition) key(p *policyFile) (secret.Key, error) {
	keys, err := a.keys(p.folder)
	switch {
	case err != nil:
		return secret.Key{}, err
	case len(keys) == 0:
		return secret.Key{}, fmt.Errorf("%w: give the key in %s or with --withhold-key-file; cardkeeper withhold key makes one", errUsage, keyVariable)
	case len(p.config.Salt) == 0:
		return secret.Key{}, fmt.Errorf("%w: the configuration has no policy.salt, which keeps the hashes of two repositories apart; give it 32 random hex digits", errUsage)
	case len(p.config.Withheld.Values) > 0 && keys[0].Seal(p.config.Salt).Check() != p.config.Withheld.Check:
		return secret.Key{}, fmt.Errorf("%w: the key is not the one that the list was made with, or policy.salt was changed since; "+
			"use that key, or remove all entries first", errUsage)
	}
	return keys[0], nil
}

// write adds the hash to the configuration, unless it is there.
func (a *addition) write(c *cobra.Command, p *policyFile, s *secret.Scanner, hash, check secret.Hash) error {
	for _, v := range p.config.Withheld.Values {
		if v.Hash == hash {
			fmt.Fprintf(c.OutOrStdout(), "withheld already: %s\n", hash)
			return nil
		}
	}
	reason := strings.Join(strings.Fields(a.reason), " ")
	found, err := s.Scan(c.Context(), reason)
	if err != nil {
		return err
	}
	if len(found) > 0 || reason == "" {
		return fmt.Errorf("%w: --reason must say why, and hold neither the value nor a secret", errUsage)
	}
	today := time.Now().UTC().Truncate(24 * time.Hour)
	text, err := config.AddWithheld(p.text, config.WithheldValue{Hash: hash, Reason: reason, Added: today}, check)
	if errors.Is(err, config.ErrEdit) {
		return fmt.Errorf("%w: %w. The entry has hash: %s and reason, and beside the list stands withhold_check: %s", errUsage, err, hash, check)
	}
	if err != nil {
		return err
	}
	if err := p.write(text); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "withheld: %s\n", hash)
	return nil
}

// count says where the value stands now in what is indexed.
func (a *addition) count(c *cobra.Command, s *secret.Scanner) error {
	ws, err := a.open(c.Context(), io.Discard)
	if err != nil {
		return err
	}
	defer ws.close()
	found, err := ws.leaks(c.Context(), s.WithheldOnly())
	if err != nil {
		return err
	}
	if len(found) == 0 {
		fmt.Fprintln(c.OutOrStdout(), "It does not stand in the index now. Commit the configuration: it counts from the base branch.")
		return nil
	}
	lines := fmt.Sprintf("It stands in the index now, %s:\n", count(len(found), "time"))
	for _, f := range found {
		lines += fmt.Sprintf("%s:%d\n", shown(f.File), f.Line)
	}
	lines, err = s.Withhold(c.Context(), lines, nil)
	if err != nil {
		return err
	}
	fmt.Fprint(c.OutOrStdout(), lines+"Take it out there, run cardkeeper build, and commit. The configuration counts from the base branch.\n")
	return result(exitFound)
}

// leaks scans everything that all skills bring into the index.
func (ws *workspace) leaks(ctx context.Context, s checker.Scanner) ([]checker.Finding, error) {
	layout, err := extractor.Discover(ws.files, ws.config.Shape)
	if err != nil {
		return nil, err
	}
	var out []checker.Finding
	for _, of := range layout.Skills {
		skill, err := of.Read(ws.files, ws.config.Shape)
		if err != nil {
			return nil, err
		}
		found, err := checker.SkillLeaks(ctx, s, ws.files, of, skill)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}
