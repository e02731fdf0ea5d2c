package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
	"github.com/cardkeeper/cardkeeper/extractor/card"
)

// A merge is what the base branch and a head come to where both changed cards.
type merge struct {
	conflict checker.Conflict
	tip      string          // its commit, upon whose tree the changes go
	changes  []github.Change // what the head did, without the cards that conflict
	mends    []checker.Mend  // the cards of the merged skills
}

// Why no merge is offered although nothing but cards conflicts.
const (
	severalBases = "The two branches were merged into each other crosswise, so that no one commit is where they parted."
	longHistory  = "Both branches have so many commits of their own that where they parted was not made sure."
	oddNames     = "Names of changed files are no UTF-8, which GitHub's API cannot write."
	badConfig    = "The configuration would have faults."
	leaky        = "The merge would bring a secret or a withheld value into the index."
	unlooked     = "Nobody could look whether the merge brings a withheld value into the index."
	notHere      = "The App does not commit to this branch as it stands."
	unsettled    = "Not every card that conflicts can be rebuilt."
)

// standingOf is merging for who can do without: where it fails for good, nothing is
// said of a conflict, and the rest stays what it is.
func (r *Runner) standingOf(ctx context.Context, from *source, c comparison, ahead github.Ahead) (merge, error) {
	m, err := r.merging(ctx, from, c, ahead)
	if err == nil || retried(err, false) || ctx.Err() != nil {
		return m, err
	}
	r.complain(ctx, slog.LevelWarn, "could not tell whether cards conflict", err, "repository", from.repo.ID, "head", c.head)
	return merge{}, nil
}

// merging merges the trees of a comparison, by ids, where the base branch has moved
// on since the head left it. It is the zero merge where no card conflicts. The
// shape is that of the merged tree, the policy that of the base's tip.
func (r *Runner) merging(ctx context.Context, from *source, c comparison, ahead github.Ahead) (m merge, err error) {
	if c.tip == "" || c.tip == c.base || c.tip == c.head {
		return m, nil
	}
	trees, err := from.client.MergeTrees(ctx, from.repo, c.base, c.tip, c.head)
	if err != nil || len(trees.Clashes) == 0 {
		return m, err
	}
	m.tip, m.changes = c.tip, trees.Changes
	both, cards, why, err := r.clashing(ctx, from, c, trees, &m)
	if err != nil || m.conflict.Cards == 0 || m.conflict.Others > 0 {
		return m, err
	}
	if why == "" {
		why, err = r.parted(ctx, from, c, ahead)
	}
	if m.conflict.Why = why; err != nil || why != "" {
		return m, err
	}
	return m, r.settleMerge(ctx, from, both, cards, &m)
}

// clashing tells cards from other paths, under the configuration of the merged tree,
// and why even cards alone are too much. both compares that tree with the tip's.
func (r *Runner) clashing(ctx context.Context, from *source, c comparison, trees github.TreeMerge, m *merge) (both comparison, cards []string, why string, err error) {
	both = comparison{base: c.tip, tip: c.tip, head: c.head + "+" + c.tip}
	if both.entries, err = mergedEntries(ctx, from, c.tip, trees.Changes); err != nil {
		return both, nil, "", err
	}
	side, err := both.taken(ctx, from)
	if err != nil {
		return both, nil, "", err
	}
	own, err := side.config(ctx)
	var faults config.Faults
	switch {
	case errors.As(err, &faults):
		own, why = config.Default(), badConfig
	case err != nil:
		return both, nil, "", err
	case trees.Unnamed > 0:
		why = oddNames
	}
	cards, m.conflict.Others, err = r.sortClashes(ctx, from, own.Shape.Cards, trees.Clashes)
	m.conflict.Cards = len(cards)
	return both, cards, why, err
}

// settleMerge rebuilds the cards of the merged tree, and says whether that is enough.
func (r *Runner) settleMerge(ctx context.Context, from *source, both comparison, cards []string, m *merge) error {
	report, s, err := r.examine(ctx, from, both, true)
	if err != nil {
		return err
	}
	switch {
	case report.Leaky():
		m.conflict.Why = leaky
	case report.Unlooked != "":
		m.conflict.Why = unlooked
	case !report.Settles(cards):
		m.conflict.Why = unsettled
	default:
		m.conflict.Merge, m.mends = true, report.Mends
		m.mends = slices.DeleteFunc(m.mends, func(card checker.Mend) bool {
			_, there := s.base.ID(card.Card)
			return card.Data == nil && !there && m.drop(card.Card)
		})
	}
	return nil
}

