package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cardkeeper/cardkeeper/app/github"
	"github.com/cardkeeper/cardkeeper/app/tree"
	"github.com/cardkeeper/cardkeeper/checker"
)

const (
	// maxLevels and maxBlobs bound what one look at commits asks of GitHub: so many
	// folders and files. A commit that changes one file of a skill takes three
	// folders and the file. maxLate is for the files that tell whether a value that
	// was found is new. With the two sides, up to three pages of commits, the
	// repository and the pull request, one look takes an eighth of what an
	// installation has for an hour at worst, and a dozen requests as a rule.
	maxLevels = 250
	maxBlobs  = 150
	maxLate   = 200
)

// trace reads the commits of a pull request, only where they differ from their
// parents, and looks at them.
func (r *Runner) trace(ctx context.Context, from *source, pull github.Pull) (checker.History, error) {
	ctx = from.memory.Under(ctx)
	tip, err := baseTip(ctx, from, pull)
	if err != nil {
		return checker.History{}, err
	}
	log, err := from.client.History(ctx, from.repo, tip, pull.Head.SHA, checker.MaxCommits)
	if err != nil {
		return checker.History{}, err
	}
	nothing := checker.History{Commits: log.Total}
	s, err := r.sides(ctx, from, comparison{base: log.MergeBase, tip: tip, head: pull.Head.SHA})
	if err != nil {
		return nothing, hush(err)
	}
	past := checker.Past{Base: *s.in.Base, Head: s.in.Head, Total: log.Total, Scanner: s.in.Scanner, Allow: s.in.Policy.Allow, Today: s.in.Today}
	near, err := past.Near()
	if err != nil {
		return nothing, hush(err)
	}
	b := &branch{client: from.client, repo: from.repo, levels: map[string][]tree.Entry{}, lists: log.Commits}
	if err := b.walk(ctx, near); err != nil {
		return nothing, err
	}
	if err := b.commits(ctx, s, &past); err != nil {
		return nothing, hush(err)
	}
	h, err := checker.Trace(ctx, past)
	if err != nil {
		return nothing, hush(err)
	}
	h.Missed = append(b.missed, h.Missed...)
	return h, nil
}

// A branch is the commits of a pull request while their folders are listed.
type branch struct {
	client *github.Client
	repo   github.Repo
	levels map[string][]tree.Entry // by id
	lists  []github.Commit         // those that are looked at, oldest first
	deltas []*tree.Delta
	missed []string
}

// walk lists the folders of all commits level by level, each once. Where they
// are too many it first leaves out folders that hold no skill on either side, and
// then the oldest commits, and says so.
func (b *branch) walk(ctx context.Context, near func(folder string) bool) error {
	roots := map[string]string{} // tree by commit, where it is known
	for _, c := range b.lists {
		roots[c.ID] = c.Tree
	}
	for _, c := range b.lists {
		var parents []string
		for _, p := range c.Parents {
			if roots[p] == "" {
				roots[p] = p // GitHub takes a commit's id for that of its tree
			}
			parents = append(parents, roots[p])
		}
		b.deltas = append(b.deltas, tree.NewDelta(c.Tree, parents))
	}
	for wants := b.wants(); len(wants) > 0; wants = b.wants() {
		if len(b.levels)+len(b.unknown(wants)) > maxLevels {
			b.lighten(near)
			continue
		}
		if err := b.list(ctx, b.unknown(wants)); err != nil {
			return err
		}
		for _, d := range b.deltas {
			d.Take(b.levels)
		}
	}
	return nil
}

// wants are the folders that are still to be looked into.
func (b *branch) wants() (ids []string) {
	for _, d := range b.deltas {
		ids = append(ids, d.Wants()...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// unknown are those of the ids that were not listed yet.
func (b *branch) unknown(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, known := b.levels[id]; return known })
}

// lighten makes less work: without the folders far from any skill, or, where
// there are none left, without the oldest commit.
func (b *branch) lighten(near func(folder string) bool) {
	pruned := false
	for _, d := range b.deltas {
		pruned = d.Prune(near) || pruned
	}
	const far = "folders without a skill on either side, since the commits change too many"
	if pruned {
		if !slices.Contains(b.missed, far) {
			b.missed = append(b.missed, far)
		}
		return
	}
	b.lists, b.deltas = b.lists[1:], b.deltas[1:]
}

// list fetches levels. All of them or an error.
func (b *branch) list(ctx context.Context, ids []string) error {
	levels, err := b.client.Levels(ctx, b.repo, ids)
	maps.Copy(b.levels, levels)
	return err
}

// commits makes trees of the lists and fetches what is read of them in any case.
// The oldest commits are left out where that is too much.
func (b *branch) commits(ctx context.Context, s *sides, past *checker.Past) error {
	blobs := &lazy{ctx: ctx, branch: b, blobs: map[string][]byte{}}
	maps.Copy(blobs.blobs, s.head.from.blobs)
	s.base.late, s.head.late = blobs.load, blobs.load
	for i, d := range b.deltas {
		own, parents := d.Entries()
		c := checker.Commit{ID: b.lists[i].ID}
		files, err := tree.New(own, blobs.load)
		if err != nil {
			return err
		}
		c.Files = files
		for _, entries := range parents {
			parent, err := tree.New(entries, blobs.load)
			if err != nil {
				return err
			}
			c.Parents = append(c.Parents, parent)
		}
		past.Commits = append(past.Commits, c)
	}
	ids, err := past.Needs()
	for ; err == nil && len(ids) > maxBlobs; ids, err = past.Needs() {
		past.Commits = past.Commits[1:]
	}
	if err != nil {
		return err
	}
	if left := min(past.Total, checker.MaxCommits) - len(past.Commits); left > 0 {
		b.missed = append(b.missed, fmt.Sprintf("the oldest %d of these commits, since together they change too much", left))
	}
	got, err := b.client.Blobs(ctx, b.repo, slices.DeleteFunc(ids, func(id string) bool { return blobs.blobs[id] != nil }))
	for id, data := range got {
		blobs.blobs[id] = data
	}
	return err
}

// lazy gives blobs that were fetched, and fetches the few others when they are
// read: those that tell whether a found value is new. It is not safe for
// concurrent use.
type lazy struct {
	ctx    context.Context // of the one look at commits that it belongs to
	branch *branch
	blobs  map[string][]byte
	late   int // how many were fetched one by one
}

func (l *lazy) load(id string) ([]byte, error) {
	if data, ok := l.blobs[id]; ok {
		return data, nil
	}
	if l.late++; l.late > maxLate {
		return nil, github.ErrTooLarge
	}
	got, err := l.branch.client.Blobs(l.ctx, l.branch.repo, []string{id})
	if err != nil {
		return nil, err
	}
	l.blobs[id] = got[id]
	return got[id], nil
}
