package main

import (
	"context"
	"errors"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/spf13/cobra"
)

// scanStaged scans the files that the next commit brings, as they are staged and
// not as they lie in the folder. Names are relative to the repository.
func scanStaged(c *cobra.Command, root, format string, keys keyring) error {
	w := where{root: root}
	folder, err := w.folder()
	if err != nil {
		return err
	}
	local, err := tree.Open(c.Context(), folder)
	if err != nil {
		return err
	}
	defer local.Close()
	changes, err := local.StagedChanges(c.Context())
	if err != nil {
		return err
	}
	files, err := local.Staged(c.Context())
	if err != nil {
		return err
	}
	cfg, err := config.Load(files)
	if err != nil {
		return err
	}
	out, err := newScanReport(c.Context(), keys, cfg, local.Root(), files)
	if err != nil {
		return err
	}
	for _, e := range changes {
		if err := out.staged(c.Context(), local, e); err != nil {
			return err
		}
	}
	return out.finish(c, format)
}

// staged scans one entry of the index.
func (r *scanReport) staged(ctx context.Context, local *tree.Local, e tree.Entry) error {
	name := strings.ToValidUTF8(e.Path, "\ufffd")
	b, err := local.Blob(e.ID)
	if errors.Is(err, tree.ErrTooLarge) {
		r.unscanned = append(r.unscanned, name)
		return nil
	}
	if err != nil {
		return err
	}
	file, ok := strings.CutPrefix(e.Path, local.Prefix())
	if !ok {
		file = "" // the rules speak of the configuration's folder alone
	}
	return r.content(ctx, name, file, b)
}