// drop takes back what the head did to a path, and reports that.
func (m *merge) drop(path string) bool {
	m.changes = slices.DeleteFunc(slices.Clone(m.changes), func(c github.Change) bool { return c.Path == path })
	return true
}

// whole are all changes to the tree of the tip: a rebuilt card in the place of the
// head's.
func (m merge) whole() []github.Change {
	for _, card := range m.mends {
		m.drop(card.Card)
	}
	return slices.Concat(m.changes, cardChanges(m.mends))
}

// mergedEntries are the files of a commit after changes.
func mergedEntries(ctx context.Context, from *source, commit string, changes []github.Change) ([]tree.Entry, error) {
	entries, err := from.client.Tree(ctx, from.repo, commit)
	if err != nil {
		return nil, err
	}
	replaced := make(map[string]bool, len(changes))
	var added []tree.Entry
	for _, c := range changes {
		replaced[c.Path] = true
		switch {
		case c.ID == "":
		case c.Mode != tree.Directory:
			added = append(added, tree.Entry{Path: c.Path, Mode: c.Mode, ID: c.ID, Size: c.Size})
		default:
			below, err := from.client.Tree(ctx, from.repo, c.ID)
			if err != nil {
				return nil, err
			}
			for _, e := range below {
				e.Path = c.Path + "/" + e.Path
				added = append(added, e)
			}
		}
	}
	entries = slices.DeleteFunc(entries, func(e tree.Entry) bool {
		for i, r := range e.Path {
			if r == '/' && replaced[e.Path[:i]] {
				return true
			}
		}
		return replaced[e.Path]
	})
	return append(entries, added...), nil
}

// sortClashes tells the cards among what clashes, which are rebuilt, from other
// paths, of which it gives the number. What both sides removed and was a card is neither.
func (r *Runner) sortClashes(ctx context.Context, from *source, folder string, clashes []github.Clash) (cards []string, others int, err error) {
	var ids []string
	for _, c := range clashes {
		if possibleCard(folder, c) {
			ids = append(ids, present(c)...)
		}
	}
	if err := from.fetch(ctx, ids); err != nil {
		return nil, 0, err
	}
	for _, c := range clashes {
		marked := !slices.ContainsFunc(present(c), func(id string) bool { return !checker.Marked(from.blobs[id]) })
		switch {
		case !possibleCard(folder, c) || !marked:
			others++
		case c.Onto.ID != "" || c.From.ID != "":
			cards = append(cards, c.Path)
		}
	}
	return cards, others, nil
}

// possibleCard reports whether a clash is of plain files where cards are.
func possibleCard(folder string, c github.Clash) bool {
	_, ok := card.Folder(folder, c.Path)
	for _, e := range []tree.Entry{c.Base, c.Onto, c.From} {
		ok = ok && (e.ID == "" || e.Mode == tree.Regular || e.Mode == tree.Executable)
	}
	return ok
}

// present are the ids of a clash's sides, the base's only where it is all there is.
func present(c github.Clash) (ids []string) {
	for _, e := range []tree.Entry{c.Onto, c.From} {
		if e.ID != "" {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		ids = append(ids, c.Base.ID)
	}
	return ids
}

// merge commits the merge of the base branch, upon the tree of its tip: what the
// head changed is the smaller part.
func (u *update) merge(ctx context.Context, pull github.Pull, head github.Commit, m merge) (words string, err error) {
	tip, err := u.client.Commit(ctx, u.repo, m.tip)
	if err != nil {
		return "", err
	}
	return u.commit(ctx, cardCommit{
		branch: pull.Head.Ref, tree: tip.Tree, parents: []string{head.ID, tip.ID}, message: mergeMessage, changes: m.whole(),
		still: func(ctx context.Context) error { return u.unmoved(ctx, pull, m.tip) },
	})
}

// unmoved is errMoved where the pull request has another base by now, or that has
// another tip: what was merged is not what it goes into.
func (u *update) unmoved(ctx context.Context, pull github.Pull, tip string) error {
	now, err := u.client.Pull(ctx, u.repo, pull.Number)
	if err != nil {
		return err
	}
	at, err := u.client.Branch(ctx, u.repo, pull.Base.Ref)
	if err == nil && (now.Base.Ref != pull.Base.Ref || now.State != "open" || at != tip) {
		return errMoved
	}
	return err
}
