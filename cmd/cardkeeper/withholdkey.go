package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/checker/secret"
	"github.com/spf13/cobra"
)

// keyVariable is the environment variable that holds the key for withheld values.
const keyVariable = "CARDKEEPER_WITHHOLD_KEY"

// longestKey bounds what is read of a key's file, in bytes: a key has 64 digits.
const longestKey = 4096

// A keyring is where the key for withheld values comes from. It is read only
// where there is something to look for.
type keyring struct{ file string }

func (k *keyring) flags(c *cobra.Command) {
	c.Flags().StringVar(&k.file, "withhold-key-file", "", "the file of the key for withheld values (default: the variable "+keyVariable+")")
}

// keys returns the key, or none where none is given. A file below root is refused:
// the key would be committed beside the hashes, one day.
func (k *keyring) keys(root string) ([]secret.Key, error) {
	text := os.Getenv(keyVariable)
	if k.file != "" {
		if inside(root, k.file) {
			return nil, fmt.Errorf("%w: --withhold-key-file: the key must not lie in the repository; move it out", errUsage)
		}
		var err error
		if text, err = start(k.file); err != nil {
			return nil, fmt.Errorf("%w: --withhold-key-file: the file cannot be read", errUsage)
		}
	}
	if text = strings.TrimSpace(text); text == "" && k.file == "" {
		return nil, nil
	}
	key, err := secret.ParseKey(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUsage, err)
	}
	return []secret.Key{key}, nil
}

// start reads a file as far as a key goes.
func start(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, longestKey))
	return string(b), err
}

// inside reports whether a file lies below a folder, links followed.
func inside(root, file string) bool {
	root, errRoot := filepath.EvalSymlinks(root)
	file, errFile := filepath.EvalSymlinks(file)
	if errRoot != nil || errFile != nil {
		return false
	}
	root, errRoot = filepath.Abs(root)
	file, errFile = filepath.Abs(file)
	rel, err := filepath.Rel(root, file)
	return errors.Join(errRoot, errFile, err) == nil && filepath.IsLocal(rel)
}

// scanner returns the scanner under a configuration. blind is why it does not look
// for withheld values, nil where it does or where there are none.
func (k *keyring) scanner(s *secret.Scanner, c config.Config, root string) (out *secret.Scanner, blind, err error) {
	var keys []secret.Key
	if c.Withheld.Any() || k.file != "" {
		if keys, err = k.keys(root); err != nil {
			return nil, nil, err
		}
	}
	out, blind = c.Scanner(s, keys...)
	return out, blind, nil
}

// remedy is what the person at the keyboard does where withheld values cannot be looked for.
func remedy(blind error) string {
	switch {
	case blind == nil:
		return ""
	case errors.Is(blind, secret.ErrNoKey):
		return "The policy lists such values, and there is no key to look for them: give it in " + keyVariable + " or with --withhold-key-file."
	case errors.Is(blind, secret.ErrWrongKey):
		return "The key is not the one that the policy's list was made with, or policy.salt was changed since: give the list's key in " + keyVariable + " or with --withhold-key-file."
	}
	return "The configuration at the base has faults, so that its list of such values cannot be read: mend it there first."
}

// unlooked is the error of a command that gives no result without the look.
func unlooked(blind error) error {
	return errors.New("could not look for withheld values. " + remedy(blind))
}

// warn says on stderr that a command went on without the look.
func (ws *workspace) warn(ctx context.Context, stderr io.Writer, what string) {
	if ws.blind != nil {
		tell(ctx, ws.scanner, stderr, "could not look for withheld values. "+remedy(ws.blind)+" "+what)
	}
}

// A voice is how a run complains: with the scanner of the workspace, once there
// is one, which knows what the repository's policy withholds.
type voice struct{ scanner *secret.Scanner }

type voiceKey struct{}

// speak gives the run's voice a scanner.
func speak(ctx context.Context, s *secret.Scanner) {
	if v, ok := ctx.Value(voiceKey{}).(*voice); ok {
		v.scanner = s
	}
}
