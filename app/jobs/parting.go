package jobs

import (
	"context"
	"errors"

	"github.com/cardkeeper/cardkeeper/app/github"
)

// parted says why it is not sure that the merge base is the only one, or "". Each
// commit at which the head's own ones end is common to both sides. Where it is no
// ancestor of the merge base it is, or leads to, another one.
func (r *Runner) parted(ctx context.Context, from *source, c comparison, ahead github.Ahead) (why string, err error) {
	if ahead.Sole {
		return "", nil
	}
	h, err := from.client.History(ctx, from.repo, c.tip, c.head, maxParting)
	if err == nil && h.Total > len(h.Commits) { // the other side may be shorter
		h, err = from.client.History(ctx, from.repo, c.head, c.tip, maxParting)
	}
	if err != nil {
		return "", err
	}
	if h.Total > len(h.Commits) {
		return longHistory, nil
	}
	common := ends(h.Commits)
	if len(common) > maxEnds {
		return longHistory, nil
	}
	for _, end := range common {
		if end == c.base {
			continue
		}
		to, err := from.client.Compare(ctx, from.repo, c.base, end)
		if err != nil && !errors.Is(err, github.ErrNotFound) {
			return "", err
		}
		if to.MergeBase != end {
			return severalBases, nil
		}
	}
	return "", nil
}

const (
	// maxParting is how many commits of one side are read to find where it parted:
	// what one request gives.
	maxParting = 100
	// maxEnds bounds the requests for it: a branch that took over its base so often
	// while it was open is rare.
	maxEnds = 20
)

// ends are the parents of commits that are not among them.
func ends(commits []github.Commit) (list []string) {
	known := map[string]bool{}
	for _, c := range commits {
		known[c.ID] = true
	}
	for _, c := range commits {
		for _, p := range c.Parents {
			if !known[p] {
				known[p] = true
				list = append(list, p)
			}
		}
	}
	return list
}
