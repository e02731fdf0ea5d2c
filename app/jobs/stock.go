package jobs

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/app/store"
	"github.com/cardkeeper/cardkeeper/extractor"
)

// The index of a commit is kept whole beside its segments, without the skills that a scan found
// something in: the next question on that commit reads no segment, and one on
// another commit those of the skills that differ. Its key names every skill with its
// shape and policy, and the program; markers, names and lessons are put on top when it is loaded.
// What cannot be read or written costs time and no answer.
//
// It is not packed: that would halve its bytes and double the time to load it. Nor
// is it held in memory: to read and load 100,000 facts takes a sixth of a
// second, and the requests to GitHub before that a multiple.

// stock is the index of a commit, from what is kept and what differs.
func (b *binder) stock(ctx context.Context, skills []extractor.SkillFiles) (*ask.Stock, error) {
	wanted := make([]ask.Part, len(skills))
	for i, s := range skills {
		wanted[i] = b.part(s)
	}
	had, exact, err := b.had(ctx, wanted)
	if err != nil {
		return nil, err
	}
	var lacking []extractor.SkillFiles
	for _, i := range had.Lacks(wanted) {
		lacking = append(lacking, skills[i])
	}
	if err := b.bind(ctx, lacking); err != nil {
		return nil, err
	}
	whole := had.Revised(wanted, b.skills)
	clean := whole.Without(b.tainted(), had)
	if exact && clean == had {
		return whole, nil
	}
	return whole, b.keepStock(ctx, ask.KeyOf(wanted), clean)
}

// tainted are the folders of the skills that something was found in.
func (b *binder) tainted() map[string]bool {
	out := map[string]bool{}
	for folder, clean := range b.clean {
		out[folder] = !clean
	}
	return out
}

// had is what is kept for the wanted skills: theirs, or one near it, or nothing.
func (b *binder) had(ctx context.Context, wanted []ask.Part) (had *ask.Stock, exact bool, err error) {
	key := ask.KeyOf(wanted)
	kept, err := b.r.cfg.Store.Index(ctx, store.Index{Repository: b.kept.Repository, Key: key, Rules: b.kept.Rules})
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if err != nil {
		if !errors.Is(err, store.ErrNotFound) {
			b.r.complain(ctx, slog.LevelWarn, "could not read an index", err, "repository", b.kept.Repository)
		}
		return ask.NewStock(), false, nil
	}
	if had, err = ask.LoadStock(kept.Data); err != nil {
		b.r.complain(ctx, slog.LevelWarn, "an index is damaged and is made anew", err, "repository", b.kept.Repository)
		return ask.NewStock(), false, nil
	}
	return had, kept.Key == key, nil
}

// keepStock keeps an index for the next question.
func (b *binder) keepStock(ctx context.Context, key string, s *ask.Stock) error {
	x := store.Index{Repository: b.kept.Repository, Key: key, Rules: b.kept.Rules, Installation: b.kept.Installation, Data: s.Bytes()}
	err := b.r.cfg.Store.Tx(ctx, func(ctx context.Context, tx *sql.Tx) error { return b.r.cfg.Store.PutIndexTx(ctx, tx, x) })
	if err != nil && ctx.Err() == nil {
		b.r.complain(ctx, slog.LevelWarn, "could not keep an index", err, "repository", b.kept.Repository)
		err = nil
	}
	return err
}
